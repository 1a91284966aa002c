"""Of which release a piece of evidence tells, and whether that is the one an assertion names.

The notes of a release tell of it; but "deprecated since 2.0 and now removed", in the notes of 2.4, tells of two.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from corpus.versions import Version, VersionConstraint, VersionMatch, find_versions
from retrieval.claims.aspects import Aspect, read_aspects
from retrieval.claims.assertion import Assertion
from retrieval.claims.evidence import Evidence, Statement

_EVENT = re.compile(
    r"\b(?P<status>(?:deprecated|removed|dropped|added|introduced|new|stabili[sz]ed|fixed|removal|deprecation)\b"
    r"(?P<between>(?:(?!\b(?:and|but|will|may|to be)\b)[^.;,]){0,30}?)\b(?:in|since|as of|starting (?:in|with|from))"
    r"|(?:available|supported) (?:since|as of|starting (?:in|with|from)))\s+"
    r"(?:(?:version|release)\s+)?(?P<thing>[A-Za-z][\w+-]*\s+)?v?(?P<version>\d+(?:\.\d+)+(?:(?:a|b|rc)\d+)?)",
    re.IGNORECASE,
)
_BEFORE_OWN = frozenset("in since of from to until before for with version versions release releases".split())
_BOUNDS_ABOVE = re.compile(
    r"\b(?:up to|until|till|before|prior to|older than|earlier than|below|through)\s+(?:[A-Za-z][\w-]*\s+)?v?$",
    re.IGNORECASE,
)
_NO_THING = frozenset("version release the v".split())


@dataclass(frozen=True, slots=True)
class ReleaseFit:
    """How the release that evidence tells of stands to the one an assertion names."""

    told: Version | None
    match: VersionMatch
    """EXACT where the assertion names none."""

    @property
    def is_other(self) -> bool:
        return self.match is VersionMatch.OUTSIDE


def fit_release(assertion: Assertion, evidence: Evidence, statement: Statement) -> ReleaseFit:
    """Compare the release of an assertion with that of what the evidence tells."""
    named = assertion.releases
    events = tuple(_events(assertion, evidence, statement))
    if named is None:
        return ReleaseFit(events[0] if events else evidence.release, VersionMatch.EXACT)
    asked = as_stated(named)
    for version in events:
        if asked.contains(version):
            return ReleaseFit(version, asked.match(version))
    if evidence.release is not None and not events:
        match = asked.match(evidence.release)
        if match is not VersionMatch.OUTSIDE:
            return ReleaseFit(evidence.release, match)
    if not events:
        for version in _own_versions(evidence, statement, bounds_above=asked.high is not None):
            if asked.contains(version):
                return ReleaseFit(version, asked.match(version))
    if not events and evidence.release is None and _is_guide_to(asked, evidence):
        return ReleaseFit(None, VersionMatch.SERIES)
    return ReleaseFit(events[0] if events else evidence.release, VersionMatch.OUTSIDE)


def _is_guide_to(asked: VersionConstraint, evidence: Evidence) -> bool:
    """Whether evidence is of a guide that leads away from the release right before the asked one, as far as it says."""
    left = evidence.left_release
    return left is not None and all(version > left for version in asked.versions) and bool(asked.versions)


def as_stated(named: VersionConstraint) -> VersionConstraint:
    """Since a release means that it is what brought the thing."""
    is_since = named.low is not None and named.high is None and named.includes_low
    return VersionConstraint.exactly(named.low) if is_since and named.low is not None else named


def _events(assertion: Assertion, evidence: Evidence, statement: Statement) -> Iterator[Version]:
    """The releases in which the statement says that what the assertion says has happened."""
    claimed = assertion.aspects.get(Aspect.LIFE, frozenset())
    for match in _EVENT.finditer(statement.text):
        told = read_aspects(match["status"]).get(Aspect.LIFE, frozenset())
        thing = (match["thing"] or "").strip()
        is_own = not thing or thing.casefold() in _NO_THING or _is_product(thing, evidence)
        if is_own and (not claimed or claimed & told):
            version = Version.try_parse(match["version"])
            if version is not None:
                yield version


def _own_versions(evidence: Evidence, statement: Statement, *, bounds_above: bool) -> Iterator[Version]:
    """Releases of the product that the statement names; "up to 2.11" only where `bounds_above`."""
    document = evidence.scored.hit.passage.document
    names = (document.product, *document.aliases)
    for mention in find_versions(statement.text, names=names):
        ahead = statement.text[: mention.start]
        before = re.search(r"([A-Za-z][\w+-]*)[\s>=]*$", ahead)
        word = before[1].casefold() if before else ""
        is_own = not word or word in _BEFORE_OWN or any(word == name.casefold() for name in names)
        if is_own and (bounds_above or not _BOUNDS_ABOVE.search(ahead)):
            yield mention.version


def _is_product(word: str, evidence: Evidence) -> bool:
    document = evidence.scored.hit.passage.document
    return any(word.casefold() == name.casefold() for name in (document.product, *document.aliases))
