"""What lines of reStructuredText look like: titles, tables, list markers, fields, directives."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ingest.blocks import BlockKind
from ingest.formats.lines import MAX_TITLE_CHARACTERS, TextLine, end_of_indented

_MIN_ADORNMENT_CHARACTERS = 4

ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*")
BULLET = re.compile(r"[*+\-•‣⁃](?=\s|$)\s*")
_ENUMERATOR = re.compile(r"(?:\(?(?:\d{1,9}|#|[A-Za-z])\)|(?:\d{1,9}|#|[A-Za-z])\.)(?=\s|$)\s*")
FIELD = re.compile(r":(?![:\s])([^:`]+):(?=\s|$)\s*")
EXPLICIT = re.compile(r"\.\.(?:\s|$)")
INTERRUPTING = re.compile(r"\.\. +(?:_|\[|\||[A-Za-z][\w.+:-]*?\s?::(?:\s|$))")
"""Explicit markup that is meant as such even right below a line of prose."""
TARGET = re.compile(r"(?:\.\.[ \t]+(?:_|\|)|__[ \t])")
FOOTNOTE = re.compile(r"\.\.[ \t]+\[[^\]\s]+\](?=\s|$)")
_GRID_BORDER = re.compile(r"\+(?:[-=]+\+)+")
_SIMPLE_BORDER = re.compile(r"=+(?:[ \t]+=+)+")
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|]+\|[ \t]+)?([A-Za-z][\w.+:-]*?)\s?::(?=\s|$)\s*")
_WITH_TARGET = re.compile(r"\s*<[^<>]*>$")
_INLINE = re.compile(
    r"(?<![\w:]):[A-Za-z][\w+.-]*(?::[A-Za-z][\w+.-]*)*:`(?P<role>[^`]+)`"
    r"|``(?P<literal>[^`]+)``"
    r"|`(?P<quoted>[^`]+)`(?:__?)?"
    r"|(?<![\w*])(?P<stars>\*\*?)(?=\S)(?P<emphasis>[^*]+)(?<=\S)(?P=stars)(?![\w*])"
    r"|\|(?P<substitution>[^|\s](?:[^|]*[^|\s])?)\|(?:__?)?"
    r"|(?P<reference>(?<![\w`])[^\W_](?:\w*[^\W_])?)__?(?!\w)"
    r"|\\(?P<escaped>\S)"
)
# A name that isn't known holds document text: most directives do, and it must not be lost.
DIRECTIVE_NAMES = re.compile(
    r"""(?x)
    (?P<code>code|code-block|sourcecode|console|parsed-literal|prompt|terminal|doctest|testcode|testsetup|testcleanup
        |testoutput|ipython|jupyter-execute|plot|math|productionlist)
    | (?P<table>table|list-table|csv-table|flat-table)
    | (?P<markup>raw|include|literalinclude|toctree|meta|index|image|contents|graphviz|digraph|graph|uml|mermaid
        |bibliography|replace|unicode|date)
    | (?P<prose>versionadded|versionchanged|versionremoved|deprecated|deprecated-removed
        |attention|caution|danger|error|hint|important|note|tip|warning|seealso|todo|admonition|topic|rubric|sidebar
        |centered|epigraph|highlights|pull-quote)
    | (?P<signature>(?:[a-z]+:)?(?:function|method|class|classmethod|staticmethod|attribute|property|data|exception
        |decorator|macro|type|option|cmdoption|confval|setting|envvar))
    """
)


class Title(NamedTuple):
    """A title with its adornment."""

    content: str
    style: tuple[str, bool]
    """The character that adorns it, and whether it stands above it too."""
    stop: int
    """Index after its lines."""


class Directive(NamedTuple):
    """What a directive holds, by its name."""

    name: str
    """In small letters."""
    whole: BlockKind | None
    """What it is as one block; None where it holds document text."""
    states_prose: bool
    """Whether that text begins on the directive's own line."""
    signature: str = ""
    """What an API page describes in the text below, as one line."""


