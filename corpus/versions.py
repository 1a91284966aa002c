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
"""Names of builds without a version number: day, time and commit ("20240203-110809-5046fc22"), or week and letter
("22w07a")."""
DAY = re.compile(
    r"((?:19|20)\d\d)(?:-(0?[1-9]|1[0-2])-(0?[1-9]|[12]\d|3[01])(?:[-.](\d{1,3}))?"
    r"|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:\.(\d{1,3}))?)(?!\d)"
)
"""A release named by its day, perhaps with its number on that day: "2026-7-17", "20260502", "2026-01-30-2"."""
_PARTS = re.compile(
    r"(?:(?P<epoch>[0-9]{1,3}):(?=[0-9]+[^0-9]))?(?P<release>(?>[0-9]+(?:\.[0-9]+)*))"
    r"(?P<tail>[.\-_~^+0-9A-Za-z]*[0-9A-Za-z])?"
)
_REVISED = re.compile(r"(?:(?P<upstream>[^+]*?)(?P<build>\+[^-]*)?-|_)(?P<revision>[0-9][^-]*|r[0-9]+)")
"""A distribution's additions: the build that it repacks ("+dfsg") and the revision of its packaging ("-4~deb12u1")."""
_PLAIN_END = re.compile(r"[0-9]+(?:\.(?:[0-9]+|x))*")
_VARIANT = re.compile(r"-[a-z]{2,}[0-9]*|\.[a-z]{3,}[0-9]+")
"""What a build was made for ("-jre", ".jre11"); a stage has a number set off by a dot ("-canary.4")."""
_SYSTEM = re.compile(r"\.[a-z]{2,}[0-9]+(?:_[0-9]+)?\Z")  # The system that a revision was built for ("3.fc40").
_PIECE = re.compile(r"([^0-9]*)([0-9]*)")
_DEVELOPER = re.compile(r"_(0\d+)")
"""Perl's developer releases: 1.29_01 is between 1.29 and 1.30."""
_SUFFIX = re.compile(r"[.\-_~]?[0-9a-z]+(?:[.\-_~]+[0-9a-z]+)*")
_DROPPED_SUFFIX = re.compile(r"[.\-_](?:release|final|ga|notes|stable|lts)")
_GLUED_NUMBER = re.compile(r"(?<![0-9a-z])([a-z]+)([0-9]+)(?![0-9a-z])")


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """A release's number. Equal and hashed by order: 2.8 == 2.8.0, 1.0a1 == 1.0.0-alpha.1.

    Build it with `parse`. `label` is for display and parses back to the same version; `release` contains the numeric
    components as written (2.8 and 2.8.0 differ there: the first may name a series, the second one release).
    """

    label: str
    release: tuple[int, ...]
    _stage: _Stage
    epoch: int | None = None  # A distribution's prefix for projects that restarted their numbering: 1 in `1:2.3-4`.
    extras: tuple[str, str] = ("", "")
    """The build, and the revision or variant: ("cu128", ""), ("dfsg", "4~deb12u1"), ("", "jre")."""
    is_prerelease: bool = field(init=False)
    """Whether this is a development, alpha, beta or candidate release, even of a post release."""
    _order: _Order = field(init=False, repr=False)
    """The sort key, computed once because a question compares hundreds of releases."""

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
        """Parse a whole text as one version; prefixes such as `v` and `release-` are allowed.

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
        """Parse a whole text, of one line, as one version; return None if it isn't one."""
        return _parse_version(text) if len(text) <= MAX_CHARACTERS and _LINE_ENDS.isdisjoint(text) else None

    @classmethod
    def try_parse_package(cls, text: str) -> "Version | None":
        """Parse a distribution's version, in which `12-20220222-1` contains no day; return None if `text` isn't one."""
        return cls.try_parse(text) or cls.try_parse(f"0:{text}")

    @property
    def may_be_range(self) -> bool:
        """Whether the text may also mean a range of versions (2.8-2.12, 5.x-6.x, 7-8) or a month (2024-10)."""
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
        """The version without its pre-release and development parts: 2.0 for 2.0rc1."""
        if not self.is_prerelease:
            return self
        label = _release_text(self.label)
        if self._stage[0][0] != _POST:
            return Version(label, self.release, _FINAL_STAGE, self.epoch)
        number = self._stage[1][1] if self._stage[1][0] == _NUMBER else 0
        stage = ((_POST, 0, ""), (_NUMBER, number, ""), (_END, 0, ""))
        return Version(f"{label}.post{number}", self.release, stage, self.epoch)

    @property
    def is_packaged(self) -> bool:
        """Whether it is a build, revision or variant of the release that its numbers name."""
        return any(self.extras)

    @property
    def variant(self) -> str:
        """What a variant was made for, `jre` in `31.1-jre`; empty if it isn't a variant."""
        revision = self.extras[1]
        return revision if revision[:2].isalpha() else ""

    def exceeds(self, bound: "Version") -> bool:
        """Return whether this is higher than `bound`, by parts that both state: 2.12-3 and 1:2.12 don't exceed 2.12."""
        key, bound_key = _aligned(self, bound)
        return key > bound_key

    @property
    def is_stamp(self) -> bool:
        """Whether it is only a build's day and time, with or without a commit, or week ("22w07a"); not a day alone."""
        return bool(STAMPED.fullmatch(self.label))

    @property
    def day(self) -> date | None:
        """The day that the version is named by, without its number on that day; None if there is none."""
        if not (self.is_stamp or DAY.match(self.label.rpartition(":")[2])):
            return None
        try:
            return date(*self.release[:3])
        except (TypeError, ValueError):
            return None

    @property
    def series(self) -> "Version":
        """The first two components: 2.45 for 2.45.1; a single component or a day stays as it is."""
        if self.day:
            return Version("-".join(map(str, self.release[:3])), self.release[:3], _FINAL_STAGE)
        label = ".".join(_release_text(self.label).rpartition(":")[2].split(".")[:2])
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
def _parse_version(text: str) -> Version | None:
    bare = "".join(_PREFIX.sub("", text.strip()).split())
    if _UNDERSCORED.fullmatch(bare):
        bare = bare.replace("_", ".")
    if STAMPED.fullmatch(bare) and bare[2].lower() == "w":
        # A weekly build sorts below all releases, because its name doesn't show which releases it came between.
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
    tail_parts = _read_tail(tail.lower(), release, is_package=epoch is not None)
    return None if tail_parts is None else Version(bare, release, tail_parts[0], epoch, tail_parts[1:])


