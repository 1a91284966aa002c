"""Versions: one value type with a total order over every scheme in use, and constraints.

Reads PEP 440, SemVer, CalVer, `v1.30`, PostgreSQL's `15.4` and `REL_15_4`, Maven's `8.0.0.RELEASE` and `31.1-jre`,
OpenSSL's `1.1.1w`, distributions' `1:2.3+dfsg-4~deb12u1` and four or more components with one grammar, because a
changelog doesn't say which scheme it follows. Deliberately absent: PEP 440 epochs, and any knowledge of products.
"""

import re
from dataclasses import dataclass, field
from datetime import date
from enum import IntEnum
from functools import lru_cache, total_ordering

from corpus.errors import UsageError
from corpus.plain_words import listed

# Ranks within a stage. One sequence orders PEP 440 and SemVer alike: 1.0.dev1 < 1.0-1.2 < 1.0a1.dev1 < 1.0a1 <
# 1.0-alpha.beta < 1.0 < 1.0.post1. Every stage ends in FINAL or END, so that a shorter one compares by rank.
_DEV, _END, _NUMBER, _TEXT, _FINAL, _POST = range(6)
_Stage = tuple[tuple[int, int, str], ...]
_FINAL_STAGE: _Stage = ((_FINAL, 0, ""),)
_Key = tuple[tuple[int, ...], ...]
_Order = tuple[int, tuple[int, ...], _Stage, _Key, _Key]

_STAGE_WORDS = {
    **dict.fromkeys(("dev", "snapshot", "nightly"), (_DEV, 0, "")),
    **dict.fromkeys(("a", "alpha"), (_TEXT, 0, "alpha")),
    **dict.fromkeys(("b", "beta"), (_TEXT, 0, "beta")),
    **dict.fromkeys(("m", "milestone"), (_TEXT, 0, "milestone")),
    **dict.fromkeys(("c", "rc", "cr"), (_TEXT, 0, "rc")),
    **dict.fromkeys(("pre", "preview"), (_TEXT, 0, "pre")),
    **dict.fromkeys(("p", "pl", "patch", "post", "r", "rev", "sp", "u"), (_POST, 0, "")),
    **{
        word: (_TEXT, 0, word)
        for word in ("canary", "ea", "edge", "experimental", "insiders", "next", "trial", "unstable", "wip")
    },
}
MAX_CHARACTERS, _MAX_COMPONENTS, _MAX_DIGITS = 64, 8, 18

