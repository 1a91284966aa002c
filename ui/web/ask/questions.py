"""Questions to offer, from templates that the notes can answer: what is new, what breaks, what is the newest.

The start shows some, worked out once for a state of the index; below an answer stand some to go on with.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from corpus.catalogue import CatalogueProduct, CatalogueRelease, largest_first, stable_releases
from corpus.index.reader import IndexReader
from corpus.model import Span
from retrieval.assistant import Assistant
from retrieval.model import Citation
from ui.web.ask.conversation import Asking
from ui.web.products import release_counts

Value = TypeVar("Value")

_PRODUCTS, _OFFERED = 9, 6
PATIENCE_S = 5.0  # For what is offered unasked: notes that were made to be slow keep nobody from the page.


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
class StartOffers:
    """What the start page shows of one state of the index."""

    products: tuple[tuple[CatalogueProduct, CatalogueRelease | None], ...]
    questions: tuple[str, ...]


def newest_first(
    products: Sequence[CatalogueProduct], *, today: date
) -> tuple[tuple[CatalogueProduct, CatalogueRelease | None], ...]:
    """Return nine products at most, each with its newest stable release that isn't to come, by their days, newest
    first; those without a day by their size."""
    out = [
        (product, next((one for one in stable_releases(product.releases) if not one.date or one.date <= today), None))
        for product in largest_first(products)
    ]
    return tuple(sorted(out, key=lambda row: (row[1] and row[1].date) or date.min, reverse=True)[:_PRODUCTS])


def start_questions(assistant: Assistant) -> tuple[str, ...]:
    """Return six questions at most, each of another form and about another product than the one before it."""
    products = largest_first(assistant.catalogue())[:_OFFERED]
    asked = [found for product in products if (found := tuple(_questions(assistant.index, product)))]
    turns = (found[(place + turn) % len(found)] for turn in range(3) for place, found in enumerate(asked))
    return tuple(islice(dict.fromkeys(turns), _OFFERED))


OFFERS = KeptByIndex(
    lambda assistant: StartOffers(newest_first(assistant.catalogue(), today=date.today()), start_questions(assistant))
)
"""What there is, and questions to begin with, of each state of an index whose start was asked for."""


def follow_ups(assistant: Assistant, asking: Asking) -> tuple[str, ...]:
    """Return questions to go on with after another one, about its product; none after one that is held to a version."""
    asked = {question.casefold() for question in (*asking.history, asking.question)}
    named = () if asking.version else assistant.understand(asking.question, **asking.choices).products[:1]
    about = assistant.index.products_named(named)
    questions = (question for product in about for question in _questions(assistant.index, product))
    return tuple(question for question in questions if question.casefold() not in asked)


def _questions(index: IndexReader, product: CatalogueProduct) -> Iterator[str]:
    """Yield what can be asked about the newest release that tells of changes; what breaks where its notes say so."""
    stable = {release.version for release in stable_releases(product.releases)}
    told = [one for one in release_counts(index, product) if one.version in stable]
    # A patch release mostly fixes, unless all are.
    majors = [one for one in told if not any(one.version.release[2:])] or told
    if majors:
        before, newest = majors[-2:][0].version, majors[-1].version
        yield f"What is new in {product.name} {newest}?"
        if any(one.breaking for one in told if before < one.version <= newest):
            yield f"What breaks when I upgrade {product.name} from {before} to {newest}?"
    if product.releases:
        yield f"What is the newest release of {product.name}?"


def meet(one: Citation, other: Citation) -> bool:
    return one.document_id == other.document_id and Span(one.start, one.end).meets(Span(other.start, other.end))
