"""Who speaks: what a project says goes before the same from others, and an opinion is left to who holds it."""

import re
from dataclasses import replace
from functools import lru_cache

from corpus.lexicon import content_words, split_tokens
from corpus.model import Authority
from corpus.plain_words import one_line
from retrieval.drafting import Draft, Statement, according_to, attribution, wording
from retrieval.findings import Findings
from retrieval.quoting.quotes import ItemScore, Quote
from retrieval.quoting.safe_text import safe

_OWN = frozenset({Authority.OFFICIAL, Authority.PROJECT})
_OTHERS = frozenset({Authority.NEWS, Authority.ANALYST, Authority.UNKNOWN})
_SAME_WORDS = 3
_SAME_SHARE = 0.35
_TWIN_WORDS = 4
_TWIN_SHARE = 0.6
_TWIN_COVERAGE = 0.9
"""Of what the best item holds of the question: what says the same in other respects only doesn't answer it."""
_OPINION = re.compile(
    r"\b(?:(?:i|we) (?:believe|think|expect|feel|predict)|in (?:my|our) (?:view|opinion)|arguably)\b", re.IGNORECASE
)
_MACHINE_WRITTEN = re.compile(
    r"\b(?:is|are|was|were|been) (?:\w+ )?"
    r"(?:written|generated|produced|created|authored|drafted|compiled) (?:\w+ )?(?:by|with|using) (?:an? |the )?"
    r"(?:[\w-]+ ){0,4}?(?:language model|LLM|AI|artificial intelligence|chatbot)\b|\bAI[- ]generated\b"
    r"|\bmachine[- ](?:written|generated) (?:article|content|text|summary|post)\b"
)
_ASKS_OTHERS = re.compile(r"\b(?:news|analysts?|articles?|reviewers?|press|journalists?)\b", re.IGNORECASE)


def tell_voices(draft: Draft, findings: Findings) -> Draft:
    """The draft with official statements before others that say the same, opinions attributed to their source, and no
    source's words on how it was written where something else holds more of the question."""
    authorities = {quote.passage.document.authority for one in draft.statements for quote in one.quotes}
    if authorities.isdisjoint(_OTHERS):
        return draft
    statements = _without_disclosures(draft.statements, findings)
    if not _ASKS_OTHERS.search(findings.query.text):
        statements = _with_official_twin(statements, findings)
    statements = _official_first(statements, findings)
    worded = tuple(_attributed(one, findings) for one in statements)
    return replace(draft, statements=worded, notes=(*draft.notes, *_disclosures(worded, findings)))


def _without_disclosures(statements: tuple[Statement, ...], findings: Findings) -> tuple[Statement, ...]:
    """Without those on how a source was written, unless they hold more of the question than the others."""
    cores = [_core(one.quotes[0], findings) for one in statements]
    coverages = [findings.weights.coverage(frozenset(split_tokens(core))) for core in cores]
    discloses = [is_machine_written(core) for core in cores]
    others = [covered for covered, is_disclosure in zip(coverages, discloses, strict=True) if not is_disclosure]
    kept = zip(statements, coverages, discloses, strict=True)
    return tuple(one for one, covered, is_one in kept if not others or not is_one or covered > max(others))


@lru_cache(maxsize=256)
def is_machine_written(text: str) -> bool:
    """Whether a document discloses that a language model wrote it."""
    return bool(_MACHINE_WRITTEN.search(text))


def _with_official_twin(statements: tuple[Statement, ...], findings: Findings) -> tuple[Statement, ...]:
    """With the project's own words put first where only others were to be quoted."""
    if any(quote.passage.document.authority in _OWN for one in statements for quote in one.quotes):
        return statements
    said = _words(_core(statements[0].quotes[0], findings))
    fitting = findings.fitting
    for one in fitting:
        answers_as_well = one.score >= _TWIN_COVERAGE * fitting[0].score
        if answers_as_well and one.hit.passage.document.authority in _OWN and not one.item.retracted:
            words = _words(_text(one, findings))
            shared = len(words & said)
            if shared >= _TWIN_WORDS and shared >= _TWIN_SHARE * min(len(words), len(said)):
                quote = Quote(one.hit.passage, one.item.span, one.item.span, retracted=False)
                spoken = wording(quote, findings.index.text_of(quote.passage))
                return (Statement(f"{attribution(quote)}: {spoken}", (quote,)), *statements)
    return statements


def _official_first(statements: tuple[Statement, ...], findings: Findings) -> tuple[Statement, ...]:
    """Move a statement of the project before the first of others that shares its subject; else keep the order."""
    ordered: list[Statement] = []
    for one in statements:
        place = len(ordered)
        if one.quotes[0].passage.document.authority in _OWN:
            words = _words(_core(one.quotes[0], findings))
            for position, before in enumerate(ordered):
                if before.quotes[0].passage.document.authority in _OTHERS:
                    other = _words(_core(before.quotes[0], findings))
                    shared = len(words & other)
                    if shared >= _SAME_WORDS and shared >= _SAME_SHARE * min(len(words), len(other)):
                        place = position
                        break
        ordered.insert(place, one)
    return tuple(ordered)


def _attributed(statement: Statement, findings: Findings) -> Statement:
    """A statement of an unknown voice that is an opinion, with the words that leave it to its source."""
    quote = statement.quotes[0]
    plain = attribution(quote)
    is_unknown = quote.passage.document.authority is Authority.UNKNOWN and statement.text.startswith(plain)
    if not is_unknown or not _OPINION.search(_core(quote, findings)):
        return statement
    return replace(statement, text=according_to(quote) + statement.text.removeprefix(plain))


def _disclosures(statements: tuple[Statement, ...], findings: Findings) -> tuple[str, ...]:
    documents = {quote.passage.document.id: quote.passage.document for one in statements for quote in one.quotes}
    return tuple(
        f"“{safe(one_line(one.title))}” says of itself that it was written by a machine."
        for one in documents.values()
        if one.authority in _OTHERS and is_machine_written(findings.index.document_text(one.id))
    )


def _core(quote: Quote, findings: Findings) -> str:
    return quote.core.slice(findings.index.text_of(quote.passage))


def _text(one: ItemScore, findings: Findings) -> str:
    return one.item.span.slice(findings.index.text_of(one.hit.passage))


def _words(text: str) -> frozenset[str]:
    return frozenset(token for word in content_words(one_line(text)) for token in split_tokens(word)[:1])
