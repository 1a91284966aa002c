"""Ask: a question box, filters, examples, and the answer with its sources."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import gradio as gr

from corpus.catalogue import CatalogueProduct
from corpus.errors import RelnotesError
from corpus.model import Span
from retrieval.assistant import Assistant
from retrieval.model import Answer
from ui.assistant_source import AssistantSource
from ui.question_desk import QuestionDesk
from ui.question_limits import MAX_FILTER_CHARACTERS, MAX_QUESTION_CHARACTERS
from ui.web.answer_html import render_answer_html, render_coverage_html, render_failure_html
from ui.web.controls import html_block
from ui.web.examples import example_questions
from ui.web.services import PageServices
from ui.web.surroundings import split_surroundings

_ANY_PRODUCT = ("Any product", "")

Submit: TypeAlias = Callable[[str, str, str], Coroutine[Any, Any, str]]


def add_ask_tab(services: PageServices, page: gr.Blocks) -> None:
    """Draw the tab into the open `with` block, and wire it."""
    coverage = html_block("")
    with gr.Row(elem_classes="rn-ask", equal_height=True):
        question = gr.Textbox(
            label="Question",
            placeholder="What was deprecated in the latest release?",
            max_length=MAX_QUESTION_CHARACTERS,
            max_lines=4,
            scale=1,
            autofocus=True,
            elem_id="rn-question",
        )
        ask = gr.Button("Ask", variant="primary", scale=0, min_width=96, elem_id="rn-ask")
    with gr.Row(elem_classes="rn-filters"):
        product = gr.Dropdown([_ANY_PRODUCT], value="", label="Product", elem_id="rn-product")
        version = gr.Textbox(label="Version", placeholder="Any version", max_lines=1, elem_id="rn-version")
    examples = gr.Dataset(
        label="Try",
        components=[question],
        samples=[],
        type="values",
        layout="gallery",
        visible=False,
        elem_id="rn-examples",
    )
    answer = html_block("", elem_id="rn-answer")

    submit = _submit(services.assistants, services.desk)
    for trigger in (question.submit, ask.click, version.submit):
        trigger(
            submit,
            inputs=[question, product, version],
            outputs=answer,
            api_visibility="private",
            concurrency_limit=None,
            show_progress="minimal",
        )
    examples.click(lambda sample: sample[0], inputs=examples, outputs=question, api_visibility="private").then(
        submit,
        inputs=[question, product, version],
        outputs=answer,
        api_visibility="private",
        concurrency_limit=None,
        show_progress="minimal",
    )
    page.load(_greet(services.assistants), outputs=[coverage, product, examples], api_visibility="private")


def _submit(assistants: AssistantSource, desk: QuestionDesk) -> Submit:
    async def submit(question: str, product: str, version: str) -> str:
        if not question.strip():
            return render_failure_html("Type a question first.")
        # The box keeps to these limits by itself; a client of its own making may not.
        if len(question) > MAX_QUESTION_CHARACTERS or max(len(product), len(version)) > MAX_FILTER_CHARACTERS:
            return render_failure_html(
                f"A question may have {MAX_QUESTION_CHARACTERS:,} characters, a filter {MAX_FILTER_CHARACTERS}. "
                "Shorten it."
            )

        def work() -> tuple[Answer, str]:
            with assistants.borrow() as assistant:
                found = assistant.ask(question.strip(), product=product or None, version=version.strip() or None)
                return found, _render(assistant, found)

        try:
            found, rendered = await desk.run(work)
        except RelnotesError as error:
            return render_failure_html(str(error))
        desk.record(found.question, found.status)
        return rendered

    return submit


def _greet(assistants: AssistantSource) -> Callable[[], tuple[str, gr.Dropdown, gr.Dataset]]:
    def greet() -> tuple[str, gr.Dropdown, gr.Dataset]:
        try:
            with assistants.borrow() as assistant:
                products: tuple[CatalogueProduct, ...] = assistant.catalogue()
        except RelnotesError as error:
            return render_failure_html(str(error)), gr.Dropdown([_ANY_PRODUCT]), gr.Dataset(visible=False)
        choices = [_ANY_PRODUCT, *((known.name, known.name) for known in products)]
        samples = [[example] for example in example_questions(products)]
        return (
            render_coverage_html(products),
            gr.Dropdown(choices),
            gr.Dataset(samples=samples, visible=bool(samples)),
        )

    return greet


def _render(assistant: Assistant, answer: Answer) -> str:
    surroundings = {
        citation.n: split_surroundings(
            assistant.index.document_text(citation.document_id), Span(citation.start, citation.end)
        )
        for citation in answer.citations
    }
    return render_answer_html(answer, surroundings)
