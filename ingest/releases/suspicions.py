"""What looks wrong in documents that were ingested; none of it is a failure, and it is told so that somebody looks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from corpus.model import ParsedDocument
from corpus.versions import Version
from ingest.releases.lines import read_release_line

_MIN_LINES = 5
_NAMED = 3
_VERSION_LINE = re.compile(r"(?m)^[^\w\r\n]{0,12}(?P<line>(?=[^\r\n]*\d\.\d)\w[^\r\n]{0,100}?)[^\w)\]\r\n]{0,12}$")


@dataclass(frozen=True, slots=True)
class SuspiciousSource:
    """A document that was ingested but may have been misread, and what speaks for it in one line."""

    source: str
    reason: str


def suspect(parsed: ParsedDocument) -> Iterator[SuspiciousSource]:
    """All that looks wrong in a document, in the order of its weight; the same reason is worded the same way."""
    source, versioned = parsed.document.source, [one for one in parsed.releases if one.version]
    undated = [one.label for one in versioned if one.date is None]
    if missed := _missed_releases(parsed):
        yield missed
    elif not versioned:
        yield SuspiciousSource(source, "no version was found; name it with --version, or in a sources.toml")
    if versioned and len(undated) == len(versioned):
        yield SuspiciousSource(source, "no release has a date; a sources.toml can tell the document's")
    elif undated:
        more = f" and {len(undated) - _NAMED} more" if len(undated) > _NAMED else ""
        named = f"{', '.join(undated[:_NAMED])}{more}"
        yield SuspiciousSource(
            source,
            f"{len(undated)} of {len(versioned)} releases {'has' if len(undated) == 1 else 'have'} no date: {named}",
        )


def _missed_releases(parsed: ParsedDocument) -> SuspiciousSource | None:
    """Whether the document has one release or none with a version, and five lines at least that name other ones."""
    found = {release.version for release in parsed.releases if release.version}
    if len(found) > 1:
        return None
    lines = [match["line"] for match in _VERSION_LINE.finditer(parsed.document.text)]
    subjects = {line: read_release_line(line) for line in lines}
    # A number alone on its line may be code's output, or the end of a wrapped one.
    bare = (Version.try_parse(line) for line, subject in subjects.items() if subject is None and line.startswith("v"))
    versions = {*(subject.version for subject in subjects.values() if subject), *bare} - found - {None}
    if len(versions) < _MIN_LINES:
        return None
    releases = "only one release was found" if found else "no release with a version was found"
    return SuspiciousSource(
        parsed.document.source,
        f"{releases}, but {len(versions)} lines look like headings of releases; check with `relnotes docs show`, and "
        'write such lines as headings ("## 1.2.0 (2024-01-31)") if they are',
    )
