"""Where the notes of a product speak of a name that a diff touches: found by the lexical index, read in the text.

A name that nobody uses by chance counts wherever the notes write it. Any other counts where the notes write it as code
and something beside it agrees: what qualifies it, another name of the same entry on the lines around, or that notes and
code both take it for an option. Outside of a bumped range only what is removed, deprecated or broken is cited: that a
name was once added or mended matters to nobody who reads a diff.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import CatalogueProduct
from corpus.index_store import IndexReader
from corpus.lexicon import split_tokens
from corpus.model import Kind, Span
from corpus.stored import StoredPassage
from corpus.symbols import find_symbols
from retrieval.code_usage.matching import agrees
from retrieval.code_usage.model import MentionKind, Origin
from retrieval.code_usage.product_roots import plain
from retrieval.code_usage.told_names import arguments_of
from retrieval.code_usage.wanted import has_several_words
from retrieval.drafting import Draft, Statement, verify_quotes
from retrieval.item_forms import begins_code, is_code
from retrieval.model import Citation, Status
from retrieval.quotes import MAX_QUOTE_CHARACTERS, Quote
from retrieval.reviews.model import VersionRange
from retrieval.reviews.touched import Touched
from retrieval.upgrades.effects import stated_change, told_change
from retrieval.upgrades.model import Change

MAX_CITATIONS = 3
_READ_PASSAGES = 100
_QUALIFIERS = r"(?P<before>(?:[\w$]+[!?]?(?:\([^()\n]*\))?(?:\.|::|\#|->|\\|/))*)"
_GOES_ON = re.compile(r"\([^()]+\)?\.|\([^()]*\(|(?:\.|::)\w")
"""`np.array(x).sum()` is an example with the name in it."""
_ASIDE = re.compile(
    r"(?:[(\[]|, |= |\b(?:from|import|use|using|of|by|with|to|call|see|prefer|like|via) (?::[\w:]+:)?[`*~]*)$",
    re.IGNORECASE,
)
"""Before a name: it stands in an example, or in place of what the words are about ("use `start` instead")."""
_TAKER = re.compile(r"\b(?:of|for|in|to|on)\s+(?:the\s+)?(?::[\w:]+:)?[`~]+(?P<name>[\w.:$]+)")
"""What takes the option that stands before it: "the `x` argument of `f()`"."""
_NOUN_BEHIND = re.compile(r"[`'\"*]+\s+(?P<noun>[A-Za-z]{4,})")
_NOUN_BEFORE = re.compile(r"(?P<noun>[A-Za-z]{4,})\s+[`'\"*]+$")
"""What kind of thing the notes say a name is: "the `file` exporter"."""
_OPTIONS = frozenset({MentionKind.KEY, MentionKind.KEYWORD})
_HARMLESS = frozenset({Kind.FEATURE, Kind.FIX, Kind.PERFORMANCE})
_SEVERE = (Kind.REMOVAL, Kind.DEPRECATION, Kind.BREAKING, Kind.SECURITY)
_MIN_OWNER = 4


class Fit(IntEnum):
    """How well what the notes write agrees with what the code names, best last."""

    OPTION = 0
    """An everyday word, that both take for an option."""
    NAME = 1
    """A name that nobody uses by chance, or another name of the entry stands beside it."""
    OWNER = 2
    """What qualifies it agrees too, or the code shows that it is the product's."""


@dataclass(frozen=True, slots=True)
class _Mention:
    passage: StoredPassage
    span: Span
    rank: tuple[bool, bool, bool, bool, bool, int, int]
    """In the range, what the words are about, says that something goes, tells of a change, more than a repair, fit,
    authority: the higher the better."""