_LINE_ENDS = frozenset("\r\n")
_PREFIX = re.compile(
    r"\A(?:(?:version|release|ver|rel|tag|v)[\s._/-]*)+(?=[0-9])|\Ar(?=(?:19|20)[0-9]{2}[a-z]\Z)", re.IGNORECASE
)
_UNDERSCORED = re.compile(r"[0-9]+(?:_[0-9A-Za-z]+)+(?:-[0-9A-Za-z.]+)?")
STAMPED = re.compile(
    r"(?:(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-\d{4,6}(?:-[0-9a-f]{7,12})?|\d\dw[0-5]\d[a-z])",
    re.IGNORECASE,
)
"""A day, a time and a commit, or a week and a letter: what builds are called that have no numbers
("20240203-110809-5046fc22", "22w07a")."""
DAY = re.compile(
    r"((?:19|20)\d\d)(?:-(0?[1-9]|1[0-2])-(0?[1-9]|[12]\d|3[01])(?:[-.](\d{1,3}))?"
    r"|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:\.(\d{1,3}))?)(?!\d)"
)
"""A release that is called by its day, and which one of that day it is: "2026-7-17", "20260502", "2026-01-30-2"."""
_PARTS = re.compile(
    r"(?:(?P<epoch>[0-9]{1,3}):(?=[0-9]+[^0-9]))?(?P<release>[0-9]+(?:\.[0-9]+)*)"
    r"(?P<tail>[.\-_~^+0-9A-Za-z]*[0-9A-Za-z])?"
)
_REVISED = re.compile(r"(?:(?P<upstream>[^+]*?)(?P<build>\+[^-]*)?-|_)(?P<revision>[0-9][^-]*|r[0-9]+)")
"""What a distribution adds: what it packs ("+dfsg") and which revision of its packaging it is ("-4~deb12u1")."""
_PLAIN_END = re.compile(r"[0-9]+(?:\.(?:[0-9]+|x))*")
_VARIANT = re.compile(r"-[a-z]{2,}[0-9]*|\.[a-z]{3,}[0-9]+")
"""What a release was made for ("-jre", ".jre11"), where it is no stage: those are counted apart ("-canary.4")."""
_SYSTEM = re.compile(r"\.[a-z]{2,}[0-9]+(?:_[0-9]+)?\Z")  # For which system a revision was built ("3.fc40").
_PIECE = re.compile(r"([^0-9]*)([0-9]*)")
_DEVELOPER = re.compile(r"_(0\d+)")
"""How Perl counts what it tries after a release: 1.29_01 comes between 1.29 and 1.30."""
_SUFFIX = re.compile(r"[.\-_~]?[0-9a-z]+(?:[.\-_~]+[0-9a-z]+)*")
_DROPPED_SUFFIX = re.compile(r"[.\-_](?:release|final|ga|notes|stable|lts)")
_GLUED_NUMBER = re.compile(r"(?<![0-9a-z])([a-z]+)([0-9]+)(?![0-9a-z])")


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """A release's number. Equal and hashed by order: 2.8 == 2.8.0, 1.0a1 == 1.0.0-alpha.1.

    Build it with `parse`. `label` is for display and parses back to the same version; `release` has the numeric
    components as written (2.8 and 2.8.0 differ there, which is what makes one a series and the other a release).
    """

    label: str
    release: tuple[int, ...]
    _stage: _Stage
    epoch: int | None = None  # What a distribution puts first where a project began to count anew: 1 of `1:2.3-4`.
    extras: tuple[str, str] = ("", "")
    """What was packed or built, and which revision or variant it is: `cu128`, `dfsg` and `4~deb12u1`, `jre`."""
    is_prerelease: bool = field(init=False)
    """Whether a development, alpha, beta or candidate release, of a post release too."""
    _order: _Order = field(init=False, repr=False)
    """By this it compares: once worked out, for a question compares hundreds of releases."""

    def __post_init__(self) -> None:
        length = len(self.release)
        while length and not self.release[length - 1]:
            length -= 1
        is_prerelease = self._stage is not _FINAL_STAGE and (
            self._stage[0][0] < _FINAL or any(rank == _DEV for rank, _, _ in self._stage)
        )
        build, revision = map(_package_key, self.extras)
        object.__setattr__(self, "_order", (self.epoch or 0, self.release[:length], self._stage, build, revision))
        object.__setattr__(self, "is_prerelease", is_prerelease)

    @classmethod
    def parse(cls, text: str) -> "Version":
        """Read a whole text as one version, `v`, `release-` and such before it allowed.

        Raises:
            UsageError: `text` isn't a version.
        """
        version = cls.try_parse(text)
        if version is None:
            shown = text if len(text) <= MAX_CHARACTERS else text[:MAX_CHARACTERS] + "…"
            raise UsageError(
                f"Not a version: {shown!r}. It must be numbers joined by dots, with at most a pre-release or build"
                " suffix; write it like 2.9, 5.0.4 or 8.0.0rc1."
            )
        return version

    @classmethod
    def try_parse(cls, text: str) -> "Version | None":
        """Read a whole text, of one line, as one version; None where it isn't one."""
        return _read_version(text) if len(text) <= MAX_CHARACTERS and _LINE_ENDS.isdisjoint(text) else None

    @classmethod
    def try_parse_package(cls, text: str) -> "Version | None":
        """Read what is known to be a distribution's version: `12-20220222-1` is no day; None where it isn't one."""
        return cls.try_parse(text) or cls.try_parse(f"0:{text}")

    @property
    def may_be_range(self) -> bool:
        """Whether it may be two versions as well, from one to another: 2.8-2.12, 5.x-6.x, 7-8, or a month, 2024-10."""
        (build, revision), first = self.extras, self.release[0]
        if self.epoch is not None or build not in ("", ".x") or not _PLAIN_END.fullmatch(revision):
            return False
        parts = revision.split(".")
        end = tuple(int(part) for part in parts if part != "x")
        if len(self.release) == len(parts) == 1:
            return end > self.release or (1900 <= first < 2100 and end[0] <= 12)
        is_near = len(parts) == len(self.release) or (1 < len(parts) <= 3 and end[0] - first in (0, 1))
        return is_near and end > self.release

    @property
    def base(self) -> "Version":
        """The final release this one leads to: without pre-release and development parts."""
        if not self.is_prerelease:
            return self
        label = _written_release(self.label)
        if self._stage[0][0] != _POST:
            return Version(label, self.release, _FINAL_STAGE, self.epoch)
        number = self._stage[1][1] if self._stage[1][0] == _NUMBER else 0
        stage = ((_POST, 0, ""), (_NUMBER, number, ""), (_END, 0, ""))
        return Version(f"{label}.post{number}", self.release, stage, self.epoch)

    @property
    def is_packaged(self) -> bool:
        """Whether it is a build, a revision or a variant of what its numbers name."""
        return any(self.extras)

    @property
    def variant(self) -> str:
        """What it was made for, beside others of its number: `jre` of `31.1-jre`; empty for none."""
        revision = self.extras[1]
        return revision if revision[:2].isalpha() else ""

    def exceeds(self, bound: "Version") -> bool:
        """Return whether it is higher than `bound` as far as that goes: 2.12-3 and 1:2.12 don't exceed 2.12."""
        one, other = _aligned(self, bound)
        return one > other

    @property
    def is_stamp(self) -> bool:
        """Whether it is nothing but when it was built."""
        return bool(STAMPED.fullmatch(self.label))

    @property
    def day(self) -> date | None:
        """The day that it is called by, whichever release of that day it is; None for numbers."""
        if not (self.is_stamp or DAY.match(self.label.rpartition(":")[2])):
            return None
        try:
            return date(*self.release[:3])
        except (TypeError, ValueError):
            return None

    @property
    def series(self) -> "Version":
        """The first two components: 2.45 for 2.45.1; a single component stays as it is, and so does a day."""
        if self.day:
            return Version("-".join(map(str, self.release[:3])), self.release[:3], _FINAL_STAGE)
        label = ".".join(_written_release(self.label).rpartition(":")[2].split(".")[:2])
        return Version(label, self.release[:2], _FINAL_STAGE)

    def __eq__(self, other: object) -> bool:
        return self._order == other._order if isinstance(other, Version) else NotImplemented

    def __lt__(self, other: "Version") -> bool:
        return self._order < other._order if isinstance(other, Version) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._order)

    def __str__(self) -> str:
        return self.label


