"""Releases named by their place among the others: the latest, the last two, the one before 2.9.

What is counted are final releases; a product that has none yet is counted by what it has.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.catalogue import CatalogueRelease, stable_releases
from corpus.versions import Version, VersionConstraint
from retrieval.model import Form, Relative
from retrieval.question.tokens import Token, TokenKind

_NUMBERS = {"two": 2, "couple": 2, "couple of": 2, "three": 3, "few": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_COUNT = rf"\d{{1,2}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}"
_LAST_FEW = re.compile(
    rf"\b(?:latest|newest|most recent|last|past) (?P<count>{_COUNT})"
    r" (?P<kind>(?:minor |major |feature |stable |patch |point )*)(?:versions|releases)\b"
)
_LAST_BRANCH = re.compile(
    r"\b(?:latest|newest|last|most recent) (?:(?P<kind>major|minor)|(?:feature|big)(?= (?:\w+ )?(?:release|version)))\b"
)
LATEST = "latest"
"""The words for the newest release, however a question puts it."""


@dataclass(frozen=True, slots=True)
class StatedVersions:
    """What a question says of versions; `named_as` are its words where it names them without a number."""

    constraint: VersionConstraint | None = None
    named_as: str = ""
    open_as: str = ""
    """The words for releases that could be any of several products'."""

    @property
    def is_silent(self) -> bool:
        """Nothing is said."""
        return self.constraint is None and not self.named_as


def find_latest(words: str, relative: Relative | None, releases: Sequence[CatalogueRelease]) -> StatedVersions | None:
    """The latest release, or the last few, where the question names these; None where it doesn't or there are none.

    `words` are the question's, as `say_plainly` gives them.
    """
    finals = _finals(releases)
    if not finals:
        return None
    if few := _LAST_FEW.search(words):
        count = int(few["count"]) if few["count"].isdecimal() else _NUMBERS[few["count"]]
        of_branches = not {"minor", "major", "feature"}.isdisjoint(few["kind"].split())
        listed = tuple(dict.fromkeys(version.series for version in finals)) if of_branches else finals
        if count:
            return StatedVersions(VersionConstraint.exactly(*listed[:count]), few[0])
    newest, branch = finals[0], _LAST_BRANCH.search(words)
    if relative is not Relative.NEWEST and branch is None:
        return None
    if branch:
        # "The latest minor" is 2.4.0, not 2.4.3; the latest major 2.0.0, and of 0.x what a minor is elsewhere.
        width = 1 if branch["kind"] == "major" and newest.release[0] else 2
        newest = min(version for version in finals if version.release[:width] == newest.release[:width])
    return StatedVersions(VersionConstraint.exactly(newest), LATEST)


def names_latest(words: str, relative: Relative | None) -> bool:
    """Whether a question names the latest release or the last few, of whatever product."""
    return relative is Relative.NEWEST or bool(_LAST_FEW.search(words))


def find_beside(
    relative: Relative | None, asked: VersionConstraint, releases: Sequence[CatalogueRelease], *, form: Form
) -> StatedVersions | None:
    """The release before or after the one that a question names ("the release before 2.9"), or both where it sets this
    one against the one before it; of a line the newest ("the last 2.9"). None where it names none of these."""
    named = (*asked.versions, *(bound for bound in (asked.low, asked.high) if bound))
    line = tuple(release for release in releases if asked.contains(release.version)) if len(asked.versions) == 1 else ()
    if relative is Relative.NEWEST and len(line) > 1 and not form.is_catalogue:
        return StatedVersions(VersionConstraint.exactly(_finals(line)[0]), f"the newest {named[0]}")
    if relative not in (Relative.PREVIOUS, Relative.NEXT) or len(named) != 1:
        return None
    is_later = relative is Relative.NEXT
    version = _neighbour(named[0], releases, is_later=is_later)
    if version is None:
        return None
    if asked.versions and not is_later and not form.is_catalogue:
        return StatedVersions(VersionConstraint.exactly(version, *named), "previous release")
    words = f"the release {'after' if is_later else 'before'} {named[0]}"
    return StatedVersions(VersionConstraint.exactly(version), words)


def find_neighbour(
    relative: Relative | None, constraint: VersionConstraint | None, releases: Sequence[CatalogueRelease]
) -> StatedVersions | None:
    """The release before or after that of the conversation ("and in the previous version?"), before the latest one
    where it speaks of none; None where the question doesn't name it or it doesn't exist."""
    is_later = relative is Relative.NEXT
    named = constraint.versions if constraint is not None else _finals(releases)[:1]
    is_named = relative in (Relative.PREVIOUS, Relative.NEXT) and len(named) == 1
    if not is_named or (is_later and constraint is None):
        return None
    version = _neighbour(named[0], releases, is_later=is_later)
    words = f"{'next' if is_later else 'previous'} release"
    return StatedVersions(VersionConstraint.exactly(version), words) if version is not None else None


def _finals(releases: Sequence[CatalogueRelease]) -> tuple[Version, ...]:
    return tuple(release.version for release in stable_releases(releases))


def _neighbour(version: Version, releases: Sequence[CatalogueRelease], *, is_later: bool) -> Version | None:
    """The next lower or higher release: of another series, as a series, where `version` is one ("2.9", not 2.9.1)."""
    finals = _finals(releases)
    if len(version.release) < 3:
        finals = tuple(dict.fromkeys(final.series for final in finals))
        version = version.series
    if is_later:
        return min((final for final in finals if final > version), default=None)
    return max((final for final in finals if final < version), default=None)


def say_plainly(tokens: Sequence[Token]) -> str:
    """The words of a question in lower case, without products and marks."""
    return " ".join(token.word for token in tokens if token.kind not in (TokenKind.MARK, TokenKind.PRODUCT))


def carry_constraint(
    earlier: VersionConstraint | None, relative: Relative | None, releases: Sequence[CatalogueRelease]
) -> VersionConstraint | None:
    """What a follow-up keeps of the conversation's constraint: all of it, what its "older lines" leave of it, or for
    "still so in the newest?" the releases since, which tell what became of it."""
    if relative not in (Relative.OLDER, Relative.NEWER, Relative.ANY, Relative.NEWEST) or earlier is None:
        return earlier
    if not earlier.versions or relative is Relative.ANY:
        return None
    if relative is Relative.OLDER:
        return VersionConstraint.up_to(earlier.versions[-1])
    if relative is Relative.NEWER:
        return VersionConstraint.since(earlier.versions[0])
    newest = _finals(releases)[:1]
    is_since = bool(newest) and newest[0] > earlier.versions[-1]
    return VersionConstraint.between(earlier.versions[-1], newest[0]) if is_since else earlier
