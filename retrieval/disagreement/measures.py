"""Numbers, versions and platforms that a clause states, as values that can be compared.

An amount knows its bound ("up to 8", "over 400"), because two bounds may both be true. What can't be read for certain
(two numbers of one unit in a clause) is no claim.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from corpus.versions import Version

_ABOUT_SHARE = 0.15


class Bound(StrEnum):
    EXACT = "exactly"
    AT_MOST = "up to"
    AT_LEAST = "at least"
    ABOUT = "about"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number or a range of them (`low` below `high`), with what is said of its precision."""

    low: float
    high: float
    bound: Bound

    def disagrees(self, other: "Amount") -> bool:
        """Whether both can't be true of one thing."""
        if Bound.ABOUT in (self.bound, other.bound):
            return abs(self.high - other.high) > _ABOUT_SHARE * max(self.high, other.high)
        if self.bound is other.bound:
            return (self.low, self.high) != (other.low, other.high) and not (self._holds(other) or other._holds(self))
        for one, two in ((self, other), (other, self)):
            if one.bound is Bound.AT_MOST and two.low > one.high:
                return True
            if one.bound is Bound.AT_LEAST and two.high < one.low:
                return True
        return False

    def _holds(self, other: "Amount") -> bool:
        """A range holds each number in it."""
        return self.low < self.high and self.low <= other.low and other.high <= self.high


@dataclass(frozen=True, slots=True)
class Measured:
    """A value read from a clause: `key` is its unit, event or thing, `shown` what to say of it."""

    key: str
    value: str | Amount | Version | frozenset[str]
    shown: str
    start: int
    end: int
    is_plan: bool = False
    cue: str = ""
    """The words that say what is told of the subject, where `shown` doesn't: "initial support"."""


