"""Versions: one value type with a total order over every scheme in use, constraints, and mentions in prose.

Reads PEP 440, SemVer, CalVer, `v1.30`, PostgreSQL's `15.4` and `REL_15_4`, Maven's `8.0.0.RELEASE`, R's `4.3-1`,
OpenSSL's `1.1.1w` and four or more components with one grammar, because a changelog doesn't say which scheme it
follows. Build metadata (`+cu128`) never orders. Deliberately absent: PEP 440 epochs, and any knowledge of products.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache

from corpus.errors import UsageError
from corpus.plain_words import listed

# Ranks within a stage. One sequence orders PEP 440 and SemVer alike: 1.0.dev1 < 1.0-1.2 < 1.0a1.dev1 < 1.0a1 <
# 1.0-alpha.beta < 1.0 < 1.0.post1. Every stage ends in FINAL or END, so that a shorter one compares by rank.
_DEV, _END, _NUMBER, _TEXT, _FINAL, _POST = range(6)
_Stage = tuple[tuple[int, int, str], ...]
_FINAL_STAGE: _Stage = ((_FINAL, 0, ""),)

_STAGE_WORDS = {
    **dict.fromkeys(("dev", "snapshot", "nightly"), (_DEV, 0, "")),
    **dict.fromkeys(("a", "alpha"), (_TEXT, 0, "alpha")),
    **dict.fromkeys(("b", "beta"), (_TEXT, 0, "beta")),
    **dict.fromkeys(("m", "milestone"), (_TEXT, 0, "milestone")),
    **dict.fromkeys(("c", "rc", "cr", "pre", "preview"), (_TEXT, 0, "rc")),
    **dict.fromkeys(("p", "pl", "patch", "post", "r", "rev", "sp"), (_POST, 0, "")),
}
_MAX_CHARACTERS, _MAX_COMPONENTS, _MAX_DIGITS = 64, 8, 18

_LINE_ENDS = frozenset("\r\n")
_PREFIX = re.compile(r"\A(?:(?:version|release|ver|rel|tag|v)[\s._/-]*)+(?=[0-9])", re.IGNORECASE)
_UNDERSCORED = re.compile(r"[0-9]+(?:_[0-9A-Za-z]+)+")
_STAMPED = re.compile(
    r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-\d{4,6}(?:-[0-9a-f]{7,12})?", re.IGNORECASE
)
"""A day, a time and a commit: what builds are called that have no numbers ("20240203-110809-5046fc22")."""
_PARTS = re.compile(r"(?P<release>[0-9]+(?:\.[0-9]+)*)(?P<suffix>[^+]*)(?P<local>\+[0-9A-Za-z][0-9A-Za-z._-]*)?")
_SUFFIX = re.compile(r"[.\-_~]?[0-9a-z]+(?:[.\-_~]+[0-9a-z]+)*")
_DROPPED_SUFFIX = re.compile(r"[.\-_](?:release|final|ga|notes|stable|lts)")
_GLUED_NUMBER = re.compile(r"(\b[a-z]+)([0-9]+)(?![0-9a-z])")


@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """A release's number. Equal and hashed by order: 2.8 == 2.8.0, 1.0a1 == 1.0.0-alpha.1, 2.9.0+cu128 == 2.9.0.

    Build it with `parse`. `label` is for display and parses back to the same version; `release` has the numeric
    components as written (2.8 and 2.8.0 differ there, which is what makes one a series and the other a release).
    """

    label: str
    release: tuple[int, ...]
    _stage: _Stage
    is_prerelease: bool = field(init=False)
    """Whether a development, alpha, beta or candidate release, of a post release too."""
    _order: tuple[tuple[int, ...], _Stage] = field(init=False, repr=False)
    """By this it compares: once worked out, for a question compares hundreds of releases."""

    def __post_init__(self) -> None:
        length = len(self.release)
        while length and not self.release[length - 1]:
            length -= 1
        is_prerelease = self._stage is not _FINAL_STAGE and (
            self._stage[0][0] < _FINAL or any(rank == _DEV for rank, _, _ in self._stage)
        )
        object.__setattr__(self, "_order", (self.release[:length], self._stage))
        object.__setattr__(self, "is_prerelease", is_prerelease)

    @classmethod
    def parse(cls, text: str) -> "Version":
        """Read a whole text as one version, `v`, `release-` and such before it allowed.

        Raises:
            UsageError: `text` isn't a version.
        """
        version = cls.try_parse(text)
        if version is None:
            shown = text if len(text) <= _MAX_CHARACTERS else text[:_MAX_CHARACTERS] + "…"
            raise UsageError(
                f"Not a version: {shown!r}. It must be numbers joined by dots, with at most a pre-release or build"
                " suffix; write it like 2.9, 5.0.4 or 8.0.0rc1."
            )
        return version

    @classmethod
    def try_parse(cls, text: str) -> "Version | None":
        """Read a whole text, of one line, as one version; None where it isn't one."""
        return _read_version(text) if len(text) <= _MAX_CHARACTERS and _LINE_ENDS.isdisjoint(text) else None

    @property
    def base(self) -> "Version":
        """The final release this one leads to: without pre-release, development and build parts."""
        if not self.is_prerelease:
            return self if "+" not in self.label else Version(self.label.partition("+")[0], self.release, self._stage)
        label = _written_release(self.label)
        if self._stage[0][0] != _POST:
            return Version(label, self.release, _FINAL_STAGE)
        number = self._stage[1][1] if self._stage[1][0] == _NUMBER else 0
        return Version(f"{label}.post{number}", self.release, ((_POST, 0, ""), (_NUMBER, number, ""), (_END, 0, "")))

    @property
    def is_stamp(self) -> bool:
        """Whether it is nothing but a day and a time."""
        return bool(_STAMPED.fullmatch(self.label))

    @property
    def series(self) -> "Version":
        """The first two components: 2.45 for 2.45.1; a single component stays as it is."""
        label = ".".join(_written_release(self.label).split(".")[:2])
        return Version(label, self.release[:2], _FINAL_STAGE)

    def __eq__(self, other: object) -> bool:
        return self._order == other._order if isinstance(other, Version) else NotImplemented

    def __lt__(self, other: "Version") -> bool:
        return self._order < other._order if isinstance(other, Version) else NotImplemented

    def __le__(self, other: "Version") -> bool:
        return self._order <= other._order if isinstance(other, Version) else NotImplemented

    def __gt__(self, other: "Version") -> bool:
        return self._order > other._order if isinstance(other, Version) else NotImplemented

    def __ge__(self, other: "Version") -> bool:
        return self._order >= other._order if isinstance(other, Version) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._order)

    def __str__(self) -> str:
        return self.label


