"""Releases named by their order: the latest, the last two, the one before 2.9.

Only final releases count, unless a product has none yet.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.catalogue import CatalogueRelease, stable_releases
from corpus.item_sentences import speaks_of_security
from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.versions import Version, VersionConstraint
from retrieval.model import Form, Relative

_NEWEST = frozenset(split_tokens("last latest newest recent recently lately"))
RECORD_WORDS = _NEWEST | frozenset(
    split_tokens(
        """cve cves vulnerability vulnerabilities vuln vulns vulnerable security issue issues hole holes flaw flaws
        advisory advisories ghsa problem problems fix fixes fixed address addresses addressed patch patches patched
        resolve resolves resolved contain contains include included includes publish published ship shipped release
        releases version versions list all any many which known were do does did get got have has had there mention
        mentioned recorded reported records number numbers name between before after since from to until up through and
        or later newer older most when was time ever with need least product"""
    )
)
"""Words of questions about security fixes as such, not about some hole."""
LATEST = "latest"  # Our word for the newest release, whatever the question's words are.


@dataclass(frozen=True, slots=True)
class StatedVersions:
    """The versions that a question states; `named_as` are its words if it names them without a number."""

    constraint: VersionConstraint | None = None
    named_as: str = ""
    open_as: str = ""  # The words for releases ("latest") if it isn't clear of which product.

    @property
    def is_silent(self) -> bool:
        """Whether the question states no versions."""
        return self.constraint is None and not self.named_as


def find_latest(relative: Relative | None, releases: Sequence[CatalogueRelease]) -> StatedVersions | None:
    """Return the latest release, if that is what `relative` asks for; else None."""
    if not (finals := _finals(releases)):
        return None
    return StatedVersions(VersionConstraint.exactly(finals[0]), LATEST) if relative is Relative.NEWEST else None


def names_latest_fix(text: str) -> bool:
    """Return whether the latest security fix in any release is asked for; products' names aren't in `text`."""
    words = {word for word in split_tokens(text) if word.isalpha() and word not in STOP_WORDS}
    return words <= RECORD_WORDS and not words.isdisjoint(_NEWEST) and speaks_of_security(text)


def find_beside(
    relative: Relative | None, stated: VersionConstraint, releases: Sequence[CatalogueRelease], *, form: Form
) -> StatedVersions | None:
    """Return the releases that a question names relative to a `stated` version: the one before or after ("the release
    before 2.9"), a release and its predecessor, the newest of a series ("the last 2.9"); else None."""
    named = (*stated.versions, *(bound for bound in (stated.low, stated.high) if bound))
    series = tuple(r for r in releases if stated.contains(r.version)) if len(stated.versions) == 1 else ()
    if relative is Relative.NEWEST and len(series) > 1 and not form.traits.is_catalogue:
        return StatedVersions(VersionConstraint.exactly(_finals(series)[0]), f"the newest {named[0]}")
    version, is_later = _next_to(named, relative, releases), relative is Relative.NEXT
    if version is None:
        return None
    if stated.versions and not is_later and not form.traits.is_catalogue:
        return StatedVersions(VersionConstraint.exactly(version, *named), "previous release")
    words = f"the release {'after' if is_later else 'before'} {named[0]}"
    return StatedVersions(VersionConstraint.exactly(version), words)


def find_neighbour(
    relative: Relative | None, constraint: VersionConstraint | None, releases: Sequence[CatalogueRelease]
) -> StatedVersions | None:
    """Return the release before or after the only one in `constraint`, or the latest if that is None; else None."""
    version = _next_to(_finals(releases)[:1] if constraint is None else constraint.versions, relative, releases)
    words = "next release" if relative is Relative.NEXT else "previous release"
    return StatedVersions(VersionConstraint.exactly(version), words) if version is not None else None


def _finals(releases: Sequence[CatalogueRelease]) -> tuple[Version, ...]:
    """Return the versions of the releases that are stable and out, in their order; of candidates if none is."""
    return tuple(release.version for release in stable_releases(releases))


def _next_to(
    named: Sequence[Version], relative: Relative | None, releases: Sequence[CatalogueRelease]
) -> Version | None:
    """Return the final release before or after the one named, a series for a series ("2.9", not 2.9.1), or None."""
    if relative not in (Relative.PREVIOUS, Relative.NEXT) or len(named) != 1:
        return None
    version, finals = named[0], _finals(releases)
    if len(version.release) < 3:
        finals = tuple(dict.fromkeys(final.series for final in finals))
        version = version.series
    if relative is Relative.NEXT:
        return min((final for final in finals if final > version), default=None)
    return max((final for final in finals if final < version), default=None)
