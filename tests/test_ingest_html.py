"""HTML: the text of the main content, and where its blocks lie in it."""

import html
import re
from pathlib import Path

import pytest
from block_promises import assert_blocks_hold, outline
from hypothesis import given
from hypothesis import strategies as st

from ingest.blocks import ParsedText
from ingest.formats.html import parse_html

PAGES = Path(__file__).parents[2] / "shared" / "corpora" / "cpython" / "whatsnew"

CONTENT = {
    "headings-without-permalinks": (
        '<main><h1>Demo <code>1.0</code><a class="headerlink" href="#d">¶</a></h1>'
        '<h3 id=x>Fix<br>es <a href="#x">#</a></h3>',
        [("heading", 1, "Demo 1.0"), ("heading", 3, "Fix es")],
    ),
    "white-space-collapses-but-not-in-pre": (
        "<p>one\n  <b>two</b>\tthree</p><pre>\n  a\n    b\n</pre>",
        [("paragraph", 0, "one two three"), ("code", 0, "a\n    b")],
    ),
    "inline-markup-adds-no-space": (
        "<p>un<b>believ</b>able <code>f( )</code>, &lt;tag&gt; &amp; caf&eacute;</p>",
        [("paragraph", 0, "unbelievable f( ), <tag> & café")],
    ),
    "line-breaks": (
        "<p>one<br>two<br> <br>three</p>",
        [("paragraph", 0, "one\ntwo"), ("paragraph", 0, "three")],
    ),
    "nested-lists": (
        "<ul><li>one<ul><li><p>inner</p></li></ul></li><li><p>two</p><p>more</p><pre>x</pre>rest</li></ul>after",
        [
            ("list_item", 1, "one"),
            ("list_item", 2, "inner"),
            ("list_item", 1, "two\n\nmore"),
            ("code", 1, "x"),
            ("paragraph", 1, "rest"),
            ("paragraph", 0, "after"),
        ],
    ),
    "table": (
        "<table><caption>Sizes</caption><tr><th>Name<th>Size<tr><td>a <b>b</b><td><p>1</p><p>2</p></table>",
        [("table", 0, "Sizes\nName\tSize\na b\t1 2")],
    ),
    "a-table-that-arranges-the-page-is-transparent": (
        "<table><tr><td><h2>Title</h2>Text<td><pre>code</pre></table>",
        [("heading", 2, "Title"), ("paragraph", 0, "Text"), ("code", 0, "code")],
    ),
    "definitions-and-quotes": (
        "<dl><dt>Term</dt><dd>Meaning</dd></dl><blockquote>Said</blockquote>",
        [("paragraph", 0, "Term"), ("paragraph", 0, "Meaning"), ("paragraph", 0, "Said")],
    ),
    "main-content-only": (
        "<body><nav>Menu</nav><main>Text<nav>On this page</nav><script>x()</script></main><p>Outside</p>",
        [("paragraph", 0, "Text")],
    ),
    "main-by-role": ("<div role=main><p>Text</p></div><p>Outside</p>", [("paragraph", 0, "Text")]),
    "an-empty-main-is-passed-over": ("<main></main><article>Text</article>", [("paragraph", 0, "Text")]),
    "every-article": (
        "<p>Top</p><article>One<article>Reply</article></article><article>Two</article>",
        [("paragraph", 0, "One"), ("paragraph", 0, "Reply"), ("paragraph", 0, "Two")],
    ),
    "body-without-furniture": (
        "<header>Site</header><div class='cookie-banner'>We use cookies</div><aside>Ad</aside>"
        "<p>The text of the page, which is long enough to be most of it.</p><footer>(c)</footer>",
        [("paragraph", 0, "The text of the page, which is long enough to be most of it.")],
    ),
    "a-form-around-the-page-is-the-page": (
        "<form><p>All of the text</p></form>",
        [("paragraph", 0, "All of the text")],
    ),
    "lists-of-links-are-navigation": (
        "<ul>" + "<li><a href=x>Page</a>" * 5 + "</ul><p>The text of the page, which is longer.</p>",
        [("paragraph", 0, "The text of the page, which is longer.")],
    ),
    "a-change-list-of-links-is-content": (
        "<ul>" + "<li><a href=x>Fixed the crash when a file is opened twice</a>" * 2 + "</ul><p>More</p>",
        [("list_item", 1, "Fixed the crash when a file is opened twice")] * 2 + [("paragraph", 0, "More")],
    ),
    "hidden-text-is-none": (
        "<main><p>The text of the page, which is long enough to be most of it.</p><p hidden>a</p><dialog>b</dialog>"
        "<p style='color: red; DISPLAY : none'>c</p><p>In<i aria-hidden=true>d</i> <b style='visibility:hidden'>e</b>"
        "sight</p><template>f</template></main>",
        [
            ("paragraph", 0, "The text of the page, which is long enough to be most of it."),
            ("paragraph", 0, "In sight"),
        ],
    ),
    "what-is-hidden-until-it-is-looked-for-is-text": (
        "<main>The text.<details><p>More</p></details><p hidden=until-found>Found<dialog open>Asked</dialog></main>",
        [("paragraph", 0, "The text."), ("paragraph", 0, "More"), ("paragraph", 0, "Found"), ("paragraph", 0, "Asked")],
    ),
    "a-page-behind-a-dialog-is-the-page": (
        "<div role=dialog>Cookies?</div><div aria-hidden=true><h1>Demo 1.0</h1><p>The text of the page</p></div>",
        [("heading", 1, "Demo 1.0"), ("paragraph", 0, "The text of the page")],
    ),
    "a-page-that-a-script-shows-is-the-page": (
        "<body style='visibility: hidden'><p>The text of the page</p></body>",
        [("paragraph", 0, "The text of the page")],
    ),
    "malformed": (
        "<p>one<div>two</b></div>three<td>four",
        [("paragraph", 0, "one"), ("paragraph", 0, "two"), ("paragraph", 0, "three"), ("paragraph", 0, "four")],
    ),
    "no-words": ("<html><body><img src=x></body></html>", []),
    "nothing": ("", []),
}


