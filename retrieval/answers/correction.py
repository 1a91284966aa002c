"""Corrections: what was reverted or taken back is told with the change that it takes back, never the change alone."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

import numpy as np

from corpus.index.stored import StoredPassage
from corpus.lexicon import split_tokens
from corpus.plain_words import one_line
from corpus.symbols import find_references
from corpus.versions import Version
from retrieval.answers.voice import share_words, telling_tokens
from retrieval.drafting import Draft, Statement, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
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
_REVERT = re.compile(r"\brevert", re.IGNORECASE)
_NEAR = 24
_TITLE = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_ORIGIN = re.compile(r"\b(?:added|introduced|made|changed|merged|landed|done)\s+(?:in|by|with|from)\s(.{1,30})")
_RESTORES = re.compile(
    r"\b(?:restor(?:e[sd]?|ing)|reland(?:s|ed)?|re-?appl(?:y|ied|ies)|reinstate[sd]?)\b", re.IGNORECASE
)
_RESTORE_TOKENS = split_tokens("restore reland reapply reinstate")
_YANK = re.compile(r"\byank", re.IGNORECASE)
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
        narrow = replace(quote, span=quote.core) if quote.overlaps(replace(correction, span=correction.core)) else quote
        words = wording(correction, findings.text_of(correction))
        statements.append(replace(statement, quotes=(narrow, *statement.quotes[1:])))
        statements.append(Statement(f"{_how(words)}: {attribution(correction)}: {words}", (correction,)))
        corrections.append(correction)
    return replace(draft, statements=tuple(statements))


def _find_reverts(findings: Findings, quoted: Sequence[Quote]) -> Iterator[tuple[Quote, str]]:
    """The entries that revert something, among what was found and those that name a record which is quoted, with their
    words on one line."""
    records = _tokens_of(record for quote in quoted for record in find_references(findings.core_of(quote)))
    products = {quote.passage.document.product for quote in quoted}
    found = (hit.passage for hit in findings.outcome.hits)
    for passage in (*found, *_passages_with(findings, ("revert",), records, products)):
        text = findings.index.text_of(passage)
        if text.find(_REVERTING, passage.span.start, passage.span.end) >= 0:
            for item in passage.items:
                words = one_line(item.span.slice(text))
                if _REVERTING in words and _REVERTS.search(words):
                    yield Quote(passage, item.span, item.span), words


def _tokens_of(names: Iterable[str]) -> Sequence[str]:
    return sorted({token for name in names for token in split_tokens(name)})


def _passages_with(
    findings: Findings, tokens: Sequence[str], others: Sequence[str], products: Set[str]
) -> Sequence[StoredPassage]:
    """The passages of these products that hold one of `tokens` and one of `others`."""
    index = findings.index
    if not others or not any(map(index.lexical.document_frequency, tokens)):
        return ()
    one, other = (index.passages_holding(each, products=products) for each in (tokens, others))
    return index.load_passages(np.intersect1d(one, other, assume_unique=True)[:_PLACES].tolist())


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
        is_named = bool(records & _reverted(words))
        is_same = share_words(tokens, telling_tokens(words) - {"revert"}, least=_SAME_WORDS, share=_SAME_SHARE)
        if (is_named or is_same) and _is_later(revert, quote):
            return None if _is_restored(findings, quote, records) else revert
    return _yank_of(findings, quote)


def _reverted(words: str) -> set[str]:
    """The records that an entry reverts, from its word "revert" on; another number behind it is the entry's own."""
    match = _REVERT.search(words)
    said = words[match.start() :] if match else ""
    named = (said[:_NEAR].partition("(")[0], *_TITLE.findall(said), *_ORIGIN.findall(said))
    return {record for part in named for record in find_references(part)}


def _is_restored(findings: Findings, quote: Quote, records: Set[str]) -> bool:
    """Whether an entry brings the change with one of these records back."""
    return any(
        _RESTORES.search(words) and not records.isdisjoint(find_references(words))
        for _, words in _entries_with(findings, quote, _RESTORE_TOKENS, _tokens_of(records))
    )


def _yank_of(findings: Findings, quote: Quote) -> Quote | None:
    """A line that says the release was yanked, where its heading doesn't."""
    release = quote.passage.release
    if not release or any(map(_YANK.search, quote.passage.heading)):
        return None
    says = re.compile(
        rf"\bv?{re.escape(release)}\W+(?:was|has been|were|is|got|which has been)\W+(?:\w+\W+)?yanked\b", re.IGNORECASE
    )
    lines = _entries_with(findings, quote, ("yank",), split_tokens(release))
    return next((line for line, words in lines if says.search(words)), None)


def _entries_with(
    findings: Findings, quote: Quote, tokens: Sequence[str], others: Sequence[str]
) -> Iterator[tuple[Quote, str]]:
    """The entries of passages of the quote's product that hold one of `tokens` and one of `others`, with their words
    on one line."""
    for passage in _passages_with(findings, tokens, others, {quote.passage.document.product}):
        text = findings.index.text_of(passage)
        for item in passage.items:
            yield Quote(passage, item.span, item.span), one_line(item.span.slice(text))


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


def _how(words: str) -> str:
    return "Yanked" if _YANK.search(words) and not _REVERT.search(words) else "Taken back"


def _is_later(revert: Quote, quote: Quote) -> bool:
    if revert.passage.document.product != quote.passage.document.product:
        return False
    one, two = (Version.try_parse(each.passage.release or "") for each in (revert, quote))
    return one is None or two is None or one >= two
