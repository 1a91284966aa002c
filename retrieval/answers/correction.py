"""Corrections: what was reverted or taken back is told with the change that it takes back, never the change alone."""

import re
from dataclasses import replace

import numpy as np

from corpus.lexicon import content_words, split_tokens
from corpus.model import Span
from corpus.plain_words import one_line
from corpus.symbols import find_references
from corpus.versions import Version
from retrieval.drafting import Draft, Statement, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quotes import Quote

_NOTE_ITEMS = 3
"""How far after a change its note of correction may stand, in items of its passage."""
_TOLD = 2
"""How many corrections an answer tells at most."""
_RECORDS = 8
_SAME_WORDS = 4
_SAME_SHARE = 0.7
_UNDONE = r"(?:reverted|undone|rolled back|backed out|taken back|withdrawn)"
_NOTE = re.compile(
    r"\b(?:this|the|these|that) (?:[\w-]+ ){0,2}?(?:changes?|behaviou?r|features?|deprecation|fix|removal|addition|decision)"
    rf"\b[^.]{{0,40}}\b(?:was|were|has been|have been|is|are|got) (?:later |now |since |partially |temporarily ){{0,2}}{_UNDONE}\b",
    re.IGNORECASE,
)
_REVERTS = re.compile(
    r"(?:^\W{0,8}|[.:]\s+|\b(?:this|partially|temporarily|fully) )(?:\W*#?\w+:\s*)?(?:revert(?:s|ed|ing)?|rev|undo|back(?:s|ed)? out)\b"
    rf"|\b(?:is|was|were|are|has been|have been) (?:now |since |temporarily )?{_UNDONE}\b",
    re.IGNORECASE,
)
_REVERT_WORD = re.compile(r"\brevert", re.IGNORECASE)


def tell_corrections(draft: Draft, findings: Findings) -> Draft:
    """The draft with a statement after each change that the sources take back."""
    if draft.status is Status.NOT_FOUND:
        return draft
    quoted = [quote for one in draft.statements for quote in one.quotes]
    statements: list[Statement] = []
    told = 0
    for one in draft.statements:
        quote = one.quotes[0]
        correction = None if told == _TOLD else _correction(quote, findings)
        if correction is None:
            statements.append(one)
            continue
        if _overlap(quote.span, correction.span, same=quote.passage.document.id == correction.passage.document.id):
            narrow = replace(quote, span=quote.core)
            statements.append(replace(one, quotes=(narrow, *one.quotes[1:])))
        else:
            statements.append(one)
        if not any(_says(other, correction) for other in quoted if other is not quote):
            words = wording(correction, findings.index.document_text(correction.passage.document.id))
            statements.append(Statement(f"Taken back: {attribution(correction)}: {words}", (correction,)))
            told += 1
    return replace(draft, statements=tuple(statements))


def _correction(quote: Quote, findings: Findings) -> Quote | None:
    """What takes back the core of a quote, where the core doesn't say so itself."""
    text = findings.index.document_text(quote.passage.document.id)
    core = quote.core.slice(text)
    if quote.retracted:
        return _announcement(quote, text)
    if _REVERTS.search(one_line(core)) or _NOTE.search(one_line(core)):
        return None
    return _note(quote, text) or _by_words(quote, core, findings) or _by_record(quote, core, findings)


def _announcement(quote: Quote, text: str) -> Quote | None:
    """The line before a retracted statement that takes it back ("Removed the following sentence:")."""
    items = quote.passage.items
    number = next((n for n, item in enumerate(items) if item.span.start >= quote.core.start), 0)
    before = items[number - 1] if number else None
    if before is None or not before.retracted or not before.span.slice(text).rstrip().endswith(":"):
        return None
    return Quote(quote.passage, before.span, before.span, retracted=False)


def _note(quote: Quote, text: str) -> Quote | None:
    """A note close after the change: "This change was reverted in 2.0.1"."""
    following = [item for item in quote.passage.items if item.span.start >= quote.core.end]
    for item in following[:_NOTE_ITEMS]:
        words = one_line(item.span.slice(text))
        if _NOTE.search(words):
            return Quote(quote.passage, item.span, item.span, retracted=False)
    return None


def _by_words(quote: Quote, core: str, findings: Findings) -> Quote | None:
    """An entry among what was found that says it reverts this, in the same words."""
    words: frozenset[str] = frozenset()
    for one in findings.scored:
        passage = one.hit.passage
        item = one.item.span.slice(findings.index.document_text(passage.document.id))
        if not _REVERT_WORD.search(item) or passage.document.product != quote.passage.document.product:
            continue
        words = words or _words(core)
        own = _words(item) - {"revert"}
        shared = len(words & own)
        is_later = _release(passage.release) is None or _is_not_before(passage.release, quote.passage.release)
        same = shared >= _SAME_WORDS and shared >= _SAME_SHARE * min(len(words), len(own))
        if same and is_later and _REVERTS.search(one_line(item)):
            return Quote(passage, one.item.span, one.item.span, retracted=False)
    return None


def _by_record(quote: Quote, core: str, findings: Findings) -> Quote | None:
    """An entry anywhere in the product's notes that reverts the change by its number."""
    records = set(find_references(core))
    if not records:
        return None
    index = findings.index
    tokens = tuple({token for record in records for token in split_tokens(record)})
    if not any(map(index.lexical.document_frequency, tokens)):
        return None
    both = np.minimum(index.lexical.scores(tokens), index.lexical.scores(("revert",)))
    both[index.passages.boilerplate] = 0.0
    places = np.flatnonzero(both)
    for passage in index.load_passages([int(place) for place in places[:_RECORDS]]):
        if passage.document.product != quote.passage.document.product:
            continue
        text = index.document_text(passage.document.id)
        for item in passage.items:
            words = item.span.slice(text)
            match = _REVERT_WORD.search(words)
            if match and item.span != quote.core and records & set(find_references(words[match.start() :])):
                later = _is_not_before(passage.release, quote.passage.release)
                if later and _REVERTS.search(one_line(words)):
                    return Quote(passage, item.span, item.span, retracted=False)
    return None


def _says(quote: Quote, correction: Quote) -> bool:
    same = quote.passage.document.id == correction.passage.document.id
    return same and quote.core.start < correction.core.end and correction.core.start < quote.core.end


def _overlap(one: Span, other: Span, *, same: bool) -> bool:
    return same and one.start < other.end and other.start < one.end


def _is_not_before(label: str | None, other: str | None) -> bool:
    one, two = _release(label), _release(other)
    return one is None or two is None or one >= two


def _release(label: str | None) -> Version | None:
    return Version.try_parse(label) if label else None


def _words(text: str) -> frozenset[str]:
    words = (word for word in content_words(one_line(text)) if any(map(str.isalpha, word)))
    return frozenset(token for word in words for token in split_tokens(word)[:1])
