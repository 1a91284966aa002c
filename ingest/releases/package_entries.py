"""Reads entries of distributions' package logs: Debian's, and an RPM's with the macros of its spec."""

import re
from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from corpus.dates import first_date
from corpus.versions import Version

_DEBIAN = re.compile(
    r"(?i)(?P<product>[a-z0-9][a-z0-9+.-]+) \((?P<version>[\w.+~:-]+)\)(?: [\w .-]+)?; *(?:urgency|priority)=\w+.*"
)
"""Matches the first line of a Debian changelog's entry: "pkg (1.2-3) unstable; urgency=medium"."""
_RPM = re.compile(
    r"(?i)(?P<star>\*\s+)?(?P<day>unreleased|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+[a-z]{3,9}\s+\d{1,2}(?:st|nd|rd|th)?"
    r",?\s+(?:[\d:]+\s+(?:[a-z]+\s+)?)?\d{4})\s++(?P<who>(?>(?:[^<>%]*<[^<>]+>)+)|-\s+\S+@\S+|[^<>%]*\s(?=-\s))"
    r"\s*(?:-\s*)?(?:\d+:)?v?(?P<version>\S*)(?:\s+\([^()]*\))?"
)
"""Matches the line of an RPM's entry, possibly without address or version: "* Thu Feb 08 2024 Name <mail> - 1.2-3"."""
_MAX_LINE = 250
_OPTIONAL = re.compile(r"%\{\?[^{}]*\}")
_MACRO = re.compile(r"%\{(\w+)\}|%(\w+)")
_DEFINED = re.compile(r"(?m)^(?:%(?:global|define)[ \t]+(\w+)|(Name|Version|Release):)[ \t]+(\S+)[ \t]*$")
_STATED = re.compile(
    r"(?im)^[-*]\s+(?:(?:(?:new|bump|updat|upgrad|rebas|version|release|upstream|to)\w*\s+){1,5}v?|v?(?=\d+\.)"
    r"|`?@[\w.-]+/[\w.-]+`?[@ ]v?)(\d[\w.+~-]*\w)"
    r"(?:\s*[\[(][^()\[\]\n]*[)\]])?\W*$"
)
_UPSTREAM = re.compile(r"(?i)\W*new upstream (?:\w+ )?(?:version|release|snapshot)[\w.,+~() -]{0,60}\W*")
_PATCHES = re.compile(
    r"(?i)\W*(?:add|drop|remov|delet|refresh|rebas|updat|appl|rediff)\w*\s+(?:[\w-]+:?\s+){0,3}"
    r"(?:\S+\.(?:patch|diff)\b|patch(?:es)?\b)|\W*(?:d|debian)/\w"
)
_MAX_MACROS, _DEPTH = 200, 4


class PackageEntry(NamedTuple):
    """What the first line of an entry states."""

    label: str  # Its version as written, else its day.
    version: Version | None
    product: str
    day: date | None
    is_pending: bool


def read_package_entry(line: str, macros: Mapping[str, str] | None = None) -> PackageEntry | None:
    """Parse the first line of an entry of a Debian or RPM changelog; return None for any other line.

    An RPM's entry may have no version, then its day is its label. Its spec's `macros` only fit the newest entry.
    """
    if len(line) > _MAX_LINE:
        return None
    pending = "unreleased" in line.casefold()
    if match := _DEBIAN.fullmatch(line):
        version = Version.try_parse_package(match["version"])
        return None if version is None else PackageEntry(match["version"], version, match["product"], None, pending)
    match = _RPM.fullmatch(line)
    if match is None:
        return None
    label = _expanded(match["version"], macros or {})
    version = Version.try_parse_package(label)
    is_bare = not label or "%" in label
    # A signature with a time ("Mon Jan 15 10:00:00 2024  Jane <mail>") is no release.
    is_entry = is_bare and (":" not in match["day"] or match["who"].startswith("- "))
    if version is None and not is_entry:
        return None
    return PackageEntry(match["day"] if is_bare else label, version, "", first_date(match["day"]), pending)


def opens_package_entry(line: str) -> bool:
    """Return whether a line opens a package entry; one without a version only after its bullet."""
    entry = read_package_entry(line)
    return entry is not None and (entry.version is not None or line.startswith("*"))


def stated_version(entry: str) -> Version | None:
    """Return the version that is all an entry's item states ("- Update to version 1.2:"), as in SUSE's logs."""
    match = _STATED.search(entry)
    return Version.try_parse_package(match[1]) if match else None


def states_version(item: str) -> bool:
    """Return whether a list item only states that its release is out, possibly above its changes."""
    return _STATED.search(item) is not None or _UPSTREAM.fullmatch(item) is not None


def is_packaging(item: str, heading: str) -> bool:
    """Return whether an item below a package entry's `heading` is about a patch or a file that only packagers see."""
    return _PATCHES.match(item) is not None and read_package_entry(heading) is not None


def read_macros(spec: str) -> Mapping[str, str]:
    """Return a spec's tags and definitions by lower-case name: `{'name': 'gizmo', 'version': '1.2'}`."""
    definitions = [*_DEFINED.finditer(spec)][:_MAX_MACROS]
    # "Name: %{name}" uses the definition above it.
    return {(name[1] or name[2]).casefold(): name[3] for name in reversed(definitions)}


def read_package_name(spec: str) -> str:
    """Return the package's name by a spec's tags; empty if it has none, or one made of another file's macro."""
    macros = read_macros(spec)
    name = _expanded(macros.get("name", ""), macros)
    return "" if "%" in name else name


def _expanded(text: str, macros: Mapping[str, str]) -> str:
    """Return `text` with its macros filled in; unknown ones stay, optional ones go."""
    for _ in range(_DEPTH):
        text = _OPTIONAL.sub("", text)
        filled = _MACRO.sub(lambda macro: macros.get((macro[1] or macro[2]).casefold(), macro[0]), text)
        if filled == text or len(filled) > _MAX_LINE:
            break
        text = filled
    return text