def assert_reads_like_a_page(parsed: ParsedText) -> None:
    """Blocks hold, are parted by blank lines, and there is nothing else in the text."""
    assert_blocks_hold(parsed)
    end = 0
    for block in parsed.blocks:
        assert parsed.text[end : block.start].strip() == ""
        assert end == 0 or parsed.text[end : block.start].startswith("\n\n")
        end = block.end
    assert end == len(parsed.text)


@pytest.mark.parametrize(("markup", "expected"), CONTENT.values(), ids=CONTENT)
def test_blocks(markup: str, expected: list[tuple[str, int, str]]) -> None:
    parsed = parse_html(markup)
    assert outline(parsed) == expected
    assert_reads_like_a_page(parsed)


def test_first_line_of_code_keeps_its_indentation_in_the_text() -> None:
    parsed = parse_html("<p>See</p><pre>    a\n    b</pre>")
    assert parsed.text == "See\n\n    a\n    b"
    assert [(block.start, block.end) for block in parsed.blocks] == [(0, 3), (9, 16)]


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        (
            "<title>What’s New &#8212; Demo 3.1 documentation</title>",
            "",
            {"title": "What’s New", "product": "Demo", "version": "3.1"},
        ),
        (
            "<title>Queue | Demo v18.2.0 Documentation</title>",
            "",
            {"title": "Queue", "product": "Demo", "version": "v18.2.0"},
        ),
        (
            "<title>Modal</title><meta name='docsearch:version' content='5.3'>",
            "",
            {"title": "Modal", "version": "5.3"},
        ),
        (
            "<title>Modal · Version 5.3</title><meta name='docsearch:version' content='latest'>",
            "",
            {"title": "Modal", "version": "5.3"},
        ),
        ("<title>Modal</title><meta name='docsearch:version' content='latest'>", "", {"title": "Modal"}),
        *(
            (f"<title>Modal</title><meta name={name} content=5.3>", "", {"title": "Modal", "version": "5.3"})
            for name in ("version", "doc-version", "product-version", "release")
        ),
        *(
            (
                f"<title>{title}</title><meta property=og:title content='{shared}'>",
                "",
                {"title": "Assert", "product": "Demo", "version": "v18"},
            )
            for title, shared in (
                ("Assert", "Assert | Demo v18 Documentation"),
                ("Assert | Demo v18 Documentation", "Assert"),
            )
        ),
        ("<title>Running - Requires Python 3.8</title>", "", {"title": "Running - Requires Python 3.8"}),
        ("<title>What’s New in 3.0 — Demo 3.1 documentation</title>", "", {"title": "What’s New in 3.0"}),
        ("<title>Demo 2.0 - fast - Demo Blog</title>", "<h1>Demo 2.0 - fast</h1>", {"title": "Demo 2.0 - fast"}),
        (
            "<title>x</title><meta property=og:title content='Demo 2.0 – Site'>"
            "<meta property=og:site_name content=Site>",
            "",
            {"title": "Demo 2.0"},
        ),
        ("<title>Demo 1.0 - released</title>", "<h1>Other</h1>", {"title": "Demo 1.0 - released"}),
        (
            "<meta property='article:published_time' content='2024-05-02T01:00:00Z'>",
            "",
            {"date": "2024-05-02T01:00:00Z"},
        ),
        ("", "<time datetime=2024-05-02>May 2</time>", {"date": "2024-05-02"}),
        ("<link rel=canonical href='https://x.test/a'>", "", {"url": "https://x.test/a"}),
        ("<link rel=canonical href='file:///a.html'>", "", {}),
    ],
)
def test_front_matter(head: str, body: str, expected: dict[str, str]) -> None:
    parsed = parse_html(f"<html><head>{head}</head><body>{body}<p>Text</p></body></html>")
    assert parsed.front_matter == expected


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 100_000 + "deep",
        "<ul><li>" * 50_000 + "deep",
        "<table><tr><td>" * 50_000 + "deep",
        "<b>" * 100_000 + "<p>deep",
        "<" * 500_000 + " deep",
        "<p>" + "deep " * 1_000_000,
        "<b>deep</i>" * 400_000,
    ],
    ids=["divs", "lists", "tables", "unclosed-inline", "angle-brackets", "one-paragraph-of-5-MB", "closed-by-others"],
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
