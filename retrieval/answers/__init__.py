"""The shapes of answers, and the choice between them."""

import re
from calendar import month_name
from dataclasses import replace

from retrieval.answers import not_found
from retrieval.answers.catalogue import draft_catalogue
from retrieval.answers.compare import draft_compare
from retrieval.answers.fact import draft_across_releases, draft_fact, draft_probable
from retrieval.answers.missing import (
    is_sure,
    missing_names,
    refused_names,
)
from retrieval.answers.news import draft_news
from retrieval.answers.security import draft_fixes, draft_security
from retrieval.answers.since_when import draft_since_when, lead_with_last
from retrieval.answers.sources import append_corrections, prefer_official
from retrieval.model import Form, Shape
from retrieval.question.interpretation import versions_words
from retrieval.question.subject import has_no_subject
from retrieval.quoting.composing import Draft
from retrieval.quoting.findings import Findings

__all__ = ["draft_answer", "finish_draft"]

_DRAFTERS = {Shape.SECURITY: draft_security, Shape.EVENT: draft_since_when, Shape.LIST: draft_across_releases}
"""Drafters of found items by shape, else `draft_fact`; whole releases, compared pages and the catalogue come first."""
_FILTERED = "The version filter was kept: this is about {}, not {}."
_OPEN = "“{}” was left aside: it means another release for each product, and the question isn't about one."
_UNREAD_PERIOD = "Periods aren't read: “{}” was left aside; ask for versions, or for the list of releases."
_MONTHS = "|".join(month_name[1:])
_PERIOD = re.compile(
    rf"\b(?:in|since|during|from|before|after|until|of|by) (?:(?:{_MONTHS}) )?(?:19|20)\d\d\b(?![.\d-])", re.IGNORECASE
)


def draft_answer(findings: Findings, *, confident: bool, is_likely: bool = False) -> Draft:
    """Draft the form of answer that the question's intent asks for, or "not found"; weigh its sources, and note which
    parts of the question aren't answered.

    `confident` is the calibrated decision to answer; if it is only `is_likely`, one of the first items may be quoted as
    probable. Answers from the catalogue need neither, because the catalogue knows what it lacks.
    """
    return finish_draft(_draft_shape(findings, confident=confident, is_likely=is_likely), findings)


def finish_draft(draft: Draft, findings: Findings) -> Draft:
    """Return the draft with its sources weighed, and with notes on parts of the question that it doesn't answer."""
    query = findings.query
    if draft.statements and not query.form.traits.is_catalogue:
        draft = lead_with_last(append_corrections(prefer_official(draft, findings), findings), findings)
    notes = list(draft.notes)
    if query.versions_set_aside is not None:
        notes.append(_FILTERED.format(query.constraint, versions_words(query.versions_set_aside)))
    if query.versions_open and draft.statements:
        notes.append(_OPEN.format(query.versions_open))
    if query.constraint is None and (period := _PERIOD.search(query.text)):
        notes.append(_UNREAD_PERIOD.format(period[0]))
    return not_found.note_coverage(not_found.mark_partial(findings, replace(draft, notes=tuple(notes))), findings)


def _draft_shape(findings: Findings, *, confident: bool, is_likely: bool) -> Draft:
    query, form, traits = findings.query, findings.query.form, findings.query.form.traits
    if form is Form.CHAT:
        return not_found.draft_chat(findings)
    if query.unknown_products:
        return not_found.draft_not_found(findings)
    if findings.tells_now:
        return draft_fact(findings)
    is_list = form in (Form.WHATS_NEW, Form.LATEST) and bool(query.products)
    subject = re.split("[,;.?!] ", query.text)[0]  # Behind it may stand for whom or what for.
    if is_list and any(name in subject for name in missing_names(findings)):
        return not_found.draft_not_found(findings)
    if traits.is_catalogue:
        return draft_catalogue(findings)
    is_news = traits.is_news and not (query.references or (findings.is_sure and query.constraint is None))
    lacks_subject = has_no_subject(query, findings.index.products)
    if is_news and lacks_subject and len(findings.index.products) > 1 and not query.products:
        return not_found.draft_which_product(findings)
    if is_news and not_found.uncovered_release(findings):
        return not_found.draft_not_found(findings)
    if refused := refused_names(findings):
        # A plain name may describe the asker ("on Instinct cards").
        is_open = is_likely and not traits.turns_on_name and not any(map(is_sure, refused))
        return (draft_probable(findings, aside=refused) if is_open else None) or not_found.draft_not_found(findings)
    if traits.is_compared and (compared := draft_compare(findings)):
        return compared
    if (is_news or (form is Form.COMPARE and not query.symbols)) and (news := draft_news(findings)):
        return replace(news, is_list=bool(news.statements))
    if query.versions_open and lacks_subject:
        return not_found.draft_which_product(findings)
    if form is Form.SECURITY and (fixes := draft_fixes(findings)):
        return fixes
    if not findings.fitting or not_found.is_unanswerable(findings):
        return not_found.draft_not_found(findings)
    if confident:
        # Quote each of several releases, but for trouble the entry that explains it best.
        is_several = query.constraint is not None and len(query.constraint.versions) > 1 and not traits.is_trouble
        draft = (draft_across_releases if is_several else _DRAFTERS.get(traits.shape, draft_fact))(findings)
        return replace(draft, by_confidence=True)
    probable = draft_probable(findings) if is_likely else None
    return probable or replace(not_found.draft_not_found(findings), by_confidence=True)
