"""When something was removed: the entries that tell it, wherever they stand; else that none does, with what comes
nearest to it, a deprecation or a plan.
"""

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np

from corpus.lexicon import split_tokens
from corpus.model import Act
from corpus.stores.protocol import PassageFilter
from corpus.versions import Version, VersionMatch, find_versions
from retrieval.drafting import OPINION, Draft, Statement, announced
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.question.token_weights import TokenWeights
from retrieval.quoting.quotes import GOES, MAX_QUOTE_CHARACTERS, WARNS, ItemScore, select_quotes
from retrieval.quoting.safe_text import safe
from retrieval.releases.matching import match_release
from retrieval.search.hits import Hit

_MIN_COVERAGE = 0.6
_MIN_COVERAGE_ELSEWHERE = 0.8
"""Of the subject, where the search didn't bring an entry up."""
_READ_PASSAGES = 60
_RARE_IN = 20
"""A name that more passages hold may be another thing's."""
_YEAR = re.compile(r"\b20\d\d\b")


def find_removals(findings: Findings, subject: TokenWeights) -> list[ItemScore]:
    """The entries of releases that say the subject went: those that were found, else those of all notes on the
    product; best first."""
    members = _members(findings)
    products = _products(findings)
    found = [
        one
        for one in findings.fitting
        if one.passage.document.product in products
        and _tells_removal(one)
        and (subject.coverage(one.tokens) >= _MIN_COVERAGE or (members and members <= one.tokens))
    ]
    if found or not subject.weights:
        return [one for one in found if one.passage.document.authority not in OPINION] or found
    return sorted(_elsewhere(findings, subject, members), key=lambda one: -one.score)


def draft_unremoved(findings: Findings) -> Draft | None:
    """That no removal was found, where what answers best tells a deprecation, and with it the plan where one is told;
    None where it tells something else."""
    best = findings.fitting[0]
    passage, act = best.passage, best.act
    if passage.release is None or act not in WARNS:
        return None
    if act is Act.PLANNED or _looks_ahead(findings, best, Version.parse(passage.release)):
        quotes = select_quotes([best], findings.index, limit=1, room=MAX_QUOTE_CHARACTERS)
        told = (Statement(announced(quote, findings.text_of(quote)), (quote,)) for quote in quotes)
        return Draft(Status.PARTIAL, "No removal was found, only the plan for it.", tuple(told))
    name = f" of `{findings.query.symbols[0].replace('`', '')}`" if len(findings.query.symbols) == 1 else ""
    place = safe(f"{passage.document.product} {passage.release}")
    lead = f"Not found: no notes tell of a removal{name}, only of its deprecation in {place}."
    return Draft(Status.NOT_FOUND, lead, ())


def _looks_ahead(findings: Findings, one: ItemScore, release: Version) -> bool:
    """Whether an entry names a later release than its own, or a year."""
    words = findings.words_of(one)
    return bool(_YEAR.search(words)) or any(mention.version > release for mention in find_versions(words))


def _members(findings: Findings) -> frozenset[str]:
    """The last parts of the names asked about, where they are rare: what is asked as `np.ravel2` is `numpy.ravel2` to
    the notes."""
    symbols = (symbol.removesuffix("()").rpartition(".")[2] for symbol in findings.query.symbols)
    members = frozenset(token for symbol in symbols for token in split_tokens(symbol)[:1])
    known = findings.index.lexical.document_frequency
    return members if all(known(token) <= _RARE_IN for token in members) else frozenset()


def _elsewhere(findings: Findings, subject: TokenWeights, members: frozenset[str]) -> Iterator[ItemScore]:
    """Removals in passages that the search ranked too low, by the subject's words alone."""
    index, constraint = findings.index, findings.query.constraint
    asked = Counter([*(token for token, _ in subject.weights), *members])
    found = index.store.lexical_scores(asked, PassageFilter(index.product_places(_products(findings))))
    first = np.argsort(-found.scores, kind="stable")[:_READ_PASSAGES]
    passages = index.load_passages(found.positions[first].tolist())
    for passage in passages:
        match = match_release(constraint, index.passages.version_of(passage.position))
        if match is VersionMatch.OUTSIDE:
            continue
        hit = Hit(passage, 0.0, 0.0, match)
        for number, item in enumerate(passage.items):
            tokens = frozenset(split_tokens(item.span.slice(index.text_of(passage))))
            covered = subject.coverage(tokens)
            one = ItemScore(hit, number, None, covered, tokens)
            is_about = covered >= _MIN_COVERAGE_ELSEWHERE or (members and members <= tokens)
            if is_about and not item.retracted and _tells_removal(one):
                yield one


def _products(findings: Findings) -> frozenset[str]:
    """The products that the question, or else what answers best, is about."""
    return frozenset(findings.query.products) or frozenset({findings.fitting[0].passage.document.product})


def _tells_removal(one: ItemScore) -> bool:
    return one.passage.release is not None and one.act in GOES
