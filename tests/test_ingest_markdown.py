"""Markdown to blocks: literal documents, then what holds for any text."""

import re
from pathlib import Path

import pytest
from block_promises import assert_blocks_hold, outline

from ingest.blocks import ParsedText
from ingest.formats.front_matter import split_front_matter
from ingest.formats.markdown import parse_markdown

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"


def assert_parses(text: str) -> ParsedText:
    """`text` is what was parsed, and its blocks hold from its front matter on."""
    parsed = parse_markdown(text)
    assert parsed.text == text
    assert_blocks_hold(parsed, begin=split_front_matter(text)[1])
    return parsed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", [], id="empty"),
        pytest.param("\n \n\t\n", [], id="blank"),
        pytest.param("# 1.0 #\n\nText.\n", [("heading", 1, "1.0"), ("paragraph", 0, "Text.")], id="atx"),
        pytest.param(
            "1.0\n===\n\n0.9\n---\nText.\n",
            [("heading", 1, "1.0"), ("heading", 2, "0.9"), ("paragraph", 0, "Text.")],
            id="setext",
        ),
        pytest.param(
            "===\n2.0 (1.9)\n===\n\nText.", [("heading", 1, "2.0 (1.9)"), ("paragraph", 0, "Text.")], id="between rules"
        ),
        pytest.param(
            "```sh\n## not a heading\n```\n~~~\n# nor this\n~~~",
            [("code", 0, "```sh\n## not a heading\n```"), ("code", 0, "~~~\n# nor this\n~~~")],
            id="heading inside a fence is code",
        ),
        pytest.param(
            "## `f()`\n\n<!-- YAML\nadded:\n  - v9.2.0\n  - v8.1.0\ndeprecated: v20.1.0\nchanges:\n"
            "  - version: v19.1.0\n    pr-url: https://x.test/1\n    description: Now slower.\n"
            "  - version: v12.4.0\n    description: Now faster.\n-->\n",
            [
                ("heading", 2, "f()"),
                ("markup", 0, "<!-- YAML"),
                ("paragraph", 0, "added:\n  - v9.2.0\n  - v8.1.0"),
                ("paragraph", 0, "deprecated: v20.1.0"),
                ("markup", 0, "changes:"),
                ("list_item", 1, "- version: v19.1.0\n    pr-url: https://x.test/1\n    description: Now slower."),
                ("list_item", 1, "- version: v12.4.0\n    description: Now faster."),
            ],
            id="a comment that states versions",
        ),
        pytest.param("<!-- introduced_in=v0.9.0 -->", [("paragraph", 0, "introduced_in=v0.9.0")], id="introduced in"),
        pytest.param("<!-- YAML\nname: x\n-->", [("markup", 0, "<!-- YAML\nname: x\n-->")], id="a comment of YAML"),
        pytest.param(
            "Use:\n\n    ## indented\n\nDone.",
            [("paragraph", 0, "Use:"), ("code", 0, "## indented"), ("paragraph", 0, "Done.")],
            id="indented code",
        ),
        pytest.param(
            "* a\n  wrapped\n* b\n  * c\n    * d\n* e",
            [
                ("list_item", 1, "* a\n  wrapped"),
                ("list_item", 1, "* b"),
                ("list_item", 2, "* c"),
                ("list_item", 3, "* d"),
                ("list_item", 1, "* e"),
            ],
            id="nested tight list",
        ),
        pytest.param(
            "1. a\n\n   more of a\n\n   ```\n   x = 1\n   ```\n\n   after the code\n\n2. b",
            [
                ("list_item", 1, "1. a\n\n   more of a"),
                ("code", 1, "```\n   x = 1\n   ```"),
                ("paragraph", 1, "after the code"),
                ("list_item", 1, "2. b"),
            ],
            id="loose item with paragraphs and code",
        ),
        pytest.param("- - deep", [("list_item", 2, "- - deep")], id="item that opens with an item"),
        pytest.param(
            "- ## 1.0\n  text", [("heading", 2, "1.0"), ("list_item", 1, "text")], id="heading inside a list item"
        ),
        pytest.param(
            "- a\n\n  # b\n\n  c",
            [("list_item", 1, "- a"), ("paragraph", 1, "# b"), ("paragraph", 1, "c")],
            id="heading of an example inside a list item",
        ),
        pytest.param(
            "> ## Note\n> one\n> two\n>\n> - item",
            [("heading", 2, "Note"), ("paragraph", 0, "one\n> two"), ("list_item", 1, "- item")],
            id="block quote",
        ),
        pytest.param(
            "> [!WARNING]\n> Back up first.",
            [("markup", 0, "[!WARNING]"), ("paragraph", 0, "Back up first.")],
            id="alert",
        ),
        pytest.param(
            "| a | b |\n|---|---|\n| 1 | 2 |\n\nAfter.",
            [("table", 0, "| a | b |\n|---|---|\n| 1 | 2 |"), ("paragraph", 0, "After.")],
            id="table",
        ),
        pytest.param(
            "<table>\n<tr><td>\n\n**bold** cell\n\n    indented\n\n</td></tr>\n</table>\n\nAfter.",
            [
                ("table", 0, "<table>\n<tr><td>\n\n**bold** cell\n\n    indented\n\n</td></tr>\n</table>"),
                ("paragraph", 0, "After."),
            ],
            id="raw table is whole over its blank lines",
        ),
        pytest.param(
            "<!-- ## 9.9\nhidden -->\n\n# 1.0",
            [("markup", 0, "<!-- ## 9.9\nhidden -->"), ("heading", 1, "1.0")],
            id="comment",
        ),
        pytest.param(
            "<!-- never closed\n\ntext",
            [("paragraph", 0, "<!-- never closed\n\ntext")],
            id="open comment hides nothing",
        ),
        pytest.param("<p>Prose in\ntags.</p>", [("paragraph", 0, "<p>Prose in\ntags.</p>")], id="raw paragraph"),
        pytest.param(
            "<details>\n<summary>More</summary>\n\n- a\n\n</details>",
            [
                ("paragraph", 0, "<details>\n<summary>More</summary>"),
                ("list_item", 1, "- a"),
                ("markup", 0, "</details>"),
            ],
            id="details",
        ),
        pytest.param('<h2 id="x">Version <b>2.0</b></h2>', [("heading", 2, "Version 2.0")], id="raw heading"),
        pytest.param(
            "<style>\n.a { color: red }\n</style>", [("markup", 0, "<style>\n.a { color: red }\n</style>")], id="style"
        ),
        pytest.param(
            "See [1.0].\n\n[1.0]: https://example.org/1\n[2.0]: https://example.org/2",
            [
                ("paragraph", 0, "See [1.0]."),
                ("markup", 0, "[1.0]: https://example.org/1\n[2.0]: https://example.org/2"),
            ],
            id="reference definitions",
        ),
        pytest.param(
            "![Cover](a.png)\n\nText", [("markup", 0, "![Cover](a.png)"), ("paragraph", 0, "Text")], id="image alone"
        ),
        pytest.param(
            "## 1.0\n\n**Deprecations**:\n\n* x\n\n**Fixes**\n\n* y",
            [
                ("heading", 2, "1.0"),
                ("heading", 3, "Deprecations"),
                ("list_item", 1, "* x"),
                ("heading", 3, "Fixes"),
                ("list_item", 1, "* y"),
            ],
            id="bold lines are headings below the current one",
        ),
        pytest.param(
            "**This is now an error.**\n\n**Note**: mind the gap\n\n- **Name**",
            [
                ("paragraph", 0, "**This is now an error.**"),
                ("paragraph", 0, "**Note**: mind the gap"),
                ("list_item", 1, "- **Name**"),
            ],
            id="bold sentence, lead-in and item are no headings",
        ),
        pytest.param(
            "::: info\nHidden in a box.\n:::\n\n::: details Why so?\nBecause.\n:::",
            [
                ("markup", 0, "::: info"),
                ("paragraph", 0, "Hidden in a box."),
                ("paragraph", 0, "::: details Why so?"),
                ("paragraph", 0, "Because."),
            ],
            id="containers",
        ),
        pytest.param(
            "!!! warning\n    Fixed **now**.\n\n    - at once\n\nAfter.",
            [
                ("markup", 0, "!!! warning"),
                ("paragraph", 0, "Fixed **now**."),
                ("list_item", 1, "- at once"),
                ("paragraph", 0, "After."),
            ],
            id="admonition",
        ),
        pytest.param(
            "import Tabs from '@theme/Tabs';\nimport {\n  A,\n} from \"../b\";\nimport 'c.css'\n\nexport const d = {\n"
            '\n# 1.0\n\n{/* a note\nto us */}\n\nimport it from "there" and be glad.\n\n<Tabs>\n\n- x\n\n</Tabs>',
            [
                ("markup", 0, "import Tabs from '@theme/Tabs';\nimport {\n  A,\n} from \"../b\";\nimport 'c.css'"),
                ("markup", 0, "export const d = {"),
                ("heading", 1, "1.0"),
                ("markup", 0, "{/* a note\nto us */}"),
                ("paragraph", 0, 'import it from "there" and be glad.'),
                ("markup", 0, "<Tabs>"),
                ("list_item", 1, "- x"),
                ("markup", 0, "</Tabs>"),
            ],
            id="what MDX leaves",
        ),
        pytest.param("\ufeff# 1.0", [("heading", 1, "1.0")], id="byte order mark"),
        pytest.param("---\ntitle: T\n---\n# 1.0", [("heading", 1, "1.0")], id="front matter is in no block"),
    ],
)
def test_document_becomes_blocks(text: str, expected: list[tuple[str, int, str]]) -> None:
    assert outline(parse_markdown(text)) == expected


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("## <small>[8.2.1](https://example.org/v8) (2026-08-06)</small>", "8.2.1 (2026-08-06)"),
        ("## [1.2.0] - 2024-01-01 [YANKED]", "[1.2.0] - 2024-01-01 [YANKED]"),
        ("## [1.2.0] - 2024-01-01\n\n[1.2.0]: https://example.org", "1.2.0 - 2024-01-01"),
        ("### Removed `a.b` *and* **c**", "Removed a.b and c"),
        ("## What's new in 2.0 {#new-2-0}", "What's new in 2.0"),
        ("## Target Change [<Badge text='NRV' />](#x)", "Target Change"),
        ("## A &amp; B \\# C", "A & B # C"),
        ("## ![logo](a.png) 3.0", "logo 3.0"),
        ("Long\ntitle\n=====", "Long title"),
        ("## 1.0 " + "[" * 60, "1.0 " + "[" * 60),
    ],
)
def test_title_is_the_heading_without_markup(heading: str, title: str) -> None:
    assert parse_markdown(heading).blocks[0].title == title