def _numbers(release: str) -> tuple[int, ...]:
    """Return the numeric components of a release, or of the day that it is named by."""
    day = DAY.match(release)
    return tuple(int(part) for part in (day.groups() if day else release.split(".")) if part)


def _release_text(label: str) -> str:
    parts = _PARTS.match(label)
    return label[: parts.end("release")] if parts else label


def _read_tail(tail: str, release: tuple[int, ...], *, is_package: bool) -> tuple[_Stage, str, str] | None:
    """Return the stage, build and revision in the text after a version's numbers; None if it can't be parsed."""
    if "+-" in tail:
        return None
    if len(release) == 2 and (developer := _DEVELOPER.fullmatch(tail)):
        return ((_POST, 0, ""), (_DEV, 0, ""), (_NUMBER, int(developer[1]), ""), (_END, 0, "")), "", ""
    is_first = tail == "-0" and len(release) == 3 and not is_package  # Of SemVer's pre-releases.
    revised = None if is_first else _REVISED.fullmatch(tail)
    upstream, build, revision = revised.group("upstream", "build", "revision") if revised else ("", "", "")
    if not revised or ("-" in (upstream or "") and not is_package):
        (upstream, _, build), revision = tail.partition("+"), ""
    upstream, build = upstream or "", (build or "").removeprefix("+")
    snapshot = upstream.lstrip("~+") if upstream.startswith("~") and (revision or is_package) else ""
    stage = _parse_stage(snapshot or upstream, release) if upstream else _FINAL_STAGE
    if snapshot and (stage is None or stage[0][0] == _POST):
        # Distributions mark a build packed before its release this way ("1.2~git20230101-1").
        return ((_DEV, 0, ""), (_END, 0, "")), f"{upstream}{build}", revision
    if stage is not None:
        return stage, build, revision
    if _VARIANT.fullmatch(upstream) and len(release) > 1 and not revision:
        return _FINAL_STAGE, build, upstream[1:]
    # "1.2.git20230101-1", or a rebuild for another release of the distribution ("12.4~deb12u1").
    is_packed = revision or is_package or upstream.startswith("~")
    return (_FINAL_STAGE, f"{upstream}{build}", revision) if is_packed else None


def _package_key(text: str) -> _Key:
    """Return the sort key of a build or revision in dpkg's order: `~` before the end, letters before other signs."""
    return tuple(
        key
        for signs, digits in _PIECE.findall(text)
        for key in (
            (*(-1 if sign == "~" else ord(sign) + 256 * (not sign.isalpha()) for sign in signs), 0),
            (int(digits or 0),),
        )
    )


def _parse_stage(suffix: str, release: tuple[int, ...]) -> _Stage | None:
    """Return the sort key of the stage that a suffix names, such as `-rc1`; None if it names none."""
    if not _SUFFIX.fullmatch(suffix):
        return None
    is_long = len(release) > 2 or release[0] >= 1000
    letters = r"(?!rc)[a-z]{1,2}" if is_long else r"[a-wyz]|z[a-z]"
    if len(release) + is_long > 1 and re.fullmatch(letters, suffix):
        # OpenSSL's 1.1.1w, tmux's 3.1c and tzdata's 2024b are patches: candidates have numbers. z is followed by za.
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
    """Another release with notes relevant to the requested one: earlier notes describe its features, later ones fixes
    of its bugs. `VersionConstraint.match` never returns this."""
    SERIES = 2  # A patch release of the requested version: 5.0.4 if 5.0 was requested.
    EXACT = 3


