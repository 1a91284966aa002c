"""Ask: a conversation with follow-ups, and the box that it is held in."""

from collections.abc import Callable
from datetime import date

import gradio as gr

from corpus.catalogue import CatalogueProduct
from corpus.errors import RelnotesError
from retrieval.model import MAX_QUESTION_CHARACTERS
from ui.question_limits import MAX_FILTER_CHARACTERS
from ui.web.ask.handlers import AskHandlers, begin_anew
from ui.web.ask.turn_html import render_age_html, render_start_html
from ui.web.controls import QUIETLY, html_block
from ui.web.html import render_failure_html
from ui.web.services import PageServices, tell_trouble

_ANY_PRODUCT = ("Any product", "")


def add_ask_tab(services: PageServices, page: gr.Blocks) -> None:
    """Draw the tab into the open `with` block, and wire it."""
    with gr.Column(elem_id="rn-ask-tab"):
        # First in the document, so that it is the first text box; the style puts it below the conversation.
        with gr.Column(elem_id="rn-composer"):
            with gr.Row(elem_classes="rn-ask"):
                question = gr.Textbox(
                    label="Question",
                    placeholder="Ask about a release",
                    max_length=MAX_QUESTION_CHARACTERS,
                    max_lines=4,
                    scale=1,
                    autofocus=True,
                    elem_id="rn-question",
                )
                ask = gr.Button("Ask", variant="primary", scale=0, min_width=96, elem_id="rn-ask")
            with gr.Row(elem_classes="rn-filters"):
                product = gr.Dropdown([_ANY_PRODUCT], value="", label="Product", elem_id="rn-product")
                version = gr.Textbox(
                    label="Version",
                    placeholder="Any version",
                    max_lines=1,
                    max_length=MAX_FILTER_CHARACTERS,
                    elem_id="rn-version",
                )
                fresh = gr.Button("New conversation", scale=0, elem_id="rn-new", size="md")
            said = html_block("", elem_id="rn-said")
        start = html_block("", elem_id="rn-start", acts=True)
        earlier = html_block("", elem_id="rn-earlier", acts=True)
        answer = html_block("", elem_id="rn-answer", acts=True)
        age = html_block("", elem_id="rn-age")
    turns = gr.State(())
    # In the order of `handlers.changes`.
    controls = [turns, earlier, answer, question, product, version, ask, said]
    # What the handlers give is as the controls take it. Gradio would make sure in a thread for each control, which an
    # answer then waits for again and again while others compute.
    quietly = QUIETLY | {"postprocess": False}
    handlers = AskHandlers(services)
    gr.on(
        [question.submit, ask.click, version.submit],
        handlers.submit,
        inputs=[question, product, version, turns],
        outputs=controls,
        # What is asked while near questions are still looked for waits, in place of being dropped without a word.
        trigger_mode="always_last",
        **quietly,
    )
    gr.on(
        [start.click, earlier.click, answer.click],
        handlers.act,
        inputs=[turns],
        outputs=controls,
        **quietly,
    )
    fresh.click(begin_anew, outputs=controls, js=_FOCUS_QUESTION, **quietly)
    page.load(_greet(services), outputs=[start, age, product], **quietly | {"postprocess": True}).then(
        handlers.ask_linked, inputs=[turns], outputs=controls, **quietly
    )


_FOCUS_QUESTION = "() => { document.querySelector('#rn-question textarea').focus(); }"


def _greet(services: PageServices) -> Callable[[], tuple[str, str, gr.Dropdown]]:
    def greet() -> tuple[str, str, gr.Dropdown]:
        try:
            with services.assistants.borrow() as assistant:
                products: tuple[CatalogueProduct, ...] = assistant.catalogue()
                updated = assistant.index.manifest.updated
        except RelnotesError as error:
            return render_failure_html(tell_trouble(error)), "", gr.Dropdown([_ANY_PRODUCT])
        choices = [_ANY_PRODUCT, *((known.name, known.name) for known in products)]
        return (
            render_start_html(products),
            render_age_html(products, updated=updated, today=date.today()),
            gr.Dropdown(choices),
        )

    return greet
