"""When something was removed: the entries that tell it, wherever they stand; else that none does, with what comes
nearest to it, a deprecation or a plan.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from corpus.lexicon import split_tokens
from corpus.search_store import PassageFilter
from corpus.versions import VersionMatch
from retrieval.drafting import OPINION, Draft, Statement, announced
from retrieval.findings import Findings
from retrieval.hits import Hit
from retrieval.model import Status
from retrieval.quotes import MAX_QUOTE_CHARACTERS, ItemScore, select_quotes
from retrieval.release_matching import match_release
from retrieval.safe_text import safe
from retrieval.said_words import change_in_heading
from retrieval.weights import TokenWeights

_MIN_COVERAGE = 0.6
_MIN_COVERAGE_ELSEWHERE = 0.8
"""Of the subject, where the search didn't bring an entry up."""
_READ_PASSAGES = 60
_RARE_IN = 20
"""A name that more passages hold may be another thing's."""
TELLS_REMOVAL = re.compile(
    r"\b(?:no longer|remov(?:e|es|ed|ing|al)|drop(?:s|ped|ping)?|delet(?:e|es|ed)|reverted|gone|unsupported"
    r"|(?:is|are|was|were)(?: not|n['’]t) (?:supported|available|accepted)|not (?:supported|available|accepted)"
    r"|any ?more)\b",
    re.IGNORECASE,
)
"""The words in which an entry says that something went, or that something else did."""
_DEPRECATES = re.compile(r"\bdeprecat\w+", re.IGNORECASE)
_PLANS = re.compile(
    r"\b(?:will|would|shall|to|scheduled|planned|slated|going)\b[^.;]{0,60}?\b(?:remov\w+|drop(?:ped)?|gone)\b"
    r"|\bremoval (?:in|is (?:planned|scheduled))\b",
    re.IGNORECASE,
)


def find_removals(findings: Findings, subject: TokenWeights) -> list[ItemScore]:
    """The entries of releases that say the subject went, not merely that it will: those that were found, else those of
    all notes on the product; best first."""
    members = _members(findings)
    found = [
        one
        for one in findings.fitting
        if subject.coverage(one.tokens) >= _MIN_COVERAGE or (members and members <= one.tokens)
    ]
    found = [one for one in found if _tells_removal(findings, one)]
    if found or not subject.weights:
        # Where the project itself tells it, news of it add nothing.
        return [one for one in found if one.hit.passage.document.authority not in OPINION] or found
    return sorted(_elsewhere(findings, subject, members), key=lambda one: -one.score)


def draft_unremoved(findings: Findings, best: Sequence[ItemScore]) -> Draft | None:
    """That no removal was found, where what answers best tells a deprecation, and with it the plan where one is told;
    None where it tells something else."""
    deprecating = [one for one in best if one.hit.passage.release and _deprecates(findings, one)]
    if not deprecating:
        return None
    if planning := [one for one in deprecating if _PLANS.search(_words(findings, one))]:
        quotes = select_quotes(planning, findings.index, limit=1, min_share=0.0, room=MAX_QUOTE_CHARACTERS)
        told = (Statement(announced(quote, findings.index.text_of(quote.passage)), (quote,)) for quote in quotes)
        return Draft(Status.PARTIAL, "No removal was found, only the plan for it.", tuple(told))
    passage = deprecating[0].hit.passage
    name = f" of `{findings.query.symbols[0].replace('`', '')}`" if len(findings.query.symbols) == 1 else ""
    place = safe(f"{passage.document.product} {passage.release}")
    lead = f"Not found: no notes tell of a removal{name}, only of its deprecation in {place}."
    return Draft(Status.NOT_FOUND, lead, ())


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
    found = index.store.lexical_scores(asked, _of_product(findings))
    first = np.argsort(-found.scores, kind="stable")[:_READ_PASSAGES]
    passages = index.load_passages(found.positions[first].tolist())
    for passage, bm25 in zip(passages, found.scores[first].tolist(), strict=True):
        match = match_release(constraint, index.passages.version_of(passage.position))
        if passage.release is None or match is VersionMatch.OUTSIDE:
            continue
        hit = Hit(passage, 0.0, 0.0, bm25, match)
        for number, item in enumerate(passage.items):
            tokens = frozenset(split_tokens(item.span.slice(index.text_of(passage))))
            covered = subject.coverage(tokens)
            one = ItemScore(hit, number, None, covered, tokens)
            is_about = covered >= _MIN_COVERAGE_ELSEWHERE or (members and members <= tokens)
            if is_about and not item.retracted and _tells_removal(findings, one):
                yield one


def _of_product(findings: Findings) -> PassageFilter:
    """The passages of the product that the question, or else what answers best, is about."""
    meant = set(findings.query.products) or {findings.fitting[0].hit.passage.document.product}
    return PassageFilter(findings.index.product_places(meant))


def _tells_removal(findings: Findings, one: ItemScore) -> bool:
    passage = one.hit.passage
    words = _PLANS.sub(" ", _words(findings, one))
    return bool(passage.release) and (
        bool(TELLS_REMOVAL.search(words)) or change_in_heading(passage.heading) == "Removed"
    )


def _deprecates(findings: Findings, one: ItemScore) -> bool:
    return any(map(_DEPRECATES.search, (_words(findings, one), *one.hit.passage.heading[-1:])))


def _words(findings: Findings, one: ItemScore) -> str:
    return one.item.span.slice(findings.index.text_of(one.hit.passage))
