"""The formats of documents, one row each; all code that depends on a document's format looks it up here."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True, slots=True)
class Format:
    """A format of documents."""

    name: str  # Its parser is `parse_NAME` in `ingest/formats/NAME.py`.
    media_type: str
    suffixes: tuple[str, ...]  # In lower case, the usual one first.
    has_markup: bool = True  # Whether markup shows what is a heading; else only the layout of lines does.
    is_extracted: bool = False
    """Whether offsets count in a text extracted from the source instead of in the source itself."""


FORMATS = {
    each.media_type: each
    for each in (
        Format("markdown", "text/markdown", (".md", ".markdown", ".mdown", ".mkd", ".mdx")),
        Format("restructuredtext", "text/x-rst", (".rst", ".rest")),
        Format("asciidoc", "text/asciidoc", (".adoc", ".asciidoc", ".asc")),
        Format("html", "text/html", (".html", ".htm", ".xhtml"), is_extracted=True),
        Format("plain_text", "text/plain", (".txt", ".text"), has_markup=False),
    )
}
"""Formats by media type."""
EXTRACTED = frozenset(each.media_type for each in FORMATS.values() if each.is_extracted)
UNMARKED = frozenset(each.media_type for each in FORMATS.values() if not each.has_markup)
OTHER_TEXT = frozenset(
    ".rdoc .org .textile .wiki .mediawiki .creole .tex .texi .rd .spec .changes .dch .debian .eml .log .old"
    " .orig".split()
)
"""Suffixes of other text files, which are read as plain text if their names are those of release notes."""
_NO_SUFFIX = re.compile(r"(?:\.(?:x|v?\d.*|(?:rc|pre|alpha|beta|dev)\d*|\w*\W.*))?", re.DOTALL)
"""What follows the last dot in a version ("NEWS-1.x", "CHANGES.2.0rc1") or a title ("What's new. Again")."""


def suffix_of_name(name: str) -> str:
    """Return a file name's suffix in lower case; empty if it shows no type: ".md" of "notes.MD", "" of "NEWS-1.x"."""
    suffix = PurePosixPath(name.replace("\\", "/")).suffix.casefold()
    return "" if _NO_SUFFIX.fullmatch(suffix) else suffix


def format_of_name(name: str) -> Format | None:
    """Return the format that a file's name or path shows; None if none."""
    suffix = suffix_of_name(name)
    return next((each for each in FORMATS.values() if suffix in each.suffixes), None)
