"""Since when: what states a version itself, else the earliest release that speaks of the thing, said first.

A thing's life is told in order: added, deprecated, removed. Where pages of documentation say the same release by release,
the first release whose page says it counts.
"""

from collections.abc import Sequence
from dataclasses import replace

from corpus.lexicon import split_tokens
from corpus.plain_words import one_line
from corpus.versions import Version
from retrieval.answers.fact import draft_fact
from retrieval.change_words import Stage, asked_stages, subject_weights
from retrieval.drafting import Draft, Statement, attribution, safe, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.page_lines import PagePair, is_one_page, page_lines
from retrieval.quotes import ItemScore, Quote, select_quotes
from retrieval.version_statements import VersionStatement, find_statements
from retrieval.weights import TokenWeights

_MIN_SHARE = 0.85
_QUOTES = 2
_MIN_STAGE_COVERAGE = 0.6
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
    fitting = findings.fitting(findings.scored)
    subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
    stages = asked_stages(findings.query.text) or (Stage.ADDED,)
    stated = _stated(find_statements(fitting, subject, findings.index), stages) if subject.weights else ()
    if stated:
        return Draft(Status.ANSWERED, "", tuple(_state(findings, one) for one in stated))
    if not fitting or not fitting[0].hit.passage.release:
        return draft_fact(findings)
    if first := _first_page(findings, fitting[0]):
        return Draft(Status.ANSWERED, "", (first,))
    chosen = _by_stage(findings, fitting, subject, stages) or _earliest(fitting)
    statements = []
    for quote in select_quotes(chosen, findings.index, limit=max(_QUOTES, len(stages)), min_share=0.0):
        passage = quote.passage
        words = wording(quote, findings.index.document_text(passage.document.id))
        day = f" ({passage.release_date.isoformat()})" if passage.release_date else ""
        statements.append(Statement(f"{attribution(quote)}{day}: {words}", (quote,)))
    return Draft(Status.ANSWERED, "", tuple(statements))


def _stated(found: Sequence[VersionStatement], stages: Sequence[Stage]) -> tuple[VersionStatement, ...]:
    """The statements of the asked steps, each as the newest page has it, and the steps that came after them."""
    if not any(one.stage in stages for one in found):
        return ()
    newest: dict[tuple[Stage, Version], VersionStatement] = {}
    for one in found:
        if one.stage in stages or (one.stage in (Stage.DEPRECATED, Stage.REMOVED) and Stage.CHANGED not in stages):
            known = newest.get((one.stage, one.version))
            if known is None or _page_release(known) < _page_release(one):
                newest[one.stage, one.version] = one
    order = list(Stage)
    return tuple(
        sorted(newest.values(), key=lambda one: (one.stage not in stages, order.index(one.stage), one.version))
    )


def _page_release(one: VersionStatement) -> Version:
    return Version.parse(one.scored.hit.passage.release or "0")


def _state(findings: Findings, one: VersionStatement) -> Statement:
    passage, span = one.scored.hit.passage, one.scored.item.span
    quote = Quote(passage, span, span, retracted=one.scored.item.retracted)
    words = wording(quote, findings.index.document_text(passage.document.id))
    about = f" {safe(one_line(passage.heading[-1]))}:" if passage.heading else ""
    return Statement(f"{attribution(quote)}:{about} {words}", (quote,))


def _first_page(findings: Findings, best: ItemScore) -> Statement | None:
    """The first release whose page says what the best item says; None where it isn't a line of such pages."""
    passage = best.hit.passage
    product = next((one for one in findings.index.products if one.name == passage.document.product), None)
    if product is None or passage.document.releases > 1 or not passage.release:
        return None
    own = page_lines(findings.index, product, Version.parse(passage.release), like=passage.document.source)
    line = next((one for one in own if one.span == best.item.span and one.passage.position == passage.position), None)
    if line is None:
        return None
    first, page, is_followed = line, own, False
    for release in (one for one in product.releases if one.version < Version.parse(passage.release)):
        older = page_lines(findings.index, product, release.version, like=passage.document.source)
        if not older or not is_one_page(PagePair(older, page)):
            continue
        is_followed = True
        twin = next((one for one in older if one.words == line.words), None)
        if twin is None:
            break
        first, page = twin, older
    if not is_followed:
        return None
    quote = Quote(first.passage, first.span, first.span, retracted=best.item.retracted)
    words = wording(quote, findings.index.document_text(first.passage.document.id))
    return Statement(f"{attribution(quote)} is the first indexed release whose page says so: {words}", (quote,))


def _by_stage(
    findings: Findings, fitting: Sequence[ItemScore], subject: TokenWeights, stages: Sequence[Stage]
) -> list[ItemScore]:
    """Where several steps are asked for: the best entry about each, in the order of its release; else nothing."""
    chosen: list[ItemScore] = []
    for stage in stages if len(stages) > 1 else ():
        for one in fitting:
            words = frozenset(
                split_tokens(one.item.span.slice(findings.index.document_text(one.hit.passage.document.id)))
            )
            speaks = bool(words & _STAGE_TOKENS.get(stage, frozenset())) and one.hit.passage.release
            if speaks and one not in chosen and subject.coverage(words) >= _MIN_STAGE_COVERAGE:
                chosen.append(replace(one, score=fitting[0].score))
                break
    return sorted(chosen, key=_release) if len(chosen) > 1 else []


def _earliest(fitting: Sequence[ItemScore]) -> list[ItemScore]:
    least = _MIN_SHARE * fitting[0].score
    strong = [one for one in fitting if one.hit.passage.release and one.score >= least]
    best_of: dict[str, ItemScore] = {}
    for one in strong:
        best_of.setdefault(str(one.hit.passage.release), one)
    chosen = sorted(best_of.values(), key=lambda one: (-one.score, _release(one)))[:_QUOTES]
    return sorted(chosen, key=_release)


def _release(one: ItemScore) -> Version:
    return Version.parse(str(one.hit.passage.release))
