"""Questions that go on from an answer: short ones that lean on the conversation, each proven to say something new."""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import CatalogueProduct, stable_releases
from corpus.index.reader import IndexReader
from corpus.lexicon import split_tokens
from corpus.model import Act, Kind, Span
from corpus.stores.protocol import PassageFilter
from corpus.versions import Version
from retrieval.assistant import Assistant
from retrieval.model import Answer, Citation, Form
from ui.web.ask.conversation import MAX_HISTORY, Asking
from ui.web.ask.proving import Candidate, is_proven, naming, of_product, of_release, of_security, release_before
from ui.web.ask.telling_items import TellingItem, telling_items

_OFFERED, _TRIED = 3, 4
_READ = 3
"""The first quotes of an answer, of which the first ones say what it is about."""
_GOES = frozenset({Act.DEPRECATED, Act.REMOVED, Act.REPLACED, Act.PLANNED})
_MOST_PASSAGES = 100
"""Of an upgrade whose breaking changes are asked for while somebody waits."""


def follow_ups(assistant: Assistant, asking: Asking, answer: Answer) -> tuple[str, ...]:
    """Questions to go on with after `answer`, the one to `asking`, at most three: each has an answer that leads with
    another quote and shows one that wasn't shown yet. None after a question that has no answer."""
    told = _read(assistant, asking, answer)
    if told is None:
        return ()
    before = (*asking.history, asking.question)
    asked = {question.casefold() for question in before}
    offered: list[str] = []
    candidates = (candidate for candidate in _candidates(told) if candidate.question.casefold() not in asked)
    for candidate in islice(candidates, _TRIED):
        found = assistant.ask(
            candidate.question,
            history=before[-MAX_HISTORY:],
            product=asking.product,
            version=asking.version,
            limit=1,
            read=False,
        )
        if is_proven(candidate, found) and _goes_on(found, answer):
            offered.append(candidate.question)
        if len(offered) == _OFFERED:
            break
    return tuple(offered)


@dataclass(frozen=True, slots=True)
class _Notes:
    """The passages of one product."""

    index: IndexReader
    product: str

    def holding(self, symbol: str) -> NDArray[np.int64]:
        """Those that hold a name of code."""
        return self.index.passages_holding(split_tokens(symbol)[:1], products=[self.product])

    def count_security(self, release: Version) -> int:
        """How many passages on security a release has."""
        kinds = self.index.passages.kind_codes[self._of(lambda version: version == release)]
        return int((kinds == tuple(Kind).index(Kind.SECURITY)).sum())

    def count_between(self, before: Version, release: Version) -> int:
        """How many passages an upgrade passes."""
        return len(self._of(lambda version: before < version <= release))

    def _of(self, is_meant: Callable[[Version], bool]) -> NDArray[np.int64]:
        table = self.index.passages
        versions = tuple(code for code, found in enumerate(table.distinct_versions) if found and is_meant(found))
        return PassageFilter(self.index.product_places((self.product,)), versions).positions(table)


@dataclass(frozen=True, slots=True)
class _Told:
    """What an answer is about."""

    product: CatalogueProduct
    notes: _Notes
    release: Version | None
    """Of its first quote; None where that is not of a release that is out."""
    newest: Version | None
    """Of the product; None where the question is held to a version."""
    symbol: str
    """The name of code that was asked about; empty where none was, or the quotes don't hold it."""
    items: tuple[TellingItem, ...]
    intent: str
    names_product: bool
    """Whether the question is about this product alone, so that it needn't be named again."""


def _read(assistant: Assistant, asking: Asking, answer: Answer) -> _Told | None:
    if not answer.citations:
        return None
    first = answer.citations[0]
    (product,) = assistant.index.products_named((first.product,))
    read = answer.interpretation
    quotes = " ".join(cited.quote for cited in answer.citations).casefold()
    out = tuple(release.version for release in stable_releases(product.releases))
    return _Told(
        product=product,
        notes=_Notes(assistant.index, product.name),
        release=next((version for version in out if version == Version.try_parse(first.version or "")), None),
        newest=None if asking.version or not out else out[0],
        symbol=next((symbol for symbol in read.symbols if symbol.casefold() in quotes), ""),
        items=tuple(item for cited in answer.citations[:_READ] for item in _items_of(assistant.index, cited)),
        intent=read.intent,
        names_product=read.products == (product.name,),
    )


