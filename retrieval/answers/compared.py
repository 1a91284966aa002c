"""Which two releases a question sets side by side: two that it names, the ends of a range, one and the one before."""

from itertools import islice

from corpus.catalogue import CatalogueProduct
from corpus.model import Act
from corpus.versions import Version, VersionConstraint, VersionMatch
from retrieval.findings import Findings
from retrieval.model import Form, Relative
from retrieval.pages import compared_pages

_PREDECESSORS = 8  # How many releases below one are looked at for the one whose pages come before it.
_CHANGES = (Act.ADDED, Act.REMOVED, Act.CHANGED)

Compared = tuple[CatalogueProduct, Version, Version]


def compared_releases(findings: Findings) -> Compared | None:
    """The product and the two of its releases that a question sets side by side; None where it does no such thing.

    What changed in one release, and what was so before one, is asked against the one before it.
    """
    query = findings.query
    constraint = query.constraint
    if constraint is None or len(findings.products) != 1:
        return None
    (product,) = findings.products
    newest = next(iter(product.finals), None)
    asks_changes = query.form in (Form.WHATS_NEW, Form.COMPARE) or query.act in _CHANGES
    low, high = constraint.low, constraint.high
    if len(constraint.versions) == 2:
        low, high = constraint.versions
    after = None if high is None else _indexed_release(product, high)
    before = None if low is None else _indexed_release(product, low)
    if constraint.low is None and high is not None and not constraint.includes_high:
        return _first_below(findings, product, constraint, after)
    if constraint.low is not None and constraint.high is None and asks_changes:
        return _with_pages(findings, product, before, newest)
    if len(constraint.versions) == 1:
        named = _indexed_release(product, constraint.versions[0])
        if query.relative is Relative.NEWEST:
            return _with_pages(findings, product, named, newest)
        if named is not None and asks_changes:
            return _first_below(findings, product, VersionConstraint.before(named), named)
    return (product, before, after) if before is not None and after is not None and before < after else None


def _first_below(
    findings: Findings, product: CatalogueProduct, below: VersionConstraint, after: Version | None
) -> Compared | None:
    """A release with the newest one below it that has pages in common."""
    earlier = (release.version for release in product.releases if below.contains(release.version))
    tried = (_with_pages(findings, product, version, after) for version in islice(earlier, _PREDECESSORS))
    return next(filter(None, tried), None)


def _indexed_release(product: CatalogueProduct, asked: Version) -> Version | None:
    """The release that a version means: itself, else the newest of its series."""
    constraint = VersionConstraint.exactly(asked)
    releases = [release.version for release in product.releases]
    exact = [version for version in releases if constraint.match(version) is VersionMatch.EXACT]
    return next(iter(exact or [version for version in releases if constraint.contains(version)]), None)


def _with_pages(
    findings: Findings, product: CatalogueProduct, before: Version | None, after: Version | None
) -> Compared | None:
    """Both releases, where they have pages in common."""
    if before is None or after is None or not before < after:
        return None
    return (product, before, after) if compared_pages(findings.index, product, before, after) else None
