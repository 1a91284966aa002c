"""A question of the page, answered at the desk that all entrances share, with what is shown beside the answer."""

from dataclasses import replace
from types import MappingProxyType

from corpus.errors import RelnotesError, UsageError
from retrieval.assistant import Assistant
from retrieval.model import Answer, Heard, Status
from ui.feedback.log import MAX_REASON_CHARACTERS, CitedQuote, Feedback
from ui.web.ask.conversation import Answered, Asking, Failure, Seen, compare
from ui.web.ask.turn_html import render_covered_html
from ui.web.services import PageServices, tell_trouble
from ui.web.source import SURROUNDING_CHARACTERS, reads_around


async def answer_asking(
    asking: Asking, services: PageServices, *, before: Seen | None, is_new: bool, read: bool
) -> Answered | Failure:
    """Answer a question in a thread of the desk; a refusal says whether the same question may fare better later.

    Where it was answered `before`, what has changed since is told; only what `is_new` is counted and logged. The
    language model is asked only where it is to `read`, for it takes seconds; what it may change yet is compared and
    counted then.
    """

    def work(assistant: Assistant) -> Answered:
        answer = assistant.ask(asking.question, **asking.choices, read=read)
        if answer.status is Status.NOT_FOUND:
            covered = render_covered_html(assistant.catalogue(), asked=answer.interpretation.products)
            return Answered(answer, covered=covered)
        around = reads_around(assistant.index, width=SURROUNDING_CHARACTERS)
        return Answered(answer, MappingProxyType({cited.n: around(cited) for cited in answer.citations}))

    try:
        found = await services.run(work)
    except RelnotesError as error:
        return Failure(tell_trouble(error), can_retry=not isinstance(error, UsageError))
    is_last = found.answer.heard is not Heard.NOT_YET
    if is_new and is_last:
        services.desk.record(asking.question, found.answer.status)
    # Where the model failed, that isn't a change of the notes.
    is_comparable = is_last and read is (found.answer.heard is Heard.YES)
    return replace(found, changed=compare(before, found.answer)) if before and is_comparable else found


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
