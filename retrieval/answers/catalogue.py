"""Answers from the catalogue: which versions are indexed, how many, the latest or oldest, whether one exists, when it
came out, and which documents there are for it.
"""

import re
from collections.abc import Sequence

from corpus.catalogue import CatalogueProduct, CatalogueRelease, releases_out, stable_releases
from corpus.versions import VersionConstraint
from retrieval.answers.catalogue_documents import draft_documents
from retrieval.answers.catalogue_facts import told_of_one
from retrieval.answers.catalogue_releases import (
    NOT_OUT,
    draft_releases,
    heading_quote,
    releases_that_fit,
    standing,
    state_releases,
)
from retrieval.answers.coverage import MOST_NAMED, describe_absence, describe_coverage, describe_indexed
from retrieval.answers.fact import draft_fact
from retrieval.drafting import Draft, Statement
from retrieval.findings import Findings
from retrieval.model import Status, Wanted
from retrieval.question.subject import has_no_subject
from retrieval.quoting.safe_text import safe

_LISTED = 40
_CITED = 12
_OF_SEVERAL = (Wanted.LIST, Wanted.COUNT)
_DATE = re.compile(
    r"\b(?:19|20)\d\d-\d\d-\d\d\b|\b[A-Z][a-z]{2,8}\.? \d{1,2}, (?:19|20)\d\d\b"
    r"|\b\d{1,2} [A-Z][a-z]{2,8} (?:19|20)\d\d\b"
)


def draft_catalogue(findings: Findings) -> Draft:
    """Say what the index knows of releases, citing their headings."""
    products = meant_products(findings)
    if not products:
        return Draft(Status.ANSWERED, f"The index covers {describe_coverage(findings.index)}.", ())
    drafts = [_draft_product(findings, product) for product in products]
    answered = [one for one in drafts if one.status is Status.ANSWERED] or drafts[:1]
    lead = " ".join(one.lead for one in answered if one.lead)
    return Draft(answered[0].status, lead, tuple(statement for one in answered for statement in one.statements))


def _draft_product(findings: Findings, product: CatalogueProduct) -> Draft:
    constraint, wanted = findings.query.constraint, findings.query.wanted
    releases = releases_that_fit(product, constraint)
    if constraint is not None and constraint.high is None and "after" in findings.query.text.split():
        releases = tuple(one for one in releases if one.version != constraint.low)
    exists = constraint is not None and len(constraint.versions) == 1 and wanted is Wanted.THERE
    if constraint is not None and (told := told_of_one(findings, product, releases)):
        return told
    if exists and releases and all(standing(product, one) == NOT_OUT for one in releases):
        return draft_releases(findings, product, releases[:_CITED], lead=f"No, it {NOT_OUT}. The notes speak of it:")
    line = stable_releases(
        [one for one in product.releases if exists and constraint and constraint.contains(one.version)]
    )
    if line and line[0].version != releases[0].version:
        lead = f"Yes: {len(line)} releases of {constraint} are indexed. The newest and the oldest of them:"
        return draft_releases(findings, product, (line[0], line[-1]), lead=lead)
    if not releases and exists and product.releases:
        nearest = tuple(state_releases(findings, product, releases_out(product.releases)[:1]))
        no = f"No: no notes for {safe(product.name)} {constraint} are indexed; {describe_indexed(product)}. The latest:"
        return Draft(Status.ANSWERED, no, nearest)
    if not releases:
        return Draft(Status.NOT_FOUND, f"Not found. {describe_absence(product, constraint)}", ())
    if wanted is Wanted.DOCUMENTS:
        return draft_documents(findings, product, releases if constraint is not None else ())
    if wanted is Wanted.DAY and not any(one.date for one in releases):
        return _dated_by_words(findings, product, releases[0])
    if first_or_last := _of_period(findings, releases):
        return draft_releases(findings, product, (first_or_last,), lead="")
    if wanted is Wanted.OLDEST:
        return draft_releases(findings, product, releases[-1:], lead=_among(product, constraint, "oldest"))
    if wanted in _OF_SEVERAL and (len(releases) > 1 or constraint is None):
        return _draft_list(findings, product, releases)
    if constraint is None:
        return draft_releases(findings, product, releases[:1], lead=_among(product, constraint, "latest"))
    if not constraint.versions:
        is_one = wanted is Wanted.NEWEST
        return (
            draft_releases(findings, product, releases[:1], lead="")
            if is_one
            else _draft_list(findings, product, releases)
        )
    return draft_releases(findings, product, releases[:_CITED], lead="Yes." if exists else "")


