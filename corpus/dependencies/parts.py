"""The strings and elements of a part of a JSON, TOML or XML file, with their lines, as far as the part shows them.

No parsers: a diff begins in the middle of an array and ends in the middle of a table, and nothing that a file declares
(entities, external documents) may act. Comments and malformed lines are passed over.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpus.dependencies.model import Line

_MAX_DEPTH = 100
MAX_PLACE = 500  # Of what stands deeper, the end is kept.

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
    """The keys above it and its own: JSON's apart by `›`, an object in an array without one; TOML's by dots, `[]`
    behind an array's. `?` is what stands above the part and isn't known."""
    value: str
    line: int


def scan_json(lines: Sequence[Line]) -> Iterator[Text]:
    """Every string value of lines that follow one another, in order."""
    open_at = [] if lines and lines[0].number == 1 else ["?"]
    deeper = 0
    key: str | None = None
    for line in lines:
        marks = JSON_MARK.findall(line.text)
        for at, mark in enumerate(marks):
            if mark in {"{", "["}:
                if len(open_at) < _MAX_DEPTH:
                    open_at.append("›".join((*open_at[-1:], key or ""))[-MAX_PLACE:])
                else:
                    deeper += 1
                key = None
            elif mark in {"}", "]"}:
                key = None
                if deeper:
                    deeper -= 1
                elif open_at != ["?"]:
                    open_at[-1:] = []
            elif mark == ",":
                key = None
            elif mark[0] == '"':
                if marks[at + 1 : at + 2] == [":"]:
                    key = mark[1:].removesuffix('"')
                else:
                    where = open_at[-1:] if key is None else (*open_at[-1:], key)
                    yield Text("›".join(where), mark[1:].removesuffix('"'), line.number)


def scan_toml(lines: Sequence[Line]) -> Iterator[Text]:
    """Every string value of lines that follow one another, in order."""
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
            table, open_keys = _plain(header["name"]), []
            continue
        if _TOML_STATEMENT.match(text):
            open_keys = []
        key = ""
        marks = _TOML_TOKEN.findall(text)
        for at, mark in enumerate(marks):
            if mark in {'"""', "'''"}:
                # One that follows no `=` closes a text that begins above the part.
                quote = mark if marks.count(mark) == 1 and marks[at - 1 : at] == ["="] else ""
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
            elif marks[at + 1 : at + 2] == ["="]:
                key = _plain(mark)
            elif mark[0] in "\"'":
                # A table without a key of its own is an array's, however far above the array begins.
                in_array = not key or any(bracket == "[" or not name for bracket, name in open_keys)
                path = ".".join(filter(None, (*(name for _, name in open_keys), key)))
                where = f"{table}.{path}{'[]' * in_array}".removeprefix(".")
                yield Text(where, mark.strip(mark[0]), line.number)


def _plain(key: str) -> str:
    return key.replace('"', "").replace("'", "").replace(" ", "")


class XmlTag(NamedTuple):
    """A tag that opens an element, with the text behind it."""

    tags: tuple[str, ...]
    """Those that are open, outermost first, its own last; none where it closes what opens above the part."""
    attributes: dict[str, Line]  # Each with the line where it stands.
    text: str
    line: int  # Of the text, where there is one.


def scan_xml(lines: Sequence[Line]) -> Iterator[XmlTag]:
    """Every opening tag of lines that follow one another, in order; comments are passed over."""
    text = "\n".join(line.text for line in lines)
    at, line = 0, lines[0].number if lines else 0
    tags: list[str] = []

    def number(position: int) -> int:
        return line + text.count("\n", at, position)

    for found in _XML.finditer(text):
        if not found["tag"]:
            continue
        line, at = number(found.start()), found.start()
        if found["close"]:
            is_above = found["tag"] not in tags
            tags = [] if is_above else tags[: len(tags) - 1 - tags[::-1].index(found["tag"])]
            if is_above:
                yield XmlTag((), {}, "", line)
            continue
        begin, rest = found.start("rest"), found["rest"]
        attributes = {
            each["name"]: Line(number(begin + each.start("value")), each["value"]) for each in _ATTRIBUTE.finditer(rest)
        }
        content = (found["text"] or "").strip()
        yield XmlTag((*tags, found["tag"]), attributes, content, number(found.start("text")) if content else line)
        if not rest.endswith("/") and len(tags) < _MAX_DEPTH:
            tags.append(found["tag"])