def title_at(lines: Sequence[TextLine], first: int) -> Title | None:
    """The title that begins at line `first`: over- and underlined, or underlined."""
    rest = lines[first : first + 3]
    if len(rest) == 3 and ADORNMENT.fullmatch(over := rest[0].content) and not rest[1].after_blank:
        title, under = rest[1].content, rest[2].content
        is_closed = not rest[2].after_blank and ADORNMENT.fullmatch(under) and under[0] == over[0]
        if is_closed and _fits(under, title) and _fits(over, title):
            return Title(title, (under[0], True), first + 3)
    if len(rest) < 2 or rest[1].after_blank or rest[1].indent != rest[0].indent:
        return None
    title, under = rest[0].content, rest[1].content
    if not ADORNMENT.fullmatch(under) or not _fits(under, title) or BULLET.match(title):
        return None
    return Title(title, (under[0], False), first + 2)


def _fits(adornment: str, title: str) -> bool:
    if len(title) > MAX_TITLE_CHARACTERS or ADORNMENT.fullmatch(title):
        return False
    return len(adornment) >= min(_MIN_ADORNMENT_CHARACTERS, len(title))


def table_end(lines: Sequence[TextLine], first: int) -> int | None:
    """Index after the drawn table whose upper border is line `first`; None where that is no border."""
    index = first + 1
    if _GRID_BORDER.fullmatch(lines[first].content):
        while index < len(lines) and not lines[index].after_blank and lines[index].content[0] in "+|":
            index += 1
        return index
    borders = 0
    while _SIMPLE_BORDER.fullmatch(lines[first].content) and index < len(lines):
        if lines[index].indent < lines[first].indent:
            break
        if _SIMPLE_BORDER.fullmatch(lines[index].content):
            borders += 1
            if borders == 2 or index + 1 == len(lines) or lines[index + 1].after_blank:
                return index + 1
        index += 1
    return None


def list_marker(lines: Sequence[TextLine], first: int) -> re.Match[str] | None:
    """The bullet or number that begins line `first`, unless the next line shows it prose ("A. Einstein was …")."""
    line = lines[first]
    if bullet := BULLET.match(line.content):
        return bullet
    number = _ENUMERATOR.match(line.content)
    if number is None or first + 1 == len(lines):
        return number
    following = lines[first + 1]
    goes_on = following.after_blank or following.indent != line.indent
    return number if goes_on or _ENUMERATOR.match(following.content) else None


def read_directive(content: str) -> Directive | None:
    """The directive that a line opens, None where it opens none."""
    match = _DIRECTIVE.match(content)
    if match is None:
        return None
    name = match[1].lower()
    known = DIRECTIVE_NAMES.fullmatch(name)
    held = str(known.lastgroup) if known else ""
    whole = BlockKind(held) if held in ("code", "table", "markup") else None
    argument = " ".join(content[match.end() :].split())
    return Directive(name, whole, bool(argument) and held == "prose", argument if held == "signature" else "")


def read_options(lines: Sequence[TextLine], first: int) -> tuple[int, Mapping[str, str]]:
    """Index after the option lines of the directive at line `first`, and the options; values are as written."""
    options: dict[str, list[str]] = {}
    name, option_indent = "", 0
    stop = end_of_indented(lines, first, indent=lines[first].indent, over_blanks=False)
    for index in range(first + 1, stop):
        content = lines[index].content
        if match := FIELD.match(content):
            name, option_indent = match[1].strip().lower(), lines[index].indent
            options[name] = [content[match.end() :]]
        elif name and lines[index].indent > option_indent:
            options[name].append(content)
        else:
            stop = index
            break
    return stop, {name: " ".join(values).strip() for name, values in options.items()}


def plain_title(markup: str) -> str:
    """A title without roles, literals, links, emphasis, substitutions and escapes."""
    if len(markup) <= MAX_TITLE_CHARACTERS:
        markup = _INLINE.sub(_shown, markup)
    return " ".join(markup.split())


def _shown(match: re.Match[str]) -> str:
    content = str(match[match.lastgroup or 0])
    if match["quoted"]:
        return _WITH_TARGET.sub("", content) or content
    if not match["role"]:
        return content
    explicit = _WITH_TARGET.sub("", content)
    if explicit and explicit != content:
        return explicit
    name = content.lstrip("!.")
    return name[1:].rsplit(".", 1)[-1] if name.startswith("~") else name
