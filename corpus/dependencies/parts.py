"""The strings and elements in a part of a JSON, TOML or XML file, with their lines, as far as the part shows them.

These are no parsers: a diff begins in the middle of an array and ends in the middle of a table, and no declaration of a
file (entities, external documents) may take effect. Comments and malformed lines are skipped.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpus.dependencies.model import Line

_MAX_DEPTH = 100
MAX_PLACE = 500  # Characters; longer paths are cut to their end.

JSON_MARK = re.compile(r'"(?>(?:[^"\\]|\\.)*)"?|[{}\[\]:,]|//.*')  # A string, a sign or a comment.
_TOML_HEADER = re.compile(r"\s*\[\[?\s*+(?P<name>(?>(?:[A-Za-z0-9_.\- ]|\"[^\"]*+\"|'[^']*+')+))\]\]?\s*(?:#.*)?\Z")
_TOML_STATEMENT = re.compile(r"[A-Za-z0-9_.\-\"']++\s*+=")
_TOML_TOKEN = re.compile(
    r"\"\"\"|'''|\"(?>(?:[^\"\\]|\\.)*)\"?|'[^']*+'?|[\[\]{}=,]|#.*|(?>(?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9_\"'-]))+)"
)
_XML = re.compile(
    r"(?s:<!--.*?(?:-->|\Z))|<(?P<close>/?)(?P<tag>[A-Za-z][\w.-]*+)(?P<rest>[^<>]*+)(?:>\s*+(?P<text>[^<>]*+)|\Z)"
)
_ATTRIBUTE = re.compile(r"(?<=\s)(?P<name>[\w:.-]++)\s*+=\s*+[\"'](?P<value>[^\"']*+)")


class Text(NamedTuple):
    """One string value of a JSON or TOML file."""

    where: str
    """The keys above it and its own: JSON's separated by `›`, without one for an object in an array; TOML's by dots,
    with `[]` after an array's. `?` replaces unknown keys above the part."""
    value: str
    line: int


def scan_json(lines: Sequence[Line]) -> Iterator[Text]:
    """Yield every string value in consecutive JSON lines, in order: `{"a": {"b": "1"}}` gives Text('›a›b', '1', 1)."""
    open_paths = [] if lines and lines[0].number == 1 else ["?"]
    excess_depth = 0
    key: str | None = None
    for line in lines:
        marks = JSON_MARK.findall(line.text)
        for position, mark in enumerate(marks):
            if mark in {"{", "["}:
                if len(open_paths) < _MAX_DEPTH:
                    open_paths.append("›".join((*open_paths[-1:], key or ""))[-MAX_PLACE:])
                else:
                    excess_depth += 1
                key = None
            elif mark in {"}", "]"}:
                key = None
                if excess_depth:
                    excess_depth -= 1
                elif open_paths != ["?"]:
                    open_paths[-1:] = []
            elif mark == ",":
                key = None
            elif mark[0] == '"':
                if marks[position + 1 : position + 2] == [":"]:
                    key = mark[1:].removesuffix('"')
                else:
                    where = open_paths[-1:] if key is None else (*open_paths[-1:], key)
                    yield Text("›".join(where), mark[1:].removesuffix('"'), line.number)


def scan_toml(lines: Sequence[Line]) -> Iterator[Text]:
    """Yield every one-line string value in consecutive TOML lines: `a.b = ["1"]` gives `Text('a.b[]', '1', 1)`."""
    table = "" if lines and lines[0].number == 1 else "?"
    open_keys: list[tuple[str, str]] = []
    quote = ""
    for line in lines:
        text = line.text
        if quote:
            if quote in text:
                quote = ""
            continue
        header = _TOML_HEADER.match(text)
        if header and (not open_keys or not text[:1].isspace()):
            table, open_keys = _unquoted(header["name"]), []
            continue
        if _TOML_STATEMENT.match(text):
            open_keys = []
        key = ""
        marks = _TOML_TOKEN.findall(text)
        for position, mark in enumerate(marks):
            if mark in {'"""', "'''"}:
                # Without a `=` before them, quotes close a text that begins above the part.
                quote = mark if marks.count(mark) == 1 and marks[position - 1 : position] == ["="] else ""
                break
            if mark.startswith("#"):
                break
            if mark in {"[", "{"}:
                open_keys.append((mark, key))
                del open_keys[_MAX_DEPTH:]
                key = ""
            elif mark in {"]", "}"}:
                open_keys[-1:] = []
                key = ""
            elif mark == ",":
                key = ""
            elif marks[position + 1 : position + 2] == ["="]:
                key = _unquoted(mark)
            elif mark[0] in "\"'":
                # A table without a key is an array's element, however far above the array begins.
                in_array = not key or any(bracket == "[" or not name for bracket, name in open_keys)
                path = ".".join(filter(None, (*(name for _, name in open_keys), key)))
                where = f"{table}.{path}{'[]' * in_array}".removeprefix(".")
                yield Text(where, mark.strip(mark[0]), line.number)


def _unquoted(key: str) -> str:
    return key.replace('"', "").replace("'", "").replace(" ", "")


class XmlTag(NamedTuple):
    """A tag that opens an element, with the text after it."""

    tags: tuple[str, ...]
    """The open tags, outermost first and its own last; none if it closes an element opened above the part."""
    attributes: dict[str, Line]  # Values with their lines.
    text: str
    line: int  # The text's line, if it has text.


def scan_xml(lines: Sequence[Line]) -> Iterator[XmlTag]:
    """Yield every opening tag in consecutive lines, and an empty `XmlTag` for each tag closed but not opened in them:
    `<a><b>1</b></a>` gives two, the second with the tags `('a', 'b')` and the text "1"."""
    text = "\n".join(line.text for line in lines)
    line_start, line = 0, lines[0].number if lines else 0
    tags: list[str] = []

    def line_at(position: int) -> int:
        return line + text.count("\n", line_start, position)

    for match in _XML.finditer(text):
        if not match["tag"]:
            continue
        line, line_start = line_at(match.start()), match.start()
        if match["close"]:
            is_above = match["tag"] not in tags
            tags = [] if is_above else tags[: len(tags) - 1 - tags[::-1].index(match["tag"])]
            if is_above:
                yield XmlTag((), {}, "", line)
            continue
        begin, inner = match.start("rest"), match["rest"]
        attributes = {
            pair["name"]: Line(line_at(begin + pair.start("value")), pair["value"])
            for pair in _ATTRIBUTE.finditer(inner)
        }
        content = (match["text"] or "").strip()
        yield XmlTag((*tags, match["tag"]), attributes, content, line_at(match.start("text")) if content else line)
        if not inner.endswith("/") and len(tags) < _MAX_DEPTH:
            tags.append(match["tag"])
