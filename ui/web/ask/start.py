"""What a visitor finds before the first question: what is new across the library, and questions that have an answer.

Both ask the assistant several questions: work them out once for a state of the index, beside what people wait for.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, islice, pairwise, zip_longest

from corpus.catalogue import CatalogueProduct, largest_first, stable_releases
from corpus.index.reader import IndexReader
from corpus.model import Act
from corpus.plain_words import one_line
from corpus.symbols import find_symbols
from corpus.versions import Version
from retrieval.assistant import Assistant
from retrieval.code_usage.told_names import subjects_of
from retrieval.model import Answer, Citation, Form
from retrieval.quoting.quotes import told_act
from ui.web.ask.kept import KeptByIndex
from ui.web.ask.proving import Candidate, feature_releases

_OFFERED = 6
_NEAREST = 4
"""Releases among which a project that dates them has a dated one: the last date of another may be ten years old."""
_PRODUCTS, _RELEASES, _PASSAGES = 6, 5, 150
"""Of how many products the notes are read for questions, and how many of their newest releases and passages of each."""
_FORMS, _TRIED, _OF_EACH = 4, 16, 2
_SURE = 0.5
_CODE = re.compile(r"\w[._:]\w|^--?\w")
"""Without any of these a symbol may be a word, or who contributed."""


@dataclass(frozen=True, slots=True)
class NewRelease:
    """A release that came out lately, with the first thing to know of it."""

    product: str
    version: str
    date: date
    citation: Citation


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
    dated = [(*last, product.name) for product in assistant.catalogue() if (last := _last_dated(product, today=today))]
    dated.sort(key=lambda found: (-found[0].toordinal(), found[2].casefold()))
    releases = (_describe(assistant, *found) for found in dated)
    return tuple(islice((release for release in releases if release), _OFFERED))


def _last_dated(product: CatalogueProduct, *, today: date) -> tuple[date, Version] | None:
    nearest = stable_releases(product.releases)[:_NEAREST]
    days = ((release.date, release.version) for release in nearest if not release.version.is_prerelease)
    return max(((day, version) for day, version in days if day and day <= today), default=None)


def _describe(assistant: Assistant, day: date, version: Version, product: str) -> NewRelease | None:
    candidate = _whats_new(product, version)
    answer = assistant.ask(candidate.question, limit=1, read=False)
    # What it leads with is the weightiest: security, what breaks, the highlights.
    return NewRelease(product, str(version), day, answer.citations[0]) if candidate.is_proven(answer) else None


def proven_questions(
    assistant: Assistant, *, product: str | None = None, version: str | None = None, most: int = _OFFERED
) -> tuple[str, ...]:
    """Questions that differ in form and product and that have an answer, at most `most`; about the `product` of that
    name alone where one is given, asked with the `version` where they name none. None for an index that answers
    nothing."""

    def ask(question: str) -> Answer:
        names_one = version is not None and assistant.understand(question, product=product).constraint is not None
        return assistant.ask(question, product=product, version=None if names_one else version, limit=1, read=False)

    products = [known for known in assistant.catalogue() if product is None or known.is_called(product)]
    by_product = [_by_form(assistant.index, known) for known in largest_first(products)[:_PRODUCTS]]
    tried = islice(_turn_about(by_product), _TRIED)
    proven = (candidate.question for candidate in tried if candidate.is_proven(ask(candidate.question)))
    return tuple(islice(proven, most))


def _turn_about(by_product: Sequence[tuple[list[Candidate], ...]]) -> Iterator[Candidate]:
    """A question of each form, each beginning with another product, then the next of each form."""
    by_form = [
        [
            candidate
            for number in range(_OF_EACH)
            for forms in (*by_product[place:], *by_product[:place])
            for candidate in forms[place][number : number + 1]
        ]
        for place in range(_FORMS)
    ]
    return (candidate for turn in zip_longest(*by_form) for candidate in turn if candidate)


def _by_form(index: IndexReader, product: CatalogueProduct) -> tuple[list[Candidate], ...]:
    """What can be asked about a product, the most telling first."""
    name, releases, goes = product.name, feature_releases(product), _what_goes(index, product)
    return (
        [_whats_new(name, version) for version in releases[:1]],
        [
            Candidate(f"What breaks when I upgrade {name} from {before} to {version}?", Form.BREAKS, name)
            for version, before in pairwise(releases[: _OF_EACH + 1])
        ],
        [
            Candidate(f"What should I use instead of `{item.symbol}` in {name}?", Form.MIGRATE, name, None, item.is_in)
            for item in goes
            if item.offers
        ],
        [
            Candidate(f"Is `{item.symbol}` deprecated in {name}?", Form.YES_NO, name, None, item.is_in)
            for item in goes
            if item.act is Act.DEPRECATED
        ],
    )


def _whats_new(product: str, version: Version) -> Candidate:
    return Candidate(f"What is new in {product} {version}?", Form.WHATS_NEW, product, version)


@dataclass(frozen=True, slots=True)
class _Going:
    """An item that begins with a name of code and surely says that it goes."""

    symbol: str
    act: Act
    offers: bool
    """Whether it names other code, too."""
    headline: float
    text: str

    def is_in(self, quote: str) -> bool:
        """Whether a quote is of this item."""
        return self.text in quote or quote in self.text


def _what_goes(index: IndexReader, product: CatalogueProduct) -> list[_Going]:
    """What the newest notes say to go, the weightiest first."""
    newest = [release.version for release in stable_releases(product.releases)[:_RELEASES]]
    positions = chain.from_iterable(index.release_positions(product.name, version) for version in newest)
    found: list[_Going] = []
    for passage in index.load_passages(list(islice(positions, _PASSAGES))):
        text = index.text_of(passage)
        for number, item in enumerate(passage.items):
            act = told_act(passage, number)
            if item.retracted or item.certainty < _SURE or act not in (Act.DEPRECATED, Act.REMOVED, Act.REPLACED):
                continue
            said = item.span.slice(text)
            words = one_line(said)
            names = [name for name in find_symbols(words) if _CODE.search(name) and not product.is_called(name)]
            about = subjects_of(words, names)
            if about and words.startswith(about[0]):
                found.append(_Going(about[0], act, len(about) < len(names), item.headline, said))
    by_symbol: dict[str, _Going] = {}
    for going in sorted(found, key=lambda item: -item.headline):
        by_symbol.setdefault(going.symbol, going)
    return list(by_symbol.values())


OFFERS = KeptByIndex(lambda assistant: start_offers(assistant, today=date.today()))
"""Those of each state of an index whose start was asked for."""