@dataclass(frozen=True, slots=True, eq=False)
class VersionConstraint:
    """The versions that a question, a filter or a bump allows: a few versions, or one interval.

    Build it with the classmethods. Pre-releases count as their final release, unless a bound is a pre-release. A
    version includes releases with further components: 5 includes 5.2, 5.0 includes 5.0.4, 5.0.0 includes neither.
    """

    versions: tuple[Version, ...] = ()
    low: Version | None = None
    high: Version | None = None
    includes_low: bool = False
    includes_high: bool = False

    @classmethod
    def exactly(cls, *versions: Version) -> "VersionConstraint":
        """Return the constraint to these versions.

        Raises:
            UsageError: no version is given.
        """
        if not versions:
            raise UsageError("A version constraint must name at least one version, got none. Name one, like 2.9.")
        return cls(tuple(sorted({version.label: version for version in versions}.values())))

    @classmethod
    def between(cls, low: Version, high: Version) -> "VersionConstraint":
        """Return the constraint (low, high]: the releases that an upgrade from `low` to `high` brings.

        Raises:
            UsageError: `low` isn't below `high`.
        """
        return cls(low=_checked_low(low, high), high=high, includes_high=True)

    @classmethod
    def through(cls, low: Version, high: Version) -> "VersionConstraint":
        """Return the constraint [low, high].

        Raises:
            UsageError: `low` isn't below `high`.
        """
        return cls(low=_checked_low(low, high), high=high, includes_low=True, includes_high=True)

    @classmethod
    def since(cls, low: Version) -> "VersionConstraint":
        """Return the constraint [low, ∞)."""
        return cls(low=low, includes_low=True)

    @classmethod
    def after(cls, low: Version) -> "VersionConstraint":
        """Return the constraint (low, ∞); the patch releases of `low` are inside."""
        return cls(low=low)

    @classmethod
    def before(cls, high: Version) -> "VersionConstraint":
        """Return the constraint (-∞, high); the pre-releases of `high` are outside."""
        return cls(high=high)

    @classmethod
    def up_to(cls, high: Version) -> "VersionConstraint":
        """Return the constraint (-∞, high]."""
        return cls(high=high, includes_high=True)

    def match(self, version: Version) -> VersionMatch:
        """Return how `version` meets the constraint; SERIES for patch releases of `versions` and an included `high`."""
        if self.versions:
            return max(_match_version(requested, version) for requested in self.versions)
        if self.low is not None:
            key, low_key = _aligned(_final_unless_pre(version, self.low), self.low)
            if key < low_key or (key == low_key and not self.includes_low):
                return VersionMatch.OUTSIDE
        if self.high is None:
            return VersionMatch.EXACT
        key, high_key = _aligned(_final_unless_pre(version, self.high), self.high)
        if key < high_key:
            return VersionMatch.EXACT
        return _match_version(self.high, version) if self.includes_high else VersionMatch.OUTSIDE

    def contains(self, version: Version) -> bool:
        """Return whether `version` meets the constraint at all."""
        return self.match(version) is not VersionMatch.OUTSIDE

    def __eq__(self, other: object) -> bool:
        # Compared as written: 2.8 and 2.8.0 are equal versions, but allow different releases.
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


def _checked_low(low: Version, high: Version) -> Version:
    """Return `low`; raise UsageError unless it is below `high`."""
    if low >= high:
        raise UsageError(
            f"Not a version range: {low.label!r} to {high.label!r}. The first must be lower than the second; swap them"
            " or ask about one version."
        )
    return low


def _final_unless_pre(version: Version, bound: Version) -> Version:
    """Return the final version that `version` leads to, or `version` itself if `bound` is a pre-release."""
    return version if bound.is_prerelease else version.base


def _aligned(version: Version, bound: Version) -> tuple[_Order, _Order]:
    """Return the sort keys of both versions, without an epoch, packaging or system that only one of them states."""
    key, bound_key = version._order, bound._order
    if (version.epoch is None) is not (bound.epoch is None):
        key, bound_key = (0, *key[1:]), (0, *bound_key[1:])
    if version.is_packaged is not bound.is_packaged:
        return (*key[:3], (), ()), (*bound_key[:3], (), ())
    revision, bound_revision = version.extras[1], bound.extras[1]
    if revision != bound_revision and bool(_SYSTEM.search(revision)) is not bool(_SYSTEM.search(bound_revision)):
        bare, bare_bound = (_package_key(_SYSTEM.sub("", text)) for text in (revision, bound_revision))
        return (*key[:4], bare), (*bound_key[:4], bare_bound)
    return key, bound_key


def _match_version(requested: Version, version: Version) -> VersionMatch:
    """Return how `version` meets a constraint to `requested` alone."""
    final = _final_unless_pre(version, requested)
    key, requested_key = _aligned(final, requested)
    if key == requested_key:
        return VersionMatch.EXACT if final.is_packaged is requested.is_packaged else VersionMatch.SERIES
    padded = final.release + (0,) * len(requested.release)
    # Return early: nearly all releases are outside, and a question compares hundreds.
    if padded[: len(requested.release)] != requested.release or key < requested_key:
        return VersionMatch.OUTSIDE
    is_final = requested._stage == _FINAL_STAGE and not requested.is_packaged
    return VersionMatch.SERIES if is_final else VersionMatch.OUTSIDE
