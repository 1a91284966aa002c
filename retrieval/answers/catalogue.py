"""Answers from the catalogue: which versions are indexed, which is the latest, whether one exists, when it came out."""

import re
from collections.abc import Sequence

import numpy as np

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.index_store import IndexReader
from corpus.lexicon import split_tokens
from corpus.model import Span
from corpus.stored import StoredPassage
from corpus.versions import VersionConstraint, VersionMatch
from retrieval.answers.fact import draft_fact
from retrieval.drafting import Draft, Statement, safe
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quotes import MAX_QUOTE_CHARACTERS, Quote

_LISTED = 12
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
_PLACES = 8
"""How many places of one release are looked at for its heading."""


def draft_catalogue(findings: Findings) -> Draft:
    """Say what the index knows of releases, citing their headings."""
    constraint = findings.query.constraint
    products = meant_products(findings)
    if not products:
        return Draft(Status.ANSWERED, f"The index covers {describe_coverage(findings.index)}.", ())
    statements: list[Statement] = []
    leads: list[str] = []
    for product in products:
        releases = _asked_releases(product, constraint)
        if not releases:
            return Draft(Status.NOT_FOUND, f"Not found. {describe_absence(product, constraint)}", ())
        if constraint is None:
            leads.append(f"Of {safe(product.name)}, {_indexed(product)} indexed. The latest of them:")
        elif len(releases) > _LISTED:
            leads.append(f"{len(releases)} releases of {safe(product.name)} fit; the newest of them:")
        if _asks_date(findings) and not any(one.date for one in releases):
            return _dated_by_words(findings, product, releases[0])
        for release in releases[: _LISTED if constraint is not None else 1]:
            quote = _heading_quote(findings, product, release)
            day = f", {release.date.isoformat()}" if release.date else ""
            words = f"**{safe(product.name)} {release.version}**{day}"
            if quote is not None:
                statements.append(Statement(words, (quote,)))
            else:
                leads.append(words)
    return Draft(Status.ANSWERED, " ".join(leads), tuple(statements))


def meant_products(findings: Findings) -> tuple[CatalogueProduct, ...]:
    """The products a catalogue question means: those it names, or the only one that has the versions it names."""
    query = findings.query
    if query.products:
        return findings.products
    if query.constraint is None:
        return ()
    fitting = tuple(one for one in findings.index.products if _asked_releases(one, query.constraint))
    return fitting if len(fitting) == 1 else ()


def _asked_releases(product: CatalogueProduct, constraint: VersionConstraint | None) -> tuple[CatalogueRelease, ...]:
    """Newest first: the very releases that were asked for, else their series; finals before candidates hide these."""
    releases = product.releases
    if constraint is not None:
        exact = tuple(one for one in releases if constraint.match(one.version) is VersionMatch.EXACT)
        releases = exact or tuple(one for one in releases if constraint.contains(one.version))
    return tuple(one for one in releases if not one.version.is_prerelease) or releases


def _dated_by_words(findings: Findings, product: CatalogueProduct, release: CatalogueRelease) -> Draft:
    """The date where a sentence of the notes states it, since no heading does; else that none is stated."""
    draft = draft_fact(findings)
    stated = tuple(one for one in draft.statements if _DATE.search(one.text))
    if stated:
        return Draft(Status.ANSWERED, "", stated[:1])
    quote = _heading_quote(findings, product, release)
    words = f"**{safe(product.name)} {release.version}** is indexed; its notes state no date."
    return Draft(Status.ANSWERED, "" if quote else words, (Statement(words, (quote,)),) if quote else ())


def asks_coverage(findings: Findings) -> bool:
    """Whether a question without a product asks what the index holds, and not about some product it doesn't know."""
    return _COVERAGE_WORDS.issuperset(findings.outcome.tokens)


def describe_absence(product: CatalogueProduct, asked: VersionConstraint | None) -> str:
    """That no release of a product, or none of those asked for, is indexed; and what of it is."""
    which = f"{safe(product.name)} {asked}" if asked is not None else f"a release of {safe(product.name)}"
    return f"No notes for {which} are indexed; {_indexed(product)}."


def _indexed(product: CatalogueProduct) -> str:
    return f"{describe_product(product)} {'is' if len(product.releases) == 1 else 'are'}"


def _asks_date(findings: Findings) -> bool:
    return not {"when", "date"}.isdisjoint(findings.query.text.casefold().replace("?", " ").split())


def describe_product(product: CatalogueProduct) -> str:
    """ "2.8, 2.9 and 2.12", or for many "212 releases from 0.1.0 to 0.141.1"."""
    releases = product.releases
    if len(releases) > 5:
        return f"{len(releases)} releases from {releases[-1].version} to {releases[0].version}"
    labels = [str(release.version) for release in reversed(releases)]
    if not labels:
        return "documents without a version"
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"


def describe_coverage(index: IndexReader, *, products: Sequence[CatalogueProduct] = (), limit: int = 8) -> str:
    """The index's products with their releases, in one phrase; only `products` where some are given."""
    covered = products or index.products
    if not covered:
        return "nothing yet"
    more = f" and {len(covered) - limit} more products" if len(covered) > limit else ""
    return ", ".join(f"{safe(product.name)} ({describe_product(product)})" for product in covered[:limit]) + more


def _heading_quote(findings: Findings, product: CatalogueProduct, release: CatalogueRelease) -> Quote | None:
    """The heading of the release's notes, of those that state its date if any do; else their opening words."""
    index = findings.index
    table = index.passages
    number = next(i for i, one in enumerate(index.products) if one.name == product.name)
    codes = [code for code, version in enumerate(table.distinct_versions) if version == release.version]
    is_place = np.isin(table.version_codes, codes) & (table.products == number) & ~table.boilerplate
    is_opening = is_place & ~np.concatenate([[False], is_place[:-1]])
    opening = np.flatnonzero(is_opening)[:_PLACES].tolist()
    quotes = [quote for passage in index.load_passages(opening) if (quote := _first_line(passage, index)) is not None]
    dated = [one for one in quotes if release.date is not None and one.passage.release_date == release.date]
    return next(iter(dated or quotes), None)


def _first_line(passage: StoredPassage, index: IndexReader) -> Quote | None:
    text = index.document_text(passage.document.id)
    for line in passage.span.slice(text).splitlines():
        words = line.strip()
        if sum(c.isalnum() for c in words) >= 3:
            start = text.index(words, passage.span.start)
            span = Span(start, start + min(len(words), MAX_QUOTE_CHARACTERS))
            return Quote(passage, span, span, retracted=False)
    return None
