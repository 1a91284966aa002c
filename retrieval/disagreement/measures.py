"""Versions and platforms that a clause states: since when, from which version on, on what alone."""

import re
from collections.abc import Iterator

from corpus.versions import Version
from retrieval.disagreement.values import Value

_DOTTED = r"\d+(?:\.\d+){1,3}(?:(?:a|b|rc)\d+)?"
_EVENT = re.compile(
    r"\b(?P<event>deprecated|removed|added|introduced|dropped) (?:again )?(?:in|since|as of|starting (?:in|with))"
    r" (?:(?:version|release|[A-Za-z][\w-]*) )?"
    rf"v?(?P<version>{_DOTTED})(?![\w.]*\d)(?!(?: and| or|,|/) ?v?\d)",
    re.IGNORECASE,
)
_SAME_EVENT = {"dropped": "removed", "introduced": "added"}
_PLAN = re.compile(r"\b(?:will|to|would|scheduled|shall)\b", re.IGNORECASE)
_PLAN_CHARACTERS = 30
_NUMBERS = r"\d+(?:\.\d+){0,3}"
_MINIMUM = re.compile(
    r"\b(?:requires?|needs?|minimum(?: supported| required)?(?: version)?(?: of| is)?|at least)(?: now| at least)?"
    r" (?P<thing>[A-Za-z][A-Za-z+#]+)(?: version)?(?: is| to)?\s?(?:>=\s?|≥\s?)?"
    rf"v?(?P<version>{_NUMBERS})\b(?!\.\d)"
    rf"|\b(?P<thing2>[A-Za-z][A-Za-z+#]+) v?(?P<version2>{_NUMBERS})"
    r"(?:\+(?! ?preview)| (?:or|and) (?:later|newer|above|higher|up)\b| (?:is )?(?:the )?minimum\b)",
    re.IGNORECASE,
)
_NO_THING = frozenset("version versions to of is at least than or and the in on with from for v release".split())
_PLATFORM = re.compile(
    r"\b(?:cuda|rocm|xpu|mps|tpu|cpus?|linux|windows|macos|osx|android|ios|freebsd|wasm|aarch64|arm64|x86_64|x86"
    r"|intel|amd|nvidia|mysql|mariadb|postgresql|postgres|sqlite|oracle|mssql|firefox|chrome|safari)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"\b(?:only|alone|solely|exclusively|limited to|initial(?:ly)?(?: support)?|at first|starts? with|begins? with)\b",
    re.IGNORECASE,
)
_GLOSS = re.compile(r"\([^()]*\)")
"""In "CUDA and XPU (Intel)" one platform is said twice."""
_NAMED_VERSION = re.compile(r"\b([A-Za-z][A-Za-z+#]*)[ =]+v?(\d+(?:\.\d+)*)\b")


def read_events(clause: str) -> tuple[Value, ...]:
    """In which version something came or went; `key` is the event."""
    found = tuple(_EVENT.finditer(clause))
    if len(found) != len({match["event"].casefold() for match in found}):
        return ()
    return tuple(
        Value(
            _SAME_EVENT.get(match["event"].casefold(), match["event"].casefold()),
            version,
            f"{match['event'].casefold()} in {match['version']}",
            *match.span(),
            is_plan=bool(_PLAN.search(clause, max(0, match.start() - _PLAN_CHARACTERS), match.start())),
        )
        for match in found
        if (version := Version.try_parse(match["version"])) is not None
    )


def read_minimums(clause: str) -> tuple[Value, ...]:
    """The least versions of things that are needed; `key` is the thing, and one that has two versions isn't read."""
    found: dict[str, list[Value]] = {}
    for match in _MINIMUM.finditer(clause):
        name, written = match["thing"] or match["thing2"], match["version"] or match["version2"]
        version = Version.try_parse(written)
        if version is not None and name.casefold() not in _NO_THING:
            told = Value(name.casefold(), version, f"{name} {written}", *match.span())
            found.setdefault(told.key, []).append(told)
    return tuple(alike[0] for alike in found.values() if len(alike) == 1)


def read_platforms(clause: str) -> frozenset[str]:
    """The platforms a clause names, in lower case."""
    return frozenset(match.group().casefold() for match in _PLATFORM.finditer(clause))


def read_exclusive_platforms(clause: str) -> tuple[Value, ...]:
    """The platforms that something begins with or is limited to."""
    alone = _ALONE.search(clause)
    if alone is None:
        return ()
    bare = _GLOSS.sub("", clause)
    platforms = read_platforms(bare)
    if not platforms:
        return ()
    written = dict.fromkeys(match.group() for match in _PLATFORM.finditer(bare))
    return (Value("", platforms, " and ".join(written), *alone.span(), cue=alone.group().casefold()),)


def named_versions(clause: str) -> Iterator[tuple[str, str]]:
    """Versions of named things ("CUDA 12.8"): what a claim is limited to."""
    for match in _NAMED_VERSION.finditer(clause):
        if match[1].casefold() not in _NO_THING:
            yield match[1].casefold(), match[2]