@lru_cache(maxsize=8192)
def _read_version(text: str) -> Version | None:
    bare = "".join(_PREFIX.sub("", text.strip()).split())
    if _UNDERSCORED.fullmatch(bare):
        bare = bare.replace("_", ".")
    if _STAMPED.fullmatch(bare):
        day, time = bare.split("-")[:2]
        return Version(bare, (int(day), int(time.ljust(6, "0"))), _FINAL_STAGE)
    parts = _PARTS.fullmatch(bare)
    if parts is None:
        return None
    numbers = parts["release"].split(".")
    if len(numbers) > _MAX_COMPONENTS or any(len(number) > _MAX_DIGITS for number in numbers):
        return None
    release = tuple(map(int, numbers))
    suffix = parts["suffix"].lower()
    local = parts["local"] or ""
    if not suffix or _DROPPED_SUFFIX.fullmatch(suffix):
        return Version(parts["release"] + local, release, _FINAL_STAGE)
    stage = _parse_stage(suffix, release)
    return None if stage is None else Version(parts["release"] + parts["suffix"] + local, release, stage)


def _written_release(label: str) -> str:
    parts = _PARTS.match(label)
    return parts["release"] if parts else label


def _parse_stage(suffix: str, release: tuple[int, ...]) -> _Stage | None:
    if not _SUFFIX.fullmatch(suffix) or any(len(digits) > _MAX_DIGITS for digits in re.findall(r"[0-9]+", suffix)):
        return None
    if re.fullmatch(r"-[0-9]+", suffix) and len(release) > 1:
        return ((_POST, 0, ""), (_NUMBER, int(suffix[1:]), ""), (_END, 0, ""))
    is_letter = len(release) > 2 or release[0] >= 1000 or (suffix in ("a", "b", "c") and len(release) > 1)
    if re.fullmatch(r"[a-z]{1,2}", suffix) and suffix != "rc" and is_letter:
        # OpenSSL's 1.1.1w, tmux's 3.1c and tzdata's 2024b are patches: candidates are counted.
        return ((_POST, 0, suffix), (_END, 0, ""))
    words = re.split(r"[.\-_~]+", _GLUED_NUMBER.sub(r"\1-\2", suffix).lstrip(".-_~"))
    is_semver = suffix.startswith("-") and len(release) > 2
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
    SERIES = 2
    """A patch release of the version asked for: 5.0.4 where 5.0 was asked."""
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
        """How `version` meets the constraint. SERIES only through a version that is named: one of `versions`, or a
        `high` that is included."""
        if self.versions:
            return max(_match_one(asked, version) for asked in self.versions)
        if self.low is not None:
            folded = _folded(version, self.low)
            if folded < self.low or (folded == self.low and not self.includes_low):
                return VersionMatch.OUTSIDE
        if self.high is None or _folded(version, self.high) < self.high:
            return VersionMatch.EXACT
        return _match_one(self.high, version) if self.includes_high else VersionMatch.OUTSIDE

    def contains(self, version: Version) -> bool:
        """Whether `version` meets the constraint at all."""
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