@lru_cache(maxsize=8192)
def _read_version(text: str) -> Version | None:
    bare = "".join(_PREFIX.sub("", text.strip()).split())
    if _UNDERSCORED.fullmatch(bare):
        bare = bare.replace("_", ".")
    if STAMPED.fullmatch(bare) and bare[2].lower() == "w":
        # A week's build stands below all releases: between which it was made, its number doesn't tell.
        return Version(
            bare, (0, 0, int(bare[:2]), int(bare[3:5])), ((_DEV, 0, ""), (_TEXT, 0, bare[5:]), (_END, 0, ""))
        )
    if STAMPED.fullmatch(bare):
        day, time = bare.split("-")[:2]
        return Version(bare, (*_numbers(day), int(time.ljust(6, "0"))), _FINAL_STAGE)
    if DAY.fullmatch(bare):
        return Version(bare, _numbers(bare), _FINAL_STAGE)
    parts = _PARTS.fullmatch(bare)
    if parts is None:
        return None
    numbers, tail = parts["release"].split("."), parts["tail"] or ""
    if len(numbers) > _MAX_COMPONENTS or any(len(digits) > _MAX_DIGITS for digits in re.findall(r"[0-9]+", bare)):
        return None
    release, epoch = _numbers(parts["release"]), None if parts["epoch"] is None else int(parts["epoch"])
    if not tail or _DROPPED_SUFFIX.fullmatch(tail.lower()):
        return Version(bare.removesuffix(tail), release, _FINAL_STAGE, epoch)
    read = _read_tail(tail.lower(), release, is_package=epoch is not None)
    return None if read is None else Version(bare, release, read[0], epoch, read[1:])


def _numbers(release: str) -> tuple[int, ...]:
    """Return the numbers of a release, those of a day as a day's."""
    day = DAY.match(release)
    return tuple(int(part) for part in (day.groups() if day else release.split(".")) if part)


def _written_release(label: str) -> str:
    parts = _PARTS.match(label)
    return label[: parts.end("release")] if parts else label


