"""Corrections: what was reverted or taken back is told with the change that it takes back, never the change alone.

A correction is a note under the change ("This change was reverted in 2.0.1"), an entry that reverts it by its number or
in its words, or a line that says its release was yanked.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from corpus.index.stored import StoredPassage
from corpus.lexicon import content_words, split_tokens
from corpus.model import Item
from corpus.plain_words import one_line
from corpus.symbols import find_references
from corpus.versions import Version
from retrieval.drafting import Draft, Statement, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quoting.quotes import Quote

_TOLD = 2
"""How many corrections an answer tells at most."""
_NOTE_ITEMS = 3
"""How far below a change its note may stand, in items of its passage."""
_PLACES = 12
_SAME_WORDS = 4
_SAME_SHARE = 0.7
_UNDONE = r"(?:reverted|undone|rolled back|backed out|taken back|withdrawn)"
_MAY_NOTE = re.compile(_UNDONE, re.IGNORECASE)
_NOTE = re.compile(
    r"\b(?:this|the|these|that) (?:[\w-]+ ){0,2}?(?:changes?|behaviou?r|features?|deprecation|fix|removal|addition)\b"
    r"[^.]{0,40}\b(?:was|were|(?:has|have) (?:\w+ )?been|is|are|got) (?:\w+ ){0,2}" + _UNDONE + r"\b",
    re.IGNORECASE,
)
_REVERTS = re.compile(
    r"(?:^\W{0,8}|[.:,]\s+|\b(?:this|partially|temporarily|fully) )(?:\W*#?\w+:\s*)?"
    r"(?:revert(?:s|ed|ing)?|back(?:s|ed) out)\b"
    r"|\b(?:is|was|were|are|(?:has|have) (?:\w+ )?been) (?:now |since |temporarily )?" + _UNDONE + r"\b",
    re.IGNORECASE,
)
_REVERTING, _YANKING = "evert", "ank"
"""Parts that such words have, whatever their first letter's case: looked for before any pattern, for speed."""
_REVERT = re.compile(r"\brevert", re.IGNORECASE)
_RESTORES = re.compile(
    r"\b(?:restor(?:e[sd]?|ing)|reland(?:s|ed)?|re-?appl(?:y|ied|ies)|reinstate[sd]?)\b", re.IGNORECASE
)
_RESTORE_TOKENS = split_tokens("restore reland reapply reinstate")
_NEAR = 24
_TITLE = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_ORIGIN = re.compile(r"\b(?:added|introduced|made|changed|merged|landed|done)\s+(?:in|by|with|from)\s(.{1,30})")
_YANK = re.compile(r"\byank", re.IGNORECASE)
_NEXT_ENTRY = re.compile(r"^\s*(?:[-*+•]|\(?\d{1,3}[.)]|#\.)\s", re.MULTILINE)


def tell_corrections(draft: Draft, findings: Findings) -> Draft:
    """The draft with a statement after each change that the sources take back."""
    if draft.status is Status.NOT_FOUND:
        return draft
    quoted = [quote for one in draft.statements for quote in one.quotes]
    corrections = _Corrections(findings, quoted)
    statements: list[Statement] = []
    told: list[Quote] = []
    for one in draft.statements:
        quote = one.quotes[0]
        correction = corrections.of(quote) if len(told) < _TOLD else None
        if correction is None or any(map(correction.shares_core, (*told, *quoted))):
            statements.append(one)
            continue
        narrow = replace(quote, span=quote.core) if replace(quote, core=quote.span).shares_core(correction) else quote
        words = wording(correction, findings.index.text_of(correction.passage))
        statements.append(replace(one, quotes=(narrow, *one.quotes[1:])))
        statements.append(Statement(f"{_how(words)}: {attribution(correction)}: {words}", (correction,)))
        told.append(correction)
    return replace(draft, statements=tuple(statements))


