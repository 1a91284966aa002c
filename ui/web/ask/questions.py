"""Questions to offer, each asked beforehand: its answer must be certain and about what it was made of.

The start shows some to begin with, beside what is new across the library; below an answer stand some to go on with.
What the start shows asks the assistant several questions: it is worked out once for a state of the index.
"""

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import chain, islice, pairwise, zip_longest
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from corpus.catalogue import CatalogueProduct, largest_first, stable_releases
from corpus.index.reader import IndexReader
from corpus.model import Act, Kind, Span
from corpus.plain_words import one_line
from corpus.symbols import find_symbols
from corpus.versions import Version
from retrieval.assistant import Assistant
from retrieval.deadline import within
from retrieval.model import Answer, Citation, Form, RankedPassage, Status
from retrieval.quoting.quotes import told_act
from retrieval.quoting.statements import speaks_of_security
from retrieval.upgrades.usages import subjects_of
from ui.rendering.words import confidence_words
from ui.web.ask.conversation import MAX_HISTORY, Asking

Value = TypeVar("Value")

_OFFERED = 6
_PRODUCTS, _RELEASES, _PASSAGES = 6, 5, 150
"""Of how many products the notes are read for questions, and how many of their newest releases and passages of each."""
_FORMS, _TRIED, _OF_EACH = 4, 16, 2
PATIENCE_S = 5.0
"""For what is offered unasked: notes that were made to be slow keep nobody from the page."""
_SURE = 0.5
_CODE = re.compile(r"\w[._:]\w|^--?\w")  # Without any of these a symbol may be a word, or who contributed.
_FOLLOW_UPS, _FOLLOW_UPS_TRIED = 3, 4


