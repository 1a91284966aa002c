"""The shapes of answers, one a file, and the choice between them."""

from dataclasses import replace

from retrieval.answers.across_releases import draft_across_releases
from retrieval.answers.catalogue import draft_catalogue
from retrieval.answers.compare import draft_compare
from retrieval.answers.conflict import tell_conflicts
from retrieval.answers.correction import tell_corrections
from retrieval.answers.fact import draft_fact
from retrieval.answers.news import draft_news, draft_step_back
from retrieval.answers.not_found import (
    draft_absent_symbol,
    draft_chat,
    draft_not_found,
    draft_which_product,
    names_nothing_indexed,
    says_nothing,
    uncovered_release,
)
from retrieval.answers.page_course import draft_course, draft_releases_that_say
from retrieval.answers.parts import say_missing_parts, tell_currency
from retrieval.answers.requirements import draft_due
from retrieval.answers.security import draft_records, draft_security
from retrieval.answers.since_when import draft_life, draft_since_when
from retrieval.answers.voice import tell_voices
from retrieval.drafting import Draft
from retrieval.findings import Findings
from retrieval.model import Form, Status, Wanted
from retrieval.question.interpretation import versions_words
from retrieval.question.subject import has_no_subject, subject_weights
from retrieval.releases.matching import is_page

__all__ = ["draft_answer", "finish_draft"]

_SHAPES = {
    Form.SINCE_WHEN: draft_since_when,
    Form.BREAKS: draft_across_releases,
    Form.WHATS_NEW: draft_across_releases,
    Form.SHOULD_UPGRADE: draft_across_releases,
    Form.COMPARE: draft_across_releases,
    Form.SECURITY: draft_security,
}
_NEWS = (Form.WHATS_NEW, Form.BREAKS, Form.SHOULD_UPGRADE)

_FILTERED = "The version filter was kept: this is about {}, not {}."
_OPEN = "“{}” was left aside: it means another release for each product, and the question isn't about one."


def draft_answer(findings: Findings, *, confident: bool) -> Draft:
    """Draft the shape of answer that the question's intent asks for, or the honest no; weigh its sources, and say what
    of the question isn't proven.

    `confident` is the calibrated decision to answer. The catalogue answers for itself: it knows what it lacks. How old
    the notes are is told as of `now`, by default the moment of asking.
    """
    return finish_draft(_draft_shape(findings, confident=confident), findings)


def finish_draft(draft: Draft, findings: Findings) -> Draft:
    """The draft with its sources weighed, and with what of the question isn't proven."""
    if draft.statements and not findings.query.form.is_catalogue:
        draft = tell_conflicts(tell_corrections(tell_voices(draft, findings), findings), findings)
    if findings.query.versions_set_aside is not None:
        aside, asked = findings.query.versions_set_aside, findings.query.constraint
        draft = replace(draft, notes=(*draft.notes, _FILTERED.format(asked, versions_words(str(aside)))))
    if findings.query.versions_open and draft.statements:
        draft = replace(draft, notes=(*draft.notes, _OPEN.format(findings.query.versions_open)))
    return tell_currency(say_missing_parts(findings, draft), findings)


def _draft_shape(findings: Findings, *, confident: bool) -> Draft:
    if findings.query.form is Form.CHAT:
        return draft_chat(findings)
    if names_nothing_indexed(findings.query):
        return draft_not_found(findings)
    if settled := draft_due(findings) or draft_step_back(findings):
        return settled
    if findings.query.form.is_catalogue:
        return draft_catalogue(findings)
    is_news = findings.query.form in _NEWS and not findings.query.references
    several = len(findings.index.products) > 1 and not findings.query.products
    if is_news and several and has_no_subject(findings.query, findings.index.products):
        return draft_which_product(findings)
    if is_news and uncovered_release(findings):
        return draft_not_found(findings)
    # What breaks isn't what two releases both speak of; where their notes tell of none, their pages may differ.
    breaks = draft_news(findings) if is_news and findings.query.form is Form.BREAKS else None
    if breaks and breaks.status is Status.ANSWERED and not _is_of_pages(breaks):
        return breaks
    is_judged = findings.query.form in (Form.SECURITY, Form.SHOULD_UPGRADE)
    if not is_judged and (compared := draft_compare(findings)):
        return compared
    if breaks:
        return breaks
    if is_news and findings.query.form is not Form.BREAKS and (news := draft_news(findings)):
        return news
    if findings.query.versions_open and has_no_subject(findings.query, findings.index.products):
        return draft_which_product(findings)
    if findings.query.form is Form.SECURITY and (records := draft_records(findings)):
        return records
    if absent := draft_absent_symbol(findings):
        return absent
    if not findings.fitting or says_nothing(findings):
        return draft_not_found(findings)
    return replace(_draft_found(findings) if confident else draft_not_found(findings), by_confidence=True)


def _is_of_pages(draft: Draft) -> bool:
    return all(is_page(quote.passage) for statement in draft.statements for quote in statement.quotes)


def _draft_found(findings: Findings) -> Draft:
    wanted = findings.query.wanted if findings.query.constraint is None else None
    if wanted is Wanted.RELEASES:
        subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
        if saying := draft_releases_that_say(findings, findings.fitting[0], subject):
            return saying
    if wanted is Wanted.COURSE:
        best = findings.fitting[0]
        if (course := draft_course(findings, best)) or (course := draft_life(findings)):
            return course
    query = findings.query
    # A thing asked about in each of several releases; of trouble on the way what explains it best comes first.
    if query.constraint is not None and len(query.constraint.versions) > 1 and not query.form.tells_trouble:
        return draft_across_releases(findings)
    return _SHAPES.get(query.form, draft_fact)(findings)
