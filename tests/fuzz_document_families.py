"""Documents that grow: releases, headings, links and tags by the thousand, tables, stairs, and PDFs."""

import math
from collections.abc import Mapping

from fuzz_growing import Family, counted, nested, repeated, staircase
from test_ingest_pdf import write_pdf

DOCUMENT: Mapping[str, Family] = {
    "counted releases": counted("## 1.@.0 (2024-01-02)\n\n- entry @ of `name_@`\n\n"),
    "counted headings": counted("## Part @\n\ntext\n\n"),
    "counted underlined titles": counted("Part @\n=======\n\ntext\n\n"),
    "counted link targets": counted("[a@]: http://b/@\n[a@] "),
    "counted footnotes": counted("[^@]: x\n\ny[^@]\n\n"),
    "counted substitutions": counted(".. |a@| replace:: b\n|a@| "),
    "counted targets": counted(".. _t@:\n\n`t@`_\n\n"),
    "counted anchors": counted("[[a@]]\n== a@\n\n<<a@>>\n\n"),
    "counted tags": counted("<x@>"),
    "counted headings of HTML": counted("<h2 id=a@>1.@</h2><p>x</p>"),
    "counted sentences": counted("Sentence @ says more. "),
    "counted words": counted("word@ "),
    "counted versions": counted("1.@.0 "),
    "counted bullets": counted("- entry @\n"),
    "counted pairs": counted("name@:   value @\n"),
    "counted stanzas": counted("gizmo (1.@-3) unstable; urgency=low\n\n  * x\n\n"),
    "counted releases of a page": counted(
        "<h2>Gizmo 1.@</h2><ul><li>x</li></ul>", before="<html><body><main>", after="</main></body></html>"
    ),
    "a staircase of bullets": staircase("- x\n"),
    "a staircase of quotes": staircase("> x\n"),
    "a staircase of words": staircase("x\n"),
    "a staircase of directives": staircase(".. note::\n\n"),
    "nested tags": nested("<div>", "x", "</div>"),
    "nested lists of HTML": nested("<ul><li>", "x", "</li></ul>"),
    "nested tables of HTML": nested("<table><tr><td>", "x", "</td></tr></table>"),
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


PDF: Mapping[str, Family] = {
    "many words": _pdf_of(b"1 0 0 1 50 700 Tm (word) Tj "),
    "many lines": _pdf_of(b"0 -1 Td (line) Tj "),
    "many sizes": _pdf_of(b"/F1 9 Tf (a) Tj /F1 20 Tf (b) Tj 0 -12 Td "),
    "hyphens at line ends": _pdf_of(b"0 -12 Td (re-) Tj "),
    "saved states": _pdf_of(b"q "),
    "objects": counted("@ 0 obj\n<< >>\nendobj\n", before="%PDF-1.4\n", after="trailer\n<< /Root 1 0 R >>\n%%EOF"),
    "arrays": nested("[", "", "]"),
    "no cross references": repeated("1 0 obj << /Type /Page >> endobj\n", before="%PDF-1.4\n"),
}
