"""What a question was understood as, in words for people."""

from corpus.versions import VersionConstraint
from retrieval.model import Interpretation, Query

_MAX_LISTED = 6


def interpret(query: Query) -> Interpretation:
    """The query's products, versions, symbols and intent."""
    return Interpretation(
        products=query.products,
        versions=describe_versions(query),
        symbols=query.symbols,
        intent=query.form.intent,
        unknown_products=query.unknown_products,
    )


def describe_versions(query: Query) -> str | None:
    """The constraint as people write it, after the question's own words where it names releases without a number:
    "2.8 < version ≤ 2.12", "latest: 2.12", "in 2030: none"; None without a constraint."""
    if not query.versions_named_as:
        return str(query.constraint) if query.constraint is not None else None
    return f"{query.versions_named_as}: {_describe(query.constraint)}"


def _describe(constraint: VersionConstraint | None) -> str:
    if constraint is None:
        return "none"
    versions = constraint.versions
    if len(versions) <= _MAX_LISTED:
        return str(constraint)
    return f"{len(versions)} releases from {versions[0]} to {versions[-1]}"
