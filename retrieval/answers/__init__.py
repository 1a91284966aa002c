"""The shapes of answers, one a file, and the choice between them."""

from retrieval.answers.across_releases import draft_across_releases
from retrieval.answers.catalogue import asks_coverage, draft_catalogue, meant_products
from retrieval.answers.conflict import tell_conflicts
from retrieval.answers.correction import tell_corrections
from retrieval.answers.fact import draft_fact
from retrieval.answers.not_found import draft_not_found, names_nothing_indexed, says_nothing, uncovered_release
from retrieval.answers.overview import draft_overview
from retrieval.answers.since_when import draft_since_when
from retrieval.answers.voice import tell_voices
from retrieval.drafting import Draft
from retrieval.findings import Findings
from retrieval.model import Intent

__all__ = ["draft_answer"]

_SHAPES = {
    Intent.CATALOGUE: draft_catalogue,
    Intent.SINCE_WHEN: draft_since_when,
    Intent.UPGRADE: draft_across_releases,
    Intent.WHATS_NEW: draft_across_releases,
    Intent.COMPARE: draft_across_releases,
    Intent.LIST: draft_across_releases,
}


def draft_answer(findings: Findings, *, confident: bool) -> Draft:
    """Draft the shape of answer that the question's intent asks for, or the honest no, and weigh its sources.

    `confident` is the calibrated decision to answer. The catalogue answers for itself: it knows what it lacks.
    """
    draft = _draft_shape(findings, confident=confident)
    if not draft.statements or findings.query.intent is Intent.CATALOGUE:
        return draft
    return tell_conflicts(tell_corrections(tell_voices(draft, findings), findings), findings)


def _draft_shape(findings: Findings, *, confident: bool) -> Draft:
    if names_nothing_indexed(findings.query):
        return draft_not_found(findings)
    if findings.query.intent is Intent.CATALOGUE:
        is_known = bool(meant_products(findings)) or asks_coverage(findings)
        return draft_catalogue(findings) if is_known else draft_not_found(findings)
    if findings.outcome.is_overview:
        covered = any(findings.fits(hit) for hit in findings.outcome.hits)
        return draft_overview(findings) if covered else draft_not_found(findings)
    fits = bool(findings.fitting(findings.scored)) and not says_nothing(findings)
    if not confident or not fits or (uncovered_release(findings) and not _mentioned(findings)):
        return draft_not_found(findings)
    return _SHAPES.get(findings.query.intent, draft_fact)(findings)


def _mentioned(findings: Findings) -> bool:
    """Whether a first hit of another release speaks of the asked one ("deprecated in 2.10")."""
    return any(findings.fits(hit) for hit in findings.outcome.hits[:3])
