"""Who speaks: what a project says goes before the same from others, and what a machine wrote is told to be so."""

import re
from dataclasses import replace

from corpus.lexicon import content_words, split_tokens
from corpus.model import Authority
from corpus.plain_words import one_line
from retrieval.drafting import Draft, Statement, state
from retrieval.findings import Findings
from retrieval.quoting.safe_text import safe

_OWN = frozenset({Authority.OFFICIAL, Authority.PROJECT})
_OTHERS = frozenset({Authority.NEWS, Authority.ANALYST, Authority.UNKNOWN})
_SAME_WORDS, _SAME_SHARE = 3, 0.35
_TWIN_WORDS, _TWIN_SHARE, _TWIN_SCORE = 4, 0.6, 0.9
_ASKS_OTHERS = re.compile(r"\b(?:news|analysts?|articles?|reviewers?|press|journalists?)\b", re.IGNORECASE)
_MACHINE_WRITTEN = re.compile(
    r"\b(?:is|are|was|were|been) (?:\w+ )?"
    r"(?:written|generated|produced|created|authored|drafted|compiled) (?:\w+ )?(?:by|with|using) (?:an? |the )?"
    r"(?:[\w-]+ ){0,4}?(?:language model|LLM|AI|artificial intelligence|chatbot)\b|\bAI[- ]generated\b"
    r"|\bmachine[- ](?:written|generated) (?:article|content|text|summary|post)\b"
)


def tell_voices(draft: Draft, findings: Findings) -> Draft:
    """The draft with official statements before others that say the same, and a note for each piece that says that a
    machine wrote it."""
    documents = {
        quote.passage.document.id: quote.passage.document
        for statement in draft.statements
        for quote in statement.quotes
    }
    others = [document for document in documents.values() if document.authority in _OTHERS]
    if not others:
        return draft
    notes = tuple(
        f"“{safe(one_line(document.title))}” says that it was written by a machine."
        for document in others
        if is_machine_written(findings.index.document_text(document.id))
    )
    statements = (*_official_twin(draft.statements, findings), *draft.statements)
    return replace(draft, statements=_official_first(statements, findings), notes=(*draft.notes, *notes))


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
