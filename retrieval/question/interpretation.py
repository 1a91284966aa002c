"""How a question was understood, in words for people."""

from corpus.versions import VersionConstraint
from retrieval.model import Interpretation, Query

_MAX_LISTED = 6


def interpret(query: Query) -> Interpretation:
    """Return the query's products, versions, symbols and intent, as shown to people."""
    named_as, words = query.versions_named_as, versions_words(query.constraint)
    return Interpretation(
        products=query.products,
        versions=describe_versions(query),
        symbols=query.symbols,
        intent=query.form.intent,
        unknown_products=query.unknown_products,
        versions_words=f"{named_as} ({words})" if named_as else words,
    )


def describe_versions(query: Query) -> str | None:
    """Return the constraint as the contract writes it, "2.8 < version ≤ 2.12", after the question's own words for
    releases without a number: "latest: 2.12". None without a constraint."""
    constraint = query.constraint
    if constraint is None:
        return None
    return (
        f"{query.versions_named_as}: {_listed(constraint) or constraint}"
        if query.versions_named_as
        else str(constraint)
    )


def versions_words(constraint: VersionConstraint | None) -> str:
    """Return a constraint in words: "after 2.8, up to 2.12", "from 3.2 on", "2.12"; empty for None."""
    if constraint is None:
        return ""
    low, high = constraint.low, constraint.high
    if low is None or high is None:
        return f"from {low} on" if constraint.includes_low else _listed(constraint) or str(constraint)
    if low > high:
        return f"from {low} back to {high}"
    if constraint.includes_low and constraint.includes_high:
        return f"from {low} to {high}"
    return f"{'from' if constraint.includes_low else 'after'} {low}, " + (
        f"{'up to' if constraint.includes_high else 'before'} {high}"
    )


def _listed(constraint: VersionConstraint) -> str:
    """Return many listed releases by count, first and last ("12 releases from 1.0 to 2.1"); else empty."""
    versions = constraint.versions
    return f"{len(versions)} releases from {versions[0]} to {versions[-1]}" if len(versions) > _MAX_LISTED else ""
