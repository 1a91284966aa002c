"""Where the notes of a product speak of a name that a diff touches: found by the lexical index, read in the text.

In a bumped range all that is said of a name counts, of a removed one only what breaks or ends it. Where the diff bumps
nothing, entries about the name are cited: what ends or changes it, when it arrived, which is the version that the code
now needs, and the newest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import CatalogueProduct
from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.lexicon import split_tokens
from corpus.model import Kind, Span
from retrieval.code_usage.model import MentionKind
from retrieval.code_usage.product_roots import plain
from retrieval.drafting import Draft, Statement, verify_quotes
from retrieval.model import Citation, Status
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, Quote
from retrieval.reviews.fits import Fit, find_fit
from retrieval.reviews.model import VersionRange
from retrieval.reviews.touched import Touched
from retrieval.search.item_forms import begins_code, is_code
from retrieval.upgrades.effects import is_addition, is_own_house, stated_change, told_change
from retrieval.upgrades.model import Change

MAX_CITATIONS = 3
_READ_PASSAGES = 100
_LASTING = (Change.DEPRECATED, Change.REMOVED)
_MARKS = "-*+`~ ()\n"
_HARMLESS = frozenset({Kind.FEATURE, Kind.FIX, Kind.PERFORMANCE})
_SEVERE = (Kind.REMOVAL, Kind.DEPRECATION, Kind.BREAKING, Kind.SECURITY)


@dataclass(frozen=True, slots=True)
class _Mention:
    passage: StoredPassage
    span: Span
    rank: tuple[bool, bool, bool, bool, int, int]
    """In the range, what the words are about, says that something goes, tells of a change, fit, authority: the higher
    the better."""
    is_addition: bool


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
        # The product itself, and how packages number it.
        if plain(touched.mention.path[-1]).rstrip("0123456789") in roots:
            return ()
        mentions = [
            mention
            for passage in self._passages(touched, product, ranges)
            for mention in self._mentions(passage, touched, ranges, roots)
        ]
        mentions.sort(
            key=lambda mention: (mention.rank, mention.passage.release_order, -mention.passage.position), reverse=True
        )
        kept: dict[str, _Mention] = {}
        for ranked in mentions:
            # The notes of a candidate and of its release tell the same in the same words.
            words = ranked.span.slice(self._index.text_of(ranked.passage))
            kept.setdefault(" ".join(words.split()), ranked)
        return self._verified(_chosen(list(kept.values())))

    def _passages(
        self, touched: Touched, product: CatalogueProduct, ranges: Sequence[VersionRange]
    ) -> tuple[StoredPassage, ...]:
        """The passages that hold the name's first token, the likelier ones of too many."""
        tokens = split_tokens(touched.mention.path[-1])
        if not tokens:
            return ()
        table = self._index.passages
        positions = self._index.passages_holding(tokens[:1], products=[product.name])
        if (key := tuple(ranges)) not in self._inside:
            held = [
                any(version_range.holds(version) for version_range in ranges) for version in table.distinct_versions
            ]
            self._inside[key] = np.array(held, dtype=bool)
        within = self._inside[key][table.version_codes[positions]]
        if len(positions) > _READ_PASSAGES:
            likely = 2 * within + self._severe[table.kind_codes[positions]]
            positions = positions[np.argsort(-likely, kind="stable")][:_READ_PASSAGES]
        return self._index.load_passages([int(position) for position in positions])

    def _mentions(
        self, passage: StoredPassage, touched: Touched, ranges: Sequence[VersionRange], roots: frozenset[str]
    ) -> Iterator[_Mention]:
        text = self._index.text_of(passage)
        in_range = passage.release is not None and any(
            version_range.holds(passage.release_order) for version_range in ranges
        )
        is_past = passage.release is not None and any(
            passage.release_order <= version_range.start for version_range in ranges
        )
        is_severe = passage.kind in _SEVERE
        is_sure = touched.is_surely_of(roots)
        for span in _spans(passage, text):
            words = span.slice(text)
            if len(words) > MAX_QUOTE_CHARACTERS or begins_code(words) or words.startswith("::"):
                continue
            found = find_fit(touched, words, roots)
            if found is None or is_code(text, span):
                continue
            says_change = stated_change(words)
            is_told = says_change is not None or ((is_severe or in_range) and told_change(words) is not None)
            if is_past:
                # What changed before the version in use is known to the code; what is gone mustn't come in again.
                matters = found.is_subject and says_change in _LASTING[: 1 + touched.is_added]
            elif found.fit is Fit.WORD:
                is_of_it = is_sure and touched.mention.kind in (MentionKind.NAME, MentionKind.KEYWORD)
                is_change = bool(says_change) or (in_range and (is_severe or is_told))
                matters = found.is_subject and (is_of_it or is_change)
            elif in_range:
                is_meant = found.is_subject or (touched.is_added and found.fit > Fit.WORD)
                is_harmless = passage.kind in _HARMLESS and not touched.is_added and not says_change
                matters = (is_meant or is_severe or is_told) and not is_harmless
            else:
                says_more = words.strip(_MARKS) != touched.mention.path[-1] and not is_own_house(words)
                is_about = says_more and (is_sure or not touched.is_kept)
                matters = found.is_subject and (is_about or is_severe or is_told)
            if matters:
                weight = passage.document.authority.weight
                rank = (in_range, found.is_subject, bool(says_change), is_told, int(found.fit), weight)
                yield _Mention(passage, span, rank, passage.kind is Kind.FEATURE or bool(is_addition(words)))

    def _verified(self, mentions: Sequence[_Mention]) -> tuple[Citation, ...]:
        quotes = (Quote(mention.passage, mention.span, mention.span, retracted=False) for mention in mentions)
        draft = Draft(Status.ANSWERED, "", tuple(Statement("", (quote,)) for quote in quotes))
        return tuple(citation for _, (citation, *_) in verify_quotes(draft, self._index))


def _chosen(ranked: Sequence[_Mention]) -> Sequence[_Mention]:
    """At most three: the first, which weighs most, when the name arrived, and the newest."""
    if len(ranked) <= MAX_CITATIONS:
        return ranked
    dated = sorted(
        (mention for mention in ranked if mention.passage.release), key=lambda mention: mention.passage.release_order
    )
    arrival = next((mention for mention in dated if mention.is_addition), None)
    wanted = (ranked[0], arrival, *dated[-1:], *ranked)
    return [mention for place, mention in enumerate(wanted) if mention is not None and mention not in wanted[:place]][
        :MAX_CITATIONS
    ]


def _spans(passage: StoredPassage, text: str) -> Iterator[Span]:
    """The statements of a passage: its heading where that stands before them, and its items."""
    start = passage.span.start
    first = min((item.span.start for item in passage.items), default=passage.span.end)
    if passage.heading and (heading := text[start:first].rstrip()):
        yield Span(start, start + len(heading))
    yield from (item.span for item in passage.items if not item.retracted)