class _Corrections:
    """The entries that take something back, among what was found and by the records that are quoted; read once."""

    def __init__(self, findings: Findings, quoted: Sequence[Quote]) -> None:
        self._findings = findings
        self._products = {quote.passage.document.product for quote in quoted}
        hits = (hit.passage for hit in findings.outcome.hits)
        found = tuple(self._items(hits, _REVERTING))
        self._in_words = tuple((p, item, words) for p, item, words in found if _REVERTS.search(one_line(words)))
        records = {record for quote in quoted for record in find_references(self._core(quote))}
        tokens = tuple(sorted({token for record in records for token in split_tokens(record)}))
        self._by_record = tuple(self._items(self._passages(("revert",), tokens), _REVERTING)) if tokens else ()
        releases = sorted({token for quote in quoted for token in split_tokens(quote.passage.release or "")})
        self._of_release = tuple(self._items(self._passages(("yank",), releases), _YANKING)) if releases else ()

    def of(self, quote: Quote) -> Quote | None:
        """What takes back the core of a quote, where the core doesn't say so itself."""
        text = self._findings.index.text_of(quote.passage)
        if quote.retracted:
            return _announcement(quote, text)
        core = one_line(self._core(quote))
        if _REVERTS.search(core) or _NOTE.search(core):
            return None
        return _note(quote, text) or self._by_words_of(quote, core) or self._by_record_of(quote) or self._yank_of(quote)

    def _by_words_of(self, quote: Quote, core: str) -> Quote | None:
        """An entry among what was found that says it reverts this, in the same words."""
        if not self._in_words:
            return None
        ours = _words(core)
        for passage, item, words in self._in_words:
            theirs = _words(one_line(words)) - {"revert"}
            shared = len(ours & theirs)
            same = shared >= _SAME_WORDS and shared >= _SAME_SHARE * min(len(ours), len(theirs))
            if same and _is_later(passage, quote):
                return Quote(passage, item.span, item.span, retracted=False)
        return None

    def _by_record_of(self, quote: Quote) -> Quote | None:
        """An entry anywhere in the product's notes that reverts the change by its number, and isn't undone itself."""
        records = set(find_references(self._core(quote))) if self._by_record else set()
        for passage, item, words in self._by_record:
            match = _REVERT.search(words)
            if match is None or not records & _reverted(words[match.start() :]):
                continue
            if _is_later(passage, quote) and _REVERTS.search(one_line(words)):
                return None if self._is_restored(records) else Quote(passage, item.span, item.span, retracted=False)
        return None

    def _is_restored(self, records: set[str]) -> bool:
        tokens = tuple(sorted({token for record in records for token in split_tokens(record)}))
        return any(
            _RESTORES.search(words) and records & set(find_references(words))
            for _, _, words in self._items(self._passages(_RESTORE_TOKENS, tokens), "")
        )

    def _yank_of(self, quote: Quote) -> Quote | None:
        """A line that says the release was yanked, where its heading doesn't."""
        release = quote.passage.release
        if not release or any(_YANK.search(heading) for heading in quote.passage.heading):
            return None
        says = re.compile(
            rf"\bv?{re.escape(release)}\W+(?:was|has been|were|is|got|which has been)\W+(?:\w+\W+)?yanked\b",
            re.IGNORECASE,
        )
        for passage, item, words in self._of_release:
            if passage.document.product == quote.passage.document.product and says.search(one_line(words)):
                return Quote(passage, item.span, item.span, retracted=False)
        return None

    def _passages(self, tokens: Sequence[str], others: Sequence[str]) -> Sequence[StoredPassage]:
        """The passages of the quoted products that hold one of `tokens` and one of `others`."""
        index = self._findings.index
        if not any(map(index.lexical.document_frequency, tokens)):
            return ()
        one, other = (index.passages_holding(each, products=self._products) for each in (tokens, others))
        return index.load_passages(np.intersect1d(one, other, assume_unique=True)[:_PLACES].tolist())

    def _items(self, passages: Iterable[StoredPassage], part: str) -> Iterator[tuple[StoredPassage, Item, str]]:
        """The items with a word that has this part."""
        for passage in passages:
            text = self._findings.index.text_of(passage)
            if text.find(part, passage.span.start, passage.span.end) >= 0:
                for item in passage.items:
                    words = item.span.slice(text)
                    if part in words:
                        yield passage, item, words

    def _core(self, quote: Quote) -> str:
        return quote.core.slice(self._findings.index.text_of(quote.passage))


def _reverted(words: str) -> set[str]:
    """The records that an entry reverts, from its word "revert" on; another number behind it is the entry's own."""
    named = (words[:_NEAR].partition("(")[0], *_TITLE.findall(words), *_ORIGIN.findall(words))
    return {record for part in named for record in find_references(part)}


def _announcement(quote: Quote, text: str) -> Quote | None:
    """The line before a retracted statement that takes it back ("Removed the following sentence:")."""
    items = quote.passage.items
    number = next((n for n, item in enumerate(items) if item.span.start >= quote.core.start), 0)
    before = items[number - 1] if number else None
    if before is None or not before.retracted or not before.span.slice(text).rstrip().endswith(":"):
        return None
    return Quote(quote.passage, before.span, before.span, retracted=False)


def _note(quote: Quote, text: str) -> Quote | None:
    """A note below the change, before the next entry: "This change was reverted in 2.0.1"."""
    below = [item for item in quote.passage.items if item.span.start >= quote.core.end][:_NOTE_ITEMS]
    for item in below:
        if _NEXT_ENTRY.search(text[quote.core.end : item.span.end].lstrip(" ")):
            return None
        words = item.span.slice(text)
        if _MAY_NOTE.search(words) and _NOTE.search(one_line(words)):
            return Quote(quote.passage, item.span, item.span, retracted=False)
    return None


def _how(words: str) -> str:
    return "Yanked" if _YANK.search(words) and not _REVERT.search(words) else "Taken back"


def _is_later(passage: StoredPassage, quote: Quote) -> bool:
    """Of the same product, and of no earlier release; not what is quoted itself."""
    if passage.document.product != quote.passage.document.product:
        return False
    one, two = (Version.try_parse(label) if label else None for label in (passage.release, quote.passage.release))
    return one is None or two is None or one >= two


def _words(line: str) -> frozenset[str]:
    words = (word for word in content_words(line) if any(map(str.isalpha, word)))
    return frozenset(token for word in words for token in split_tokens(word)[:1])
