"""Relations of sources: a project's own statement comes first, and a reverted one is followed by its correction."""

import re
from dataclasses import replace

from corpus.model import Authority
from corpus.plain_words import one_line
from retrieval.answers.events import find_revert
from retrieval.blocks import words_of
from retrieval.model import Form, Status
from retrieval.quoting.composing import Draft, Statement, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote
from retrieval.upgrades.repeats import REVERT, change_words, has_most

_OWN = frozenset({Authority.OFFICIAL, Authority.PROJECT})
_OTHERS = frozenset({Authority.NEWS, Authority.ANALYST, Authority.UNKNOWN})
_TWIN_SCORE = 0.5  # The least share of the best score for the project's own statement. Chosen by hand, never fitted.
_ASKS_OTHERS = re.compile(r"\b(?:news|analysts?|articles?|reviewers?|press|journalists?)\b", re.IGNORECASE)
_MOST_CORRECTIONS = 2  # Most corrections in an answer. A matter of display.
_NOTE_ITEMS = 3  # Items below a change searched for a note. Chosen by hand.
_NOTE = re.compile(
    r"\b(?:this|the|these|that) (?:[\w-]+ ){0,2}?(?:changes?|behaviou?r|features?|deprecation|fix|removal|addition)\b"
    r"[^.]{0,40}\b(?:was|were|been|is|are|got) (?:\w+ ){0,2}"
    r"(?:reverted|undone|rolled back|backed out|taken back|withdrawn)\b",
    re.IGNORECASE,
)


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
    words = change_words(findings.core_of(first))
    for item in findings.fitting:
        is_own = item.passage.document.authority in _OWN and not item.item.retracted
        answers_as_well = item.score >= _TWIN_SCORE * findings.fitting[0].score
        own_words = change_words(findings.words_of(item)) if is_own and answers_as_well else frozenset()
        few, many = sorted((own_words, words), key=len)
        if has_most(many, few) or (findings.query.form is Form.YES_NO and is_own and answers_as_well):
            rest = (other for other in statements if not any(map(item.quote.shares_core, other.quotes)))
            return (statement_of(item.quote, findings.text_of(item)), *rest)
    return statements


def append_corrections(draft: Draft, findings: Findings) -> Draft:
    """Return the draft with a correction after each statement that the sources revert or retract."""
    if draft.status is Status.NOT_FOUND:
        return draft
    quoted = [quote for statement in draft.statements for quote in statement.quotes]
    statements: list[Statement] = []
    known, most = list(quoted), len(quoted) + _MOST_CORRECTIONS
    for statement in draft.statements:
        quote = statement.quotes[0]
        correction = _correction(findings, quote) if len(known) < most else None
        if correction is None or any(map(correction.shares_core, known)):
            statements.append(statement)
            continue
        narrow = replace(quote, span=quote.core) if quote.overlaps(replace(correction, span=correction.core)) else quote
        corrected = statement_of(correction, findings.text_of(correction))
        statements.append(replace(statement, quotes=(narrow, *statement.quotes[1:])))
        statements.append(replace(corrected, before=words_of("Taken back: ")))
        known.append(correction)
    return replace(draft, statements=tuple(statements))


def _correction(findings: Findings, quote: Quote) -> Quote | None:
    """Return the correction of a quote: the line before a retracted statement ("Removed the following sentence:"), a
    note below the change, or an entry of its release or a later one that reverts it; None if there is none."""
    text = findings.text_of(quote)
    if quote.retracted:
        before = [item for item in quote.passage.items if item.span.start < quote.core.start][-1:]
        introducing = (item for item in before if item.retracted and item.span.slice(text).rstrip().endswith(":"))
        return next((Quote(quote.passage, item.span, item.span) for item in introducing), None)
    core = one_line(findings.core_of(quote))
    if REVERT.search(core) or _NOTE.search(core):
        return None
    for item in [item for item in quote.passage.items if item.span.start >= quote.core.end][:_NOTE_ITEMS]:
        if item.is_entry:
            break
        if _NOTE.search(one_line(item.span.slice(text))):
            return Quote(quote.passage, item.span, item.span)
    return find_revert(findings, quote)
