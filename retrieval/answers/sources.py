"""What the sources make of each other: what a project says goes before the same from others, and what was taken
back is told with what takes it back.
"""

import re
from dataclasses import replace
from itertools import islice, takewhile

from corpus.model import Act, Authority
from corpus.plain_words import one_line
from corpus.symbols import find_references
from retrieval.answers.events import telling_tokens
from retrieval.blocks import words_of
from retrieval.model import Status
from retrieval.quoting.composing import Draft, Statement, state
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote

_OWN = frozenset({Authority.OFFICIAL, Authority.PROJECT})
_OTHERS = frozenset({Authority.NEWS, Authority.ANALYST, Authority.UNKNOWN})
_SAME_WORDS, _SAME_SHARE, _TWIN_SCORE = 4, 0.6, 0.5
"""How many words, and what share of the shorter one's, two sentences have in common that say the same, and how well the
project's own must answer beside the best. Chosen by hand, never fitted."""
_ASKS_OTHERS = re.compile(r"\b(?:news|analysts?|articles?|reviewers?|press|journalists?)\b", re.IGNORECASE)
_TOLD = 2  # How many corrections an answer tells at most. A matter of display.
_NOTE_ITEMS = 3  # How far below a change its note may stand, in items. Chosen by hand, never fitted.
_NOTE = re.compile(
    r"\b(?:this|the|these|that) (?:[\w-]+ ){0,2}?(?:changes?|behaviou?r|features?|deprecation|fix|removal|addition)\b"
    r"[^.]{0,40}\b(?:was|were|been|is|are|got) (?:\w+ ){0,2}"
    r"(?:reverted|undone|rolled back|backed out|taken back|withdrawn)\b",
    re.IGNORECASE,
)


def tell_voices(draft: Draft, findings: Findings) -> Draft:
    """The draft, before its first statement what the project itself says in its words, where that one is of others."""
    first = draft.statements[0].quotes[0]
    if first.passage.document.authority not in _OTHERS or _ASKS_OTHERS.search(findings.query.text):
        return draft
    said = telling_tokens(findings.core_of(first))
    for item in findings.fitting:
        is_own = item.passage.document.authority in _OWN and not item.item.retracted
        answers_as_well = item.score >= _TWIN_SCORE * findings.fitting[0].score
        shared, own = said & (words := telling_tokens(findings.words_of(item))), min(len(said), len(words))
        if is_own and answers_as_well and len(shared) >= max(_SAME_WORDS, _SAME_SHARE * own):
            rest = (one for one in draft.statements if not any(map(item.quote.shares_core, one.quotes)))
            return replace(draft, statements=(state(item.quote, findings.text_of(item)), *rest))
    return draft


def tell_corrections(draft: Draft, findings: Findings) -> Draft:
    """The draft with a statement after each change that the sources take back."""
    if draft.status is Status.NOT_FOUND:
        return draft
    quoted = [quote for statement in draft.statements for quote in statement.quotes]
    statements: list[Statement] = []
    known, most = list(quoted), len(quoted) + _TOLD
    for statement in draft.statements:
        quote = statement.quotes[0]
        correction = _correction(findings, quote) if len(known) < most else None
        if correction is None or any(map(correction.shares_core, known)):
            statements.append(statement)
            continue
        narrow = replace(quote, span=quote.core) if quote.overlaps(replace(correction, span=correction.core)) else quote
        told = state(correction, findings.text_of(correction))
        statements.append(replace(statement, quotes=(narrow, *statement.quotes[1:])))
        statements.append(replace(told, before=words_of("Taken back: ")))
        known.append(correction)
    return replace(draft, statements=tuple(statements))


def _correction(findings: Findings, quote: Quote) -> Quote | None:
    """What takes back what a quote says: the line before a retracted statement ("Removed the following sentence:"), a
    note below the change, or what was found to revert its record."""
    passage, text = quote.passage, findings.text_of(quote)
    if quote.retracted:
        before = [item for item in passage.items if item.span.start < quote.core.start][-1:]
        found = (item for item in before if item.retracted and item.span.slice(text).rstrip().endswith(":"))
    else:
        below = (item for item in passage.items if item.span.start >= quote.core.end)
        own = takewhile(lambda item: not item.is_entry, islice(below, _NOTE_ITEMS))
        is_note = _NOTE.search(one_line(findings.core_of(quote)))
        found = (item for item in own if not is_note and _NOTE.search(one_line(item.span.slice(text))))
    records = set(find_references(findings.core_of(quote)))
    reverts = (one.quote for one in findings.fitting if one.act is Act.REVERTED and one.item.span != quote.core)
    later = (one for one in reverts if one.passage.release_order >= quote.passage.release_order)
    named = (one for one in later if records & set(find_references(findings.core_of(one))))
    return next((Quote(passage, item.span, item.span) for item in found), None) or next(named, None)
