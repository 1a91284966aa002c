"""A question of the page, answered at the desk that all entrances share, with what is shown beside the answer."""

from dataclasses import replace
from types import MappingProxyType

from corpus.errors import RelnotesError, UsageError
from corpus.lexicon import split_tokens
from retrieval.answers.not_found import names_nothing_indexed, without_nearest
from retrieval.assistant import Assistant
from retrieval.composing import Draft, Statement, verify_quotes
from retrieval.model import Answer, Citation, Heard, Status
from retrieval.question.words import share_met
from retrieval.quoting.quotes import Quote, widen
from ui.feedback.log import MAX_REASON_CHARACTERS, CitedQuote, Feedback
from ui.web.ask.conversation import Answered, Asking, Failure, Seen, compare
from ui.web.ask.turn_html import render_covered_html
from ui.web.services import PageServices, tell_trouble
from ui.web.source import SURROUNDING_CHARACTERS, reads_around

_NEAREST, _NEAREST_READ = 3, 8
_NEAR = 0.8
"""Of the question's own words, weighed, and of its meaning (a cosine) a passage has this much together, to help: on
made-up questions that nothing answers, what had less was of another subject."""


async def answer_asking(
    asking: Asking, services: PageServices, *, before: Seen | None, is_new: bool, read: bool
) -> Answered | Failure:
    """Answer a question in a thread of the desk; a refusal says whether the same question may fare better later.

    Where it was answered `before`, what has changed since is told; only what `is_new` is counted and logged. The
    language model is asked only where it is to `read`, for it takes seconds; what it may change yet is compared and
    counted then.
    """

    def work(assistant: Assistant) -> Answered:
        answer = ask(assistant, asking, read=read)
        around = reads_around(assistant.index, width=SURROUNDING_CHARACTERS)
        if answer.status is not Status.NOT_FOUND:
            return Answered(answer, MappingProxyType({cited.n: around(cited) for cited in answer.citations}))
        nearest = tuple((citation, around(citation)) for citation in nearest_passages(assistant, asking))
        covered = render_covered_html(assistant.catalogue(), asked=answer.interpretation.products)
        return Answered(answer, nearest=nearest, covered=covered)

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


def ask(assistant: Assistant, asking: Asking, *, read: bool = False) -> Answer:
    """The answer to a question with all that it is asked with, `read` by the language model or not; the nearest
    passages are shown as such, not in words."""
    answer = assistant.ask(asking.question, **asking.choices, read=read)
    return replace(answer, answer=without_nearest(answer.answer)) if answer.status is Status.NOT_FOUND else answer


def nearest_passages(assistant: Assistant, asking: Asking) -> tuple[Citation, ...]:
    """Quotes of the passages nearest to a question, at most three, of the asked product first, whatever their release;
    none where nothing is near enough to help.

    Raises:
        UsageError: as `Assistant.ask`.
    """
    query = assistant.understand(asking.question, **asking.choices)
    if names_nothing_indexed(query):
        return ()
    findings = assistant.find(query, limit=_NEAREST_READ)
    # Without words of its own a question has nothing near; of each passage the likeliest item counts.
    telling = findings.focus.telling
    seen: set[int] = set()
    near = []
    for item in findings.scored if telling else ():
        if item.passage.position in seen:
            continue
        seen.add(item.passage.position)
        place = f"{item.passage.document.product} {' '.join(item.passage.heading)}"
        tokens = frozenset(split_tokens(f"{place} {item.passage.span.slice(findings.text_of(item))}"))
        share = share_met(telling, tokens)
        names_code = any(word.text in query.symbols and word.met_by(tokens) == 1 for word in telling)
        if names_code or (share and share + item.cosine >= _NEAR):
            near.append(item)
    near.sort(key=lambda item: item.passage.document.product not in query.products)
    quotes: list[Quote] = []
    for item in near:
        quote = widen(item, findings.text_of(item))
        if len(quotes) < _NEAREST and not any(map(quote.overlaps, quotes)):
            quotes.append(quote)
    draft = Draft(Status.ANSWERED, "", tuple(Statement("", (quote,)) for quote in quotes))
    return tuple(citation for _, (citation,) in verify_quotes(draft, assistant.index))


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
