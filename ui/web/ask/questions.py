"""Questions to offer: a few templates over the catalogue, each asked beforehand.

The start shows some, worked out once for a state of the index; below an answer stand some to go on with.
"""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import cycle, islice
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from corpus.catalogue import CatalogueProduct, largest_first, stable_releases
from corpus.deadline import within
from corpus.index.reader import IndexReader
from corpus.model import Span
from corpus.versions import Version
from retrieval.assistant import Assistant
from retrieval.blocks import StatementBlock
from retrieval.model import Answer, Citation, Status
from ui.rendering.words import confidence_words
from ui.web.ask.conversation import MAX_HISTORY, Asking

Value = TypeVar("Value")

SHOWN_PRODUCTS = 9
_OFFERED, _PRODUCTS, _TRIED = 6, 6, 16
_FOLLOW_UPS, _FOLLOW_UPS_TRIED = 3, 4
PATIENCE_S = 5.0  # For what is offered unasked: notes that were made to be slow keep nobody from the page.
_TEMPLATES = (
    "What is new in {name} {version}?",
    "What breaks when I upgrade {name} from {before} to {version}?",
    "Should I upgrade {name} from {before} to {version}?",
    "What was deprecated in {name} {version}?",
    "What was removed in {name} {version}?",
    "What is the newest release of {name}?",
)


class KeptByIndex(Generic[Value]):
    """Remembers what `work_out` gave for the first assistant with a state of the index, for whom other threads wait."""

    def __init__(self, work_out: Callable[[Assistant], Value]) -> None:
        self._work_out = work_out
        self._lock = threading.Lock()
        self._kept: WeakKeyDictionary[IndexReader, Value] = WeakKeyDictionary()

    def of(self, assistant: Assistant) -> Value:
        """Return what `work_out` gives for the assistant's index, or has given."""
        with self._lock:
            if assistant.index not in self._kept:
                self._kept[assistant.index] = self._work_out(assistant)
            return self._kept[assistant.index]

    def has(self, assistant: Assistant) -> bool:
        """Return whether it was worked out for the assistant's index."""
        return assistant.index in self._kept


@dataclass(frozen=True, slots=True)
class NewRelease:
    """A release that came out lately, with the first thing to know of it."""

    product: str
    version: str
    date: date
    highlight: StatementBlock


@dataclass(frozen=True, slots=True)
class StartOffers:
    """What the start page shows of one state of the index."""

    newest: tuple[NewRelease, ...]
    questions: tuple[str, ...]


def newest_releases(assistant: Assistant, *, today: date) -> tuple[NewRelease, ...]:
    """The newest release of each product where it is dated, newest first, at most nine; none of which nothing can be
    quoted."""
    dated = []
    for product in assistant.catalogue():
        out = (one for one in stable_releases(product.releases) if one.date is None or one.date <= today)
        if (newest := next(out, None)) and newest.date:
            dated.append((newest.date, newest.version, product.name))
    dated.sort(key=lambda found: (-found[0].toordinal(), found[2].casefold()))
    found: list[NewRelease] = []
    for day, version, name in dated[:_TRIED]:
        # What it leads with is the weightiest: the highlights, what breaks, security.
        if answer := _proof(assistant, _TEMPLATES[0].format(name=name, version=version), name):
            found.append(NewRelease(name, str(version), day, answer.blocks.statements[0]))
        if len(found) == SHOWN_PRODUCTS:
            break
    return tuple(found)


def proven_questions(assistant: Assistant) -> tuple[str, ...]:
    """Questions that differ in form and product and have an answer, at most six."""
    largest = largest_first(assistant.catalogue())[:_PRODUCTS]
    asked = [(product.name, tuple(_questions(product, None))) for product in largest]
    # Each is of another form and about another product than the one before it.
    places = range(len(_TEMPLATES))
    turns = (
        (name, questions[(place + shift) % len(questions)])
        for shift in places
        for place, (name, questions) in zip(cycle(places), asked, strict=False)
        if questions
    )
    tried = islice(turns, _TRIED)
    proven = (question for name, question in dict.fromkeys(tried) if _proof(assistant, question, name))
    return tuple(islice(proven, _OFFERED))


OFFERS = KeptByIndex(
    lambda assistant: StartOffers(newest_releases(assistant, today=date.today()), proven_questions(assistant))
)
"""What is new, and questions to begin with, of each state of an index whose start was asked for."""


def follow_ups(assistant: Assistant, asking: Asking, answer: Answer) -> tuple[str, ...]:
    """Questions to go on with after `answer`, the one to `asking`, at most three: each has an answer that leads with a
    quote that wasn't shown. None after a question that has no answer."""
    before = (*asking.history, asking.question)
    asked = {question.casefold() for question in before}
    if not answer.citations:
        return ()
    first = answer.citations[0]
    (product,) = assistant.index.products_named((first.product,))
    newest, its = tuple(_questions(product, None)), _questions(product, Version.try_parse(first.version or ""))
    about = dict.fromkeys((*newest[:1], *its, *newest))
    new = (question for question in about if question.casefold() not in asked)

    def is_offered(question: str) -> bool:
        held = {"history": before[-MAX_HISTORY:], "product": asking.product, "version": asking.version}
        found = _proof(assistant, question, product.name, **held)
        return found is not None and not any(meet(found.citations[0], shown) for shown in answer.citations)

    return tuple(islice(filter(is_offered, islice(new, _FOLLOW_UPS_TRIED)), _FOLLOW_UPS))


def _questions(product: CatalogueProduct, version: Version | None) -> Iterator[str]:
    """Yield the templates about a release, the newest one that brings something where none is named."""
    out = tuple(release.version for release in stable_releases(product.releases))
    # A patch release mostly fixes, unless all are.
    majors = tuple(one for one in out if not any(one.release[2:])) or out
    newest = version or next(iter(majors), None)
    if newest is None:
        return
    before = next((str(one) for one in majors if one < newest), None)
    for template in _TEMPLATES:
        if before or "{before}" not in template:
            yield template.format(name=product.name, version=newest, before=before)


def _proof(assistant: Assistant, question: str, about: str, **held: Any) -> Answer | None:
    """The answer to a question where it is certain and about the product; None where it isn't, or takes too long."""
    answer = within(PATIENCE_S, partial(assistant.ask, question, limit=1, read=False, **held))
    is_certain = answer is not None and answer.status is Status.ANSWERED and confidence_words(answer) is None
    return answer if answer and is_certain and answer.citations and answer.citations[0].product == about else None


def meet(one: Citation, other: Citation) -> bool:
    return one.document_id == other.document_id and Span(one.start, one.end).meets(Span(other.start, other.end))
