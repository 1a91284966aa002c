"""A question of the page, answered: at the desk that all entrances share, with what is shown beside the answer."""

from dataclasses import replace
from types import MappingProxyType

from corpus.errors import RelnotesError, UsageError
from corpus.model import Span
from retrieval.assistant import Assistant
from retrieval.model import MAX_QUESTION_CHARACTERS, Answer, Query, Status
from ui.question_limits import MAX_FILTER_CHARACTERS
from ui.web.ask.conversation import Answered, Asking, Failure
from ui.web.ask.coverage_html import render_covered_html
from ui.web.ask.near_questions import near_questions
from ui.web.services import PageServices
from ui.web.surroundings import Surroundings, split_surroundings
from ui.web.trouble import run_at_desk, tell_trouble


def find_fault(asking: Asking) -> str | None:
    """What is wrong with a question before it is asked; None where nothing is.

    The boxes keep to the limits by themselves; a client of its own making may not.
    """
    if not asking.question:
        return "Type a question first."
    longest = max(len(asking.product or ""), len(asking.version or ""))
    if len(asking.question) > MAX_QUESTION_CHARACTERS or longest > MAX_FILTER_CHARACTERS:
        return (
            f"A question may have {MAX_QUESTION_CHARACTERS:,} characters, a filter {MAX_FILTER_CHARACTERS}. Shorten it."
        )
    return None


async def answer_asking(asking: Asking, services: PageServices) -> Answered | Failure:
    """Answer a question in a thread of the desk; a refusal says whether the same question may fare better later.

    The near questions of one that has no answer aren't there yet: they take several questions to find.
    """

    def work() -> Answered:
        with services.assistants.borrow() as assistant:
            return _find(assistant, asking)

    try:
        found = await run_at_desk(services.desk, work)
    except RelnotesError as error:
        return Failure(tell_trouble(error), can_retry=not isinstance(error, UsageError))
    services.desk.record(asking.question, found.answer.status)
    return found


async def look_nearby(asking: Asking, services: PageServices) -> tuple[str, ...]:
    """Questions near to one that has no answer; none where the desk has no place to look for them."""

    def work() -> tuple[str, ...]:
        with services.assistants.borrow() as assistant:
            return near_questions(assistant, _understand(assistant, asking))

    try:
        return await run_at_desk(services.desk, work)
    except RelnotesError:
        return ()


def listed_product(name: str | None, services: PageServices) -> str:
    """The product that goes by `name` as the list of products has it; empty where there is none."""
    try:
        with services.assistants.borrow() as assistant:
            return next((known.name for known in assistant.catalogue() if name and known.is_called(name)), "")
    except RelnotesError:
        return ""


def _find(assistant: Assistant, asking: Asking) -> Answered:
    answer = assistant.ask(
        asking.question,
        history=asking.history,
        product=asking.product,
        version=asking.version,
        without=asking.without,
    )
    # A conversation stays in memory, and shows citations only.
    answer = replace(answer, passages=())
    if answer.status is not Status.NOT_FOUND:
        return Answered(answer, MappingProxyType(_surroundings(assistant, answer)))
    covered = render_covered_html(assistant.catalogue(), asked=answer.interpretation.products)
    return Answered(answer, near=None, covered=covered)


def _understand(assistant: Assistant, asking: Asking) -> Query:
    return assistant.understand(
        asking.question,
        history=asking.history,
        product=asking.product,
        version=asking.version,
        without=asking.without,
    )


def _surroundings(assistant: Assistant, answer: Answer) -> dict[int, Surroundings]:
    return {
        citation.n: split_surroundings(
            assistant.index.document_text(citation.document_id), Span(citation.start, citation.end)
        )
        for citation in answer.citations
    }
