"""Since when: what states a version itself, else the earliest release that speaks of the thing, said first.

A thing's life is told in order: added, deprecated, removed. Where pages of documentation say the same release by
release, the first release whose page says it counts.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpus.lexicon import split_tokens
from corpus.plain_words import one_line
from corpus.versions import Version
from retrieval.answers.fact import draft_fact
from retrieval.answers.page_course import draft_by_pages
from retrieval.answers.removals import draft_unremoved, find_removals
from retrieval.change_words import Stage, asked_stages, subject_weights
from retrieval.drafting import Draft, Statement, announced, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quotes import MAX_QUOTE_CHARACTERS, ItemScore, Quote, select_quotes
from retrieval.release_matching import is_page
from retrieval.safe_text import safe
from retrieval.version_statements import VersionStatement, find_statements
from retrieval.weights import TokenWeights

_MIN_SHARE = 0.92
_QUOTES = 2
_MIN_STAGE_COVERAGE = 0.6
_MIN_SPOKEN = 0.35
"""The share of the subject that a line must name for its first page to be the answer."""
_SAYS_GONE = re.compile(
    r"\b(?:no longer|removed|dropped|gone|unsupported|(?:is|are|was|were)(?: not|n['’]t) "
    r"(?:supported|available|accepted)|not (?:supported|available|accepted)|any ?more)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)+")
_STAGE_TOKENS = {
    Stage.DEPRECATED: frozenset(split_tokens("deprecated deprecate deprecates deprecation")),
    Stage.REMOVED: frozenset(split_tokens("removed remove removes removal dropped drop gone unsupported")),
    Stage.ADDED: frozenset(split_tokens("added add adds new introduced introduce first support supports")),
}


def draft_since_when(findings: Findings) -> Draft:
    """Quote what states the version of the asked step; else the best items of the releases that answer nearly as well
    as the best one, earliest first.

    Falls back to the plain answer where what answers best belongs to no release (a page of history says it in words).
    """
    fitting = findings.fitting
    subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
    stages = asked_stages(findings.query.text) or (Stage.ADDED,)
    stated = _stated(find_statements(fitting, subject, findings.index), stages) if subject.weights else ()
    if stated:
        told = {one.stage for one in stated}
        others = [one for one in fitting if not is_page(one.hit.passage)]
        missing = _by_stage(findings, others, subject, tuple(stage for stage in stages if stage not in told))
        entries = (
            _announce(findings, quote) for quote in select_quotes(missing, findings.index, limit=2, min_share=0.0)
        )
        return Draft(Status.ANSWERED, "", (*(_state(findings, one) for one in stated), *entries))
    if not fitting or not fitting[0].hit.passage.release:
        return draft_fact(findings)
    words = fitting[0].item.span.slice(findings.index.text_of(fitting[0].hit.passage))
    is_about = not subject.weights or subject.coverage(frozenset(split_tokens(words))) >= _MIN_SPOKEN
    is_removal = stages == (Stage.REMOVED,) and not _SAYS_GONE.search(words)
    if is_about and (paged := draft_by_pages(findings, fitting[0], subject, is_removal=is_removal)):
        return paged
    chosen = (_by_stage(findings, fitting, subject, stages) if len(stages) > 1 else []) or _earliest(findings, fitting)
    if stages == (Stage.REMOVED,):
        removals = find_removals(findings, subject)
        if not removals and (unremoved := draft_unremoved(findings, chosen)):
            return unremoved
        chosen = _earliest(findings, removals) if removals else chosen
    quotes = select_quotes(
        chosen, findings.index, limit=max(_QUOTES, len(stages)), min_share=0.0, room=MAX_QUOTE_CHARACTERS
    )
    return Draft(Status.ANSWERED, "", tuple(_announce(findings, quote) for quote in quotes))


def draft_life(findings: Findings) -> Draft | None:
    """What became of a thing: the entries that add, deprecate and remove it, in order; None where fewer than two do."""
    fitting = findings.fitting
    subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
    chosen = _by_stage(findings, fitting, subject, (Stage.ADDED, Stage.DEPRECATED, Stage.REMOVED))
    quotes = select_quotes(chosen, findings.index, limit=3, min_share=0.0)
    return (
        Draft(
            Status.ANSWERED,
            "",
            tuple(_announce(findings, quote) for quote in quotes),
        )
        if len(quotes) > 1
        else None
    )


def _announce(findings: Findings, quote: Quote) -> Statement:
    return Statement(announced(quote, findings.index.text_of(quote.passage)), (quote,))


def _stated(found: Sequence[VersionStatement], stages: Sequence[Stage]) -> tuple[VersionStatement, ...]:
    """The statements of the asked steps, each as the newest page has it, and the steps that came after them."""
    if not any(one.stage in stages for one in found):
        return ()
    newest: dict[tuple[Stage, Version], VersionStatement] = {}
    for one in found:
        if one.stage in stages or (one.stage in (Stage.DEPRECATED, Stage.REMOVED) and Stage.CHANGED not in stages):
            known = newest.get((one.stage, one.version))
            if known is None or known.scored.hit.passage.release_order < one.scored.hit.passage.release_order:
                newest[one.stage, one.version] = one
    order = list(Stage)
    return tuple(
        sorted(newest.values(), key=lambda one: (one.stage not in stages, order.index(one.stage), one.version))
    )


def _state(findings: Findings, one: VersionStatement) -> Statement:
    passage, span = one.scored.hit.passage, one.scored.item.span
    quote = Quote(passage, span, span, retracted=one.scored.item.retracted)
    words = wording(quote, findings.index.text_of(passage))
    about = f" {safe(one_line(passage.heading[-1]))}:" if passage.heading else ""
    return Statement(f"{attribution(quote)}:{about} {words}", (quote,))


def _by_stage(
    findings: Findings, fitting: Sequence[ItemScore], subject: TokenWeights, stages: Sequence[Stage]
) -> list[ItemScore]:
    """The best entry about each of the steps, in the order of their releases."""
    chosen: list[ItemScore] = []
    for stage in stages:
        for one in fitting:
            text = findings.index.text_of(one.hit.passage)
            words = frozenset(split_tokens(one.item.span.slice(text)))
            speaks = bool(words & _STAGE_TOKENS.get(stage, frozenset())) and one.hit.passage.release
            if speaks and one not in chosen and subject.coverage(words) >= _MIN_STAGE_COVERAGE:
                chosen.append(replace(one, score=fitting[0].score))
                break
    return sorted(chosen, key=_release)


def _earliest(findings: Findings, fitting: Sequence[ItemScore]) -> list[ItemScore]:
    """The best entries of two releases; what speaks of "Python 2.6" says nothing of the 3.12 that is asked about."""
    strong = [one for one in fitting if one.hit.passage.release and one.likeness >= _MIN_SHARE * fitting[0].likeness]
    numbers = {token for token in findings.outcome.tokens if _NUMBER.fullmatch(token)}
    strong = [one for one in strong if numbers <= _own_tokens(findings, one)] or strong
    best_of: dict[str, ItemScore] = {}
    for one in strong:
        best_of.setdefault(str(one.hit.passage.release), one)
    chosen = sorted(best_of.values(), key=lambda one: (-one.score, _release(one)))[:_QUOTES]
    return sorted(chosen, key=_release)


def _own_tokens(findings: Findings, one: ItemScore) -> frozenset[str]:
    """Of the entry's words, without its headings: these name its release."""
    return frozenset(split_tokens(one.item.span.slice(findings.index.text_of(one.hit.passage))))


def _release(one: ItemScore) -> Version:
    return Version.parse(str(one.hit.passage.release))
