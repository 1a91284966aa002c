"""What lines of AsciiDoc look like: titles, delimiters, list markers, metadata.

Shapes only. Whether an underline is one or opens a listing, and what a delimiter closes, depends on the
lines around it: `ingest.formats.asciidoc`.
"""

import re
from collections.abc import Mapping, Sequence

from ingest.blocks import BlockKind
from ingest.formats.lines import TextLine

_MAX_BARE_TITLE_CHARACTERS = 80
_MAX_UNDERLINE_DIFFERENCE = 3

_WORD = re.compile(r"\w")
ATX_TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(?=\S)")
_UNDERLINE = re.compile(r"={3,}|-{3,}|~{3,}|\^{3,}|\+{3,}")
UNDERLINE_LEVELS = {"=": 1, "-": 2, "~": 3, "^": 4, "+": 5}
LIST_MARKER = re.compile(r"(\*+|-|\.+|•|\d{1,3}\.|[A-Za-z]\.|<(?:\d{1,3}|\.)>)[ \t]+(?=\S)")
DESCRIPTION = re.compile(r"\S[^:;]*(?:[:;][^:;]+)*(:{2,4}|;;)(?=[ \t]|$)")
_DELIMITER = re.compile(r"-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}.*|[|,:!]={3,}")
_BLOCK_ATTRIBUTES = re.compile(r"\[(?:\[.*\]|[\w#.%-]*(?:[,=].*)?)\]|//(?!/).*")
_METADATA = re.compile(_BLOCK_ATTRIBUTES.pattern + r"|:!?\w[\w-]*!?:(?:[ \t].*)?|[a-z]+::\S*\[.*\]|<<<+|'''+")
_BLOCK_TITLE_OR_METADATA = re.compile(rf"\.[^\s.].*|{_METADATA.pattern}")
_MAX_VALUE_CHARACTERS = 300
_ATTRIBUTE = re.compile(rf":(\w[\w-]*):[ \t]+(\S.{{,{_MAX_VALUE_CHARACTERS - 1}}})")
_REFERENCE = re.compile(r"\{(\w[\w-]*)\}")
ATTRIBUTE_FIELDS = {"revdate": "date", "page-date": "date", "revnumber": "version", "page-version": "version"}
_PREPROCESSOR = re.compile(r"(?:include|ifdef|ifndef|ifeval|endif)::\S*\[.*\]")
_AUTHORS = re.compile(r"[^\W\d_][^<>\[\]]{0,100}<[^<>\s]{1,200}@[^<>\s]{1,200}>(?:;[^\[\]]{0,500})?")
_REVISION = re.compile(
    r"(?=v\d|\d[\w.]*,|\d{4}-\d\d-\d\d)(?:v?(?!\d{4}-\d\d-\d\d)(?P<version>\d[\w.+-]*)(?=,|:|$))?(?:,?\s*(?P<date>[^\s:,][^:]{3,40}))?(?::\s.*)?"
)
_DELIMITED_KINDS = {
    "-": BlockKind.CODE,
    ".": BlockKind.CODE,
    "`": BlockKind.CODE,
    "/": BlockKind.MARKUP,
    "+": BlockKind.MARKUP,
}


def is_bare_title(lines: Sequence[TextLine]) -> bool:
    """Whether the first of the lines is a title by its place alone.

    It is short, stands between blank lines, has no full stop and is followed by a list.
    """
    if len(lines) < 2 or len(lines[0].content) > _MAX_BARE_TITLE_CHARACTERS or not lines[0].content[0].isupper():
        return False
    line, after = lines[:2]
    if not line.content[-1].isalnum() and not line.content.endswith((")", "etc.")):
        return False
    if line.indent or not line.after_blank or not after.after_blank:
        return False
    return after.indent > 0 and LIST_MARKER.match(after.content) is not None


def may_be_underlined(content: str, underline: str) -> bool:
    """Whether the second line is an underline and the first one could be the title above it."""
    if not _UNDERLINE.fullmatch(underline) or not _WORD.search(content):
        return False
    return not LIST_MARKER.match(content) and not _BLOCK_TITLE_OR_METADATA.fullmatch(content)


def has_length_of(underline: str, title: str) -> bool:
    """Whether the underline is about as long as the title."""
    return abs(len(underline) - len(title)) <= _MAX_UNDERLINE_DIFFERENCE


def is_delimiter(content: str) -> bool:
    """Whether the line can open or close a block."""
    return content[0] in "-.=*_+/`|,:!" and _DELIMITER.fullmatch(content) is not None


def closing_delimiter(delimiter: str) -> str:
    """The line that closes what `delimiter` opens."""
    return "```" if delimiter.startswith("```") else delimiter


def delimited_kind(delimiter: str) -> BlockKind | None:
    """What a delimited block is as a whole; None where it holds document text."""
    if delimiter.endswith("==="):
        return BlockKind.TABLE if delimiter[0] in "|,:!" else None
    return None if delimiter == "--" else _DELIMITED_KINDS.get(delimiter[0])


def is_block_attributes(content: str) -> bool:
    """Whether the line is a comment or the attributes of the block below it."""
    return _BLOCK_ATTRIBUTES.fullmatch(content) is not None


def is_metadata(content: str) -> bool:
    """Whether the line is nothing a reader reads: attributes, block macros, comments, breaks."""
    return _METADATA.fullmatch(content) is not None


def is_preprocessor(content: str) -> bool:
    """Whether the line is a directive that is worked off before blocks are read, so that it stands in none."""
    return _PREPROCESSOR.fullmatch(content) is not None


def is_author_line(content: str) -> bool:
    """Whether the line could name a document's authors, with an address."""
    return _AUTHORS.fullmatch(content) is not None


def revision_fields(content: str) -> dict[str, str]:
    """What a document's revision line ("v1.2, 2026-02-03: A remark") states; nothing where the line is none."""
    match = _REVISION.fullmatch(content)
    return {name: value.strip() for name, value in match.groupdict().items() if value} if match else {}


def stated_attribute(content: str) -> tuple[str, str] | None:
    """The name and the value that a line gives an attribute of the document; none where it is too long for one."""
    match = _ATTRIBUTE.fullmatch(content)
    return (match[1], match[2].strip()) if match else None


def with_attributes(text: str, attributes: Mapping[str, str]) -> str:
    """A text with the values of the attributes it refers to; what the document doesn't set stays as it is written, and
    so does all of it where values that are made of values would make it grow without end."""
    filled = _REFERENCE.sub(lambda match: attributes.get(match[1], match[0]), text)
    return filled if len(filled) <= max(len(text), _MAX_VALUE_CHARACTERS) else text