def _match_one(asked: Version, version: Version) -> VersionMatch:
    folded = _folded(version, asked)
    if folded == asked:
        return VersionMatch.EXACT
    padded = folded.release + (0,) * len(asked.release)
    # Nearly all releases end here, and a question compares hundreds.
    if padded[: len(asked.release)] != asked.release or folded < asked:
        return VersionMatch.OUTSIDE
    is_final = asked == asked.base == Version(asked.label, asked.release, _FINAL_STAGE)
    return VersionMatch.SERIES if is_final else VersionMatch.OUTSIDE


@dataclass(frozen=True, slots=True)
class VersionMention:
    """A version in prose, at `[start, end)`: without the `v` or the name before it, with the `.x` after it."""

    start: int
    end: int
    version: Version


_STAGE_IN_PROSE = (
    r"(?:[.\-_]?(?:dev|alpha|beta|rc|pre|post|preview|snapshot|nightly|a|b|c|p)[.\-_]?[0-9]+"
    r"|\ (?:alpha|beta|rc|preview)\ [0-9]+|[.\-](?:dev|alpha|beta|rc|snapshot|nightly))(?![0-9A-Za-z])"
)
_CANDIDATE = re.compile(
    rf"(?:(?<![\w.-])|(?<=\bv))(?P<stamp>{_STAMPED.pattern})(?![\w-])"
    rf"|(?P<release>[0-9]+(?:\.[0-9]+)*)(?:(?P<wild>\.[x*](?![0-9A-Za-z]))|(?:{_STAGE_IN_PROSE}"
    rf"|(?<=[0-9]\.[0-9])[a-z](?![0-9A-Za-z]))?(?:\+(?=[a-z])[0-9A-Za-z.]*[0-9A-Za-z])?)",
    re.IGNORECASE,
)
_QUANTITY = (
    r"(?:[%\u00d7‰°]|\s?(?:percent|per\s?cent|pp)\b|[-\s]?(?:x|fold|times)\b(?!-)|[kKMG]?s\b|\s?"
    r"(?:[kmgtp]i?b(?:/s|ps)?|bytes?|[mnµu]s|sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|weeks?|months?|years?|[mgk]hz"
    r"|(?:k|m|b|tr)illion|thousand|[kmgt]?flops?|points?|pts|(?:kilo|mega|giga|tera)bytes?|lines|pixels?|px|em)\b)"
)
_MEASURE = re.compile(rf"(?:\s?(?:[-\u2013\u2014]|to)\s?[0-9]+(?:[.,][0-9]+)*)?{_QUANTITY}", re.IGNORECASE)
_VERSION_WORD = re.compile(
    r"(?:\bversions?|\breleases?|\bver\.?|\bv\.?)[\s\-_]*[<>=~^]*\s*$|(?<![0-9A-Za-z_])v$", re.IGNORECASE
)
_IN_PATH = re.compile(r"[A-Za-z][A-Za-z.-]+/v?$")
"""An API's group, as `apps/v1beta2` is, has versions of its own."""
_TICKET, _SHORTEST_TICKET = re.compile(r"(?<![0-9A-Za-z])[A-Z][A-Z0-9]+-$"), 3
_LONG_NUMBER = re.compile(r"(?!(?:19|20)\d{6}$)\d{5,}")
"""A ticket's, where it isn't a day ("20240501")."""
# "V100" and "H100" are names of hardware; people write the version "v100", or "V2" after the product's name.
_CAPITAL_V = re.compile(r"(?<![0-9A-Za-z_])V$")
_NOT_A_VERSION_WORD = re.compile(
    r"(?:\b(?:section|chapter|figure|fig\.?|table|step|part|page|appendix|rfc|pep|issue|pr|bug|ticket)s?|§)\s*$",
    re.IGNORECASE,
)
_CONTINUES = re.compile(r"\s*(?:,|/|->|→|\u2013|-|\bor\b|\band\b|\bto\b|\bthrough\b|\bvs\.?)\s*v?", re.IGNORECASE)
_CLAUSE_END = re.compile(
    r"\s*(?:$|[?.!,;:)/]|->|→|(?:and|or|to|in|is|are|do|does|for|on|line|releases?|versions?|series)\b)"
)