def test_paragraph_above_a_thematic_break_is_no_heading() -> None:
    prose = "word " * 100
    assert [block.kind.value for block in parse_markdown(f"{prose}\n---\n").blocks] == ["paragraph"]


@pytest.mark.parametrize(
    ("text", "values", "body"),
    [
        pytest.param('---\ntitle: "A: b"\nlayout: x\n---\nBody', {"title": "A: b"}, "Body", id="yaml"),
        pytest.param(
            "---\nversion: 4.10\ndate: 2024-02-08\n---\n",
            {"version": "4.10", "date": "2024-02-08"},
            "",
            id="as written",
        ),
        pytest.param(
            "---\ntitle: T\nhead:\n  - - meta\n    - url: u\n...\nBody",
            {"title": "T"},
            "Body",
            id="nested keys don't count",
        ),
        pytest.param(
            '+++\ntitle = "T"\nversion = 4.10\ndate = 2024-02-08\n+++\nBody',
            {"title": "T", "version": "4.10", "date": "2024-02-08"},
            "Body",
            id="toml",
        ),
        pytest.param("\ufeff---\r\nTitle: T\r\n---\r\nBody", {"title": "T"}, "Body", id="byte order mark and CRLF"),
        pytest.param("---\ntitle: [a, b]\n---\nBody", {}, "Body", id="lists aren't titles"),
        pytest.param("---\n\nSome prose.\n\n---\n\nMore.", {}, None, id="thematic breaks"),
        pytest.param("---\nOne line of prose: with a colon\n---\n", {}, None, id="prose with a colon"),
        pytest.param("---\n# 1.0\n---\n", {}, None, id="heading between breaks"),
        pytest.param("---\ntitle: T\nno end", {}, None, id="never closed"),
        pytest.param("---\na: [\n---\nBody", {}, None, id="broken yaml"),
        pytest.param("---\n" + "[" * 30_000 + "\n---\n", {}, None, id="nested without end"),
        pytest.param("----\ntitle: T\n----\n", {}, None, id="longer rule"),
        pytest.param("Text\n---\ntitle: T\n---\n", {}, None, id="not at the start"),
    ],
)
def test_front_matter(text: str, values: dict[str, str], body: str | None) -> None:
    found, begin = split_front_matter(text)
    assert found == values
    assert text[begin:] == (text if body is None else body)


def test_front_matter_reaches_the_parsed_text() -> None:
    assert dict(parse_markdown("---\ntitle: T\nurl: https://example.org\n---\n").front_matter) == {
        "title": "T",
        "url": "https://example.org",
    }


def test_lists_nested_beyond_the_bound_keep_their_words() -> None:
    text = "\n".join("  " * depth + f"- entry {depth}" for depth in range(200))
    assert_parses(text)


@pytest.mark.skipif(not CORPORA.is_dir(), reason="needs ../shared/corpora")
def test_every_heading_of_the_corpora_is_found_once() -> None:
    for path in sorted(CORPORA.glob("**/*.md")):
        text = path.read_bytes().decode()
        parsed = assert_parses(text)
        unfenced = re.sub(r"(?ms)^ *```.*?^ *```", "", text)
        written = re.findall(r"(?m)^#{1,6} +\S", unfenced)
        found = [block for block in parsed.blocks if block.kind == "heading" and text[block.start] == "#"]
        assert len(found) == len(written), path.name
