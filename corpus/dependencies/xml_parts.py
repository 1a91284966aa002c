"""The elements of a part of an XML file, as far as the part shows them.

No parser: a part isn't well-formed, and nothing that a file declares (entities, external documents) may act.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from corpus.dependencies.model import Line

_MAX_DEPTH = 100
_MARK = re.compile(
    r"<!--|-->|<(?P<close>/?)(?P<tag>[A-Za-z][\w.-]*+)(?P<rest>[^<>]*+)(?:>|\Z)|(?P<text>(?:(?!-->)[^<>])++)", re.ASCII
)
_ATTRIBUTE = re.compile(r"(?<=\s)(?P<name>[\w:.-]++)\s*+=\s*+(?:\"(?P<value>[^\"]*+)\"|'(?P<single>[^']*+)')", re.ASCII)


@dataclass(frozen=True, slots=True)
class XmlPart:
    """A tag that opens an element, or the text in one."""

    tags: tuple[str, ...]
    """Those that are open, outermost first; the part may begin below some."""
    attributes: Mapping[str, str]
    """On this line; of a tag that goes on on the next one, the rest is its text."""
    text: str
    """Empty for a tag."""
    line: int


def scan_xml(lines: Sequence[Line]) -> Iterator[XmlPart]:
    """Every opening tag and every text within an element, of lines that follow one another, in order; a tag that closes
    what opens above the part is a part without tags."""
    tags: list[str] = []
    is_comment = False
    for line in lines:
        for found in _MARK.finditer(line.text):
            if found[0] in {"<!--", "-->"}:
                is_comment = found[0] == "<!--"
            elif is_comment:
                continue
            elif found["close"] == "/" and found["tag"] in tags:
                del tags[len(tags) - 1 - tags[::-1].index(found["tag"]) :]
            elif found["close"] == "/":
                tags = []
                yield XmlPart((), {}, "", line.number)
            else:
                opened = [found["tag"]] if found["tag"] else []
                rest = found["rest"] or found["text"] or ""
                told = {each["name"]: each["value"] or each["single"] or "" for each in _ATTRIBUTE.finditer(rest)}
                if opened or (tags and rest.strip()):
                    yield XmlPart((*tags, *opened), told, "" if opened else rest.strip(), line.number)
                if opened and not rest.endswith("/") and len(tags) < _MAX_DEPTH:
                    tags += opened