def _of_period(findings: Findings, releases: Sequence[CatalogueRelease]) -> CatalogueRelease | None:
    """The latest or first release, by date, of the period that a question names; None where it asks for neither."""
    dated = [(one.date, one.version, one) for one in releases if one.date is not None]
    wanted = findings.query.wanted
    if not findings.query.versions_named_as or not dated or wanted not in (Wanted.NEWEST, Wanted.OLDEST):
        return None
    return (max if wanted is Wanted.NEWEST else min)(dated)[2]


def _among(product: CatalogueProduct, constraint: VersionConstraint | None, which: str) -> str:
    if constraint is not None:
        return ""
    return f"Of {safe(product.name)}, {describe_indexed(product)} indexed. The {which} of them:"


def _draft_list(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> Draft:
    """All releases in one line, newest first, with the headings of the first of them."""
    lead = (
        f"Of {safe(product.name)}, {describe_indexed(product)} indexed."
        if findings.query.constraint is None
        else f"{len(releases)} releases of {safe(product.name)} fit."
    )
    if findings.query.constraint is None and findings.query.wanted is Wanted.COUNT and 1 < len(releases) <= MOST_NAMED:
        lead = f"{lead.removesuffix('.')}: {len(releases)} releases."
    listed = ", ".join(
        f"**{one.version}**{f' ({one.date.isoformat()})' if one.date else ''}" for one in releases[:_LISTED]
    )
    more = f" and {len(releases) - _LISTED} older ones" if len(releases) > _LISTED else ""
    words = f"{safe(product.name)}: {listed}{more}"
    quotes = (heading_quote(findings, product, release) for release in releases[:_CITED])
    cited = tuple(quote for quote in quotes if quote is not None)
    return (
        Draft(Status.ANSWERED, lead, (Statement(words, cited),))
        if cited
        else Draft(Status.ANSWERED, f"{lead} {words}", ())
    )


def meant_products(findings: Findings) -> tuple[CatalogueProduct, ...]:
    """The products a catalogue question means: those it names, or the only one that has the versions it names."""
    query = findings.query
    if query.products:
        return findings.products
    if query.constraint is None:
        return ()
    fitting = tuple(one for one in findings.index.products if releases_that_fit(one, query.constraint))
    return fitting if len(fitting) == 1 else ()


def _dated_by_words(findings: Findings, product: CatalogueProduct, release: CatalogueRelease) -> Draft:
    """The date where a sentence of the notes states it, since no heading does; else that none is stated."""
    draft = draft_fact(findings)
    stated = tuple(one for one in draft.statements if _DATE.search(one.text))
    if stated:
        return Draft(Status.ANSWERED, "", stated[:1])
    quote = heading_quote(findings, product, release)
    known = NOT_OUT if standing(product, release) == NOT_OUT else "is indexed; its notes state no date"
    words = f"**{safe(product.name)} {release.version}** {known}."
    return Draft(Status.ANSWERED, "" if quote else words, (Statement(words, (quote,)),) if quote else ())


def asks_coverage(findings: Findings) -> bool:
    """Whether a question without a product asks what the index holds, and not about some product it doesn't know."""
    query = findings.query
    return query.wanted is Wanted.PRODUCTS or has_no_subject(query, findings.index.products)