def find_versions(text: str, *, names: Sequence[str] = ()) -> tuple[VersionMention, ...]:
    """Find the versions that prose mentions, in order; never a date, an address, a measure or an issue's number.

    A number without a dot ("5", "v14") counts only after a version word, after one of `names` (a product's name or
    alias, whole words, any case), or in a list that such a number began ("Django 4 and 5").
    """
    after_name = re.compile(
        rf"(?<![0-9A-Za-z])(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?:[\s@=<>~^-]*|\sv)$",
        re.IGNORECASE,
    )
    return tuple(_iter_mentions(text, after_name if names else None))


def _iter_mentions(text: str, after_name: re.Pattern[str] | None) -> Iterator[VersionMention]:
    last_end = -1
    for found in _CANDIDATE.finditer(text):
        start, end = found.span()
        if end - start > _MAX_CHARACTERS:
            continue
        before = text[max(0, start - 64) : start]
        if found["stamp"]:
            last_end = end
            yield VersionMention(start, end, Version.parse(found[0]))
            continue
        is_bare = found["release"].isdecimal() and not found["wild"]
        if is_bare and (_IN_PATH.search(before) or _is_ticket(found["release"], before)):
            continue
        named = bool(_VERSION_WORD.search(before)) and not (is_bare and _CAPITAL_V.search(before))
        named = named or bool(after_name and after_name.search(before))
        is_near = last_end >= 0 and start - last_end <= len(before)
        continues = is_near and bool(_CONTINUES.fullmatch(text, last_end, start))
        if is_bare and not (named or (continues and _CLAUSE_END.match(text, end))):
            continue
        if not _stands_free(before, is_named=named, is_bare=is_bare) or _is_other_number(found, before, is_named=named):
            continue
        version = Version.try_parse(found["release"] if found["wild"] else found[0])
        if version is not None:
            last_end = end
            yield VersionMention(start, end, version)


def _is_ticket(number: str, before: str) -> bool:
    return bool(_LONG_NUMBER.fullmatch(number) or (len(number) >= _SHORTEST_TICKET and _TICKET.search(before)))


def _stands_free(before: str, *, is_named: bool, is_bare: bool) -> bool:
    """Whether what comes right before a number lets a version begin there."""
    if not before or is_named or before[-1].isspace() or before[-1] in "([{\"'`“\u2018«@<>≤≥~^→*|:;":
        return not re.search(r"[0-9]:$", before)
    if is_bare:
        return bool(_CONTINUES.search(before))
    if before[-1] in "=":
        return before[-2:] in ("==", ">=", "<=", "~=", "!=")
    if before[-1] in "-\u2013\u2014/,":
        return bool(re.search(r"[A-Za-z0-9)][-/]$|[0-9](?:\u2013|\u2014)$|[A-Za-z],$|\.[0-9]+,$", before))
    # Glued to a name of two letters or more ("py3.9", "cuda12.8"): shorter ones are units and variables.
    return bool(re.search(r"(?<![0-9A-Za-z_.])[A-Za-z]{2,}$", before))


def _is_other_number(found: re.Match[str], before: str, *, is_named: bool) -> bool:
    """Whether a candidate is a date, an address, a measure, a section, a decimal."""
    text, end, numbers = found.string, found.end(), found["release"].split(".")
    if re.match(r"[0-9A-Za-z_]|[.,][0-9]|[-/:][0-9]{1,2}[-/:][0-9]", text[end : end + 8]) or _MEASURE.match(text, end):
        return not (found["wild"] or (is_named and re.match(r"[xX]\b", text[end:])))
    if _NOT_A_VERSION_WORD.search(before) or re.search(r"[$€£#±]\s?$|[0-9]-[0-9]{1,2}-$|[0-9]{4}-$", before):
        return True
    if len(numbers) == 4 and max(map(int, numbers)) <= 255 and not is_named:
        return True
    if len(numbers) == 3 and len(numbers[2]) == 4 and len(numbers[0]) <= 2 and 1900 <= int(numbers[2]) < 2100:
        return int(numbers[1]) <= 31
    return len(numbers) == 2 and numbers[0] == "0" and len(numbers[1]) > 1 and numbers[1].startswith("0")
