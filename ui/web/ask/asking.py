"""A question of the page, answered: at the desk that all entrances share, with what is shown beside the answer.

Where nothing is found, that is questions near to it that the index can answer.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from typing import Any

from corpus.catalogue import CatalogueProduct
from corpus.errors import RelnotesError, UsageError
from corpus.index.stored import StoredPassage
from corpus.plain_words import one_line
from retrieval.assistant import Assistant
from retrieval.model import MAX_QUESTION_CHARACTERS, Answer, Query, Status
from ui.feedback.log import MAX_REASON_CHARACTERS, CitedQuote, Feedback
from ui.question_limits import MAX_FILTER_CHARACTERS
from ui.web.ask.conversation import Answered, Asking, Failure
from ui.web.ask.examples import example_questions
from ui.web.ask.turn_html import render_covered_html
from ui.web.services import PageServices, tell_trouble
from ui.web.surroundings import SURROUNDING_CHARACTERS, reads_around

_OFFERED = 3
_TRIED = 8
_PASSAGES = 8
_MAX_TITLE_CHARACTERS = 80
_MAX_SYMBOLS = 2
_CODE = re.compile(r"[._:/-]")
"""Without any of these a symbol may be a word, or who contributed."""
_WORD = re.compile(r"\w\w")
"""Without it, it is an abbreviation such as e.g."""


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
            lambda assistant: near_questions(assistant, assistant.understand(asking.question, **_options(asking)))
        )
    except RelnotesError:
        return ()


def near_questions(assistant: Assistant, query: Query) -> tuple[str, ...]:
    """Up to three questions that are answered when they are asked by themselves: about what the nearest passages are
    about, else about what the index covers. None only for an index that answers nothing."""
    passages = [hit.passage for hit in assistant.find(query, limit=_PASSAGES).outcome.hits[:_PASSAGES]]
    named = tuple(product for product in assistant.catalogue() if product.name in query.products)
    tried = islice(_candidates(passages, named, assistant.catalogue(), asked=query.text), _TRIED)
    answered = (question for question in tried if assistant.ask(question, limit=1).status is Status.ANSWERED)
    return tuple(islice(answered, _OFFERED))


def listed_product(name: str | None, services: PageServices) -> str:
    """The product that goes by `name` as the list of products has it; empty where there is none."""
    try:
        return next((known.name for known in services.catalogue() if name and known.is_called(name)), "")
    except RelnotesError:
        return ""


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
    # A conversation stays in memory, and shows citations only.
    answer = replace(assistant.ask(asking.question, **_options(asking)), passages=())
    if answer.status is Status.NOT_FOUND:
        covered = render_covered_html(assistant.catalogue(), asked=answer.interpretation.products)
        return Answered(answer, near=None, covered=covered)
    around = reads_around(assistant.index, width=SURROUNDING_CHARACTERS)
    return Answered(answer, MappingProxyType({cited.n: around(cited) for cited in answer.citations}))


def _options(asking: Asking) -> dict[str, Any]:
    return {
        "history": asking.history,
        "product": asking.product,
        "version": asking.version,
        "without": asking.without,
    }


def _candidates(
    passages: Iterable[StoredPassage],
    named: tuple[CatalogueProduct, ...],
    catalogue: tuple[CatalogueProduct, ...],
    *,
    asked: str,
) -> Iterator[str]:
    """Distinct ones, the nearest first; one a passage comes before the second of any."""
    seen = {asked.casefold()}
    rounds = [list(_about(passage, asked.casefold())) for passage in passages]
    first = [questions[0] for questions in rounds if questions][: _TRIED // 2]
    later = [question for questions in rounds for question in questions[1:2]][:2]
    for question in (*first, *later, *example_questions(named), *example_questions(catalogue)):
        if question.casefold() not in seen:
            seen.add(question.casefold())
            yield question


def _about(passage: StoredPassage, asked: str) -> Iterator[str]:
    """About a symbol of the question first, then the passage's heading, then its other symbols."""
    place = " ".join(part for part in (passage.document.product, passage.release) if part)
    names = {name.casefold() for name in (passage.document.product, *passage.document.aliases)}
    symbols = [symbol for symbol in passage.symbols if "`" not in symbol and symbol.casefold() not in names]
    shared = [symbol for symbol in symbols if symbol.casefold() in asked]
    title = one_line(passage.heading[-1]) if len(passage.heading) > 1 else ""
    is_telling = title and len(title) <= _MAX_TITLE_CHARACTERS and not (passage.release and passage.release in title)
    code = [symbol for symbol in symbols if _CODE.search(symbol) and _WORD.search(symbol)]
    for subject in (
        *(f"`{symbol}`" for symbol in shared[:_MAX_SYMBOLS]),
        *([title] if is_telling else []),
        *(f"`{symbol}`" for symbol in code[:_MAX_SYMBOLS]),
    ):
        yield f"What does {place} say about {subject}?"