class MentionReader:
    """Looks the names of a diff up in one index."""

    def __init__(self, index: IndexReader) -> None:
        self._index = index
        self._inside: dict[tuple[VersionRange, ...], NDArray[np.bool_]] = {}
        self._severe = np.array([kind in _SEVERE for kind in Kind], dtype=bool)

    def cite(
        self,
        touched: Touched,
        product: CatalogueProduct,
        ranges: Sequence[VersionRange] = (),
        *,
        roots: frozenset[str],
    ) -> tuple[Citation, ...]:
        """At most three quotes of `product`'s notes that speak of the name, what weighs most first; often none.

        `roots` are the product's, see `product_roots`.
        """
        is_sure = touched.is_surely_of(roots)
        if plain(touched.mention.path[-1]) in roots:
            return ()
        found: list[_Mention] = []
        for passage in self._passages(touched, product, ranges, is_sure=is_sure):
            found += self._mentions(passage, touched, ranges, roots)
        if any(one.rank[0] for one in found):
            found = [one for one in found if one.rank[0]]
        found.sort(key=lambda one: (one.rank, one.passage.release_order, -one.passage.position), reverse=True)
        kept: dict[str, _Mention] = {}
        for one in found:
            # The notes of a candidate and of its release tell the same in the same words.
            words = one.span.slice(self._index.text_of(one.passage))
            kept.setdefault(" ".join(words.split()), one)
        return self._verified(list(kept.values())[:MAX_CITATIONS])

    def _passages(
        self, touched: Touched, product: CatalogueProduct, ranges: Sequence[VersionRange], *, is_sure: bool
    ) -> tuple[StoredPassage, ...]:
        """The passages that hold the name's first token, the likelier ones of too many."""
        tokens = split_tokens(touched.mention.path[-1])
        if not tokens:
            return ()
        table = self._index.passages
        positions = self._index.passages_holding(tokens[:1], products=[product.name])
        if (key := tuple(ranges)) not in self._inside:
            held = [any(one.holds(version) for one in ranges) for version in table.distinct_versions]
            self._inside[key] = np.array(held, dtype=bool)
        within = self._inside[key][table.version_codes[positions]]
        if not is_sure and not touched.says_enough:
            positions, within = positions[within], within[within]
        if len(positions) > _READ_PASSAGES:
            likely = 2 * within + self._severe[table.kind_codes[positions]]
            positions = positions[np.argsort(-likely, kind="stable")][:_READ_PASSAGES]
        return self._index.load_passages([int(position) for position in positions])

    def _mentions(
        self, passage: StoredPassage, touched: Touched, ranges: Sequence[VersionRange], roots: frozenset[str]
    ) -> Iterator[_Mention]:
        text = self._index.text_of(passage)
        in_range = passage.release is not None and any(one.holds(passage.release_order) for one in ranges)
        for span in _spans(passage, text):
            words = span.slice(text)
            if touched.mention.path[-1].lstrip("-") not in words:
                continue
            if len(words) > MAX_QUOTE_CHARACTERS or begins_code(words):
                continue
            told = _fit(touched, words, roots, heading=passage.heading)
            if told is None or is_code(text, span):
                continue
            fit, is_subject = told
            # A page about a migration is of no release.
            in_reach = in_range or (bool(ranges) and passage.release is None)
            is_severe = passage.kind in _SEVERE
            says_change = stated_change(words) is not None
            tells_change = says_change or ((is_severe or in_reach) and told_change(words) is not None)
            is_own_argument = touched.mention.kind is MentionKind.KEYWORD and touched.is_surely_of(roots)
            if fit is not Fit.OWNER and not touched.says_enough and not is_own_argument:
                matters = is_subject and (says_change or (in_range and (is_severe or tells_change)))
            elif in_range:
                matters = (is_subject or is_severe or tells_change) and (
                    touched.is_added or passage.kind not in _HARMLESS
                )
            else:
                matters = is_subject and (is_severe or tells_change)
            # What changed before the version in use is known to the code; what is gone mustn't come in again.
            if passage.release is not None and any(passage.release_order <= one.start for one in ranges):
                lasting = {Change.DEPRECATED, Change.REMOVED} if touched.is_added else {Change.DEPRECATED}
                matters = matters and stated_change(words) in lasting
            if matters:
                weight = passage.document.authority.weight
                is_mended = passage.kind in (Kind.FIX, Kind.PERFORMANCE)
                rank = (in_range, is_subject, says_change, tells_change, not is_mended, int(fit), weight)
                yield _Mention(passage, span, rank)

    def _verified(self, mentions: Sequence[_Mention]) -> tuple[Citation, ...]:
        quotes = (Quote(one.passage, one.span, one.span, retracted=False) for one in mentions)
        draft = Draft(Status.ANSWERED, "", tuple(Statement("", (quote,)) for quote in quotes))
        return tuple(citation for _, (citation, *_) in verify_quotes(draft, self._index))


