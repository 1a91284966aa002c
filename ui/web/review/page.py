"""Review: what the notes say of a diff, or of the claims of a text."""

from collections.abc import Mapping

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from corpus.errors import RelnotesError, UsageError
from retrieval.assistant import Assistant
from retrieval.claims.checking import MAX_CLAIMS, MAX_TEXT_CHARACTERS
from retrieval.reviews.diff import read_diff
from ui.question_limits import LONG_CLAIMS_CHARACTERS, LONG_DIFF_CHARACTERS
from ui.web.html import render, render_failure_html
from ui.web.review.input import (
    MAX_DIFF_CHARACTERS,
    ExampleBump,
    ReadAs,
    choose_reading,
    example_bump,
    example_claim,
    reads_as_diff,
)
from ui.web.review.review_html import render_claims_html, render_review_html
from ui.web.services import PageServices, read_form, tell_trouble
from ui.web.shell import page_response, show_page
from ui.web.source import reads_around

PATH = "/review"


def add_review_page(app: FastAPI, services: PageServices) -> None:
    """Add the page to `app`."""

    @app.api_route(PATH, methods=["GET", "HEAD"], include_in_schema=False)
    async def open_review(request: Request) -> HTMLResponse:
        example = request.query_params.get("example", "")

        def work(assistant: Assistant) -> tuple[str, Markup]:
            bump = example_bump(assistant.catalogue())
            text = _example(assistant, bump, example)
            shown = _reviewed(assistant, text, ReadAs.DETECT) if text else Markup("")
            return "Review", _page(bump, text, ReadAs.DETECT, shown)

        return await show_page(request, "review", services, work)

    @app.post(PATH, include_in_schema=False)
    async def review(request: Request) -> HTMLResponse:
        text, wanted = "", ReadAs.DETECT

        def work(assistant: Assistant) -> Markup:
            return _page(example_bump(assistant.catalogue()), text, wanted, _reviewed(assistant, text, wanted))

        try:
            # Forms have line ends of the web; places count in what was pasted.
            fields = (await read_form(request)).fields
            text = fields.get("text", "").replace("\r\n", "\n")
            wanted = _wanted(fields)
            body = await services.run(work, is_long=_is_long(text, wanted))
        except RelnotesError as error:
            # What was pasted stays.
            body = _page(None, text[:MAX_DIFF_CHARACTERS], wanted, render_failure_html(tell_trouble(error)))
        finally:
            await request.close()
        return page_response(request, "Review", "review", body)


def _wanted(fields: Mapping[str, str]) -> ReadAs:
    try:
        return ReadAs(fields.get("read_as", ReadAs.DETECT.value))
    except ValueError:
        raise UsageError("A text is read as a diff or as a text. Choose one of them.") from None


def _is_long(text: str, wanted: ReadAs) -> bool:
    is_diff = reads_as_diff(text) if wanted is ReadAs.DETECT else wanted is ReadAs.DIFF
    return len(text) > (LONG_DIFF_CHARACTERS if is_diff else LONG_CLAIMS_CHARACTERS)


def _reviewed(assistant: Assistant, text: str, wanted: ReadAs) -> Markup:
    """What the notes say of it, or why it can't be reviewed."""
    try:
        if choose_reading(text, wanted) is ReadAs.TEXT:
            return render_claims_html(assistant.cite(text), reads_around(assistant.index))
        return render_review_html(assistant.review(text), read_diff(text), reads_around(assistant.index))
    except RelnotesError as error:
        return render_failure_html(tell_trouble(error))


def _example(assistant: Assistant, bump: ExampleBump | None, example: str) -> str:
    if bump is None or example not in ("claim", "diff"):
        return ""
    return bump.diff if example == "diff" else example_claim(assistant.upgrade(bump.product, bump.start, bump.end))


def _page(bump: ExampleBump | None, text: str, wanted: ReadAs, shown: Markup) -> Markup:
    return render(
        "review",
        "page",
        bump=bump,
        text=text,
        wanted=wanted,
        readings=tuple(ReadAs),
        shown=shown,
        most=(MAX_DIFF_CHARACTERS, MAX_TEXT_CHARACTERS, MAX_CLAIMS),
    )
