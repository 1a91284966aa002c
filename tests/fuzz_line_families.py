"""Documents that grow by kinds of line, which are made from the grammar of each format rather than thought of.

A grammar's rules are alternatives, in which `<name>` stands for another rule and `@` for a number that counts up. Each
alternative gives one kind of line: the line that uses it, and takes the first alternative of every other rule. A family
repeats a kind in one of several ways, or two kinds with each other.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from fuzz_growing import Family, staircase
from test_ingest_pdf import write_pdf

Grammar = Mapping[str, Sequence[str]]

_HOLE = "\0"
_RULE = re.compile(r"<(\w+)>")
_INLINE = ("word @", "Gizmo 1.@.0", "2024-01-02", "a@b.c", "http://a.b/@", "#@", "CVE-2024-@", "fix: @", "A. B. @")
_MARKDOWN: Grammar = {
    "line": (
        "<text>", "<hashes> <text>", "<text>\n<rule>", "<bullet> <text>", "<bullet> [ ] <text>", "> <text>", ">", "<fence>", "<rule>",
        "    <text>", "\t<text>", "| <text> | <text> |", "|---|:-:|", "[<label>]: <target>", "<html>", "<text>  ",
        "<text>\\", "",
    ),
    "hashes": ("#", "##", "###", "####", "#####", "######", "#######"),
    "rule": ("===", "---", "***", "- - -", "+++", "="),
    "bullet": ("-", "*", "+", "@.", "1)", "9999999999."),
    "fence": ("```", "~~~", "```py", "````", "~~~~ a"),
    "label": ("a@", "^@", "A", "[", "a\\]"),
    "target": ("http://a.b/@", "<a b>", "a 'title'", "a\n  \"title\"", "<"),
    "html": (
        "<div>", "</div>", "<!-- a", "-->", "<!-- a -->", "<?a", "<!A", "<![CDATA[", "<script>", "<pre>", "<details>", "<a@>",
        "<p align=center>", "<br>", "<h2 id=a@>1.@</h2>",
    ),
    "text": (
        *_INLINE, "*a@*", "**a", "_a", "`a@`", "``a", "[a](b@)", "![a](b)", "[a@][b@]", "[a@]", "[^@]", "<http://a.b>", "&amp;",
        "~~a~~", "\\*", "a_@_b", "[a](", "***a** b*", "<!--", "<b>", "![", ":a:", "{#a@}", "$a$", "@user", "**Note**: a", "a:",
    ),
}  # fmt: skip
_RESTRUCTUREDTEXT: Grammar = {
    "line": (
        "<text>", "<text>\n<rule>", "<rule>\n<text>\n<rule>", "<rule>", "<bullet> <text>", ":<field>: <text>", "<text>\n    <text>", "::",
        "<text>::", "    <text>", "| <text>", ">>> a@", ".. <explicit>", "..", "-a  <text>", "--a=b  <text>", "+---+", "| a |",
        "=== ===", "a   b", "__ a@", "__", "\"<text>\"", "-- <text>", "",
    ),
    "rule": ("======", "------", "~~~~~~", "^^^^^^", "''''''", "......", "======================", "="),
    "bullet": ("*", "-", "+", "@.", "#.", "(a)", "ii.", "•"),
    "field": ("a@", "date", "version", "a\\:b", "`a`"),
    "explicit": (
        "note::", "versionadded:: 1.@", "code-block:: py\n\n    a@", "_a@:", "_a@: http://b/@", "_`a b`: c_", "|a@| replace:: b",
        "[@] <text>", "[#] <text>", "[a@] <text>", "a comment", "include:: a", "list-table::\n\n   * - a\n     - b",
        "image:: a@\n   :alt: b", "_", "a::", "class:: b", "contents::", "only:: html", "unknown-@::\n   :a: b", "__: a", "towncrier-draft-entries::",
    ),
    "text": (
        *_INLINE, "*a*", "**a**", "``a@``", "`a@`_", "`a <b@>`_", "`a`__", "a@_", "a__", ":ref:`a@`", ":a:`b", "|a@|", "[@]_", "[#]_",
        "_`a@`", "*a", "`a", "``a", "\\*", "|a", "a:", ":issue:`@`", "a_b_",
    ),
}  # fmt: skip
_ASCIIDOC: Grammar = {
    "line": (
        "<text>", "<marks> <text>", "<text>\n<rule>", ".<text>", "<delimiter>", "[<attributes>]", ":<name>: <text>", ":<name>:", "<bullet> <text>",
        "<term><colons>", "<term><colons> <text>", "//  <text>", "<macro>", "|<text>", "|<text> |<text>", "+", "  <text>",
        "<text> +", "A B <a@b.c>", "v1.@, 2024-01-02", "<1> <text>", "'''", "<<<", "",
    ),
    "marks": ("=", "==", "===", "======", "=======", "#", "##"),
    "rule": ("=====", "-----", "~~~~~", "^^^^^", "+++++"),
    "delimiter": (
        "----", "....", "====", "****", "____", "++++", "////", "--", "```", "```py", "|===", ",===", ":===", "!===", "------",
    ),
    "attributes": ("source", "NOTE", "[a@]", "#a@", ".a", "a,b", "cols=2", "%header", "quote, a", ""),
    "name": ("a", "a@", "!a", "a!", "revdate", "revnumber", "toc"),
    "bullet": ("*", "**", "***", "-", ".", "..", "1.", "a.", "•", "* [x]"),
    "term": ("a@", "a b", "a:b", "`a`", "-a"),
    "colons": ("::", ":::", "::::", ";;"),
    "macro": ("include::a@[]", "ifdef::a@[]", "ifndef::a[]", "endif::[]", "ifeval::[a]", "image::a@[]", "toc::[]", "a::b[", "video::a[b]"),
    "text": (
        *_INLINE, "*a*", "_a_", "`a@`", "#a#", "^a^", "+a+", "{a@}", "link:a@[b]", "<<a@>>", "xref:a@[b]", "http://a.b/@[c]",
        "image:a[b]", "footnote:[a@]", "((a@))", "(((a,b)))", "*a", "`a", "{a", "<<a", "kbd:[a]", "a:", "a::b", "pass:[a]",
    ),
}  # fmt: skip
_HTML: Grammar = {
    "line": (
        "<open><text>", "<text>", "<open><text><close>", "<close>", "<void>", "<!-- <text>", "<!-- <text> -->", "-->", "<!DOCTYPE html>", "<![CDATA[a]]>", "<?a?>",
        "<raw>", "<row>", "<item>", "<heading>", "<meta>", "<",
    ),
    "open": (
        "<div>", "<p>", "<ul>", "<ol>", "<li>", "<table>", "<tr>", "<td>", "<th>", "<dl>", "<dt>", "<dd>", "<h1>", "<h2>", "<h6>", "<pre>", "<code>",
        "<blockquote>", "<section>", "<article>", "<main>", "<nav>", "<aside>", "<header>", "<footer>", "<a href=@>", "<span class=a@>", "<b>", "<i>",
        "<em>", "<font>", "<nobr>", "<button>", "<form>", "<select>", "<option>", "<svg>", "<math>", "<details>", "<summary>", "<template>", "<a@>",
        "<body>", "<html>", "<head>", "<frameset>", "<caption>", "<tbody>", "<colgroup>", "<label>", "<figure>", "<div id=a@ class='b c'>",
        "<div hidden>", "<div style='display:none'>", "<time datetime=2024-01-02>", "<del>", "<ruby>", "<applet>", "<marquee>",
    ),
    "close": ("</div>", "</p>", "</li>", "</ul>", "</td>", "</table>", "</b>", "</a>", "</body>", "</html>", "</br>", "</h2>", "</@>"),
    "void": ("<br>", "<hr>", "<img src=@ alt=a>", "<input value=a>", "<wbr>", "<col>", "<link rel=a>", "<area>"),
    "raw": ("<script>a</script>", "<script>", "<style>a</style>", "<textarea>", "<title>a@</title>", "<noscript>", "<iframe>", "<plaintext>", "<xmp>"),
    "row": ("<tr><td>a@</td><td>b</td></tr>", "<tr><td>a", "<tr><td colspan=9999>a</td></tr>", "<td rowspan=9999>a", "<table><tr><td>"),
    "item": ("<li>entry @</li>", "<li><p>a</p><ul><li>b</li></ul></li>", "<dt>a@<dd>b", "<ul><li>"),
    "heading": ("<h2>1.@</h2>", "<h2 id=v@><a href=#v@>1.@</a></h2>", "<h3>Part @</h3>", "<h1>A</h1>", "<h2><h3>"),
    "meta": ("<meta name=date content=2024-01-02>", "<meta property=og:title content=a@>", "<base href=a@>", "<script type=application/ld+json>{}</script>"),
    "text": (*_INLINE, "&amp;", "&#@;", "&a", "a &nbsp; b", "\u202e", "]]>"),
}  # fmt: skip
_PLAIN: Grammar = {
    "line": (
        "<text>", "<text>\n<rule>", "<rule>", "<rule>\n<text>\n<rule>", "<bullet> <text>", "  <bullet> <text>", "    <text>", "\t<text>", "<field>", "<head>",
        "<signature>", "| <text> |", "+---+", "[<text>]: <text>", "<outline> <text>", "> <text>", "<text>:", "",
    ),
    "rule": ("======", "------", "******", "######", "~~~", "_____", "=", "- - -", "=-=-=-"),
    "bullet": ("-", "*", "+", "o", "@.", "@)", "(a)", "•", "–", "*)", "·"),
    "field": ("name@:   value", "Date: 2024-01-02", "Version: 1.@", "a:\tb", "Author@: A <a@b.c>"),
    "head": (
        "Version 1.@ (2024-01-02)", "1.@.0 - 2024-01-02", "v1.@", "Changes in 1.@", "gizmo (1.@-1) unstable; urgency=low",
        "* Mon Mar 02 2026 A <a@b.c> - 1.@-1", "Release 1.@", "2024-01-02  A  <a@b.c>", "PART @", "Part @", "Gizmo 1.@", "Unreleased",
        "== 1.@ ==", "[1.@]", "%changelog", "Changes from 1.@ to 1.2", "=== 1.@ ===", "1.@", "January 2024", "What's new?",
    ),
    "signature": (" -- A B <a@b.c>  Mon, 01 Jan 2024 00:00:00 +0000", "-- A", "-- \nA"),
    "outline": ("*", "**", "****", "1.@", "A.@", "iv."),
    "text": (
        *_INLINE, "A SHOUT @", "a -", "re-", "\"a\"", "(see 1.@)", "`a@`", "name_@()", "--flag-@", "a/b.py", "A::b@", "was removed: the following sentence:",
        "1.2 -> 1.@", "since 1.@", "a, b and c", "...", "-*- a -*-", "\f", "\u0301", "e.g. a", "Fixed @.", "removed the following sentence:",
    ),
}  # fmt: skip
_SPEC: Grammar = {**_PLAIN, "line": (*_PLAIN["line"], "<tag>: <text>", "%<section>", "%define a@ b", "# <text>", "%if a@", "%endif"),
    "tag": ("Name", "Version", "Source@", "Requires", "BuildRequires"),
    "section": ("description", "changelog", "prep", "files", "package a@"),
}  # fmt: skip
_PDF: Grammar = {
    "line": (
        "(<text>) Tj", "[(<text>) -250 (b)] TJ", "<move>", "<font>", "<state>", "(<text>) '", "1 2 (<text>) \"", "<41@> Tj", "<mark>", "<graphic>", "% a", "",
    ),
    "move": ("0 -12 Td", "0 -@ Td", "1 0 0 1 50 @ Tm", "0 -12 TD", "T*", "@ 0 Td"),
    "font": ("/F1 10 Tf", "/F1 @ Tf", "/F2 10 Tf", "@ Tc", "@ Tz", "@ TL", "@ Ts", "3 Tr"),
    "state": ("q", "Q", "q Q", "BT", "ET", "BT ET", "1 0 0 1 0 @ cm", "/G gs"),
    "mark": ("/Span BMC", "EMC", "/Span << /ActualText (a) >> BDC", "/P /a DP"),
    "graphic": ("0 0 m @ 1 l S", "0 0 1 1 re f", "/X Do", "BI /W 1 /H 1 /BPC 8 ID a EI", "@ g", "/Cs cs"),
    "text": ("word @", "re-", "1.@.0", "\225 a", "@.", "a\\)b", "", "page @", "a . . . . . @"),
}  # fmt: skip
_FEED: Grammar = {
    "line": (
        "<item><title>1.@</title><description><text></description></item>", "<item>", "</item>", "<title><text></title>", "<<tag>><text></<tag>>",
        "<entry><title>1.@</title><content type='<kind>'><text></content></entry>", "<!-- <text> -->", "<![CDATA[<text>]]>", "<?a b?>", "<text>",
    ),
    "tag": ("link", "guid", "pubDate", "category", "description", "content:encoded", "updated", "id", "a@"),
    "kind": ("html", "text", "xhtml", "a@"),
    "text": (*_INLINE, "&amp;", "&lt;p&gt;a&lt;/p&gt;", "&#@;", "&a;", "<b>a</b>", "<p>a", "2024-01-02T00:00:00Z", "Mon, 01 Jan 2024 00:00:00 GMT"),
}  # fmt: skip
GRAMMARS: Mapping[str, Grammar] = {
    "document:notes.md": _MARKDOWN,
    "document:notes.rst": _RESTRUCTUREDTEXT,
    "document:notes.adoc": _ASCIIDOC,
    "document:notes.html": _HTML,
    "document:notes.txt": _PLAIN,
    "document:changelog": _PLAIN,
    "document:gizmo.spec": _SPEC,
    "document:notes.pdf": _PDF,
    "feed": _FEED,
}
FRAMES: Mapping[str, Callable[[bytes], bytes]] = {
    "document:notes.pdf": lambda lines: write_pdf(b"BT /F1 10 Tf " + lines + b" ET"),
    "feed": lambda lines: b"<rss xmlns:content='c'><channel>" + lines + b"</channel></rss>",
}
"""What must stand around lines for them to be read at all."""


def line_kinds(grammar: Grammar) -> tuple[str, ...]:
    """A line for each alternative of each rule, in the order of the grammar, none twice."""
    holes = {"line": _HOLE}
    found: dict[str, None] = {}
    for rule in grammar:
        for alternative in grammar[rule]:
            found[holes[rule].replace(_HOLE, _expand(alternative, grammar))] = None
            for match in _RULE.finditer(alternative):
                if match[1] in grammar and match[1] not in holes:
                    around = (
                        _expand(part, grammar) for part in (alternative[: match.start()], alternative[match.end() :])
                    )
                    holes[match[1]] = holes[rule].replace(_HOLE, _HOLE.join(around))
    return tuple(found)


def line_families(name: str, *, pairs: int, seed: int) -> Iterator[tuple[str, Family]]:
    """For a target that has a grammar, each kind of line repeated in each way, all kinds together, and `pairs` times two
    lines made by chance with each other."""
    frame = FRAMES.get(name, bytes)
    for family, build in _bare_families(GRAMMARS[name], pairs=pairs, seed=seed):
        yield family, lambda size, build=build: frame(build(size))  # type: ignore[misc]


def _bare_families(grammar: Grammar, *, pairs: int, seed: int) -> Iterator[tuple[str, Family]]:
    kinds = line_kinds(grammar)
    yield "all kinds by turns", lambda size: _numbered("\n".join((*kinds, "")), size)
    yield (
        "all kinds, each in a run",
        lambda size: b"".join(_numbered(f"{kind}\n", size // len(kinds)) for kind in kinds),
    )
    for kind in kinds:
        for way, repeat in _WAYS.items():
            yield f"{way} {kind!r}", repeat(kind)
    chance = random.Random(seed)
    for _ in range(pairs):
        first, second = (_expand("<line>", grammar, choose=chance.choice) for _ in range(2))
        way = chance.choice(tuple(_PAIRED))
        yield f"{way} {first!r} and {second!r}", _PAIRED[way](first, second)


def _expand(
    text: str, grammar: Grammar, choose: Callable[[Sequence[str]], str] = lambda alternatives: alternatives[0]
) -> str:
    return _RULE.sub(
        lambda match: _expand(choose(grammar[match[1]]), grammar, choose) if match[1] in grammar else match[0], text
    )


def _numbered(text: str, size: int) -> bytes:
    count = max(1, size // (len(text) + 3 * text.count("@")))
    return "".join(text.replace("@", str(number)) for number in range(count)).encode()


def _runs(first: str, second: str) -> Family:
    return lambda size: _numbered(f"{first}\n", size // 2) + _numbered(f"{second}\n", size // 2)


_WAYS: Mapping[str, Callable[[str], Family]] = {
    "lines of": lambda line: lambda size: _numbered(f"{line}\n", size),
    "spaced lines of": lambda line: lambda size: _numbered(f"{line}\n\n", size),
    "one line of": lambda line: lambda size: _numbered(f"{line.replace(chr(10), ' ')} ", size),
    "a staircase of": lambda line: staircase(f"{line}\n"),
}
_PAIRED: Mapping[str, Callable[[str, str], Family]] = {
    "by turns": lambda first, second: lambda size: _numbered(f"{first}\n{second}\n", size),
    "by turns, spaced,": lambda first, second: lambda size: _numbered(f"{first}\n\n{second}\n\n", size),
    "indented below": lambda first, second: lambda size: _numbered(f"{first}\n  {second}\n", size),
    "all, then all,": _runs,
    "one, then all,": lambda first, second: lambda size: f"{first}\n".encode() + _numbered(f"{second}\n", size),
}
