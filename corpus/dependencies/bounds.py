"""The bare version, as written, in a requirement, range, tag or reference: the pin, or the lower bound."""

import re

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet

from corpus.versions import Version

_MAX_CHARACTERS = 500
_PINS = {"==", "===", "=", ""}
_UPPER = {"<", "<=", "!="}
_COMPARATOR = re.compile(r"(?P<operator>\^|~>|~=|~|>=|<=|!=|<|>|={1,3})?\s*+(?P<version>v?[0-9][\w.+*-]*+)", re.ASCII)
_WILDCARD = re.compile(r"\.[xX*](?:\.[xX*])*\Z")
_LEADING_V = re.compile(r"\A[vV=]+(?=[0-9])")
TAG = re.compile(
    r"\A(?:(?:release|version|ver|rel)[-_/])?v?"
    r"(?P<version>[0-9]+(?:\.[0-9]+)*(?:[-.]?(?:alpha|beta|preview|pre|rc|a|b)[-.]?[0-9]+)?)(?=[-_+]|\Z)"
)
"""The version at the beginning of an image's tag: `15.4` in `15.4-alpine3.18`."""
REFERENCE = re.compile(
    r"\A(?=.{1,39}\Z)(?:[\w.-]+[/@-])?v?(?P<version>[0-9]+(?:\.[0-9]+)*(?:-?[a-z]+[.-]?[0-9]+)?)\Z", re.ASCII
)
"""The version in a git tag or branch: `4` in `v4` and in `release/v4`; other branches have none."""
COMMENT = re.compile(
    r"(?:\A|[\s#@=:/-])v?(?P<version>[0-9]+(?:\.[0-9]+)*(?:-?(?:alpha|beta|rc|a|b)[.-]?[0-9]+)?)(?=[\s,;]|\Z)"
)
"""The version in the comment beside a pinned commit: `# v4.1.2`, `# frozen: v1.2`."""
ADDRESS = re.compile(
    r"(?:@|/tags/|/releases/download/|/archive/|-(?=[^/]*\Z))v?(?P<version>(?>[0-9]+(?:\.[0-9]+)+)[\w.]*?)"
    r"(?=[#/?]|\.zip|\.tar|-[^/]*\.whl|\Z)",
    re.ASCII,
)
"""The version in the address of a wheel, archive or git tag."""


def bare_version(text: str) -> str | None:
    """Return a version without `v`, `=`, wildcard and build metadata; None if `text` is no version, or too long."""
    if len(text) > _MAX_CHARACTERS:
        return None
    version = _WILDCARD.sub("", _LEADING_V.sub("", text.strip())).partition("+")[0]
    return version if Version.try_parse(version) else None


def read_requirement(text: str) -> Requirement | None:
    """Parse a PEP 508 requirement without its marker; return None if `text` is none, or too long."""
    text = text.partition(" ;" if "://" in text else ";")[0].strip()
    if len(text) > _MAX_CHARACTERS:
        return None
    try:
        return Requirement(text)
    except InvalidRequirement:
        return None


def specifiers_version(specifiers: SpecifierSet) -> str | None:
    """Return the highest pin of PEP 440 specifiers, or without pins the highest lower bound; None without both."""
    written = [(each.operator, bare_version(each.version)) for each in specifiers if each.operator not in _UPPER]
    pins = [version for operator, version in written if version and operator in _PINS]
    return max(pins or [version for _, version in written if version], key=Version.parse, default=None)


def range_version(text: str) -> str | None:
    """Return the lower bound of a range as npm, Poetry and Pipenv write it, `1.2` for `^1.2 || >=2.0 <3`.

    None for tags, addresses and local packages: `latest`, `git+https://…`, `workspace:^1.2`, `*`.
    """
    text = text.strip()
    if text.startswith("npm:"):
        text = text[4:].rpartition("@")[2]
    if len(text) > _MAX_CHARACTERS or ":" in text or "/" in text:
        return None
    lows = []
    for part in re.split(r"\|\|?", text):
        # Comparators that apply together: `>=1.2 <2`, `1.2 - 1.9`, `^1.2.3`.
        first = part.partition(" - ")[0]
        if not first or _COMPARATOR.sub("", first).strip(" ,()"):
            return None
        written = [(match["operator"] or "", bare_version(match["version"])) for match in _COMPARATOR.finditer(first)]
        bounds = [version for operator, version in written if version and operator not in _UPPER]
        if not bounds:
            return None
        lows.append(max(bounds, key=Version.parse))
    return min(lows, key=Version.parse)


def interval_version(text: str) -> str | None:
    """Return the lower bound as Maven, Gradle and NuGet write it: `1.2`, `[1.2,2.0)`, `1.+`, `31.1-jre`; else None."""
    low = text.strip("[]() ").partition(",")[0].strip().rstrip(".+")
    return range_version(low)


def version_in(form: re.Pattern[str], text: str) -> str | None:
    """Return the first version that `form` finds in a text, bare; None if there is none, or the text is too long."""
    match = form.search(text) if len(text) <= _MAX_CHARACTERS else None
    return bare_version(match["version"]) if match else None
