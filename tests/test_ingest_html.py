"""HTML: the text of the main content, and where its blocks lie in it."""

import html
import re
from pathlib import Path

import pytest
from block_promises import assert_blocks_hold, told_blocks
from case_files import Case, read_cases, read_rows
from hypothesis import given
from hypothesis import strategies as st

from ingest.blocks import ParsedText
from ingest.formats.html import parse_html

PAGES = Path(__file__).parents[2] / "shared" / "corpora" / "cpython" / "whatsnew"


def assert_reads_like_a_page(parsed: ParsedText) -> None:
    """Blocks hold, are parted by blank lines, and there is nothing else in the text."""
    assert_blocks_hold(parsed)
    end = 0
    for block in parsed.blocks:
        assert parsed.text[end : block.start].strip() == ""
        assert end == 0 or parsed.text[end : block.start].startswith("\n\n")
        end = block.end
    assert end == len(parsed.text)


@pytest.mark.parametrize("case", read_cases("blocks-html"), ids=lambda case: case.name)
def test_blocks(case: Case) -> None:
    parsed = parse_html(case.text)
    assert told_blocks(parsed) == case.gives
    assert_reads_like_a_page(parsed)


@pytest.mark.parametrize(("head", "body", "expected"), read_rows("ingest-front-matter-of-a-page"))
def test_front_matter(head: str, body: str, expected: dict[str, str]) -> None:
    parsed = parse_html(f"<html><head>{head}</head><body>{body}<p>Text</p></body></html>")
    assert parsed.front_matter == expected


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 20_000 + "deep",
        "<ul><li>" * 10_000 + "deep",
        "<table><tr><td>" * 10_000 + "deep",
        "<b>" * 20_000 + "<p>deep",
        "<" * 100_000 + " deep",
        "<p>" + "deep " * 200_000,
        "<b>deep</i>" * 60_000,
    ],
    ids=["divs", "lists", "tables", "unclosed-inline", "angle-brackets", "one-paragraph-of-1-MB", "closed-by-others"],
)
def test_hostile_pages_take_no_stack_and_end(markup: str) -> None:
    parsed = parse_html(markup)
    assert "deep" in parsed.text


def test_a_page_that_closes_next_to_nothing_loses_no_word_and_no_heading() -> None:
    rest = "<b>word</i>" * 5_000
    parsed = parse_html(
        f"<html><head><title>Gizmo 1.0</title></head><main><h1>Gizmo 1.0</h1>{rest}<h2>Fixes</h2><p>One."
    )
    assert parsed.front_matter == {"title": "Gizmo 1.0"}
    assert [block.title for block in parsed.blocks if block.kind == "heading"] == ["Gizmo 1.0", "Fixes"]
    assert parsed.text.count("word") == 5_000
    assert parsed.text.endswith("\n\nOne.")


TAGS = (
    "p", "div", "ul", "li", "pre", "table", "tr", "td", "h2", "b", "main", "nav", "br", "a href='#'", "/a",
    "!-- c --",
)  # fmt: skip
FRAGMENTS = st.lists(
    st.one_of(
        st.sampled_from(TAGS).map("<{}>".format),
        st.sampled_from(TAGS).map("</{}>".format),
        st.sampled_from(("word", " ", "\n", "\r\n", "&nbsp;", "&amp;", "<", "¶")),
    ),
    max_size=40,
).map("".join)


@given(FRAGMENTS | st.text())
def test_every_word_is_in_one_block_whatever_the_markup(markup: str) -> None:
    assert_reads_like_a_page(parse_html(markup))


@given(FRAGMENTS, st.sampled_from(["\r\n", "\r"]))
def test_line_ends_change_nothing(markup: str, line_end: str) -> None:
    markup = markup.replace("\r\n", "\n")
    assert parse_html(markup.replace("\n", line_end)) == parse_html(markup)


@pytest.mark.skipif(not PAGES.is_dir(), reason="the shared corpora are not beside this checkout")
def test_blocks_of_real_pages_are_verbatim() -> None:
    paths = list(PAGES.glob("*.html"))
    assert paths
    for path in paths:
        markup = path.read_text(encoding="utf-8")
        shown = "".join(html.unescape(re.sub(r"<[^>]+>", "", markup)).split())
        parsed = parse_html(markup)
        assert_reads_like_a_page(parsed)
        assert parsed.front_matter["title"] == parsed.blocks[0].title
        for block in parsed.blocks:
            if block.kind != "table":
                words = "".join(parsed.text[block.start : block.end].split())
                assert words.removeprefix("-" if block.kind == "list_item" else "") in shown
