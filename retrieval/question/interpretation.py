"""What a question was understood as, in words for people."""

import re

from corpus.versions import Version, VersionConstraint
from retrieval.model import Interpretation, Query

_MAX_LISTED = 6
_NONE, _NO_RELEASE = "none", "no release"
_RANGE = re.compile(r"(?P<low>\S+) (?P<above>[<≤]) version (?P<below>[<≤]) (?P<high>\S+)")


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
    """The constraint as the contract writes it: "2.8 < version ≤ 2.12". After the question's own words where it names
    releases without a number: "latest: 2.12", "in 2030: none". None without a constraint."""
    if not query.versions_named_as:
        return str(query.constraint) if query.constraint is not None else None
    return f"{query.versions_named_as}: {_describe(query.constraint)}"


def versions_words(described: str) -> str:
    """What `describe_versions` gives, in words: "after 2.8, up to 2.12", "from 3.2 on", "latest (2.12)"."""
    named_as, _, constraint = described.rpartition(": ")
    words = _NO_RELEASE if constraint == _NONE else _constraint_words(constraint)
    return f"{named_as} ({words})" if named_as else words


def _constraint_words(constraint: str) -> str:
    if constraint.startswith("since "):
        return f"from {constraint.removeprefix('since ')} on"
    found = _RANGE.fullmatch(constraint)
    if found is None:
        return constraint
    low, high = found["low"], found["high"]
    first, last = Version.try_parse(low), Version.try_parse(high)
    if first is not None and last is not None and first > last:
        return f"from {low} back to {high}"
    if (found["above"], found["below"]) == ("≤", "≤"):
        return f"from {low} to {high}"
    return (
        f"{'from' if found['above'] == '≤' else 'after'} {low}, {'up to' if found['below'] == '≤' else 'before'} {high}"
    )


def _describe(constraint: VersionConstraint | None) -> str:
    if constraint is None:
        return _NONE
    versions = constraint.versions
    if len(versions) <= _MAX_LISTED:
        return str(constraint)
    return f"{len(versions)} releases from {versions[0]} to {versions[-1]}"