def _read_tail(tail: str, release: tuple[int, ...], *, is_package: bool) -> tuple[_Stage, str, str] | None:
    """Stage, build and revision of what stands behind a version's numbers; None where that can't be read."""
    if "+-" in tail:
        return None
    if len(release) == 2 and (developer := _DEVELOPER.fullmatch(tail)):
        return ((_POST, 0, ""), (_DEV, 0, ""), (_NUMBER, int(developer[1]), ""), (_END, 0, "")), "", ""
    revised = _REVISED.fullmatch(tail)
    upstream, build, revision = revised.group("upstream", "build", "revision") if revised else ("", "", "")
    if not revised or ("-" in (upstream or "") and not is_package):
        (upstream, _, build), revision = tail.partition("+"), ""
    upstream, build = upstream or "", (build or "").removeprefix("+")
    early = upstream.lstrip("~+") if upstream.startswith("~") and (revision or is_package) else ""
    stage = _parse_stage(early or upstream, release) if upstream else _FINAL_STAGE
    if early and (stage is None or stage[0][0] == _POST):
        # Distributions write so what was packed before its release ("1.2~git20230101-1").
        return ((_DEV, 0, ""), (_END, 0, "")), f"{upstream}{build}", revision
    if stage is not None:
        return stage, build, revision
    if _VARIANT.fullmatch(upstream) and len(release) > 1 and not revision:
        return _FINAL_STAGE, build, upstream[1:]
    # "1.2.git20230101-1", and what is made again for another of a distribution's releases ("12.4~deb12u1").
    is_packed = revision or is_package or upstream.startswith("~")
    return (_FINAL_STAGE, f"{upstream}{build}", revision) if is_packed else None


def _package_key(text: str) -> _Key:
    """By this builds and revisions compare, as dpkg has them: `~` before the end, letters before other signs."""
    return tuple(
        key
        for signs, digits in _PIECE.findall(text)
        for key in (
            (*(-1 if sign == "~" else ord(sign) + 256 * (not sign.isalpha()) for sign in signs), 0),
            (int(digits or 0),),
        )
    )


def _parse_stage(suffix: str, release: tuple[int, ...]) -> _Stage | None:
    if not _SUFFIX.fullmatch(suffix):
        return None
    is_long = len(release) > 2 or release[0] >= 1000
    letters = r"(?!rc)[a-z]{1,2}" if is_long else r"[a-wyz]|z[a-z]"
    if len(release) + is_long > 1 and re.fullmatch(letters, suffix):
        # OpenSSL's 1.1.1w, tmux's 3.1c and tzdata's 2024b are patches: candidates are counted. After z comes za.
        return ((_POST, 0, suffix), (_END, 0, ""))
    words = re.split(r"[.\-_~]+", _GLUED_NUMBER.sub(r"\1-\2", suffix).lstrip(".-_~"))
    is_semver = suffix.startswith("-") and len(release) > 2 and not _VARIANT.fullmatch(suffix)
    if words[0] not in _STAGE_WORDS and not is_semver:
        return None
    keys = (
        (_NUMBER, int(word), "") if word.isdecimal() else _STAGE_WORDS.get(word, (_TEXT, 0, word)) for word in words
    )
    return (*keys, (_END, 0, ""))


class VersionMatch(IntEnum):
    """How well a release meets a constraint; higher is better."""

    OUTSIDE = 0
    BEARING = 1
    """Another release whose notes bear on the one asked about: what came before tells how things are in it, what came
    after what was mended of it. No constraint matches so by itself."""
    SERIES = 2  # A patch release of the version asked for: 5.0.4 where 5.0 was asked.
    EXACT = 3


