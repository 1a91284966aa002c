"""Who speaks: what a project says goes before the same from others, an opinion is left to who holds it, and what a
machine wrote is told to be so."""

import re
from dataclasses import replace
from functools import lru_cache

from corpus.lexicon import content_words, split_tokens
from corpus.model import Authority
from corpus.plain_words import one_line
from retrieval.drafting import Draft, Statement, according_to, attribution, state
from retrieval.findings import Findings
from retrieval.quoting.safe_text import safe

_OWN = frozenset({Authority.OFFICIAL, Authority.PROJECT})
_OTHERS = frozenset({Authority.NEWS, Authority.ANALYST, Authority.UNKNOWN})
_SAME_WORDS, _SAME_SHARE = 3, 0.35
_TWIN_WORDS, _TWIN_SHARE, _TWIN_SCORE = 4, 0.6, 0.9
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


def tell_voices(draft: Draft, findings: Findings) -> Draft:
    """The draft with official statements before others that say the same, opinions attributed to their source, no
    source's words on how it was written where something else holds more of the question, and a note for each piece
    that says that a machine wrote it."""
    authorities = {quote.passage.document.authority for statement in draft.statements for quote in statement.quotes}
    if authorities.isdisjoint(_OTHERS):
        return draft
    kept = _without_disclosures(draft.statements, findings)
    statements = _official_first((*_official_twin(kept, findings), *kept), findings)
    documents = {
        quote.passage.document.id: quote.passage.document for statement in statements for quote in statement.quotes
    }
    notes = tuple(
        f"“{safe(one_line(document.title))}” says that it was written by a machine."
        for document in documents.values()
        if document.authority in _OTHERS and is_machine_written(findings.index.document_text(document.id))
    )
    attributed = tuple(_attributed(statement, findings) for statement in statements)
    return replace(draft, statements=attributed, notes=(*draft.notes, *notes))


def _without_disclosures(statements: tuple[Statement, ...], findings: Findings) -> tuple[Statement, ...]:
    """Without those on how a source was written, unless they hold more of the question than the others."""
    cores = (findings.core_of(statement.quotes[0]) for statement in statements)
    read = [
        (statement, findings.weights.coverage(frozenset(split_tokens(core))), is_machine_written(core))
        for statement, core in zip(statements, cores, strict=True)
    ]
    others = max((covered for _, covered, is_disclosure in read if not is_disclosure), default=-1.0)
    return tuple(statement for statement, covered, is_disclosure in read if not is_disclosure or covered > others)


def _attributed(statement: Statement, findings: Findings) -> Statement:
    """A statement of an unknown voice that is an opinion, with the words that leave it to its source."""
    quote = statement.quotes[0]
    plain = attribution(quote)
    is_unknown = quote.passage.document.authority is Authority.UNKNOWN and statement.text.startswith(plain)
    if not is_unknown or not _OPINION.search(findings.core_of(quote)):
        return statement
    return replace(statement, text=according_to(quote) + statement.text.removeprefix(plain))


@lru_cache(maxsize=256)
def is_machine_written(text: str) -> bool:
    """Whether a document discloses that a language model wrote it."""
    return bool(_MACHINE_WRITTEN.search(text))


def telling_tokens(text: str) -> frozenset[str]:
    """The tokens of the words that two sentences must share to say the same."""
    return frozenset(token for word in content_words(one_line(text)) for token in split_tokens(word)[:1])


def share_words(one: frozenset[str], other: frozenset[str], *, least: int, share: float) -> bool:
    """Whether two sets of tokens have `least` in common, and this `share` of the smaller one."""
    shared = len(one & other)
    return shared >= least and shared >= share * min(len(one), len(other))


def _official_twin(statements: tuple[Statement, ...], findings: Findings) -> tuple[Statement, ...]:
    """What the project itself says in the words of the first statement, where only others were to be quoted."""
    authorities = {quote.passage.document.authority for statement in statements for quote in statement.quotes}
    if not _OWN.isdisjoint(authorities) or _ASKS_OTHERS.search(findings.query.text):
        return ()
    said = telling_tokens(findings.core_of(statements[0].quotes[0]))
    for item in findings.fitting:
        is_own = item.passage.document.authority in _OWN and not item.item.retracted
        answers_as_well = item.score >= _TWIN_SCORE * findings.fitting[0].score
        tokens = telling_tokens(findings.words_of(item)) if is_own and answers_as_well else frozenset()
        if share_words(tokens, said, least=_TWIN_WORDS, share=_TWIN_SHARE):
            return (state(item.quote, findings.text_of(item)),)
    return ()


def _official_first(statements: tuple[Statement, ...], findings: Findings) -> tuple[Statement, ...]:
    """Move a statement of the project before the first of others that shares its subject; else keep the order."""
    ordered: list[tuple[Statement, frozenset[str]]] = []
    for statement in statements:
        quote = statement.quotes[0]
        tokens = telling_tokens(findings.core_of(quote))
        place = len(ordered)
        if quote.passage.document.authority in _OWN:
            alike = (
                n
                for n, (before, theirs) in enumerate(ordered)
                if before.quotes[0].passage.document.authority in _OTHERS
                and share_words(tokens, theirs, least=_SAME_WORDS, share=_SAME_SHARE)
            )
            place = next(alike, place)
        ordered.insert(place, (statement, tokens))
    return tuple(statement for statement, _ in ordered)
