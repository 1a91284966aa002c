"""Releases from the catalogue in words: by name and date, with the heading of their notes; and the index's coverage."""

from collections.abc import Iterator, Sequence

from corpus.catalogue import CatalogueProduct, CatalogueRelease, final_releases, stable_releases
from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.model import Span
from corpus.plain_words import listed
from corpus.versions import VersionConstraint, VersionMatch
from retrieval.blocks import Words, join_words, name_of
from retrieval.model import Status
from retrieval.quoting.composing import Draft, Statement
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, Quote

NOT_OUT = "isn't released yet"
_PLACES = 8  # How many passages that begin a release's notes are searched for its heading.
MOST_NAMED = 5  # More releases of a product are described by their number.


def describe_absence(product: CatalogueProduct, constraint: VersionConstraint | None) -> str:
    """Return a sentence that no notes for the versions asked for are indexed, and which ones are."""
    which = f"{product.name} {constraint}" if constraint is not None else f"a release of {product.name}"
    return f"No notes for {which} are in the library; {describe_indexed(product)}."


def describe_indexed(product: CatalogueProduct) -> str:
    """Return "2.8, 2.9 and 2.12 are" for a sentence about the releases in the library."""
    return f"{describe_product(product)} {'is' if len(product.releases) == 1 else 'are'}"


def describe_product(product: CatalogueProduct) -> str:
    """Return "2.8, 2.9 and 2.12", or for many "212 releases from 0.1.0 to 0.141.1"."""
    releases = product.releases
    if len(releases) > MOST_NAMED:
        return f"{len(releases)} releases from {releases[-1].version} to {releases[0].version}"
    return listed([str(release.version) for release in reversed(releases)]) or "documents without a version"


def describe_coverage(index: IndexReader, *, products: Sequence[CatalogueProduct] = (), limit: int = 8) -> str:
    """Return the products (by default all) with their releases in a phrase: "Gizmo (2.8 and 2.9), Lamp (1.0)"."""
    covered = products or index.products
    more = f" and {len(covered) - limit} more products" if len(covered) > limit else ""
    named = ", ".join(f"{product.name} ({describe_product(product)})" for product in covered[:limit])
    return f"{named}{more}" or "nothing yet"


def releases_that_fit(product: CatalogueProduct, constraint: VersionConstraint | None) -> tuple[CatalogueRelease, ...]:
    """Return the releases asked for, newest first: exact matches, else the series, else releases known only from other
    sources than the product's. Pre-releases are left out if there are finals."""
    if constraint is None:
        return final_releases(product.releases)
    exact = tuple(release for release in product.named if constraint.match(release.version) is VersionMatch.EXACT)
    series = (release for release in product.releases if constraint.contains(release.version))
    return final_releases(exact or tuple(series) or (r for r in product.hearsay if constraint.contains(r.version)))


def draft_releases(
    findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease], *, lead: str
) -> Draft:
    """Answer with releases and quotes of their headings; with their names alone if no heading can be quoted."""
    statements = tuple(release_statements(findings, product, releases))
    named = () if statements else (name_release(product, release) for release in releases)
    lead_words = join_words((lead, join_words(named, ", ")))
    return Draft(Status.ANSWERED, lead_words, statements, leads_on=bool(lead_words) and len(statements) == 1)


def release_statements(
    findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]
) -> Iterator[Statement]:
    """Yield a statement for each release with a heading to quote."""
    for release in releases:
        if (quote := heading_quote(findings, product, release)) is not None:
            yield Statement(name_release(product, release) + ", yanked" * release.yanked, (quote,))


def name_release(product: CatalogueProduct, release: CatalogueRelease) -> Words:
    """Return a release as `**Gizmo 2.12**, 2026-05-19`, without unknown date; with the source if not official."""
    source = f", according to {release.sources[0]}" if release in product.hearsay else ""
    day = f", {release.date}" if release.date else ""
    return name_of(product.name, release.version) + day + source


def name_releases(product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> str:
    """Return releases (given newest first) as a phrase: a few by version, many by count, first and last."""
    labels = [str(release.version) for release in reversed(releases)]
    if len(labels) > MOST_NAMED:
        return f"{len(labels)} releases of {product.name}, {labels[0]} to {labels[-1]},"
    return f"{product.name} {', '.join(labels)}"


def not_out_words(product: CatalogueProduct, release: CatalogueRelease) -> str:
    """Return "is a pre-release" or "isn't released yet" for a release that isn't generally available; else empty."""
    stable = next(iter(stable_releases(product.releases)), release).version
    if release.is_candidate and (release.date or not release.pending) and not stable.is_prerelease:
        return "is a pre-release"
    return NOT_OUT if release.version > stable and not release.yanked else ""


def heading_quote(findings: Findings, product: CatalogueProduct, release: CatalogueRelease) -> Quote | None:
    """Return a quote of the heading of a release's notes, preferably one with its date; None without notes."""
    positions = findings.index.release_positions(product.name, release.version)
    known = set(positions)
    opening = [position for position in positions if position - 1 not in known]
    # The highest authority first.
    opening.sort(key=lambda position: -int(findings.index.passages.authority_weights[position]))
    passages = findings.index.load_passages(opening[:_PLACES])
    passages = tuple(passage for passage in passages if not passage.is_foreign) or passages
    quotes = [quote for passage in passages if (quote := first_line(passage, findings)) is not None]
    dated = [quote for quote in quotes if release.date is not None and quote.passage.release_date == release.date]
    return next(iter(dated or quotes), None)


def first_line(passage: StoredPassage, findings: Findings) -> Quote | None:
    """Return a quote of a passage's first line with three letters or digits; None if it has none."""
    text = findings.index.text_of(passage)
    for line in passage.span.slice(text).splitlines():
        words = line.strip()
        if sum(c.isalnum() for c in words) >= 3:
            start = text.index(words, passage.span.start)
            span = Span(start, start + min(len(words), MAX_QUOTE_CHARACTERS))
            return Quote(passage, span, span)
    return None