def _items_of(index: IndexReader, cited: Citation) -> list[TellingItem]:
    """The items that a citation quotes, in order."""
    starts = [span.start for span in index.passage_spans(cited.document_id)]
    start = starts[max(0, bisect_right(starts, cited.start) - 1)]
    passages = index.document_passages(cited.document_id, within=Span(start, start + 1))
    quoted = Span(cited.start, cited.end)
    return [item for item in telling_items(passages, list(map(index.text_of, passages))) if item.span.meets(quoted)]


def _candidates(told: _Told) -> Iterator[Candidate]:
    """The nearest to what was told first."""
    yield from _about_symbol(told)
    yield from _about_others(told)
    if told.release is not None:
        yield from _about_release(told, told.release)


def _about_symbol(told: _Told) -> Iterator[Candidate]:
    symbol = told.symbol
    shown = {item.passage.position for item in told.items}
    if not symbol or shown.issuperset(told.notes.holding(symbol).tolist()):
        return
    goes = any(item.act in _GOES and symbol.casefold() in item.words.casefold() for item in told.items)
    if goes and told.intent != Form.MIGRATE.intent:
        yield Candidate("What should I use instead?", Form.MIGRATE, naming(symbol))
    if told.intent != Form.SINCE_WHEN.intent:
        yield Candidate("Since when?", Form.SINCE_WHEN, naming(symbol))
    if told.newest is not None and told.release is not None and told.newest.base > told.release.base:
        yield Candidate(f"Is it still so in {told.newest}?", Form.YES_NO, naming(symbol))


def _about_others(told: _Told) -> Iterator[Candidate]:
    """What takes the place of the first other thing that goes, where its quote names nothing."""
    for item in told.items:
        if item.act in _GOES and item.subject not in ("", told.symbol) and not item.offers:
            question = f"What should I use instead of `{item.subject}`?"
            yield Candidate(question, Form.MIGRATE, naming(item.subject))
            return


def _about_release(told: _Told, release: Version) -> Iterator[Candidate]:
    is_of_release = of_release(told.product.name, release)
    name = "" if told.names_product else f"{told.product.name} "
    if told.intent == Form.WHATS_NEW.intent:
        yield Candidate(f"What was deprecated in {name}{release}?", Form.WHATS_NEW, is_of_release)
    elif not told.symbol:
        # "What is new in 2.0?" would be read as asking the same of another release.
        yield Candidate(f"What else does {name}{release} bring?", Form.WHATS_NEW, is_of_release)
    if told.notes.count_security(release) and told.intent != Form.SECURITY.intent:
        yield Candidate(
            f"Which vulnerabilities does {name}{release} fix?",
            Form.SECURITY,
            of_security(is_of_release),
        )
    if told.newest is not None and told.newest.base > release.base:
        product = "" if told.names_product else f" of {told.product.name}"
        newest = of_release(told.product.name, told.newest)
        yield Candidate(f"What does the newest release{product} bring?", Form.WHATS_NEW, newest)
    before = release_before(told.product, release)
    is_short = before is not None and told.notes.count_between(before, release) <= _MOST_PASSAGES
    if is_short and told.intent != Form.BREAKS.intent:
        question = f"What breaks when I upgrade {name}from {before} to {release}?"
        yield Candidate(question, Form.BREAKS, of_product(told.product.name))


def _goes_on(found: Answer, answer: Answer) -> bool:
    """Whether an answer leads with another quote than the one at hand, and shows one that it doesn't show."""
    shown = [_place(cited) for cited in answer.citations]
    new = [_place(cited) for cited in found.citations]
    return not _meets(new[0], shown[0]) and any(not any(_meets(place, other) for other in shown) for place in new)


def _place(cited: Citation) -> tuple[int, Span]:
    return cited.document_id, Span(cited.start, cited.end)


def _meets(one: tuple[int, Span], other: tuple[int, Span]) -> bool:
    return one[0] == other[0] and one[1].meets(other[1])