class KeptByIndex(Generic[Value]):
    """Remembers what `work_out` gave for the first assistant with a state of the index, for whom other threads wait."""

    def __init__(self, work_out: Callable[[Assistant], Value]) -> None:
        self._work_out = work_out
        self._lock = threading.Lock()
        self._kept: WeakKeyDictionary[IndexReader, Value] = WeakKeyDictionary()

    def of(self, assistant: Assistant) -> Value:
        """What `work_out` gives for the assistant's index, or has given."""
        with self._lock:
            if assistant.index not in self._kept:
                self._kept[assistant.index] = self._work_out(assistant)
            return self._kept[assistant.index]

    def has(self, assistant: Assistant) -> bool:
        """Whether it was worked out for the assistant's index."""
        return assistant.index in self._kept


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


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A question that the notes give rise to."""

    question: str
    form: Form  # As which it must be read.
    product: str
    version: Version | None = None  # The release of which the first quote of its answer must be; None for any.
    is_told: Callable[[str], bool] = bool  # Whether that quote is about what it was made of.

    def is_proven(self, answer: Answer) -> bool:
        """Whether `answer`, its own, is one to offer it for."""
        is_certain = answer.status is Status.ANSWERED and confidence_words(answer) is None
        if not (is_certain and answer.citations and answer.interpretation.intent == self.form.intent):
            return False
        first = answer.citations[0]
        release = Version.try_parse(first.version or "")
        is_of_release = self.version is None or (release is not None and release.base == self.version.base)
        return first.product == self.product and is_of_release and self.is_told(first.quote)


def newest_releases(assistant: Assistant, *, today: date) -> tuple[NewRelease, ...]:
    """The last dated release of each product, newest first, at most six; none of which nothing can be quoted."""
    dated = []
    for product in assistant.catalogue():
        out = [one for one in stable_releases(product.releases) if not one.version.is_prerelease]
        if last := max(((one.date, one.version) for one in out if one.date and one.date <= today), default=None):
            dated.append((*last, product.name))
    dated.sort(key=lambda found: (-found[0].toordinal(), found[2].casefold()))
    found: list[NewRelease] = []
    for day, version, name in dated[:_TRIED]:
        candidate = _whats_new(name, version)
        answer = within(PATIENCE_S, partial(assistant.ask, candidate.question, limit=1, read=False))
        # What it leads with is the weightiest: security, what breaks, the highlights.
        if answer is not None and candidate.is_proven(answer):
            found.append(NewRelease(name, str(version), day, answer.citations[0]))
        if len(found) == _OFFERED:
            break
    return tuple(found)


def proven_questions(
    assistant: Assistant, *, product: str | None = None, version: str | None = None, most: int = _OFFERED
) -> tuple[str, ...]:
    """Questions that differ in form and product and have an answer, at most `most`; about the `product` alone where one
    is given, and held to the `version` where they name none."""

    def is_proven(candidate: _Candidate) -> bool:
        question = candidate.question
        held = version if assistant.understand(question, product=product).constraint is None else None
        ask = partial(assistant.ask, question, product=product, version=held, limit=1, read=False)
        answer = within(PATIENCE_S, ask)
        return answer is not None and candidate.is_proven(answer)

    products = [known for known in assistant.catalogue() if product is None or known.is_called(product)]
    by_product = [_by_form(assistant.index, known) for known in largest_first(products)[:_PRODUCTS]]
    # A question of each form, each beginning with another product, then the next of each form.
    by_form = [
        [
            candidate
            for number in range(_OF_EACH)
            for forms in (*by_product[place:], *by_product[:place])
            for candidate in forms[place][number : number + 1]
        ]
        for place in range(_FORMS)
    ]
    turns = (candidate for turn in zip_longest(*by_form) for candidate in turn if candidate)
    return tuple(islice((one.question for one in islice(turns, _TRIED) if is_proven(one)), most))


OFFERS = KeptByIndex(
    lambda assistant: StartOffers(newest_releases(assistant, today=date.today()), proven_questions(assistant))
)
"""What is new, and questions to begin with, of each state of an index whose start was asked for."""


def _by_form(index: IndexReader, product: CatalogueProduct) -> tuple[list[_Candidate], ...]:
    """What can be asked about a product, the most telling first."""
    name, releases = product.name, _feature_releases(product)
    breaks = [
        _Candidate(f"What breaks when I upgrade {name} from {before} to {version}?", Form.BREAKS, name)
        for version, before in pairwise(releases[: _OF_EACH + 1])
    ]
    instead: list[_Candidate] = []
    deprecated: list[_Candidate] = []
    for symbol, act, names_others in _what_goes(index, product):
        told = _tells(symbol)
        if names_others:
            question = f"What should I use instead of `{symbol}` in {name}?"
            instead.append(_Candidate(question, Form.MIGRATE, name, None, told))
        if act is Act.DEPRECATED:
            deprecated.append(_Candidate(f"Is `{symbol}` deprecated in {name}?", Form.YES_NO, name, None, told))
    return [_whats_new(name, version) for version in releases[:1]], breaks, instead, deprecated


def _whats_new(product: str, version: Version) -> _Candidate:
    return _Candidate(f"What is new in {product} {version}?", Form.WHATS_NEW, product, version)


def _tells(symbol: str) -> Callable[[str], bool]:
    return lambda quote: symbol.casefold() in quote.casefold()


def _feature_releases(product: CatalogueProduct) -> tuple[Version, ...]:
    """The releases that bring something, newest first: a patch release mostly fixes, unless all are."""
    out = tuple(release.version for release in stable_releases(product.releases))
    return tuple(version for version in out if not any(version.release[2:])) or out


def _what_goes(index: IndexReader, product: CatalogueProduct) -> list[tuple[str, Act, bool]]:
    """The names of code that the newest notes say to go, the weightiest first, with the act, and whether others are
    named."""
    newest = [release.version for release in stable_releases(product.releases)[:_RELEASES]]
    positions = chain.from_iterable(index.release_positions(product.name, version) for version in newest)
    found: list[tuple[float, str, Act, bool]] = []
    for passage in index.load_passages(list(islice(positions, _PASSAGES))):
        for number, item in enumerate(passage.items):
            act = told_act(passage, number)
            if item.retracted or item.certainty < _SURE or act not in (Act.DEPRECATED, Act.REMOVED, Act.REPLACED):
                continue
            words = one_line(item.span.slice(index.text_of(passage)))
            names = [name for name in find_symbols(words) if _CODE.search(name) and not product.is_called(name)]
            about = subjects_of(words, names)
            if about and words.startswith(about[0]):
                found.append((item.headline, about[0], act, len(about) < len(names)))
    by_symbol: dict[str, tuple[str, Act, bool]] = {}
    for _, symbol, act, names_others in sorted(found, key=lambda item: -item[0]):
        by_symbol.setdefault(symbol, (symbol, act, names_others))
    return list(by_symbol.values())


def follow_ups(assistant: Assistant, asking: Asking, answer: Answer) -> tuple[str, ...]:
    """Questions to go on with after `answer`, the one to `asking`, at most three: each has an answer that leads with
    another quote and shows one that wasn't shown yet. None after a question that has no answer."""
    before = (*asking.history, asking.question)
    asked = {question.casefold() for question in before}

    def is_offered(candidate: _Candidate) -> bool:
        found = assistant.ask(
            candidate.question,
            history=before[-MAX_HISTORY:],
            product=asking.product,
            version=asking.version,
            limit=1,
            read=False,
        )
        is_new = [not any(_meet(cited, shown) for shown in answer.citations) for cited in found.citations]
        return candidate.is_proven(found) and any(is_new) and not _meet(found.citations[0], answer.citations[0])

    candidates = _going_on(assistant.index, answer) if answer.citations else ()
    new = (candidate for candidate in candidates if candidate.question.casefold() not in asked)
    return tuple(islice((one.question for one in islice(new, _FOLLOW_UPS_TRIED) if is_offered(one)), _FOLLOW_UPS))


