"""The shapes of answers, one a file, and the choice between them."""

import re
from dataclasses import replace

from retrieval.answers.absent_symbol import draft_absent_symbol
from retrieval.answers.across_releases import draft_across_releases
from retrieval.answers.catalogue import asks_coverage, draft_catalogue, meant_products
from retrieval.answers.compare import draft_compare
from retrieval.answers.conflict import tell_conflicts
from retrieval.answers.correction import tell_corrections
from retrieval.answers.currency import tell_currency
from retrieval.answers.fact import draft_fact
from retrieval.answers.not_found import (
    draft_not_found,
    draft_which_product,
    names_nothing_indexed,
    says_nothing,
    uncovered_release,
)
from retrieval.answers.overview import draft_overview
from retrieval.answers.page_course import draft_course, draft_releases_that_say
from retrieval.answers.parts import say_missing_parts
from retrieval.answers.security import draft_records, draft_security
from retrieval.answers.since_when import draft_life, draft_since_when
from retrieval.answers.told_changes import draft_told_changes
from retrieval.answers.voice import tell_voices
from retrieval.change_words import subject_weights
from retrieval.drafting import Draft
from retrieval.findings import Findings
from retrieval.model import Intent
from retrieval.overview import has_no_subject
from retrieval.question_symbols import absent_symbols

__all__ = ["draft_answer"]

_SHAPES = {
    Intent.CATALOGUE: draft_catalogue,
    Intent.SINCE_WHEN: draft_since_when,
    Intent.UPGRADE: draft_across_releases,
    Intent.WHATS_NEW: draft_across_releases,
    Intent.COMPARE: draft_across_releases,
    Intent.LIST: draft_across_releases,
    Intent.SECURITY: draft_security,
}

_COURSE = re.compile(
    r"\b(?:over|across|through|throughout|between)(?: \w+){0,3} (?:versions|releases|time|years)\b"
    r"|\bevol(?:ved?|ution)\b|\bhow (?:has|have|did) .* chang",
    re.IGNORECASE,
)
"""A question about how something went from release to release, none of them named."""

_OPEN = "“{}” limits nothing here: it is another release for each product, and the question isn't about one."

_WHICH_RELEASES = re.compile(
    r"\W*(?:(?:in |with |for )?(?:which|what) (?:\w+ )?(?:versions|releases)\b"
    r"|.*\bin (?:all|every|each) (?:versions?|releases?)\b)"
    r"(?!.*\b(?:add|introduc|remov|dropp|deprecat)\w*)",
    re.IGNORECASE,
)
"""All releases of which something is so are asked for, not the one that brought it."""


def draft_answer(findings: Findings, *, confident: bool) -> Draft:
    """Draft the shape of answer that the question's intent asks for, or the honest no; weigh its sources, and say what
    of the question isn't proven.

    `confident` is the calibrated decision to answer. The catalogue answers for itself: it knows what it lacks. How old
    the notes are is told as of `now`, by default the moment of asking.
    """
    draft = _draft_shape(findings, confident=confident)
    if draft.statements and findings.query.intent is not Intent.CATALOGUE:
        draft = tell_conflicts(tell_corrections(tell_voices(draft, findings), findings), findings)
    if findings.query.versions_set_aside is not None:
        aside, asked = findings.query.versions_set_aside, findings.query.constraint
        draft = replace(draft, notes=(*draft.notes, f"The version filter stands: {asked}, not {aside}, was searched."))
    if findings.query.versions_open and draft.statements:
        draft = replace(draft, notes=(*draft.notes, _OPEN.format(findings.query.versions_open)))
    return tell_currency(say_missing_parts(findings, draft), findings)


def _draft_shape(findings: Findings, *, confident: bool) -> Draft:
    if names_nothing_indexed(findings.query):
        return draft_not_found(findings)
    if findings.query.intent is Intent.CATALOGUE:
        is_known = bool(meant_products(findings)) or asks_coverage(findings)
        return draft_catalogue(findings) if is_known else draft_not_found(findings)
    if findings.query.intent is not Intent.SECURITY and (compared := draft_compare(findings)):
        return compared
    if findings.query.versions_open and has_no_subject(findings.query, findings.index.products):
        return draft_which_product(findings)
    if told := draft_told_changes(findings):
        return told
    if findings.outcome.is_overview:
        covered = any(findings.fits(hit) for hit in findings.outcome.hits)
        return draft_overview(findings) if covered else draft_not_found(findings)
    if findings.query.intent is Intent.SECURITY and (records := draft_records(findings)):
        return records
    if absent := draft_absent_symbol(findings):
        return absent
    symbols = findings.query.symbols
    is_unknown = bool(symbols) and len(absent_symbols(symbols, findings.index.lexical)) == len(symbols)
    if findings.query.intent is Intent.SINCE_WHEN and is_unknown:
        return draft_not_found(findings)
    fits = bool(findings.fitting) and not says_nothing(findings)
    if not fits or (uncovered_release(findings) and not _mentioned(findings)):
        return draft_not_found(findings)
    return replace(_draft_found(findings) if confident else draft_not_found(findings), by_confidence=True)


def _draft_found(findings: Findings) -> Draft:
    """The answer, once it is decided that there is one."""
    if findings.query.constraint is None and _WHICH_RELEASES.match(findings.query.text):
        subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
        if saying := draft_releases_that_say(findings, findings.fitting[0], subject):
            return saying
    is_course = findings.query.constraint is None and _COURSE.search(findings.query.text)
    if is_course:
        best = findings.fitting[0]
        if (course := draft_course(findings, best)) or (course := draft_life(findings)):
            return course
    return _SHAPES.get(findings.query.intent, draft_fact)(findings)


def _mentioned(findings: Findings) -> bool:
    """Whether a first hit of another release speaks of the asked one ("deprecated in 2.10")."""
    return any(findings.fits(hit) for hit in findings.outcome.hits[:3])
