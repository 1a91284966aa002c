"""Directives of reStructuredText: what they hold, by their names, and the options below them.

Knows the names of docutils, Sphinx and the extensions that release notes use. A name that isn't known
holds document text, for that is what most directives hold and what must not be lost.
"""

import re
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple

from ingest.formats.lines import Line, end_of_indented_run
from ingest.formats.restructuredtext_shapes import FIELD

_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|]+\|[ \t]+)?([A-Za-z][\w.+:-]*?)\s?::(?=\s|$)\s*")
_CODE = re.compile(
    "code|code-block|sourcecode|console|parsed-literal|prompt|terminal|doctest|testcode|testsetup|testcleanup|"
    "testoutput|ipython|jupyter-execute|plot|math|productionlist"
)
_TABLE = re.compile("table|list-table|csv-table|flat-table")
_OPAQUE = re.compile(
    "raw|include|literalinclude|toctree|meta|index|image|contents|graphviz|digraph|graph|uml|mermaid|bibliography|"
    "replace|unicode|date"
)
_VERSION = re.compile("versionadded|versionchanged|versionremoved|deprecated|deprecated-removed")
_PROSE = re.compile(
    "attention|caution|danger|error|hint|important|note|tip|warning|seealso|todo|admonition|topic|rubric|sidebar|"
    "centered|epigraph|highlights|pull-quote"
)


class Content(Enum):
    CODE = auto()
    TABLE = auto()
    OPAQUE = auto()
    """Nothing that a reader reads."""
    PROSE = auto()
    """Document text that begins on the directive's own line."""
    TEXT = auto()
    """Document text below the directive's own line and its options."""


class Directive(NamedTuple):
    name: str
    """In small letters."""
    content: Content


def read_directive(lines: Sequence[Line], first: int) -> Directive | None:
    """The directive that line `first` opens, None where it opens none."""
    match = _DIRECTIVE.match(lines[first].content)
    if match is None:
        return None
    name = match[1].lower()
    for pattern, content in ((_CODE, Content.CODE), (_TABLE, Content.TABLE), (_OPAQUE, Content.OPAQUE)):
        if pattern.fullmatch(name):
            return Directive(name, content)
    states_prose = _states_prose(lines, first, name, lines[first].content[match.end() :])
    return Directive(name, Content.PROSE if states_prose else Content.TEXT)


def _states_prose(lines: Sequence[Line], first: int, name: str, argument: str) -> bool:
    if _VERSION.fullmatch(name):
        text_follows = end_of_indented_run(lines, first, indent=lines[first].indent) > first + 1
        return len(argument.split(maxsplit=1)) > 1 or text_follows
    return bool(argument) and _PROSE.fullmatch(name) is not None


def read_options(lines: Sequence[Line], first: int) -> tuple[int, Mapping[str, str]]:
    """Index after the option lines of the directive at line `first`, and the options; values are as written."""
    options: dict[str, list[str]] = {}
    name, option_indent = "", 0
    stop = end_of_indented_run(lines, first, indent=lines[first].indent)
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