def _going_on(index: IndexReader, answer: Answer) -> Iterator[_Candidate]:
    """The nearest to what was told first."""
    read, first = answer.interpretation, answer.citations[0]
    (product,) = index.products_named((first.product,))
    name = product.name
    out = [release.version for release in stable_releases(product.releases)]
    release = next((version for version in out if version == Version.try_parse(first.version or "")), None)
    quotes = " ".join(cited.quote for cited in answer.citations).casefold()
    symbol = next((symbol for symbol in read.symbols if symbol.casefold() in quotes), "")

    if symbol:
        told = _tells(symbol)
        goes = [passage for passage in answer.passages if passage.kind in (Kind.DEPRECATION, Kind.REMOVAL)]
        if any(_meet(passage, first) for passage in goes) and read.intent != Form.MIGRATE.intent:
            yield _Candidate("What should I use instead?", Form.MIGRATE, name, None, told)
        if read.intent != Form.SINCE_WHEN.intent:
            yield _Candidate("Since when?", Form.SINCE_WHEN, name, None, told)
    if release and not symbol and read.intent != Form.WHATS_NEW.intent:
        # "What is new in 2.0?" would be read as asking the same of another release.
        yield _Candidate(f"What else does {name} {release} bring?", Form.WHATS_NEW, name, release)
    kinds = index.passages.kind_codes[index.release_positions(name, release)] if release else ()
    if tuple(Kind).index(Kind.SECURITY) in kinds and read.intent != Form.SECURITY.intent:
        question = f"Which vulnerabilities does {name} {release} fix?"
        yield _Candidate(question, Form.SECURITY, name, release, speaks_of_security)
    newest, breaks, *_ = _by_form(index, product)
    yield from (*newest, *breaks)


def _meet(one: Citation | RankedPassage, other: Citation) -> bool:
    return one.document_id == other.document_id and Span(one.start, one.end).meets(Span(other.start, other.end))
