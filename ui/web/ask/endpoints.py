"""Ask: its page and the endpoint of its script. The server stores no conversation; none of this is part of the API."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from starlette.datastructures import QueryParams

from corpus.errors import RelnotesError, UsageError
from retrieval.assistant import Assistant
from retrieval.model import MAX_QUESTION_LENGTH, Heard, Query, Status
from retrieval.question.relative import LATEST
from ui.http.guards import ASK_PATH
from ui.server.question_desk import QuestionTimeoutError
from ui.web.ask.conversation import Answered, Asking, Failure, Seen, digest_answer, parse_address, parse_seen
from ui.web.ask.questions import follow_ups, start_questions
from ui.web.ask.turn_html import render_start_html, render_turn, render_ways_html
from ui.web.html import render, render_failure_html
from ui.web.services import PageServices, page_message
from ui.web.shell import page_response, trouble_response
from ui.web.source import SURROUNDING_CHARACTERS, reads_around

_UNREADABLE = "The question is missing, or longer than a question may be. Ask it in fewer words."


def add_ask_page(app: FastAPI, services: PageServices) -> None:
    """Add the page at `/` and the endpoint of its script, which answers a question."""

    def page_of(products: int, start: Markup) -> Markup:
        return render("ask", "page", most_characters=MAX_QUESTION_LENGTH, products=products, start=start)

    async def show_page(request: Request) -> HTMLResponse:
        def work(assistant: Assistant) -> Markup:
            products = assistant.catalogue()
            return page_of(len(products), render_start_html(assistant.index, products))

        try:
            # A separate line: a visitor gets the page even while questions wait.
            body = await services.run(work, line="pages")
        except QuestionTimeoutError as error:
            return trouble_response(request, "ask", error)
        except RelnotesError as error:
            body = page_of(0, render_failure_html(page_message(error)))
        return page_response(request, "", "ask", body)

    app.add_route("/", show_page)

    @app.post(ASK_PATH, include_in_schema=False)
    async def answer(request: Request) -> HTMLResponse:
        form = QueryParams((await request.body()).decode(errors="replace"))
        asking = parse_address(form.multi_items())
        if asking is None:
            shown = Asking(form.get("q", "")[:MAX_QUESTION_LENGTH])
            return _turn(form, shown, Failure(_UNREADABLE, can_retry=False))
        before = parse_seen(form.get("seen", ""))
        # Reopening a conversation repeats its questions, which aren't counted again.
        is_new = "again" not in form
        outcome = await answer_asking(asking, services, before=before, is_new=is_new, read="read" in form)
        return _turn(form, asking, outcome)


async def answer_asking(
    asking: Asking, services: PageServices, *, before: Seen | None, is_new: bool, read: bool
) -> Answered | Failure:
    """Answer a question in a thread of the desk, or return why not. The language model is asked only if `read`, because
    it takes seconds. Only an answer that it won't change any more is compared with `before` and, if `is_new`, counted.
    """

    def work(assistant: Assistant) -> Answered:
        answer = assistant.ask(asking.question, **asking.choices, read=read)
        products = assistant.catalogue()
        if answer.status is Status.NOT_FOUND:
            ways = render_ways_html(products, asking, answer.interpretation, start_questions(products))
            return Answered(answer, covered=ways)
        read_surroundings = reads_around(assistant.index, width=SURROUNDING_CHARACTERS)
        surroundings = {cited.n: read_surroundings(cited) for cited in answer.citations}
        leads_there = answer.blocks.closing is not None and answer.blocks.closing.more.upgrade
        upgrade = None if leads_there else range_asked(assistant.understand(asking.question, **asking.choices))
        return Answered(answer, surroundings, upgrade, follow_ups(products, asking, answer.interpretation))

    try:
        outcome = await services.run(work, line="readings" if read else "questions")
    except RelnotesError as error:
        return Failure(page_message(error), can_retry=not isinstance(error, UsageError))
    is_last = outcome.answer.heard is not Heard.NOT_YET
    if is_new and is_last:
        services.desk.record(asking.question, outcome.answer.status)
    # A failure of the model isn't a change of the notes.
    is_comparable = is_last and read is (outcome.answer.heard is Heard.YES)
    return replace(outcome, before=before) if is_comparable else outcome


def range_asked(query: Query) -> tuple[str, str, str] | None:
    """Return `("gizmo", "1.4", "2.0")` for a question about one product over a range of versions, else None."""
    bounds = query.constraint
    ends = [*map(str, sorted(filter(None, (*bounds.versions, bounds.low, bounds.high))))] if bounds else []
    if query.form.traits.is_move and bounds and bounds.low and not (bounds.high or bounds.includes_low):
        ends.append(LATEST)
    is_range = len(query.products) == 1 and len(ends) > 1
    return (query.products[0], ends[0], ends[-1]) if is_range else None


def _turn(form: Mapping[str, str], asking: Asking, outcome: Answered | Failure) -> HTMLResponse:
    """Return the turn as HTML for the script to insert; the form's `number` is its position in the conversation."""
    number = form.get("number", "")
    seen = digest_answer(outcome.answer, today=date.today()) if isinstance(outcome, Answered) else None
    place = int(number) if number.isdecimal() and len(number) < 4 else 1
    return HTMLResponse(render_turn(place, asking, outcome, seen=seen))
