"""Review: what the notes say of a diff or a claim."""

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import gradio as gr

from corpus.errors import RelnotesError
from retrieval.assistant import Assistant
from retrieval.claims.checking import MAX_CLAIMS, MAX_TEXT_CHARACTERS
from ui.question_limits import LONG_CLAIMS_CHARACTERS, LONG_DIFF_CHARACTERS
from ui.web.controls import QUIETLY, SHOWN, html_block
from ui.web.html import render_failure_html
from ui.web.review.input import MAX_DIFF_CHARACTERS, ReadAs, choose_reading, example_bump, example_claim
from ui.web.review.review_html import render_claims_html, render_review_html
from ui.web.services import PageServices, tell_trouble
from ui.web.surroundings import reads_around

_HINT = (
    '<p class="rn-hint">Of a diff, you see each dependency that it changes and each name on its changed lines, beside '
    "what the release notes say of it. Of a text, such as the description of a pull request, you see each claim beside "
    'the reason why it holds or doesn\'t.</p><p class="rn-hint">A diff may have '
    f"{MAX_DIFF_CHARACTERS:,} characters; a text {MAX_TEXT_CHARACTERS:,}, of which the first {MAX_CLAIMS} claims are "
    "checked.</p>"
)


def add_review_tab(services: PageServices, page: gr.Blocks) -> None:
    """Draw the tab into the open `with` block, and wire it."""
    pasted = gr.Textbox(
        label="Diff, or text that says something about releases",
        placeholder="Paste the output of git diff, a pull request's description, or any text to be checked",
        lines=8,
        max_lines=18,
        elem_id="rn-review-text",
    )
    with gr.Row(elem_classes="rn-reading", equal_height=False):
        wanted = gr.Radio(
            [reading.value for reading in ReadAs], value=ReadAs.DETECT.value, label="Read as", elem_id="rn-read-as"
        )
        stop = gr.Button("Stop", scale=0, min_width=90, visible=False, elem_id="rn-review-stop")
        run = gr.Button("Review", variant="primary", scale=0, min_width=120, elem_id="rn-review-run")
    with gr.Row(elem_classes="rn-try"):
        claim_example = gr.Button("", size="sm", scale=0, visible=False, elem_id="rn-example-claim")
        diff_example = gr.Button("", size="sm", scale=0, visible=False, elem_id="rn-example-diff")
    result = html_block(_HINT, elem_id="rn-review-result")

    async def review(pasted: str | None, wanted: str) -> AsyncIterator[tuple[str, gr.Button]]:
        text = pasted or ""
        try:
            reading = choose_reading(text, ReadAs(wanted))
        except (RelnotesError, ValueError) as error:
            yield render_failure_html(str(error)), gr.Button(visible=False)
            return

        def work(assistant: Assistant) -> str:
            from retrieval.reviews.diff import read_diff

            around = reads_around(assistant.index)
            if reading is ReadAs.DIFF:
                return render_review_html(assistant.review(text), read_diff(text), around)
            return render_claims_html(assistant.cite(text), around)

        most = LONG_DIFF_CHARACTERS if reading is ReadAs.DIFF else LONG_CLAIMS_CHARACTERS
        doing = "Reading the diff" if reading is ReadAs.DIFF else "Checking each claim against the notes"
        yield f'<p class="rn-hint" data-announce="{doing}">{doing}…</p>', gr.Button(visible=True)
        try:
            shown = await services.ask(work, is_long=len(text) > most)
        except RelnotesError as error:
            shown = render_failure_html(tell_trouble(error))
        yield shown, gr.Button(visible=False)

    async def fill(example: Callable[[Assistant], str]) -> AsyncIterator[tuple[Any, Any, str, gr.Button]]:
        try:
            text = await services.ask(example)
        except RelnotesError as error:
            yield gr.skip(), gr.skip(), render_failure_html(tell_trouble(error)), gr.Button(visible=False)
            return
        filled: tuple[Any, Any] = text, ReadAs.DETECT.value
        async for shown, stop in review(text, ReadAs.DETECT.value):
            yield *filled, shown, stop
            # Whoever goes on typing keeps what they type.
            filled = gr.skip(), gr.skip()

    def greet() -> tuple[gr.Button, gr.Button]:
        try:
            bump = example_bump(services.catalogue())
        except RelnotesError:
            bump = None
        if bump is None:
            return gr.Button(visible=False), gr.Button(visible=False)
        return (
            gr.Button(f"Try: a claim about {bump.product} {bump.end}", visible=True),
            gr.Button(f"Try: {bump.product} from {bump.start} to {bump.end}", visible=True),
        )

    running = [
        trigger(review, inputs=[pasted, wanted], outputs=[result, stop], **SHOWN, show_progress_on=result)
        for trigger in (run.click, wanted.input)
    ]
    running += [
        button.click(partial(fill, example), outputs=[pasted, wanted, result, stop], **SHOWN, show_progress_on=result)
        for button, example in ((claim_example, _claim), (diff_example, _diff))
    ]
    stop.click(_stopped, outputs=[result, stop], cancels=running, api_visibility="private")
    page.load(greet, outputs=[claim_example, diff_example], **QUIETLY)


def _stopped() -> tuple[str, gr.Button]:
    return '<p class="rn-hint" data-announce="Stopped">Stopped.</p>', gr.Button(visible=False)


def _claim(assistant: Assistant) -> str:
    bump = example_bump(assistant.catalogue())
    return example_claim(assistant.upgrade(bump.product, bump.start, bump.end)) if bump else ""


def _diff(assistant: Assistant) -> str:
    bump = example_bump(assistant.catalogue())
    return bump.diff if bump else ""
