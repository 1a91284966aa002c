"""Answers from the catalogue: which versions are indexed, how many, the latest or oldest, whether one exists, when it
came out, and which documents there are for it.
"""

import re
from collections.abc import Sequence

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.lexicon import split_tokens
from corpus.versions import VersionConstraint
from retrieval.answers.catalogue_documents import draft_documents
from retrieval.answers.catalogue_facts import NEWEST, OLDEST, told_of_one
from retrieval.answers.catalogue_releases import draft_releases, heading_quote, releases_that_fit, state_releases
from retrieval.answers.coverage import MOST_NAMED, describe_absence, describe_coverage, describe_indexed
from retrieval.answers.fact import draft_fact
from retrieval.drafting import Draft, Statement
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.safe_text import safe

_LISTED = 40
_CITED = 12
_COVERAGE_WORDS = frozenset(
    split_tokens(
        """version versions release releases product products project projects library libraries document documents docs
        notes cover covered covers coverage have know index indexed available all list here many latest newest"""
    )
)
_DATE = re.compile(
    r"\b(?:19|20)\d\d-\d\d-\d\d\b|\b[A-Z][a-z]{2,8}\.? \d{1,2}, (?:19|20)\d\d\b"
    r"|\b\d{1,2} [A-Z][a-z]{2,8} (?:19|20)\d\d\b"
)
_EXISTS = re.compile(
    r"\b(?:exists?|is there|are there|do(?:es)? (?:you|we|the \w+) (?:have|cover|know|include))\b"
    r"|^(?:is|are|has|was)\b.*\b(?:out|released|available|published|covered|indexed|included|documented)\b",
    re.IGNORECASE,
)
_LISTS = re.compile(r"\b(?:which|what|how many|list|name|all|every)\b", re.IGNORECASE)
_WHEN = re.compile(r"\b(?:when|date)\b", re.IGNORECASE)
_DOCUMENTS = re.compile(
    r"\b(?:which|what|how many|list)\b.*\b(?:pages?|documents?|docs|files?|guides?)\b", re.IGNORECASE
)
_VERSIONS = re.compile(r"\b(?:versions?|releases?)\b", re.IGNORECASE)
_COUNTS = re.compile(r"\bhow many\b", re.IGNORECASE)
_NEXT = re.compile(
    r"\b(?:version|release)\b.*\b(?:comes|came|follows|followed|is)\b.*\b(?:after|before)\b", re.IGNORECASE
)
_STRICTLY_AFTER = re.compile(r"\b(?:after|newer than|later than|following|beyond)\b", re.IGNORECASE)


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
    constraint, text = findings.query.constraint, findings.query.text
    releases = releases_that_fit(product, constraint)
    if constraint is not None and constraint.includes_low and constraint.high is None and _STRICTLY_AFTER.search(text):
        releases = tuple(one for one in releases if one.version != constraint.low)
    exists = constraint is not None and len(constraint.versions) == 1 and bool(_EXISTS.search(text))
    if constraint is not None and (told := told_of_one(findings, product, releases)):
        return told
    if not releases and exists and product.releases:
        nearest = tuple(state_releases(findings, product, product.releases[:1]))
        no = f"No: no notes for {safe(product.name)} {constraint} are indexed; {describe_indexed(product)}. The latest:"
        return Draft(Status.ANSWERED, no, nearest)
    if not releases:
        return Draft(Status.NOT_FOUND, f"Not found. {describe_absence(product, constraint)}", ())
    if _DOCUMENTS.search(text) and not _VERSIONS.search(text):
        return draft_documents(findings, product, releases if constraint is not None else ())
    if _WHEN.search(text) and not any(one.date for one in releases):
        return _dated_by_words(findings, product, releases[0])
    if first_or_last := _of_period(findings, releases):
        return draft_releases(findings, product, (first_or_last,), lead="")
    if OLDEST.search(text) and not _WHEN.search(text):
        return draft_releases(findings, product, releases[-1:], lead=_among(product, constraint, "oldest"))
    if constraint is None and _LISTS.search(text) and not NEWEST.search(text):
        return _draft_list(findings, product, releases)
    if constraint is None:
        return draft_releases(findings, product, releases[:1], lead=_among(product, constraint, "latest"))
    if not constraint.versions and (NEWEST.search(text) or _NEXT.search(text)):
        is_last = constraint.high is None and not NEWEST.search(text)
        return draft_releases(findings, product, releases[-1:] if is_last else releases[:1], lead="")
    is_listed = len(releases) > 1 and not exists and bool(_LISTS.search(text))
    if not constraint.versions or is_listed:
        return _draft_list(findings, product, releases)
    return draft_releases(findings, product, releases[:_CITED], lead="Yes." if exists else "")


def _of_period(findings: Findings, releases: Sequence[CatalogueRelease]) -> CatalogueRelease | None:
    """The latest or first release, by date, of the period that a question names; None where it asks for neither."""
    named_as = findings.query.versions_named_as
    dated = [(one.date, one.version, one) for one in releases if one.date is not None]
    text = findings.query.text.replace(named_as, "")
    is_newest, is_oldest = bool(NEWEST.search(text)), bool(OLDEST.search(text))
    if not named_as or not dated or is_newest == is_oldest:
        return None
    return (max if is_newest else min)(dated)[2]


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
    if findings.query.constraint is None and _COUNTS.search(findings.query.text) and 1 < len(releases) <= MOST_NAMED:
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
    words = f"**{safe(product.name)} {release.version}** is indexed; its notes state no date."
    return Draft(Status.ANSWERED, "" if quote else words, (Statement(words, (quote,)),) if quote else ())


def asks_coverage(findings: Findings) -> bool:
    """Whether a question without a product asks what the index holds, and not about some product it doesn't know."""
    return _COVERAGE_WORDS.issuperset(findings.outcome.tokens)
