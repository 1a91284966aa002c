"""Corrections: what was reverted or taken back is told with the change that it takes back, never the change alone."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from corpus.lexicon import split_tokens
from corpus.plain_words import one_line
from corpus.symbols import find_references
from corpus.versions import Version
from retrieval.answers.voice import share_words, telling_tokens
from retrieval.drafting import Draft, Statement, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quoting.commit_records import without_records
from retrieval.quoting.quotes import Quote

_TOLD = 2
"""How many corrections an answer tells at most."""
_NOTE_ITEMS = 3
"""How far below a change its note may stand, in items of its passage."""
_PLACES = 12
_SAME_WORDS, _SAME_SHARE = 4, 0.7
_UNDONE = r"(?:reverted|undone|rolled back|backed out|taken back|withdrawn)"
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
_REVERTING = "evert"
"""What such words have, whatever their first letter's case: looked for before any pattern, for speed."""
_NEXT_ENTRY = re.compile(r"^\s*(?:[-*+•]|\(?\d{1,3}[.)]|#\.)\s", re.MULTILINE)


def tell_corrections(draft: Draft, findings: Findings) -> Draft:
    """The draft with a statement after each change that the sources take back."""
    if draft.status is Status.NOT_FOUND:
        return draft
    quoted = [quote for statement in draft.statements for quote in statement.quotes]
    reverts = tuple(_find_reverts(findings, quoted))
    statements: list[Statement] = []
    corrections: list[Quote] = []
    for statement in draft.statements:
        quote = statement.quotes[0]
        correction = _correction(findings, quote, reverts) if len(corrections) < _TOLD else None
        if correction is None or any(map(correction.shares_core, (*corrections, *quoted))):
            statements.append(statement)
            continue
        narrow = replace(quote, span=quote.core) if quote.span.meets(correction.core) else quote
        words = wording(correction, findings.text_of(correction))
        statements.append(replace(statement, quotes=(narrow, *statement.quotes[1:])))
        statements.append(Statement(f"Taken back: {attribution(correction)}: {words}", (correction,)))
        corrections.append(correction)
    return replace(draft, statements=tuple(statements))


def _find_reverts(findings: Findings, quoted: Sequence[Quote]) -> Iterator[tuple[Quote, str]]:
    """The entries that revert something, among what was found and those that name a record which is quoted, with their
    words on one line."""
    index = findings.index
    records = sorted({token for quote in quoted for token in _record_tokens(findings.core_of(quote))})
    passages = [hit.passage for hit in findings.outcome.hits]
    if records:
        products = {quote.passage.document.product for quote in quoted}
        reverting, naming = (index.passages_holding(each, products=products) for each in (("revert",), records))
        passages += index.load_passages(np.intersect1d(reverting, naming, assume_unique=True)[:_PLACES].tolist())
    for passage in passages:
        text = index.text_of(passage)
        if text.find(_REVERTING, passage.span.start, passage.span.end) >= 0:
            for item in passage.items:
                words = one_line(item.span.slice(text))
                if _REVERTING in words and _REVERTS.search(words):
                    yield Quote(passage, item.span, item.span), words


def _record_tokens(words: str) -> frozenset[str]:
    return frozenset(token for record in find_references(words) for token in split_tokens(record))


def _correction(findings: Findings, quote: Quote, reverts: Sequence[tuple[Quote, str]]) -> Quote | None:
    text = findings.text_of(quote)
    if quote.retracted:
        return _announcement(quote, text)
    core = one_line(findings.core_of(quote))
    if _REVERTS.search(core) or _NOTE.search(core):
        return None
    if note := _note(quote, text):
        return note
    records, tokens = set(find_references(core)), telling_tokens(core)
    for revert, words in reverts:
        # A number at an entry's end is its own.
        is_named = bool(records & set(find_references(without_records(words))))
        is_same = share_words(tokens, telling_tokens(words) - {"revert"}, least=_SAME_WORDS, share=_SAME_SHARE)
        if (is_named or is_same) and _is_later(revert, quote):
            return revert
    return None


def _announcement(quote: Quote, text: str) -> Quote | None:
    """The line before a retracted statement that takes it back ("Removed the following sentence:")."""
    before = [item for item in quote.passage.items if item.span.start < quote.core.start][-1:]
    taken_back = (item for item in before if item.retracted and item.span.slice(text).rstrip().endswith(":"))
    return next((Quote(quote.passage, item.span, item.span) for item in taken_back), None)


def _note(quote: Quote, text: str) -> Quote | None:
    """A note below the change, before the next entry: "This change was reverted in 2.0.1"."""
    below = [item for item in quote.passage.items if item.span.start >= quote.core.end][:_NOTE_ITEMS]
    for item in below:
        if _NEXT_ENTRY.search(text[quote.core.end : item.span.end].lstrip(" ")):
            return None
        if _NOTE.search(one_line(item.span.slice(text))):
            return Quote(quote.passage, item.span, item.span)
    return None


def _is_later(revert: Quote, quote: Quote) -> bool:
    if revert.passage.document.product != quote.passage.document.product:
        return False
    one, two = (Version.try_parse(each.passage.release or "") for each in (revert, quote))
    return one is None or two is None or one >= two
