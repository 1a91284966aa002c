"""Entries of the logs that distributions keep of their packages: Debian's, and an RPM's with the macros of its spec."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from corpus.dates import first_date
from corpus.versions import Version

_DEBIAN = re.compile(
    r"(?P<product>[a-z0-9][a-z0-9+.-]+) \((?P<version>[\w.+~:-]+)\) [\w .-]+; *(?:urgency|priority)=\w+.*",
    re.IGNORECASE,
)
"""An entry of a Debian changelog: "pkg (1.2-3) unstable; urgency=medium"."""
_RPM = re.compile(
    r"(?P<star>\*\s+)?(?P<day>unreleased|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+[a-z]{3,9}\s+\d{1,2}(?:st|nd|rd|th)?"
    r",?\s+(?:[\d:]+\s+(?:[a-z]+\s+)?)?\d{4})\s+(?P<who>(?:[^<>%]*<[^<>]+>)+|-\s+\S+@\S+|[^<>%]*\s(?=-\s))"
    r"\s*(?:-\s*)?(?:\d+:)?v?(?P<version>\S*)(?:\s+\([^()]*\))?",
    re.IGNORECASE,
)
"""An entry of an RPM's changelog: "* Thu Feb 08 2024 Name <mail> - 1.2-3"; address or version may be missing."""
_MAX_LINE = 250
_OPTIONAL = re.compile(r"%\{\?[^{}]*\}")
_MACRO = re.compile(r"%\{(\w+)\}|%(\w+)")
_DEFINED = re.compile(r"^(?:%(?:global|define)[ \t]+(\w+)|(Name|Version|Release):)[ \t]+(\S+)[ \t]*$", re.MULTILINE)
_STATED = re.compile(
    r"^[-*]\s+(?:(?:(?:new|bump|updat|upgrad|rebas|version|release|upstream|to)\w*\s+){1,5}v?|v?(?=\d+\.))(\d[\w.+~]*\w)"
    r"(?:\s*[\[(][^()\[\]\n]*[)\]])?\W*$",
    re.IGNORECASE | re.MULTILINE,
)
_UPSTREAM = re.compile(r"\W*new upstream (?:\w+ )?(?:version|release|snapshot)[\w.,+~() -]{0,60}\W*", re.IGNORECASE)
_PATCHES = re.compile(
    r"\W*(?:add|drop|remov|delet|refresh|rebas|updat|appl|rediff)\w*\s+(?:[\w-]+:?\s+){0,3}"
    r"(?:\S+\.(?:patch|diff)\b|patch(?:es)?\b)|\W*(?:d|debian)/\w",
    re.IGNORECASE,
)
_MAX_MACROS, _DEPTH = 200, 4


@dataclass(frozen=True, slots=True)
class PackageEntry:
    """What the first line of an entry says."""

    label: str  # Its version as written, else its day.
    version: Version | None
    product: str
    day: date | None
    is_pending: bool


def read_package_entry(line: str, macros: Mapping[str, str] | None = None) -> PackageEntry | None:
    """Return what a line says that opens an entry of a Debian or an RPM changelog, else None.

    Of an RPM the version may be missing, or told by `macros` that only the newest entry can use: those of its spec.
    """
    if len(line) > _MAX_LINE:
        return None
    pending = "unreleased" in line.casefold()
    if found := _DEBIAN.fullmatch(line):
        version = Version.try_parse_package(found["version"])
        return None if version is None else PackageEntry(found["version"], version, found["product"], None, pending)
    found = _RPM.fullmatch(line)
    if found is None:
        return None
    label = _expanded(found["version"], macros or {})
    version = Version.try_parse_package(label)
    is_bare = not label or "%" in label
    # Others sign what they did with the time ("Mon Jan 15 10:00:00 2024  Jane <mail>"): that is no release.
    is_entry = is_bare and (":" not in found["day"] or found["who"].startswith("- "))
    if version is None and not is_entry:
        return None
    return PackageEntry(found["day"] if is_bare else label, version, "", first_date(found["day"]), pending)


def opens_package_entry(line: str) -> bool:
    """Return whether a line of a text opens an entry; one without a version only behind its bullet."""
    entry = read_package_entry(line)
    return entry is not None and (entry.version is not None or line.startswith("*"))


def stated_version(entry: str) -> Version | None:
    """Return the version that an item of an entry's text says and nothing else ("- Update to version 1.2:"); SUSE's
    logs have none elsewhere."""
    found = _STATED.search(entry)
    return Version.try_parse_package(found[1]) if found else None


def states_version(item: str) -> bool:
    """Return whether an item of a list only tells that its release is out, maybe above what that brings."""
    return _STATED.search(item) is not None or _UPSTREAM.fullmatch(item) is not None


def is_packaging(item: str, heading: str) -> bool:
    """Return whether an item of a package's log tells of a patch or a file that only packagers see."""
    return _PATCHES.match(item) is not None and read_package_entry(heading) is not None


def read_macros(spec: str) -> Mapping[str, str]:
    """Return what the macros of a spec stand for that its tags and its own definitions give."""
    found = [*_DEFINED.finditer(spec)][:_MAX_MACROS]
    # "Name: %{name}" says what was defined above it.
    return {(name[1] or name[2]).casefold(): name[3] for name in reversed(found)}


def read_package_name(spec: str) -> str:
    """Return what a spec's tags call its package; empty where it has none, or a macro of another file is in it."""
    macros = read_macros(spec)
    name = _expanded(macros.get("name", ""), macros)
    return "" if "%" in name else name


def _expanded(text: str, macros: Mapping[str, str]) -> str:
    """`text` with its macros filled in; those that are known of no spec stay, optional ones go."""
    for _ in range(_DEPTH):
        text = _OPTIONAL.sub("", text)
        filled = _MACRO.sub(lambda found: macros.get((found[1] or found[2]).casefold(), found[0]), text)
        if filled == text or len(filled) > _MAX_LINE:
            break
        text = filled
    return text