@dataclass(frozen=True, slots=True, eq=False)
class VersionConstraint:
    """What a question, a filter or a bump says about versions: a few versions, or one interval.

    Build it with the classmethods. Pre-releases count as their final release, unless a bound is one itself. A
    version stands for itself and, as written, for the releases below it: 5 for 5.2, 5.0 for 5.0.4, 5.0.0 for neither.
    """

    versions: tuple[Version, ...] = ()
    low: Version | None = None
    high: Version | None = None
    includes_low: bool = False
    includes_high: bool = False

    @classmethod
    def exactly(cls, *versions: Version) -> "VersionConstraint":
        """These versions.

        Raises:
            UsageError: no version is given.
        """
        if not versions:
            raise UsageError("A version constraint must name at least one version, got none. Name one, like 2.9.")
        return cls(tuple(sorted({version.label: version for version in versions}.values())))

    @classmethod
    def between(cls, low: Version, high: Version) -> "VersionConstraint":
        """(low, high]: what an upgrade from `low` to `high` meets.

        Raises:
            UsageError: `low` isn't below `high`.
        """
        return cls(low=_below(low, high), high=high, includes_high=True)

    @classmethod
    def through(cls, low: Version, high: Version) -> "VersionConstraint":
        """[low, high].

        Raises:
            UsageError: `low` isn't below `high`.
        """
        return cls(low=_below(low, high), high=high, includes_low=True, includes_high=True)

    @classmethod
    def since(cls, low: Version) -> "VersionConstraint":
        """[low, ∞)."""
        return cls(low=low, includes_low=True)

    @classmethod
    def after(cls, low: Version) -> "VersionConstraint":
        """(low, ∞); the patch releases of `low` come after it."""
        return cls(low=low)

    @classmethod
    def before(cls, high: Version) -> "VersionConstraint":
        """(-∞, high); the pre-releases of `high` belong to it, so they are outside."""
        return cls(high=high)

    @classmethod
    def up_to(cls, high: Version) -> "VersionConstraint":
        """(-∞, high]."""
        return cls(high=high, includes_high=True)

    def match(self, version: Version) -> VersionMatch:
        """Return how `version` meets the constraint. SERIES only through a version that is named: one of `versions`, or
        a `high` that is included."""
        if self.versions:
            return max(_match_one(asked, version) for asked in self.versions)
        if self.low is not None:
            one, low = _aligned(_folded(version, self.low), self.low)
            if one < low or (one == low and not self.includes_low):
                return VersionMatch.OUTSIDE
        if self.high is None:
            return VersionMatch.EXACT
        one, high = _aligned(_folded(version, self.high), self.high)
        if one < high:
            return VersionMatch.EXACT
        return _match_one(self.high, version) if self.includes_high else VersionMatch.OUTSIDE

    def contains(self, version: Version) -> bool:
        """Return whether `version` meets the constraint at all."""
        return self.match(version) is not VersionMatch.OUTSIDE

    def __eq__(self, other: object) -> bool:
        # By what is written: 2.8 and 2.8.0 are equal versions, but ask for different releases.
        return str(self) == str(other) if isinstance(other, VersionConstraint) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        if self.versions:
            return listed([str(version) for version in self.versions])
        if self.low is not None and self.high is not None:
            low, high = ("≤" if included else "<" for included in (self.includes_low, self.includes_high))
            return f"{self.low} {low} version {high} {self.high}"
        if self.low is not None:
            return f"{'since' if self.includes_low else 'after'} {self.low}"
        return f"{'up to' if self.includes_high else 'before'} {self.high}"


def _below(low: Version, high: Version) -> Version:
    if low >= high:
        raise UsageError(
            f"Not a version range: {low.label!r} to {high.label!r}. The first must be lower than the second; swap them"
            " or ask about one version."
        )
    return low


def _folded(version: Version, bound: Version) -> Version:
    return version if bound.is_prerelease else version.base


def _aligned(version: Version, asked: Version) -> tuple[_Order, _Order]:
    """Return what both compare by, as far as both go: an epoch, or what was packed or for which system, that one
    doesn't state is left out."""
    one, other = version._order, asked._order
    if (version.epoch is None) is not (asked.epoch is None):
        one, other = (0, *one[1:]), (0, *other[1:])
    if version.is_packaged is not asked.is_packaged:
        return (*one[:3], (), ()), (*other[:3], (), ())
    revision, wanted = version.extras[1], asked.extras[1]
    if revision != wanted and bool(_SYSTEM.search(revision)) is not bool(_SYSTEM.search(wanted)):
        bare, bare_wanted = (_package_key(_SYSTEM.sub("", each)) for each in (revision, wanted))
        return (*one[:4], bare), (*other[:4], bare_wanted)
    return one, other


def _match_one(asked: Version, version: Version) -> VersionMatch:
    folded = _folded(version, asked)
    one, other = _aligned(folded, asked)
    if one == other:
        return VersionMatch.EXACT if folded.is_packaged is asked.is_packaged else VersionMatch.SERIES
    padded = folded.release + (0,) * len(asked.release)
    # Nearly all releases end here, and a question compares hundreds.
    if padded[: len(asked.release)] != asked.release or one < other:
        return VersionMatch.OUTSIDE
    is_final = asked._stage == _FINAL_STAGE and not asked.is_packaged
    return VersionMatch.SERIES if is_final else VersionMatch.OUTSIDE
