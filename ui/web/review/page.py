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
from ui.web.forms import read_form
from ui.web.html import render, render_failure_html
from ui.web.review.input import MAX_DIFF_CHARACTERS, ExampleBump, ReadAs, choose_reading, example_bump, example_claim
from ui.web.review.review_html import render_claims_html, render_review_html
from ui.web.services import PageServices, tell_trouble
from ui.web.shell import page_response, trouble_response
from ui.web.surroundings import reads_around

PATH = "/review"


def add_review_page(app: FastAPI, services: PageServices) -> None:
    """Add the page to `app`."""

    @app.head(PATH, include_in_schema=False)
    @app.get(PATH, include_in_schema=False)
    async def show_page(request: Request) -> HTMLResponse:
        example = request.query_params.get("example", "")

        def work(assistant: Assistant) -> Markup:
            bump = example_bump(assistant.catalogue())
            text = _example(assistant, bump, example)
            return _page(bump, text, ReadAs.DETECT, _reviewed(assistant, text, ReadAs.DETECT) if text else Markup(""))

        try:
            body = await services.ask(work)
        except RelnotesError as error:
            return trouble_response(request, "review", error)
        return page_response(request, "Review", "review", body)

    @app.post(PATH, include_in_schema=False)
    async def review(request: Request) -> HTMLResponse:
        text, wanted = "", ReadAs.DETECT
        try:
            # Forms have line ends of the web; places count in what was pasted.
            fields = (await read_form(request)).fields
            text = fields.get("text", "").replace("\r\n", "\n")
            wanted = _wanted(fields)
            reading = choose_reading(text, wanted)
            most = LONG_DIFF_CHARACTERS if reading is ReadAs.DIFF else LONG_CLAIMS_CHARACTERS
            shown = await services.ask(lambda assistant: _reviewed(assistant, text, reading), is_long=len(text) > most)
        except RelnotesError as error:
            shown = render_failure_html(tell_trouble(error))
        try:
            bump = example_bump(services.catalogue())
        except RelnotesError:
            bump = None
        return page_response(request, "Review", "review", _page(bump, text[:MAX_DIFF_CHARACTERS], wanted, shown))


def _wanted(fields: Mapping[str, str]) -> ReadAs:
    try:
        return ReadAs(fields.get("read_as", ReadAs.DETECT.value))
    except ValueError:
        raise UsageError("A text is read as a diff or as a text. Choose one of them.") from None


def _reviewed(assistant: Assistant, text: str, wanted: ReadAs) -> Markup:
    around = reads_around(assistant.index)
    if choose_reading(text, wanted) is ReadAs.DIFF:
        return render_review_html(assistant.review(text), read_diff(text), around)
    return render_claims_html(assistant.cite(text), around)


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
