"""What the sources make of each other: what a project says goes before the same from others, an opinion is left to who
holds it, what a machine wrote is told to be so, and what was reverted or taken back is told with what takes it back.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from corpus.lexicon import content_words, split_tokens
from corpus.model import Authority
from corpus.plain_words import one_line
from corpus.symbols import find_references
from corpus.versions import Version
from retrieval.composing import Draft, Statement, according_to, attribution, state
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quoting.quotes import Quote
from retrieval.quoting.safe_text import safe

_OWN = frozenset({Authority.OFFICIAL, Authority.PROJECT})
_OTHERS = frozenset({Authority.NEWS, Authority.ANALYST, Authority.UNKNOWN})
_SAME_WORDS, _SAME_SHARE = 3, 0.35
"""Chosen by hand, never fitted."""
_TWIN_WORDS, _TWIN_SHARE, _TWIN_SCORE = 4, 0.6, 0.9
"""Chosen by hand, never fitted."""
_ASKS_OTHERS = re.compile(r"\b(?:news|analysts?|articles?|reviewers?|press|journalists?)\b", re.IGNORECASE)
_OPINION = re.compile(
    r"\b(?:(?:i|we) (?:believe|think|expect|feel|predict)|in (?:my|our) (?:view|opinion)|arguably)\b", re.IGNORECASE
)
_MACHINE_WRITTEN = re.compile(
    r"\b(?:is|are|was|were|been) (?:\w+ )?"
    r"(?:written|generated|produced|created|authored|drafted|compiled) (?:\w+ )?(?:by|with|using) (?:an? |the )?"
    r"(?:[\w-]+ ){0,4}?(?:language model|LLM|AI|artificial intelligence|chatbot)\b|\bAI[- ]generated\b"
    r"|\bmachine[- ](?:written|generated) (?:article|content|text|summary|post)\b"
)
_TOLD = 2
"""How many corrections an answer tells at most. A matter of display."""
_NOTE_ITEMS = 3
"""How far below a change its note may stand, in items of its passage. Chosen by hand, never fitted."""
_PLACES = 12
_REVERT_WORDS, _REVERT_SHARE = 4, 0.7
"""Chosen by hand, never fitted."""
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
"""Chosen by hand, never fitted."""
_TITLE = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_ORIGIN = re.compile(r"\b(?:added|introduced|made|changed|merged|landed|done)\s+(?:in|by|with|from)\s(.{1,30})")
_NEXT_ENTRY = re.compile(r"^\s*(?:[-*+•]|\(?\d{1,3}[.)]|#\.)\s", re.MULTILINE)


def tell_voices(draft: Draft, findings: Findings) -> Draft:
    """The draft with official statements before others that say the same, opinions attributed to their source, no
    source's words on how it was written where something else holds more of the question, and a note for each piece
    that says that a machine wrote it."""
    authorities = {quote.passage.document.authority for statement in draft.statements for quote in statement.quotes}
    if authorities.isdisjoint(_OTHERS):
        return draft
    cores = (findings.core_of(statement.quotes[0]) for statement in draft.statements)
    read = [
        (statement, findings.weights.coverage(frozenset(split_tokens(core))), is_machine_written(core))
        for statement, core in zip(draft.statements, cores, strict=True)
    ]
    others = max((covered for _, covered, is_disclosure in read if not is_disclosure), default=-1.0)
    kept = tuple(statement for statement, covered, is_disclosure in read if not is_disclosure or covered > others)
    statements = _official_first((*_official_twin(kept, findings), *kept), findings)
    documents = {
        quote.passage.document.id: quote.passage.document for statement in statements for quote in statement.quotes
    }
    notes = tuple(
        f"“{safe(one_line(document.title))}” says that it was written by a machine."
        for document in documents.values()
        if document.authority in _OTHERS and is_machine_written(findings.index.document_text(document.id))
    )
    attributed = []
    for statement in statements:
        quote = statement.quotes[0]
        speaker, words = attribution(quote), statement.text
        is_unknown = quote.passage.document.authority is Authority.UNKNOWN and words.startswith(speaker)
        if is_unknown and _OPINION.search(findings.core_of(quote)):
            words = according_to(quote) + words.removeprefix(speaker)
        attributed.append(replace(statement, text=words))
    return replace(draft, statements=tuple(attributed), notes=(*draft.notes, *notes))


@lru_cache(maxsize=256)
def is_machine_written(text: str) -> bool:
    """Whether a document discloses that a language model wrote it."""
    return bool(_MACHINE_WRITTEN.search(text))


def _telling_tokens(text: str) -> frozenset[str]:
    """The tokens of the words that two sentences must share to say the same."""
    return frozenset(token for word in content_words(one_line(text)) for token in split_tokens(word)[:1])


def _share_words(one: frozenset[str], other: frozenset[str], *, least: int, share: float) -> bool:
    """Whether two sets of tokens have `least` in common, and this `share` of the smaller one."""
    shared = len(one & other)
    return shared >= least and shared >= share * min(len(one), len(other))


def _official_twin(statements: tuple[Statement, ...], findings: Findings) -> tuple[Statement, ...]:
    """What the project itself says in the words of the first statement, where only others were to be quoted."""
    authorities = {quote.passage.document.authority for statement in statements for quote in statement.quotes}
    if not _OWN.isdisjoint(authorities) or _ASKS_OTHERS.search(findings.query.text):
        return ()
    said = _telling_tokens(findings.core_of(statements[0].quotes[0]))
    for item in findings.fitting:
        is_own = item.passage.document.authority in _OWN and not item.item.retracted
        answers_as_well = item.score >= _TWIN_SCORE * findings.fitting[0].score
        tokens = _telling_tokens(findings.words_of(item)) if is_own and answers_as_well else frozenset()
        if _share_words(tokens, said, least=_TWIN_WORDS, share=_TWIN_SHARE):
            return (state(item.quote, findings.text_of(item)),)
    return ()


def _official_first(statements: tuple[Statement, ...], findings: Findings) -> tuple[Statement, ...]:
    """Move a statement of the project before the first of others that shares its subject; else keep the order."""
    ordered: list[tuple[Statement, frozenset[str]]] = []
    for statement in statements:
        quote = statement.quotes[0]
        tokens = _telling_tokens(findings.core_of(quote))
        place = len(ordered)
        if quote.passage.document.authority in _OWN:
            alike = (
                n
                for n, (before, theirs) in enumerate(ordered)
                if before.quotes[0].passage.document.authority in _OTHERS
                and _share_words(tokens, theirs, least=_SAME_WORDS, share=_SAME_SHARE)
            )
            place = next(alike, place)
        ordered.insert(place, (statement, tokens))
    return tuple(statement for statement, _ in ordered)


def tell_corrections(draft: Draft, findings: Findings) -> Draft:
    """The draft with a statement after each change that the sources take back."""
    if draft.status is Status.NOT_FOUND:
        return draft
    index = findings.index
    quoted = [quote for statement in draft.statements for quote in statement.quotes]
    # The entries that revert something: among what was found, and in passages that name a record which is quoted.
    passages = [hit.passage for hit in findings.outcome.hits]
    records = split_tokens(" ".join(record for quote in quoted for record in find_references(findings.core_of(quote))))
    if records and index.lexical.document_frequency("revert"):
        products = {quote.passage.document.product for quote in quoted}
        reverting, naming = (index.passages_holding(some, products=products) for some in (("revert",), sorted(records)))
        both = np.intersect1d(reverting, naming, assume_unique=True)[:_PLACES]
        passages += index.load_passages(both.tolist())
    reverts: list[tuple[Quote, str]] = []
    for passage in passages:
        text = index.text_of(passage)
        if text.find(_REVERTING, passage.span.start, passage.span.end) >= 0:
            for item in passage.items:
                words = one_line(item.span.slice(text))
                if _REVERTING in words and _REVERTS.search(words):
                    reverts.append((Quote(passage, item.span, item.span), words))
    statements: list[Statement] = []
    corrections: list[Quote] = []
    for statement in draft.statements:
        quote = statement.quotes[0]
        correction = _correction(findings, quote, reverts) if len(corrections) < _TOLD else None
        if correction is None or any(map(correction.shares_core, (*corrections, *quoted))):
            statements.append(statement)
            continue
        narrow = replace(quote, span=quote.core) if quote.overlaps(replace(correction, span=correction.core)) else quote
        told = state(correction, findings.text_of(correction))
        statements.append(replace(statement, quotes=(narrow, *statement.quotes[1:])))
        statements.append(replace(told, text=f"Taken back: {told.text}"))
        corrections.append(correction)
    return replace(draft, statements=tuple(statements))


def _correction(findings: Findings, quote: Quote, reverts: Sequence[tuple[Quote, str]]) -> Quote | None:
    """What takes back what a quote says: the line before a retracted statement ("Removed the following sentence:"), a
    note below the change, or an entry of its release or a later one that reverts it."""
    text, product = findings.text_of(quote), quote.passage.document.product
    if quote.retracted:
        before = [item for item in quote.passage.items if item.span.start < quote.core.start][-1:]
        taken_back = (item for item in before if item.retracted and item.span.slice(text).rstrip().endswith(":"))
        return next((Quote(quote.passage, item.span, item.span) for item in taken_back), None)
    core = one_line(findings.core_of(quote))
    if _REVERTS.search(core) or _NOTE.search(core):
        return None
    for item in [item for item in quote.passage.items if item.span.start >= quote.core.end][:_NOTE_ITEMS]:
        if _NEXT_ENTRY.search(text[quote.core.end : item.span.end].lstrip(" ")):
            break
        if _NOTE.search(one_line(item.span.slice(text))):
            return Quote(quote.passage, item.span, item.span)
    records, tokens = set(find_references(core)), _telling_tokens(core)
    for revert, words in reverts:
        is_named = bool(records & _reverted(words))
        is_same = _share_words(tokens, _telling_tokens(words) - {"revert"}, least=_REVERT_WORDS, share=_REVERT_SHARE)
        later, release = (Version.try_parse(each.passage.release or "") for each in (revert, quote))
        is_later = later is None or release is None or later >= release
        if (is_named or is_same) and is_later and revert.passage.document.product == product:
            return revert
    return None


def _reverted(words: str) -> set[str]:
    """The records that an entry reverts, from its word "revert" on; another number behind it is the entry's own."""
    match = _REVERT.search(words)
    said = words[match.start() :] if match else ""
    named = (said[:_NEAR].partition("(")[0], *_TITLE.findall(said), *_ORIGIN.findall(said))
    return {record for part in named for record in find_references(part)}