def _spans(passage: StoredPassage, text: str) -> Iterator[Span]:
    """The statements of a passage: its heading where that stands before them, and its items."""
    start = passage.span.start
    first = min((item.span.start for item in passage.items), default=passage.span.end)
    if passage.heading and (heading := text[start:first].rstrip()):
        yield Span(start, start + len(heading))
    yield from (item.span for item in passage.items if not item.retracted)


def _fit(
    touched: Touched, words: str, roots: frozenset[str], *, heading: Sequence[str]
) -> tuple[Fit, bool] | None:
    """How well `words` agree with the name, and whether they are about it rather than about what it replaces; None
    where they don't speak of it."""
    name, *_ = reversed(touched.mention.path)
    start = r"(?<![\w-])" if name.startswith("-") else r"(?<![\w$-])"
    best: tuple[Fit, bool] | None = None
    for match in re.finditer(rf"{_QUALIFIERS}{start}{re.escape(name)}(?![\w-])", words):
        if _GOES_ON.match(words, match.end()):
            continue
        before = tuple(part for part in re.split(r"\W+", match["before"]) if part)
        fit = _fit_of(touched, words, roots, before=before, match=match, heading=heading)
        if fit is not None:
            is_subject = not _ASIDE.search(words[: match.start()])
            best = max(best or (fit, is_subject), (fit, is_subject), key=lambda told: (told[1], told[0]))
    return best


def _fit_of(
    touched: Touched,
    words: str,
    roots: frozenset[str],
    *,
    before: tuple[str, ...],
    match: re.Match[str],
    heading: Sequence[str],
) -> Fit | None:
    mention = touched.mention
    owners, name = mention.path[:-1], mention.path[-1]
    is_sure = touched.is_surely_of(roots)
    if before:
        if mention.origin is Origin.IMPORTED and mention.kind is MentionKind.NAME:
            return Fit.OWNER if agrees(before, owners, roots) else None
        around = touched.near | {plain(part) for part in owners}
        owner = plain(before[-1])
        if any(_is_kind_of(owner, word) or _is_kind_of(word, owner) for word in around):
            return Fit.OWNER
        is_short_for = bool(owners) and len(owners[-1]) >= _MIN_OWNER and owner.startswith(plain(owners[-1]))
        return Fit.NAME if touched.says_enough or is_short_for else None
    behind, in_front = words[match.end() : match.end() + 1], words[: match.start()][-1:]
    is_code = behind in tuple("(=`'\"") or (in_front in tuple("`@~'\"*") and behind != " ")
    if mention.kind is MentionKind.FLAG:
        return Fit.OWNER if is_sure else Fit.NAME if "-" in name.lstrip("-") else Fit.OPTION
    if touched.says_enough and (is_code or has_several_words(name)):
        return Fit.OWNER if is_sure else Fit.NAME
    if is_sure and is_code:
        return Fit.NAME
    if not is_code:
        return None
    others = {plain(re.split(r"\W+", told)[-1]) for told in find_symbols(" ".join((words, *heading[-1:])))}
    around = touched.near | {plain(part) for part in owners}
    if any(len(other) >= _MIN_OWNER and other in around for other in others - {plain(name)} - roots):
        return Fit.NAME
    nouns = _NOUN_BEHIND.match(words, match.end()), _NOUN_BEFORE.search(words, 0, match.start())
    if {plain(noun["noun"]).removesuffix("s") for noun in nouns if noun} & {plain(one).removesuffix("s") for one in owners}:
        return Fit.NAME
    if in_front == "." and behind == "(" and owners:
        return Fit.OPTION
    if mention.kind not in _OPTIONS or name not in arguments_of(words, (name,)):
        return None
    taker = _TAKER.search(words, match.end())
    takes_it = taker is None or not has_several_words(taker["name"])
    return Fit.OPTION if takes_it or plain(re.split(r"\W+", taker["name"])[-1]) in around else None


def _is_kind_of(one: str, other: str) -> bool:
    """Whether a name ends in another: `WebSocket` is a `socket`."""
    return one == other or (len(other) >= _MIN_OWNER and one.endswith(other))
