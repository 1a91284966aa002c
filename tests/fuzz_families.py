"""For each fuzz target, families of hostile inputs of any size.

A family repeats a piece (unclosed brackets, backticks, tags, nested markers), counts through a pattern (a thousand
releases, link targets, hunks) or builds a bomb. Those of single lines of each format are in `fuzz_line_families`.
"""

import math
import string
from collections.abc import Iterator, Mapping

from fuzz_code_families import DEPENDENCIES, DIFF
from fuzz_file_families import FILES
from fuzz_growing import Family, counted, nested, repeated
from fuzz_line_families import GRAMMARS, line_kinds
from fuzz_request_families import REQUESTS
from fuzz_target import Target
from test_ingest_pdf import write_pdf

_DOCUMENT: Mapping[str, Family] = {
    "counted releases": counted("## 1.@.0 (2024-01-02)\n\n- entry @ of `name_@`\n\n"),
    "counted link targets": counted("[a@]: http://b/@\n[a@] "),
    "counted footnotes": counted("[^@]: x\n\ny[^@]\n\n"),
    "counted substitutions": counted(".. |a@| replace:: b\n|a@| "),
    "counted targets": counted(".. _t@:\n\n`t@`_\n\n"),
    "counted anchors": counted("[[a@]]\n== a@\n\n<<a@>>\n\n"),
    "counted stanzas": counted("gizmo (1.@-3) unstable; urgency=low\n\n  * x\n\n"),
    "counted releases of a page": counted(
        "<h2>Gizmo 1.@</h2><ul><li>x</li></ul>", before="<html><body><main>", after="</main></body></html>"
    ),
    "nested tags": nested("<div>", "x", "</div>"),
    "nested lists of HTML": nested("<ul><li>", "x", "</li></ul>"),
    "nested brackets": nested("[", "x", "]"),
    "nested links": nested("[", "x", "](a)"),
    "nested emphasis": nested("*", "x", "*"),
    "nested emphasis of two kinds": nested("*_", "x", "_*"),
    "a wide table": lambda size: (
        "|" + "a|" * (size // 6) + "\n|" + "-|" * (size // 6) + "\n|" + "b|" * (size // 6) + "\n"
    ).encode(),
    "a table of many columns and rows": lambda size: (
        ("|" + "a|" * max(2, math.isqrt(size // 2)) + "\n|" + "-|" * max(2, math.isqrt(size // 2)) + "\n")
        + ("|" + "b|" * max(2, math.isqrt(size // 2)) + "\n") * max(1, math.isqrt(size // 2) - 2)
    ).encode(),
    "a long title underlined": lambda size: b"a" * (size // 2) + b"\n" + b"=" * (size // 2) + b"\n\ntext\n",
    "front matter that isn't closed": repeated("a: b\n", before="---\n"),
    "front matter of one long value": repeated("x", before="---\na: ", after="\n---\ntext"),
    "quote marks of all depths": lambda size: b"\n".join(b">" * (depth % 200) + b" x" for depth in range(size // 102)),
    "code fences of all lengths": lambda size: b"\n".join(b"`" * (3 + depth % 90) for depth in range(size // 48)),
    "backticks of all lengths": lambda size: b" ".join(b"`" * (1 + depth % 300) for depth in range(size // 151)),
}


def _pdf_of(operator: bytes) -> Family:
    return lambda size: write_pdf(b"BT /F1 10 Tf " + operator * (size // len(operator)) + b" ET")


_PDF: Mapping[str, Family] = {
    "many words": _pdf_of(b"1 0 0 1 50 700 Tm (word) Tj "),
    "many lines": _pdf_of(b"0 -1 Td (line) Tj "),
    "many sizes": _pdf_of(b"/F1 9 Tf (a) Tj /F1 20 Tf (b) Tj 0 -12 Td "),
    "hyphens at line ends": _pdf_of(b"0 -12 Td (re-) Tj "),
    "saved states": _pdf_of(b"q "),
    "objects": counted("@ 0 obj\n<< >>\nendobj\n", before="%PDF-1.4\n", after="trailer\n<< /Root 1 0 R >>\n%%EOF"),
    "arrays": nested("[", "", "]"),
    "no cross references": repeated("1 0 obj << /Type /Page >> endobj\n", before="%PDF-1.4\n"),
}
_PROSE = ("words", "claims", "versions", "dates", "version-lines")
_OTHERS: Mapping[str, Mapping[str, Family]] = {
    **{name: _DOCUMENT for name in (*GRAMMARS, *_PROSE) if name not in ("feed", "document:notes.pdf")},
    **FILES,
    **REQUESTS,
    "document:notes.pdf": _PDF,
    "diff": DIFF,
}
_NO_TEXT = ("container", "document:notes.pdf", "relnotes.toml", "ui-files", "http", "mcp", "slack")
_PIECES = (
    *string.punctuation,
    *(" ", "\t", "\n", "\r\n", "\n\n", " \n", "x\n", "x\n\n", "\u0301", "\u00a0", "\u202e", "é", "１", "\x00"),
    *"a a- a. a_ a/ a: 1. 1.2- 1, v `` ** __ :: &a http:// [a]( ![ ]( [a] [[ **a <!-- </ <a> (a".split(),
    *(
        "word ",
        "1.2.3 ",
        "2024-01-02 ",
        "Jan 2 2024, ",
        "# ",
        "- ",
        "+ ",
        "> ",
        ". ",
        "http://a.b/ ",
        "a@b.c ",
        "`a` ",
        "*a ",
    ),
    *(
        "_a_ ",
        "<a ",
        "a, b and c ",
        "A. B. ",
        "e.g. ",
        "e.g. a ",
        "see #1 ",
        "CVE-2024-1 ",
        "1.2 -> 1.3 ",
        "1.2 to 1.3, ",
    ),
    *("since 1.2 ", "fix: "),
)
"""Repeated for every target that reads text."""


def families(target: Target) -> Iterator[tuple[str, Family]]:
    """The families of a target, by name; every one is a legal call of its check."""
    name = target.name
    yield from (DEPENDENCIES if name.startswith("dependencies:") else _OTHERS.get(name, {})).items()
    if name.startswith(_NO_TEXT):
        return
    lines = line_kinds(GRAMMARS["document:notes.md"]) if name in _PROSE else ()
    for piece in dict.fromkeys((*_PIECES, *target.signs, *(f"{line}\n" for line in lines))):
        yield f"repeated {piece[:40]!r}", repeated(piece)
