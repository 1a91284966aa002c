"""A question of the page, answered: at the desk that all entrances share, with what is shown beside the answer."""

from dataclasses import replace
from types import MappingProxyType

from corpus.errors import RelnotesError, UsageError
from corpus.model import Span
from retrieval.assistant import Assistant
from retrieval.model import MAX_QUESTION_CHARACTERS, Answer, Status
from ui.feedback.log import MAX_REASON_CHARACTERS, CitedQuote, Feedback
from ui.question_limits import MAX_FILTER_CHARACTERS
from ui.web.ask.conversation import Answered, Asking, Failure
from ui.web.ask.near_questions import near_questions
from ui.web.ask.turn_html import render_covered_html
from ui.web.services import PageServices, tell_trouble
from ui.web.surroundings import split_surroundings


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
    try:
        found = await services.ask(lambda assistant: _find(assistant, asking))
    except RelnotesError as error:
        return Failure(tell_trouble(error), can_retry=not isinstance(error, UsageError))
    services.desk.record(asking.question, found.answer.status)
    return found


async def look_nearby(asking: Asking, services: PageServices) -> tuple[str, ...]:
    """Questions near to one that has no answer; none where the desk has no place to look for them."""
    try:
        return await services.ask(
            lambda assistant: near_questions(
                assistant,
                assistant.understand(
                    asking.question,
                    history=asking.history,
                    product=asking.product,
                    version=asking.version,
                    without=asking.without,
                ),
            )
        )
    except RelnotesError:
        return ()


def feedback_of(asking: Asking, answer: Answer, *, good: bool, reason: str) -> Feedback:
    """What is kept of a verdict: the person presses a button that says so."""
    return Feedback(
        good=good,
        status=answer.status.value,
        confidence=answer.confidence,
        question=asking.question,
        history=asking.history,
        product=asking.product,
        version=asking.version,
        without=tuple(sorted(facet.value for facet in asking.without)),
        cited=tuple(CitedQuote(cited.source, cited.start, cited.end, cited.quote) for cited in answer.citations),
        reason=reason.strip()[:MAX_REASON_CHARACTERS] or None,
    )


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
    if answer.status is Status.NOT_FOUND:
        covered = render_covered_html(assistant.catalogue(), asked=answer.interpretation.products)
        return Answered(answer, near=None, covered=covered)
    surroundings = {
        cited.n: split_surroundings(assistant.index.document_text(cited.document_id), Span(cited.start, cited.end))
        for cited in answer.citations
    }
    return Answered(answer, MappingProxyType(surroundings))
