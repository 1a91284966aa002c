"""Inputs that grow: for each fuzz target, families of hostile inputs of any size, and how their time is measured.

A family repeats a piece (unclosed brackets, backticks, tags, nested markers), counts through a pattern (a thousand
releases, link targets, hunks) or builds a bomb. Time is the processor's, so that a busy machine doesn't matter, and the
figure is the exponent: the slope of log time over log size at the largest sizes. 1 is linear, 2 is quadratic.
"""

import gzip
import io
import math
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fuzz_target import Target

MAX_EXPONENT = 1.3
NOTABLE_MS_PER_MIB = 4_000
"""An input that costs less than this a MiB at its largest size is no danger, whatever its exponent."""
FIRST_BYTES = 8 * 1024
LAST_BYTES = 1024 * 1024
_POINTS = 4
_MEASURABLE_S = 0.004

Family = Callable[[int], bytes]


def repeated(piece: str | bytes, *, before: str = "", after: str = "") -> Family:
    """`piece` again and again."""
    one = piece.encode() if isinstance(piece, str) else piece
    return lambda size: before.encode() + one * max(1, size // len(one)) + after.encode()


def counted(pattern: str, *, before: str = "", after: str = "") -> Family:
    """`pattern` with `@` for a number that counts up."""

    def build(size: int) -> bytes:
        count = max(1, size // (len(pattern) + 4))
        return (before + "".join(pattern.replace("@", str(number)) for number in range(count)) + after).encode()

    return build


def staircase(pattern: str) -> Family:
    """Lines that are each indented more than the one before; starts anew at a hundred."""

    def build(size: int) -> bytes:
        made, length, depth = [], 0, 0
        while length < size:
            made.append(" " * (2 * depth) + pattern)
            length += len(made[-1])
            depth = (depth + 1) % 100
        return "".join(made).encode()

    return build


def nested(opening: str, inner: str, closing: str) -> Family:
    """`opening` as often as it goes, then as many of `closing`."""
    return lambda size: (
        opening * (size // len(opening + closing)) + inner + closing * (size // len(opening + closing))
    ).encode()


_ANY = (
    "word ",
    "a",
    "a-",
    "a.",
    "a_",
    "a/",
    "a:",
    "1.",
    "1.2.3 ",
    "1.2-",
    "1,",
    "v",
    "2024-01-02 ",
    "Jan 2 2024, ",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\n\n",
    "x\n",
    "x\n\n",
    " \n",
    "(",
    ")",
    "[",
    "]",
    "{",
    "<",
    ">",
    '"',
    "'",
    "`",
    "``",
    "*",
    "**",
    "_",
    "__",
    "~",
    "^",
    "|",
    "#",
    "# ",
    "=",
    "-",
    "- ",
    "+ ",
    "> ",
    ">",
    ":",
    "::",
    "!",
    "&",
    "&a",
    "\\",
    "%",
    "$",
    ";",
    ",",
    ". ",
    "?",
    "@",
    "/",
    "http://a.b/ ",
    "http://",
    "a@b.c ",
    "\u0301",
    "\u00a0",
    "\u202e",
    "é",
    "１",
    "\x00",
    "[a](",
    "![",
    "](",
    "[a]",
    "[[",
    "`a` ",
    "*a ",
    "**a",
    "_a_ ",
    "<a ",
    "<!--",
    "</",
    "<a>",
    "(a",
    "a, b and c ",
    "A. B. ",
    "e.g. ",
    "e.g. a ",
    "see #1 ",
    "CVE-2024-1 ",
    "1.2 -> 1.3 ",
    "1.2 to 1.3, ",
    "since 1.2 ",
    "fix: ",
)
"""Repeated for every target that reads text."""
_MARKUP = (
    "# h\n",
    "## 1.2\n",
    "## 1.2\n\n- x\n\n",
    "- x\n",
    "* x\n\n",
    "1. x\n",
    "> x\n",
    "> > x\n\n",
    "| a | b |\n",
    "| a |\n|---|\n| b |\n\n",
    "[a]: b\n",
    "[^1]: x\n",
    "[^1] ",
    "```\n",
    "~~~\n",
    "    x\n",
    "---\n",
    "***\n",
    "===\n",
    "a\n===\n",
    "a\n---\n",
    "<div>",
    "<div>\n\n",
    "</div>",
    "<ul><li>",
    "<table><tr><td>",
    "<b>",
    "<p>",
    "<br>",
    "&amp;",
    "<pre>",
    "<!-- a -->",
    "<a href=b>",
    "<h2>1.2</h2><p>x</p>",
    "<script>",
    "<details>\n\n",
    ":::\n",
    "{/* ",
    "import a from 'b'\n",
    ".. note::\n\n",
    ".. a: ",
    ".. |a| replace:: b\n",
    "|a| ",
    "`a`_ ",
    "`a <b>`_ ",
    ":a:`b` ",
    ":a: b\n",
    "::\n\n",
    "== ==\n",
    "+--+\n",
    "+--+--+\n| a| b|\n",
    "== a\n\n",
    "= a\n",
    "----\n",
    "|===\n",
    "====\n",
    "+\n",
    "[NOTE]\n",
    "a:: b\n",
    "* a\n** b\n",
    "ifdef::a[]\n",
    "<<a>> ",
    "[a]\n",
    ".a\n",
    "  indented\n",
    "o  bullet\n",
    "a:   b\n",
    "Version 1.2\n",
    "1.2 (2024-01-02)\n-----\n",
    "Released 2024-01-02\n",
    "gizmo (1.2-3) unstable; urgency=low\n\n  * x\n\n",
    " -- A <a@b.c>  Mon, 02 Mar 2026 10:11:12 +0100\n\n",
    "* Mon Mar 02 2026 A <a@b.c> - 1.2-3\n- x\n\n",
    "%changelog\n",
    "RELEASE NOTES\n",
)
_DOCUMENT: Mapping[str, Family] = {
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
_DIFF_HEAD = "diff --git a/requirements.txt b/requirements.txt\n--- a/requirements.txt\n+++ b/requirements.txt\n"
_DIFF: Mapping[str, Family] = {
    "counted hunks": counted("@@ -@1 +@1 @@\n-p@==1\n+p@==2\n", before=_DIFF_HEAD),
    "counted files": counted("--- a/r@.py\n+++ b/r@.py\n@@ -1 +1 @@\n-import a@\n+import b@\n"),
    "counted dependency files": counted(
        "--- a/d@/requirements.txt\n+++ b/d@/requirements.txt\n@@ -1 +1 @@\n-p@==1\n+p@==2\n"
    ),
    "git headers": counted("diff --git a/a@ b/a@\nold mode 1\n"),
    "a git header of many blanks": lambda size: b"diff --git " + b"a " * (size // 2) + b"\n@@ -1 +1 @@\n-a\n+b\n",
    "a git header of many halves": lambda size: b"diff --git " + b"a b/" * (size // 4) + b"\n@@ -1 +1 @@\n-a\n+b\n",
    "one hunk of many lines": lambda size: (
        f"{_DIFF_HEAD}@@ -1,{size // 24} +1,{size // 24} @@\n"
        + "".join(f"-p{n}==1.0\n+p{n}==2.0\n" for n in range(size // 24))
    ).encode(),
    "one hunk of the same name": lambda size: (
        f"{_DIFF_HEAD}@@ -1,{size // 20} +1,{size // 20} @@\n"
        + "".join(f"-p==1.{n}\n+p==2.{n}\n" for n in range(size // 20))
    ).encode(),
    "one hunk of Python": lambda size: (
        f"--- a/x.py\n+++ b/x.py\n@@ -1,0 +1,{size // 24} @@\n"
        + "".join(f"+import torch.m{n} as n{n}\n" for n in range(size // 24))
    ).encode(),
    "one line of code": lambda size: b"--- a/x.py\n+++ b/x.py\n@@ -0,0 +1 @@\n+" + b"f(" * (size // 2) + b"\n",
    "one hunk of JavaScript": lambda size: (
        f"--- a/x.js\n+++ b/x.js\n@@ -1,0 +1,{size // 24} @@\n"
        + "".join(f"+import {{a{n}}} from 'b{n}'\n" for n in range(size // 24))
    ).encode(),
    "brackets over lines of code": lambda size: (
        f"--- a/x.py\n+++ b/x.py\n@@ -1,0 +1,{size // 3} @@\n" + "+(\n" * (size // 3)
    ).encode(),
    "quoted path": lambda size: b'--- "a/' + b"\\303" * (size // 4) + b'"\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n',
}
_DEPENDENCIES: Mapping[str, Family] = {
    "counted requirements": counted("p@==1.@ \\\n    --hash=sha256:00\n"),
    "counted packages of TOML": counted('[[package]]\nname = "p@"\nversion = "1.@"\n'),
    "counted packages of JSON": counted(
        '"node_modules/p@": {"version": "1.@"},\n', before='{"packages": {\n', after='"x": {}}}'
    ),
    "counted pairs of JSON": counted('"p@": "^1.@",\n', before='{"dependencies": {\n', after='"x": "1"}}'),
    "counted packages of yarn": counted('p@@npm:^1, p@@npm:^2:\n  version "1.@"\n\n'),
    "counted packages of pnpm": counted("  p@@1.@:\n    resolution: {}\n", before="packages:\n"),
    "counted images": counted("FROM a:${V@} AS s@\n", before="ARG V1=2\n"),
    "counted settings": counted("ARG A@=$A@$A@\nFROM p:$A@\n"),
    "settings of settings": counted("ENV A@=${A1}${A1}\n"),
    "one run of many installs": counted("pip install p@==1 && \\\n", before="RUN "),
    "counted steps": counted("      - uses: a/b@v@ # v@.1\n", before="jobs:\n  a:\n    steps:\n"),
    "continued lines": repeated("a \\\n"),
    "nested JSON": nested('{"a":\n', "1", "}\n"),
    "nested lists": nested("[\n", "1", "]\n"),
    "nested tables": repeated("[a.a]\n"),
    "one dotted key": repeated("a.", before="[", after="b]\n"),
    "strings that aren't closed": repeated('"a\n'),
    "long strings that aren't closed": repeated('"""a\n'),
}


def _deep_json(size: int) -> bytes:
    return b'[{"body": ' + b"[" * (size // 2) + b"]" * (size // 2) + b"}]"


def _entities(size: int) -> bytes:
    laughs = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(12))
    return (
        f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a0 "{"x" * min(size, 1000)}">{laughs}]><rss><channel><item><title>&a12;</title></item></channel></rss>'.encode()
        + b" " * size
    )


def _gzip_bomb(size: int) -> bytes:
    return gzip.compress(b"\0" * (size * 200), 9)


def _zip_bomb(size: int) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"gizmo/notes{number}.md", b"\0" * (size * 50))
    return held.getvalue()


def _zip_of_many(size: int) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for number in range(size // 120):
            archive.writestr(f"gizmo/n{number}.md", b"# 1.2\n")
    return held.getvalue()


def _pdf_of(operator: bytes) -> Family:
    from test_ingest_pdf import write_pdf

    return lambda size: write_pdf(b"BT /F1 10 Tf " + operator * (size // len(operator)) + b" ET")


_YAML_ALIASES = (
    "---\na0: &a0 [x, x]\n" + "".join(f"a{n + 1}: &a{n + 1} [{f'*a{n}, ' * 9}x]\n" for n in range(9)) + "---\ntext\n"
)
_OTHERS: Mapping[str, Mapping[str, Family]] = {
    "document:notes.pdf": {
        "many words": _pdf_of(b"1 0 0 1 50 700 Tm (word) Tj "),
        "many lines": _pdf_of(b"0 -1 Td (line) Tj "),
        "many sizes": _pdf_of(b"/F1 9 Tf (a) Tj /F1 20 Tf (b) Tj 0 -12 Td "),
        "hyphens at line ends": _pdf_of(b"0 -12 Td (re-) Tj "),
        "saved states": _pdf_of(b"q "),
        "objects": counted("@ 0 obj\n<< >>\nendobj\n", before="%PDF-1.4\n", after="trailer\n<< /Root 1 0 R >>\n%%EOF"),
        "arrays": nested("[", "", "]"),
        "no cross references": repeated("1 0 obj << /Type /Page >> endobj\n", before="%PDF-1.4\n"),
    },
    "front-matter": {
        "aliases of aliases": lambda size: _YAML_ALIASES.encode() + b"x" * size,
        "nested flow": lambda size: b"---\n" + b"{a: " * (size // 4) + b"\n---\n",
        "nested lines": lambda size: (
            b"---\n" + b"".join(b" " * n + b"a:\n" for n in range(math.isqrt(2 * size))) + b"---\n"
        ),
        "many keys": counted("k@: v\n", before="---\n", after="---\n"),
        "nested TOML": lambda size: b"+++\na = " + b"[" * (size // 2) + b"]" * (size // 2) + b"\n+++\n",
        "dotted TOML": lambda size: b"+++\n" + b"a." * (size // 2) + b"b = 1\n+++\n",
    },
    "feed": {
        "entities": _entities,
        "counted entries": counted(
            "<item><title>1.@</title><link>http://a/@</link><description>x @</description></item>",
            before="<rss><channel>",
            after="</channel></rss>",
        ),
        "nested elements": nested("<a>", "x", "</a>"),
        "nested in an entry": lambda size: (
            b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>a</title><content type='xhtml'>"
            + b"<div>" * (size // 11)
            + b"x"
            + b"</div>" * (size // 11)
            + b"</content></entry></feed>"
        ),
        "attributes": counted("a@='b' ", before="<rss ", after="></rss>"),
        "namespaces": counted("xmlns:a@='b' ", before="<rss ", after="></rss>"),
    },
    "releases-file": {
        "deep": _deep_json,
        "counted releases": counted(
            '{"tag_name": "v1.@", "body": "* x @", "html_url": "https://github.com/a/b/releases/tag/v1.@"},',
            before="[",
            after='{"tag_name": "v0", "body": "x"}]',
        ),
        "one JSON a line": counted('{"tag_name": "v1.@", "body": "* x @"}\n'),
        "open brackets": repeated("["),
        "open objects": repeated('{"a":'),
    },
    "container": {
        "gzip bomb": _gzip_bomb,
        "zip bomb": _zip_bomb,
        "many files": _zip_of_many,
        "two bombs in one": lambda size: gzip.compress(_gzip_bomb(size)),
        "tar of many": lambda size: (b"a" * 100 + b"0" * 412) * (size // 512),
    },
    "answers-of-others": {
        "counted links": counted('<a href="gizmo-1.@.tar.gz">gizmo-1.@.tar.gz</a>'),
        "counted files": counted(
            '{"filename": "gizmo-1.@.tar.gz", "url": "gizmo-1.@.tar.gz"},', before='{"files": [', after="{}]}"
        ),
        "robots": counted("Disallow: /@*a*b*c$\n", before="User-agent: *\n"),
        "one rule of stars": repeated("*a", before="User-agent: *\nDisallow: /", after="b$"),
        "one rule of percents": repeated("%41", before="User-agent: *\nDisallow: /"),
        "unclosed links": repeated("<a href="),
        "unclosed attributes": repeated("<a b='"),
        "declarations": repeated("<!"),
        "base": repeated("<base href='a/'>"),
    },
    "relnotes.toml": {
        "counted sources": counted('[[source]]\nsource = "github:a/b@"\n'),
        "counted documents": counted('[[document]]\npath = "*@"\n'),
        "nested": lambda size: b"a = " + b"[" * size,
        "dotted": lambda size: b"a." * (size // 2) + b"b = 1",
        "stars": repeated("*a", before='[[document]]\npath = "', after='"\n'),
    },
    "ui-files": {
        "counted tokens": counted('[t@]\nsha256 = "00"\n'),
        "counted questions": counted('{"id": "@", "question": "q @"}\n'),
        "nested": lambda size: b"a = " + b"[" * size,
    },
    "slack:event": {
        "blocks in blocks": lambda size: (
            b'{"type": "event_callback", "event": {"type": "message", "blocks": '
            + b'[{"elements": ' * (size // 20)
            + b"1"
            + b"}]" * (size // 20)
            + b"}}"
        ),
        "one long text": lambda size: (
            b'{"type": "event_callback", "event_id": "E", "event": {"type": "app_mention", "channel": "C", "user": "U", '
            b'"ts": "1", "text": "' + b"<@U1> " * (size // 6) + b'"}}'
        ),
        "angles": lambda size: (
            b'{"type": "event_callback", "event_id": "E", "event": {"type": "app_mention", "channel": "C", "user": "U", '
            b'"ts": "1", "text": "' + b"<" * size + b'"}}'
        ),
    },
    "model-reply": {
        "events": counted('data: {"choices": [{"delta": {"content": "a [1]"}}]}\n'),
        "lines": repeated("data\n"),
        "one line": repeated("a"),
        "deep": _deep_json,
    },
    "ids-and-bodies": {"deep": _deep_json},
}


def families(target: Target) -> Iterator[tuple[str, Family]]:
    """The families of a target, by name; every one is a legal call of its check."""
    name = target.name
    yield from _OTHERS.get(name, {}).items()
    if name in ("container", "document:notes.pdf", "relnotes.toml", "ui-files") or name.startswith(
        ("http", "mcp", "slack")
    ):
        return
    pieces = dict.fromkeys((*_ANY, *(sign for sign in target.signs if sign not in ("\ufeff",))))
    if name.startswith("document:"):
        yield from _DOCUMENT.items()
        pieces |= dict.fromkeys(_MARKUP)
    if name in ("words", "claims", "versions", "dates", "version-lines"):
        pieces |= dict.fromkeys(_MARKUP)
        yield from (pair for pair in _DOCUMENT.items() if "counted" in pair[0] or "nested" in pair[0])
    if name == "diff":
        yield from _DIFF.items()
    if name.startswith("dependencies:"):
        yield from _DEPENDENCIES.items()
    for piece in pieces:
        try:
            yield f"repeated {piece[:40]!r}", repeated(piece)
        except UnicodeEncodeError:
            continue


@dataclass(frozen=True, slots=True)
class Growth:
    """What one family costs one target."""

    target: str
    family: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def exponent(self) -> float | None:
        """The slope of log time over log size at the largest sizes; None where all were too quick to tell."""
        points = [
            (math.log(size), math.log(took))
            for size, took in zip(self.sizes, self.seconds, strict=True)
            if took >= _MEASURABLE_S
        ][-_POINTS:]
        if len(points) < 3:
            return None
        mean_x = sum(x for x, _ in points) / len(points)
        mean_y = sum(y for _, y in points) / len(points)
        return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)

    @property
    def ms_per_mib(self) -> float:
        """At the largest size that was tried."""
        return self.seconds[-1] * 1_000 / self.sizes[-1] * 2**20

    @property
    def is_defect(self) -> bool:
        """Whether the time grows faster than the size, and to something notable."""
        return self.exponent is not None and self.exponent > MAX_EXPONENT and self.ms_per_mib > NOTABLE_MS_PER_MIB


def measure_growth(
    target: Target, name: str, family: Family, *, enough_s: float = 0.5, last_bytes: int = LAST_BYTES
) -> Growth:
    """Double the size from `FIRST_BYTES` to `last_bytes`, or until one input takes `enough_s` of processor time.

    Raises what the check raises: an input that grows must not break a promise either.
    """
    sizes: list[int] = []
    seconds: list[float] = []
    size = FIRST_BYTES
    while size <= last_bytes:
        content = family(size)
        if not sizes:
            target.check(content)  # what is compiled and loaded once isn't counted
        began = time.process_time()
        target.check(content)
        sizes.append(size)
        seconds.append(time.process_time() - began)
        if seconds[-1] >= enough_s:
            break
        size *= 2
    return Growth(target.name, name, tuple(sizes), tuple(seconds))


def worst_first(grown: Sequence[Growth]) -> list[Growth]:
    """Those with the highest exponents of what is notable first."""
    return sorted(grown, key=lambda one: (not one.is_defect, -(one.exponent or 0), -one.ms_per_mib))