_NUMBER = r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?"
_AMOUNT = re.compile(
    rf"(?:\b(?P<most>up to|at most|no more than|as many as|maximum of)|\b(?P<least>at least|more than|over|minimum of)"
    r"|\b(?P<about>about|around|nearly|almost|roughly|approximately|some)|(?P<tilde>~))?\s*"
    rf"(?<![\w.#/=<>:@$'\"-])(?P<low>{_NUMBER})(?:\s?(?:-|–|to)\s?(?P<high>{_NUMBER}))?"
    r"(?:\s?(?P<ratio>[x×%])(?![\w])|\s(?P<unit>percent|times|[A-Za-z]{3,}))",
    re.IGNORECASE,
)
_CHANGE = re.compile(rf"\bfrom (?:{_NUMBER})\s?(?:[x×%]|[A-Za-z]{{3,}})? (?=to (?:{_NUMBER}))")
_NO_UNIT = frozenset(
    """and the for with from but are was were has had can may will new old not now more less also only than that this
    which when where after before later newer above higher lower using via per each support release releases version
    versions january february march april may june july august september october november december jan feb mar apr jun
    jul aug sep sept oct nov dec""".split()
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_DOTTED = r"\d+(?:\.\d+){1,3}(?:(?:a|b|rc)\d+)?"
_EVENT = re.compile(
    r"(?P<plan>\b(?:will|to|would|scheduled|shall)\b[^.;]{0,25}?)?\b(?P<event>deprecated|removed|added|introduced|dropped)"
    r" (?:again )?(?:in|since|as of|starting (?:in|with)) (?:(?:version|release|(?P<name>[A-Za-z][\w-]*)) )?"
    rf"v?(?P<version>{_DOTTED})(?![\w.]*\d)(?!(?: and| or|,|/) ?v?\d)",
    re.IGNORECASE,
)
_THING = r"(?P<thing>[A-Za-z][A-Za-z+#]+)"
_MINIMUM = re.compile(
    rf"\b(?:requires?|needs?|minimum(?: supported| required)?(?: version)?(?: of| is)?|at least)(?: now| at least)? {_THING}"
    r"(?: version)?(?: is| to)?\s?(?:>=\s?|≥\s?)?v?(?P<version>\d+(?:\.\d+){0,3})\b(?!\.\d)"
    rf"|\b(?P<thing2>[A-Za-z][A-Za-z+#]+) v?(?P<version2>\d+(?:\.\d+){{0,3}})(?:\+(?! ?preview)| (?:or|and) (?:later|newer|above|higher|up)\b"
    r"| (?:is )?(?:the )?minimum\b)",
    re.IGNORECASE,
)
_NO_THING = frozenset("version versions to of is at least than or and the in on with from for v release".split())
PLATFORM = re.compile(
    r"\b(?:cuda|rocm|xpu|mps|tpu|cpus?|linux|windows|macos|osx|android|ios|freebsd|wasm|aarch64|arm64|x86_64|x86"
    r"|intel|amd|nvidia|mysql|mariadb|postgresql|postgres|sqlite|oracle|mssql|firefox|chrome|safari)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"\b(?:only|alone|solely|exclusively|limited to|initial(?:ly)?(?: support)?|at first|starts? with|begins? with)\b",
    re.I,
)
_GLOSS = re.compile(r"\([^()]*\)")
"""In "CUDA and XPU (Intel)" one platform is said twice."""
_NAMED_VERSION = re.compile(r"\b([A-Za-z][A-Za-z+#]*)[ =]+v?(\d+(?:\.\d+)*)\b")


def read_amounts(clause: str) -> tuple[Measured, ...]:
    """The numbers with a unit; of "from 18 to 20 seconds" the second."""
    text = _CHANGE.sub(lambda match: " " * len(match.group()), clause)
    found: dict[str, list[Measured]] = {}
    for match in _AMOUNT.finditer(text):
        unit = (match["ratio"] or match["unit"]).casefold().replace("×", "x")
        unit = {"percent": "%", "times": "x"}.get(unit, unit).removesuffix("s")
        is_name = match["unit"] and match["unit"][0].isupper() and not match["unit"][:-1].isupper()
        if is_name or unit in _NO_UNIT or (_YEAR.fullmatch(match["low"]) and not match["high"]):
            continue
        low = float(match["low"].replace(",", ""))
        high = float((match["high"] or match["low"]).replace(",", ""))
        bound = (
            Bound.AT_MOST if match["most"]
            else Bound.AT_LEAST if match["least"]
            else Bound.ABOUT if match["about"] or match["tilde"]
            else Bound.EXACT
        )  # fmt: skip
        if low <= high:
            amount = Measured(unit, Amount(low, high, bound), match.group().strip(), *match.span())
            found.setdefault(unit, []).append(amount)
    return tuple(one for alike in found.values() for one in alike if len(alike) == 1)


def read_events(clause: str) -> tuple[Measured, ...]:
    """In which version something came or went; `key` holds the event, and the name before the version if there is one."""
    found = tuple(_EVENT.finditer(clause))
    if len(found) != len({match["event"].casefold() for match in found}):
        return ()
    return tuple(
        Measured(
            f"{match['event'].casefold().replace('dropped', 'removed').replace('introduced', 'added')}",
            Version.parse(match["version"]),
            f"{match['event'].casefold()} in {match['version']}",
            *match.span(),
            is_plan=bool(match["plan"]),
        )
        for match in found
    )


def read_minimums(clause: str) -> tuple[Measured, ...]:
    """The least versions of things that are needed; none of a thing that has two."""
    found: dict[str, list[Measured]] = {}
    for match in _MINIMUM.finditer(clause):
        thing = (match["thing"] or match["thing2"]).casefold()
        written = match["version"] or match["version2"]
        if thing not in _NO_THING:
            shown = f"{match['thing'] or match['thing2']} {written}"
            found.setdefault(thing, []).append(Measured(thing, Version.parse(written), shown, *match.span()))
    return tuple(alike[0] for alike in found.values() if len(alike) == 1)


def read_platforms(clause: str) -> frozenset[str]:
    """The platforms a clause names, in lower case."""
    return frozenset(match.group().casefold() for match in PLATFORM.finditer(clause))


def read_exclusive_platforms(clause: str) -> tuple[Measured, ...]:
    """The platforms that something begins with or is limited to."""
    alone = _ALONE.search(clause)
    platforms = read_platforms(_GLOSS.sub("", clause))
    if alone is None or not platforms:
        return ()
    written = dict.fromkeys(match.group() for match in PLATFORM.finditer(_GLOSS.sub("", clause)))
    return (Measured("", platforms, " and ".join(written), *alone.span(), cue=alone.group().casefold()),)


def named_versions(clause: str) -> Iterator[tuple[str, str]]:
    """Versions of named things ("CUDA 12.8"): what a claim is limited to."""
    for match in _NAMED_VERSION.finditer(clause):
        if match[1].casefold() not in _NO_THING:
            yield match[1].casefold(), match[2]
