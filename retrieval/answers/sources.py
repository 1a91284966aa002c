"""Relations of sources: a project's own statement comes first, and a reverted one is followed by its correction."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from corpus.lexicon import split_tokens
from corpus.model import Authority
from corpus.plain_words import one_line
from corpus.symbols import find_references
from retrieval.answers.events import comes_after, comparable_tokens, find_revert
from retrieval.blocks import words_of
from retrieval.model import Status
from retrieval.quoting.composing import Draft, Statement, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote

_OWN = frozenset({Authority.OFFICIAL, Authority.PROJECT})
_OTHERS = frozenset({Authority.NEWS, Authority.ANALYST, Authority.UNKNOWN})
_SAME_WORDS, _SAME_SHARE, _TWIN_SCORE = 4, 0.6, 0.5
"""Least number and share (of the shorter one's) of common words for two sentences to say the same; least share of the
best score for the project's own statement. Chosen by hand, never fitted."""
_ASKS_OTHERS = re.compile(r"\b(?:news|analysts?|articles?|reviewers?|press|journalists?)\b", re.IGNORECASE)
_MOST_CORRECTIONS = 2  # Most corrections in an answer. A matter of display.
_NOTE_ITEMS, _PLACES = 3, 12  # Items below a change searched for a note; passages for reverts. Chosen by hand.
_NOTE = re.compile(
    r"\b(?:this|the|these|that) (?:[\w-]+ ){0,2}?(?:changes?|behaviou?r|features?|deprecation|fix|removal|addition)\b"
    r"[^.]{0,40}\b(?:was|were|been|is|are|got) (?:\w+ ){0,2}"
    r"(?:reverted|undone|rolled back|backed out|taken back|withdrawn)\b",
    re.IGNORECASE,
)
_REVERT = re.compile(r"\brevert(?:s|ed|ing)?\b(?! \()(?P<what>.{1,80})", re.IGNORECASE)
"""A revert and its object; in "were reverted (#12)" the number is the entry's own."""


def prefer_official(draft: Draft, findings: Findings) -> Draft:
    """Return the draft with the project's own statement before the same from others."""
    authorities = {quote.passage.document.authority for statement in draft.statements for quote in statement.quotes}
    if authorities.isdisjoint(_OTHERS):
        return draft
    return replace(draft, statements=_official_first(draft.statements, findings))


def _official_first(statements: tuple[Statement, ...], findings: Findings) -> tuple[Statement, ...]:
    """Return the statements; if the first is by others and the project's own notes say the same, with those first."""
    first = statements[0].quotes[0]
    if first.passage.document.authority in _OWN or _ASKS_OTHERS.search(findings.query.text):
        return statements
    tokens = comparable_tokens(findings.core_of(first))
    for item in findings.fitting:
        is_own = item.passage.document.authority in _OWN and not item.item.retracted
        answers_as_well = item.score >= _TWIN_SCORE * findings.fitting[0].score
        shared = comparable_tokens(findings.words_of(item)) if is_own and answers_as_well else frozenset()
        if len(shared & tokens) >= max(_SAME_WORDS, _SAME_SHARE * min(len(shared), len(tokens))):
            rest = (other for other in statements if not any(map(item.quote.shares_core, other.quotes)))
            return (statement_of(item.quote, findings.text_of(item)), *rest)
    return statements


def append_corrections(draft: Draft, findings: Findings) -> Draft:
    """Return the draft with a correction after each statement that the sources revert or retract."""
    if draft.status is Status.NOT_FOUND:
        return draft
    quoted = [quote for statement in draft.statements for quote in statement.quotes]
    reverts = _reverts(quoted, findings)
    statements: list[Statement] = []
    known, most = list(quoted), len(quoted) + _MOST_CORRECTIONS
    for statement in draft.statements:
        quote = statement.quotes[0]
        correction = _correction(findings, quote, reverts) if len(known) < most else None
        if correction is None or any(map(correction.shares_core, known)):
            statements.append(statement)
            continue
        narrow = replace(quote, span=quote.core) if quote.overlaps(replace(correction, span=correction.core)) else quote
        corrected = statement_of(correction, findings.text_of(correction))
        statements.append(replace(statement, quotes=(narrow, *statement.quotes[1:])))
        statements.append(replace(corrected, before=words_of("Taken back: ")))
        known.append(correction)
    return replace(draft, statements=tuple(statements))


def _reverts(quoted: Sequence[Quote], findings: Findings) -> list[tuple[str, Quote]]:
    """Return (reference, quote) for each entry that reverts a reference in the quotes ("#123")."""
    index = findings.index
    records = {record for quote in quoted for record in find_references(findings.core_of(quote))}
    products = {quote.passage.document.product for quote in quoted}
    reverting, naming = (
        index.passages_holding(tokens, products=products) if records else ()
        for tokens in (("revert",), sorted(split_tokens(" ".join(records))))
    )
    both = np.intersect1d(reverting, naming, assume_unique=True)[:_PLACES]
    reverts = []
    for passage in index.load_passages(both.tolist()):
        for item in passage.items:
            reverted = _REVERT.search(one_line(item.span.slice(index.text_of(passage))))
            # The first number is the reverted record; one after it is the entry's own.
            for record in find_references(reverted["what"])[:1] if reverted else ():
                reverts.append((record, Quote(passage, item.span, item.span)))
    return reverts


def _correction(findings: Findings, quote: Quote, reverts: Sequence[tuple[str, Quote]]) -> Quote | None:
    """Return the correction of a quote: the line before a retracted statement ("Removed the following sentence:"), a
    note below the change, or an entry of its release or a later one that reverts it; None if there is none."""
    text = findings.text_of(quote)
    if quote.retracted:
        before = [item for item in quote.passage.items if item.span.start < quote.core.start][-1:]
        introducing = (item for item in before if item.retracted and item.span.slice(text).rstrip().endswith(":"))
        return next((Quote(quote.passage, item.span, item.span) for item in introducing), None)
    core = one_line(findings.core_of(quote))
    if _REVERT.search(core) or _NOTE.search(core):
        return None
    for item in [item for item in quote.passage.items if item.span.start >= quote.core.end][:_NOTE_ITEMS]:
        if item.is_entry:
            break
        if _NOTE.search(one_line(item.span.slice(text))):
            return Quote(quote.passage, item.span, item.span)
    records = find_references(core)
    for record, revert in reverts:
        if record in records and comes_after(revert, quote):
            return revert
    return find_revert(findings, quote)
