"""The page at `/`: a question box, filters, examples, and the answer with its sources.

Gradio draws the controls; what comes from documents is HTML of our own (`ui.web.answer_html`).
"""

from collections.abc import Callable, Coroutine
from importlib.resources import files
from typing import Any, TypeAlias

import gradio as gr
from fastapi import FastAPI
from starlette.routing import Mount

from corpus.catalogue import CatalogueProduct
from corpus.errors import RelnotesError
from corpus.model import Span
from retrieval.assistant import Assistant
from retrieval.model import Answer
from ui.assistant_source import AssistantSource
from ui.problems import install_problem_handlers
from ui.question_desk import QuestionDesk
from ui.question_limits import MAX_FILTER_CHARACTERS, MAX_QUESTION_CHARACTERS
from ui.web.answer_html import render_answer_html, render_coverage_html, render_failure_html
from ui.web.examples import example_questions
from ui.web.page_paths import PagePaths
from ui.web.surroundings import split_surroundings

_ANY_PRODUCT = ("Any product", "")
_TITLE = "relnotes"
_HEAD = (
    '<header class="rn-head"><h1>relnotes</h1>'
    "<p>Ask about software release notes. Every answer is quoted word for word and linked to its source.</p></header>"
)
_SANS = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "Noto Sans", "Arial", "sans-serif")
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "DejaVu Sans Mono", "monospace")

Submit: TypeAlias = Callable[[str, str, str], Coroutine[Any, Any, str]]


def mount_page(app: FastAPI, assistants: AssistantSource, desk: QuestionDesk) -> None:
    """Serve the page for every path of `app` that no route of it has."""
    gr.mount_gradio_app(
        app,
        _build_page(assistants, desk),
        path="/",
        footer_links=[],
        run_history=False,
        ssr_mode=False,
        theme=_theme(),
        css=_asset("page.css"),
        head=f"<script>{_asset('page.js')}</script>",
        max_file_size="1kb",
    )
    # As a mount at "/", the page would also catch a wrong method on our own paths and answer 404 for 405.
    mount = app.router.routes.pop()
    assert isinstance(mount, Mount)
    install_problem_handlers(mount.app)  # type: ignore[arg-type]  # Gradio's app is a FastAPI
    app.router.default = PagePaths(mount.app)


def _build_page(assistants: AssistantSource, desk: QuestionDesk) -> gr.Blocks:
    with gr.Blocks(title=_TITLE, analytics_enabled=False, fill_width=True) as page:
        _html(_HEAD)
        coverage = _html("")
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
        answer = _html("", elem_id="rn-answer")

        submit = _submit(assistants, desk)
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
        page.load(_greet(assistants), outputs=[coverage, product, examples], api_visibility="private")
    return page


def _html(value: str, *, elem_id: str | None = None) -> gr.HTML:
    return gr.HTML(value, elem_id=elem_id, js_on_load=None, apply_default_css=False)


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


def _theme() -> gr.themes.Base:
    return gr.themes.Base(font=_SANS, font_mono=_MONO, neutral_hue="slate", radius_size="md")


def _asset(name: str) -> str:
    return files("ui.web").joinpath(name).read_text(encoding="utf-8")
