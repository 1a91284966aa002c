"""What a visitor finds before the first question: what is new across the library, and questions that have an answer.

Both ask the assistant several questions: work them out once for a state of the index, beside what people wait for.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice, pairwise
from typing import TypeAlias

import numpy as np

from corpus.catalogue import CatalogueProduct, CatalogueRelease, largest_first, stable_releases
from corpus.index.reader import IndexReader
from corpus.model import Act
from corpus.stores.protocol import PassageFilter
from retrieval.assistant import Assistant
from retrieval.model import Answer, Citation, Form
from ui.web.ask.kept import KeptByIndex
from ui.web.ask.proving import Candidate, feature_releases, is_proven, of_product, of_release
from ui.web.ask.telling_items import TellingItem, quoting, telling_items

_OFFERED = 6
_NEAREST = 4
"""Releases among which a project that dates them has a dated one: the last date of another may be ten years old."""
_PRODUCTS, _PASSAGES = 6, 150
"""Of how many products the notes are read for questions, and how many of their newest passages of each."""
_TRIED, _TRIED_IN_A_ROW, _OF_EACH = 12, 2, 2


@dataclass(frozen=True, slots=True)
class NewRelease:
    """A release that came out lately; `citation` is the first thing to know of it, `question` asks for the others."""

    product: str
    version: str
    date: date
    citation: Citation
    question: str


@dataclass(frozen=True, slots=True)
class StartOffers:
    """What the start page shows of one state of the index."""

    newest: tuple[NewRelease, ...]
    questions: tuple[str, ...]


def start_offers(assistant: Assistant, *, today: date) -> StartOffers:
    """What is new as of `today`, and questions to begin with."""
    return StartOffers(newest_releases(assistant, today=today), proven_questions(assistant))


def newest_releases(assistant: Assistant, *, today: date) -> tuple[NewRelease, ...]:
    """The last dated release of each product, newest first, at most six; none that is dated after `today`, or of
    which nothing can be quoted."""
    dated = [
        (release.date, product.name, release)
        for product in assistant.catalogue()
        if (release := _last_dated(product, today=today)) and release.date
    ]
    dated.sort(key=lambda found: (-found[0].toordinal(), found[1].casefold()))
    releases = (_describe(assistant, name, release, day) for day, name, release in dated)
    return tuple(islice((release for release in releases if release), _OFFERED))


def _last_dated(product: CatalogueProduct, *, today: date) -> CatalogueRelease | None:
    nearest = stable_releases(product.releases)[:_NEAREST]
    out = [
        release for release in nearest if release.date and release.date <= today and not release.version.is_prerelease
    ]
    return max(out, key=lambda release: (release.date, release.version), default=None)


def _describe(assistant: Assistant, product: str, release: CatalogueRelease, day: date) -> NewRelease | None:
    question = f"What is new in {product} {release.version}?"
    answer = assistant.ask(question, limit=1, read=False)
    # What it leads with is the weightiest: security, what breaks, the highlights.
    is_told = is_proven(Candidate(question, Form.WHATS_NEW, of_release(product, release.version)), answer)
    return NewRelease(product, str(release.version), day, answer.citations[0], question) if is_told else None


def proven_questions(
    assistant: Assistant, *, product: str | None = None, version: str | None = None, most: int = _OFFERED
) -> tuple[str, ...]:
    """Questions that differ in form and product and that have an answer, at most `most`; about the `product` of that
    name alone where one is given, asked with the `version` where they name none. None for an index that answers
    nothing."""
    products = [known for known in assistant.catalogue() if product is None or known.is_called(product)]
    largest = largest_first(products)[:_PRODUCTS]
    notes = [_Notes(assistant.index, known, tuple(_newest_items(assistant.index, known))) for known in largest]
    # Each form begins with another product.
    waiting = [_turn_about(make, _from(notes, place)) for place, make in enumerate(_FORMS)]
    offered: list[str] = []
    tried = 0
    while waiting and len(offered) < most and tried < _TRIED:
        candidates = waiting.pop(0)
        before = tried
        for candidate in islice(candidates, _TRIED_IN_A_ROW):
            tried += 1
            if is_proven(candidate, _ask_within(assistant, candidate.question, product, version)):
                offered.append(candidate.question)
                break
        if tried > before:
            waiting.append(candidates)
    return tuple(offered)


def _ask_within(assistant: Assistant, question: str, product: str | None, version: str | None) -> Answer:
    names_one = version is not None and assistant.understand(question, product=product).constraint is not None
    return assistant.ask(question, product=product, version=None if names_one else version, limit=1, read=False)


@dataclass(frozen=True, slots=True)
class _Notes:
    """A product with the items of its newest releases, newest first."""

    index: IndexReader
    product: CatalogueProduct
    items: tuple[TellingItem, ...]

    @property
    def name(self) -> str:
        return self.product.name

    def telling(self, *acts: Act) -> list[TellingItem]:
        """What surely tells one of `acts` of some code, the most important first."""
        found = [item for item in self.items if item.act in acts and item.is_sure and item.subject]
        return sorted(found, key=lambda item: -item.headline)


def _newest_items(index: IndexReader, product: CatalogueProduct) -> Iterator[TellingItem]:
    table = index.passages
    positions = PassageFilter(index.product_places((product.name,)), None).positions(table)
    order = {release.version: place for place, release in enumerate(stable_releases(product.releases))}
    places = np.array(
        [order.get(version, len(order)) if version else len(order) for version in table.distinct_versions]
    )
    codes = places[table.version_codes[positions]]
    newest = positions[np.argsort(codes, kind="stable")][: min(_PASSAGES, int((codes < len(order)).sum()))]
    passages = [passage for passage in index.load_passages(newest.tolist()) if not passage.boilerplate]
    return telling_items(passages, list(map(index.text_of, passages)))


def _from(notes: list[_Notes], place: int) -> list[_Notes]:
    first = place % len(notes) if notes else 0
    return notes[first:] + notes[:first]


def _turn_about(make: "_MakeCandidates", notes: Sequence[_Notes]) -> Iterator[Candidate]:
    """The first question about each product, then the second about each."""
    made = [make(of_product) for of_product in notes]
    for number in range(_OF_EACH):
        for candidates in made:
            yield from candidates[number : number + 1]


def _whats_new(notes: _Notes) -> list[Candidate]:
    newest = feature_releases(notes.product)[:1]
    return [
        Candidate(f"What is new in {notes.name} {version}?", Form.WHATS_NEW, of_release(notes.name, version))
        for version in newest
    ]


def _breaks(notes: _Notes) -> list[Candidate]:
    pairs = pairwise(feature_releases(notes.product)[: _OF_EACH + 1])
    return [
        Candidate(
            f"What breaks when I upgrade {notes.name} from {before} to {version}?",
            Form.BREAKS,
            of_product(notes.name),
        )
        for version, before in pairs
    ]


def _instead(notes: _Notes) -> list[Candidate]:
    return [
        Candidate(f"What should I use instead of `{item.subject}` in {notes.name}?", Form.MIGRATE, quoting(item))
        for item in notes.telling(Act.DEPRECATED, Act.REMOVED, Act.REPLACED)
        if item.offers
    ]


def _is_deprecated(notes: _Notes) -> list[Candidate]:
    return [
        Candidate(f"Is `{item.subject}` deprecated in {notes.name}?", Form.YES_NO, quoting(item))
        for item in notes.telling(Act.DEPRECATED)
    ]


_MakeCandidates: TypeAlias = Callable[[_Notes], list[Candidate]]
_FORMS: tuple[_MakeCandidates, ...] = (_whats_new, _breaks, _instead, _is_deprecated)
OFFERS = KeptByIndex(lambda assistant: start_offers(assistant, today=date.today()))
"""Those of each state of an index whose start was asked for."""
