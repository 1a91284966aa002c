"""Texts that only list products with the release of each: "numpy 1.26, pandas 2.1", a pasted requirements.txt or
package.json.

Lines of files are read as they are in reviews; people also write a name and its release with nothing between.
"""

import re

from corpus.dependencies.dependency_files import first_unread, read_dependencies
from corpus.dependencies.model import Dependency, Line
from corpus.versions import Version
from retrieval.model import Pin
from retrieval.products.known import KnownProducts
from retrieval.products.names import NO_NAMES

_REQUIREMENTS, _PACKAGE = "requirements.txt", "package.json"
_APART = re.compile(r"\n|[,;]\s*(?=[A-Za-z@][\w./-]*\s*[=~^@]*\s*v?\d)")
_BARE = re.compile(
    r"(?P<name>@?[A-Za-z][\w./-]*(?: [A-Za-z][\w./-]*){0,3})(?P<sign>\s*[=~^@]+\s*|\s+)"
    r"[\"']?[~^]?v?(?P<version>\d[\w.]*)[\"']?",
    re.ASCII,
)
_MAX_CHARACTERS = 300


def read_pins(text: str, known: KnownProducts) -> tuple[Pin, ...]:
    """The pins of which a text consists; none where it says anything else, names one release without a sign of a pin
    ("django 5.1"), or no product of the catalogue."""
    pins = _of_package(text, known) if '":' in text.replace('" :', '":') else _of_lines(text, known)
    return pins if any(pin.product for pin in pins) else ()


def _of_package(text: str, known: KnownProducts) -> tuple[Pin, ...]:
    # What doesn't begin the file is a part of it, for its readers.
    start = 1 if text.lstrip().startswith("{") else 2
    lines = [Line(number, line) for number, line in enumerate(text.split("\n"), start)]
    if first_unread(_PACKAGE, lines):
        return ()
    return tuple(pin for dependency in read_dependencies(_PACKAGE, lines) if (pin := _pinned(dependency, known)))


def _of_lines(text: str, known: KnownProducts) -> tuple[Pin, ...]:
    pins: list[Pin] = []
    is_signed = is_open = False
    for piece in (part.strip(" \t\r,;") for part in _APART.split(text)):
        bare = _BARE.fullmatch(piece) if len(piece) <= _MAX_CHARACTERS else None
        if bare and (" " not in bare["name"] or bare["name"].casefold() in known.names):
            version = Version.try_parse(bare["version"])
            is_prose = bare["name"].casefold() in NO_NAMES and bare["name"].casefold() not in known.names
            if version is None or is_prose:
                return ()
            is_signed |= bool(bare["sign"].strip())
            pins.append(Pin(bare["name"], known.names.get(bare["name"].casefold(), ""), version))
        # The header of a table and the fences around pasted text state nothing.
        elif piece and not piece.startswith("```") and not (piece[0] == "[" and piece.find("]") == len(piece) - 1):
            line = (Line(1, piece),)
            if first_unread(_REQUIREMENTS, line):
                return ()
            found = [
                pin for dependency in read_dependencies(_REQUIREMENTS, line) if (pin := _pinned(dependency, known))
            ]
            is_signed |= bool(found)
            is_open |= not found
            pins += found
    return tuple(pins) if is_signed or (len(pins) > 1 and not is_open) else ()


def _pinned(one: Dependency, known: KnownProducts) -> Pin | None:
    version = Version.try_parse(one.version) if one.version else None
    return Pin(one.name, known.names.get(one.name.casefold(), ""), version) if version else None
