"""What an answer lacks, said with it: parts of the question that nothing proves, releases later than the notes."""

import re
from collections.abc import Iterator
from dataclasses import replace

from corpus.catalogue import CatalogueProduct, releases_out, stable_releases
from corpus.versions import Version
from retrieval.answers.coverage import describe_absence, describe_product
from retrieval.drafting import Draft
from retrieval.findings import Findings
from retrieval.model import Query, Status, Wanted
from retrieval.question.symbols import absent_symbols
from retrieval.quoting.safe_text import safe
from retrieval.releases.end_of_notes import end_of_notes

_ASKS_DIFFERENCE = re.compile(r"\b(?:differ\w*|chang\w*|between|new)\b", re.IGNORECASE)
_MOST_PRODUCTS = 3
"""A question that names more products than these is about the end of none's notes."""


def say_missing_parts(findings: Findings, draft: Draft) -> Draft:
    """The same draft where all parts are proven or none is; else a partial one that begins with what isn't. What is
    said of pins speaks of each."""
    if findings.query.pins or draft.status is not Status.ANSWERED or not draft.statements:
        return draft
    missing = (
        *missing_releases(findings),
        *_unquoted_releases(findings, draft),
        *_missing_products(findings, draft),
        *_missing_symbols(findings),
    )
    lead = " ".join(filter(None, (*missing, draft.lead)))
    return replace(draft, status=Status.PARTIAL, lead=lead) if missing else draft


def missing_releases(findings: Findings) -> Iterator[str]:
    """For each asked release that isn't indexed, where another asked one is, that it isn't; the end of a range too."""
    constraint = findings.query.constraint
    if constraint is None or len(findings.products) != 1 or findings.query.versions_named_as:
        return
    (product,) = findings.products
    ends = (constraint.high,) if constraint.high is not None and constraint.includes_high else ()
    asked = [type(constraint).exactly(version) for version in constraint.versions or ends]
    absent = [named for named in asked if not any(named.contains(release.version) for release in product.releases)]
    if any(constraint.contains(release.version) for release in product.releases):
        yield from (describe_absence(product, named) for named in absent)


def _unquoted_releases(findings: Findings, draft: Draft) -> Iterator[str]:
    """For each of several indexed releases that the question numbers, that nothing is quoted or said of it."""
    constraint = findings.query.constraint
    is_numbered = not findings.query.versions_named_as and not findings.query.form.is_catalogue
    if constraint is None or len(constraint.versions) < 2 or len(findings.products) != 1 or not is_numbered:
        return
    (product,) = findings.products
    quoted = [quote.passage for said in draft.statements for quote in said.quotes]
    releases = {Version.parse(passage.release) for passage in quoted if passage.release}
    releases.update(version for passage in quoted for version in passage.versions)
    words = " ".join((draft.lead, *(said.text for said in draft.statements)))
    # What became different from the first release to a later one is told by the later one's notes alone.
    is_told_later = bool(_ASKS_DIFFERENCE.search(findings.query.text))
    for version in sorted(constraint.versions)[is_told_later:]:
        asked = type(constraint).exactly(version)
        is_indexed = any(asked.contains(release.version) for release in product.releases)
        if is_indexed and not any(map(asked.contains, releases)) and str(version) not in words:
            yield f"Nothing found about {safe(product.name)} {version}."


def _missing_products(findings: Findings, draft: Draft) -> Iterator[str]:
    if len(findings.query.products) < 2:
        return
    quoted = {quote.passage.document.product for said in draft.statements for quote in said.quotes}
    absent = [product for product in findings.products if product.name not in quoted]
    if len(absent) < len(findings.products):
        yield from (f"Nothing found about {safe(product.name)} ({describe_product(product)})." for product in absent)


def _missing_symbols(findings: Findings) -> Iterator[str]:
    absent = absent_symbols(findings.query.symbols, findings.index.lexical)
    if absent and len(absent) < len(findings.query.symbols):
        named = " or ".join(f"`{symbol.replace('`', '')}`" for symbol in absent)
        yield f"No passage mentions {named}."


def tell_currency(draft: Draft, findings: Findings) -> Draft:
    """The draft with a note of where the notes end, for each product that the question names whose later releases could
    change the answer: an index knows nothing of what came out after its last sync."""
    query = findings.query
    if len(query.products) > _MOST_PRODUCTS:
        return draft
    notes = (
        note
        for product in findings.index.products_named(query.products)
        if product.releases and (draft.status is Status.NOT_FOUND or _is_about_newest(query, product))
        for note in end_of_notes(product, findings.index)
    )
    return replace(draft, notes=(*draft.notes, *notes))


def _is_about_newest(query: Query, product: CatalogueProduct) -> bool:
    if query.wanted in (Wanted.NEWEST, Wanted.IS_NEWEST):
        return True
    if query.constraint is None:
        return False
    if query.versions_named_as:
        return query.constraint.contains(stable_releases(product.releases)[0].version)
    high = max(query.constraint.versions, default=query.constraint.high)
    return high is None or high > releases_out(product.releases)[0].version
