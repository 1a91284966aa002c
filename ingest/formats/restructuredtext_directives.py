"""Directives of reStructuredText: what they hold, by their names, and the options below them.

Knows the names of docutils, Sphinx and the extensions that release notes use. A name that isn't known
holds document text, for that is what most directives hold and what must not be lost.
"""

import re
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple

from ingest.formats.lines import TextLine, end_of_indented_run
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
_SIGNATURE = re.compile(
    "(?:[a-z]+:)?(?:function|method|class|classmethod|staticmethod|attribute|property|data|exception|decorator|macro|"
    "type|option|cmdoption|confval|setting|envvar)"
)
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
    SIGNATURE = auto()
    """What an API page describes: its argument is the heading of the text below."""


class Directive(NamedTuple):
    name: str
    """In small letters."""
    content: Content
    argument: str
    """What stands behind it on its line."""


def read_directive(lines: Sequence[TextLine], first: int) -> Directive | None:
    """The directive that line `first` opens, None where it opens none."""
    match = _DIRECTIVE.match(lines[first].content)
    if match is None:
        return None
    name = match[1].lower()
    argument = lines[first].content[match.end() :]
    for pattern, content in ((_CODE, Content.CODE), (_TABLE, Content.TABLE), (_OPAQUE, Content.OPAQUE)):
        if pattern.fullmatch(name):
            return Directive(name, content, argument)
    if argument and _SIGNATURE.fullmatch(name):
        return Directive(name, Content.SIGNATURE, argument)
    states_prose = bool(argument) and (_VERSION.fullmatch(name) or _PROSE.fullmatch(name))
    return Directive(name, Content.PROSE if states_prose else Content.TEXT, argument)


def read_options(lines: Sequence[TextLine], first: int) -> tuple[int, Mapping[str, str]]:
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
