"""The formats of documents, a row each: what tells one document's format from another's asks here."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True, slots=True)
class Format:
    """A format that documents are read in."""

    name: str  # Its parser is `parse_NAME` in `ingest/formats/NAME.py`.
    media_type: str
    suffixes: tuple[str, ...]  # In lower case; the first is given to a file that has none of them.
    has_markup: bool = True  # Whether the source says what is a heading; else the look of its lines does.
    is_extracted: bool = False
    """Whether a document's text, in which offsets count, is taken out of the source instead of being the source."""
    signature: bytes = b""  # What a source that isn't text begins with: its parser takes bytes. Empty for text.


FORMATS = {
    known.media_type: known
    for known in (
        Format("markdown", "text/markdown", (".md", ".markdown", ".mdown", ".mkd", ".mdx")),
        Format("restructuredtext", "text/x-rst", (".rst", ".rest")),
        Format("asciidoc", "text/asciidoc", (".adoc", ".asciidoc", ".asc")),
        Format("html", "text/html", (".html", ".htm", ".xhtml"), is_extracted=True),
        Format("yaml_notes", "application/yaml", (".yaml", ".yml", ".json"), is_extracted=True),
        Format("plain_text", "text/plain", (".txt", ".text"), has_markup=False),
        Format("pdf", "application/pdf", (".pdf",), has_markup=False, is_extracted=True, signature=b"%PDF-"),
    )
}
"""By media type."""
EXTRACTED = frozenset(known.media_type for known in FORMATS.values() if known.is_extracted)
UNMARKED = frozenset(known.media_type for known in FORMATS.values() if not known.has_markup)
OTHER_TEXT = frozenset(
    ".rdoc .org .textile .wiki .mediawiki .creole .tex .texi .rd .spec .changes .dch .debian .eml .log .old"
    " .orig".split()
)
"""Suffixes of further texts, which are read as plain text where they are called as notes are."""
_YAML_NOTES = re.compile(
    r"(?:.*/)?(?:change[-_]?logs?|changes|history|release[-_]?notes|notes|news)\.(?:ya?ml|json)|releases\.json|.*-[0-9a-f]{16}\.ya?ml",
    re.IGNORECASE | re.DOTALL,
)
"""What projects call their changelogs, and reno its notes: other YAML and JSON is data."""
_NO_SUFFIX = re.compile(r"(?:\.(?:x|v?\d.*|(?:rc|pre|alpha|beta|dev)\d*|\w*\W.*))?", re.DOTALL)
"""What stands behind the last dot of a version ("NEWS-1.x", "CHANGES.2.0rc1") or of a title ("What's new. Again")."""


def suffix_of_name(name: str) -> str:
    """Return the suffix by which a file's name or path says what it is, in lower case; empty where it says nothing."""
    suffix = PurePosixPath(name.replace("\\", "/")).suffix.casefold()
    return "" if _NO_SUFFIX.fullmatch(suffix) else suffix


def format_of_name(name: str) -> Format | None:
    """Return the format that a file's name or path says it has; None where it says none of ours."""
    suffix = suffix_of_name(name)
    found = next((known for known in FORMATS.values() if suffix in known.suffixes), None)
    return None if found and found.name == "yaml_notes" and not _YAML_NOTES.fullmatch(name) else found


def format_of_bytes(content: bytes) -> Format | None:
    """Return the format by whose signature a content begins; None for text, and for what isn't ours."""
    start = content[:1024].lstrip()
    return next((known for known in FORMATS.values() if known.signature and start.startswith(known.signature)), None)
