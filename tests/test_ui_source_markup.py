"""A document's markup as runs: what is shown of each format, and what holds for whatever a document has."""

import re
from collections.abc import Iterator
from itertools import groupby
from time import thread_time

import pytest
from case_files import read_rows
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from page_app import page_app
from page_html import PageHtml, main_of
from property_examples import examples
from ui_small_index import NOTES, ingest

from corpus.embedding import Embedder
from corpus.model import Span
from ui.web.html import render
from ui.web.source import mark_quote, read_source
from ui.web.source_runs import Style, read_runs

MARKDOWN, REST, ASCIIDOC = "text/markdown", "text/x-rst", "text/asciidoc"
MEDIA_TYPES = (MARKDOWN, REST, ASCIIDOC, "text/plain", "text/html", "application/pdf")
PIECES = (
    *'word `x` ``y`` **b** _c_ &amp; <b> ref_ {x} \u202e \\ é <script>alert(1)</script> "onload="x'.split(),
    *"[a](https://x.example) [a](javascript:alert(1)) :class:`~a.B` link:https://z.example[z] <<here,there>>".split(),
    *(" ", "\n", "\n\n", "\r\n", "- ", "  - ", "1. ", "> ", "* ", "term:: ", "# Title\n", "=====\n", "----\n", "```\n"),
    *("| a | b |\n|---|---|\n| c | d |\n", "`t <https://y.example>`_"),
    *(".. note::\n", ".. versionadded:: 3.1\n", ".. code-block:: c\n\n   x\n"),
)


def _told(text: str, media_type: str) -> list[tuple[str, str]]:
    blocks = read_source(text, media_type, Span(0, len(text)))
    return [
        (block.shape.value, " | ".join("".join(run.text for run in cell) for cell in block.cells)) for block in blocks
    ]


@pytest.mark.parametrize(("media_type", "text", "shown"), read_rows("ui-runs-have-the-words-and-the-style"))
def test_runs_have_the_words_and_the_style(media_type: str, text: str, shown: tuple[tuple[str, str], ...]) -> None:
    runs = read_runs(text, 0, len(text), media_type)
    looks = groupby(runs, lambda run: run.style.value.replace(Style.PLAIN, "") + ("@" if run.address else ""))
    assert tuple(("".join(run.text for run in alike), look) for look, alike in looks) == shown


BLOCKS = {
    "Markdown": (
        MARKDOWN,
        "# One {#id}\n\n- a\n  goes on\n\n  1. b\n\n> [!NOTE]\n> quoted\n> on\n\n```py\nx\n\n  y\n```\n\n"
        "| a | b |\n|---|---|\n| `c` | |\n",
        [
            ("title", "One"),
            ("entry", "a\n  goes on"),
            ("entry", "b"),
            ("text", "Note"),
            ("text", "quoted\non"),
            ("code", "x\n\n  y"),
            ("row", "a | b"),
            ("row", "c"),
        ],
    ),
    "reStructuredText": (
        REST,
        ".. _target:\n\n=====\nTitle\n=====\n\nIt reads::\n\n    code\n\n.. versionadded:: 3.1\n\n   New text.\n\n"
        ".. note:: Mind.\n\n* a\n\n====  ====\na     b\n====  ====\n",
        [
            ("title", "Title"),
            ("text", "It reads:"),
            ("code", "code"),
            ("text", "Added in 3.1."),
            ("text", "New text."),
            ("text", "Note: Mind."),
            ("entry", "a"),
            ("code", "====  ====\na     b\n====  ===="),
        ],
    ),
    "AsciiDoc": (
        ASCIIDOC,
        "[[id]]\n== Title\n\n* a\n** b\n\nterm:: said\n\n[source]\n----\nx\n----\n",
        [("title", "Title"), ("entry", "a"), ("entry", "b"), ("entry", "term"), ("text", "said"), ("code", "x")],
    ),
}


@pytest.mark.parametrize(("media_type", "text", "told"), BLOCKS.values(), ids=BLOCKS.keys())
def test_blocks_are_shown_without_their_markup(media_type: str, text: str, told: list[tuple[str, str]]) -> None:
    assert _told(text, media_type) == told


@examples(60)
@given(st.sampled_from(MEDIA_TYPES), st.lists(st.sampled_from(PIECES), max_size=25), st.integers(0, 40))
def test_runs_are_in_order_disjoint_and_of_the_text(media_type: str, pieces: list[str], lead: int) -> None:
    before, text = "x\n\n" * lead, "".join(pieces)
    whole = before + text + "\n\nafter"
    at = len(before)
    blocks = read_source(whole, media_type, Span(len(before), len(before) + len(text)))
    for run in (run for block in blocks for run in block.runs):
        assert at <= run.start < run.end <= len(before) + len(text)
        assert run.is_replaced or run.text == whole[run.start : run.end]
        at = run.end


@examples(40)
@given(
    st.sampled_from(MEDIA_TYPES), st.lists(st.sampled_from(PIECES), max_size=25), st.integers(0, 90), st.integers(1, 90)
)
def test_what_is_rendered_is_ours_alone_and_marking_takes_nothing_away(
    media_type: str, pieces: list[str], start: int, length: int
) -> None:
    text = "".join(pieces)
    blocks = read_source(text, media_type, Span(0, len(text)))
    quote = Span(min(start, len(text)), min(start + length, len(text)))
    shown = mark_quote(text, blocks, quote)
    markup = render("source", "blocks", shown=shown, anchor="quote")
    reader = PageHtml(markup)
    assert set(reader.tags) <= {
        *("a", "code", "div", "em", "li", "mark", "p", "pre", "span", "strong", "table", "tbody", "td", "tr", "ul")
    }
    assert not [name for name, _ in reader.attributes if name.startswith("on") or name == "style"]
    assert all(value.startswith("https://") for value in reader.values("href"))
    assert markup.count('rel="noopener nofollow"') == markup.count("<a ")
    assert len(reader.values("id")) <= 1
    for block, marked in zip(blocks, shown, strict=True):
        for cell, parts in zip(block.cells, marked.cells, strict=True):
            assert "".join(run.text for run in parts) == "".join(run.text for run in cell)
            for is_marked, runs in groupby(parts, key=lambda run: run.is_marked):
                words = "".join(run.text for run in runs)
                assert not is_marked or words == words.strip() != ""


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
@pytest.mark.parametrize("unit", ["[", "[a](", "`", "*", "_", "<", "&", ":a:`", "|", "<<", "{a}[", "\\", "[![", "**a"])
def test_inline_markup_that_nothing_closes_takes_linear_time(media_type: str, unit: str) -> None:
    text = unit * (10_000 // len(unit))
    began = thread_time()
    assert sum(len(run.text) for run in read_runs(text, 0, len(text), media_type)) <= len(text)
    # A bound that only a time growing with the square passes.
    assert thread_time() - began < 5


SOURCES = {
    "anvil": ("changes.rst", "Removed the SPIN setting of psycopg; turn() takes its place."),
    "brick": ("changes.md", "Breaking: removed the spin setting & its SPIN variable (#12)."),
    "crate": ("changes.adoc", "Removed the spin setting, see its page #12."),
}
SIGNS = re.compile(r"`|\.\. |={3,}|:setting:|psycopg_|\]\(|&amp;|\*\*|link:|\[\[|<<|\|-|<kbd>|<SETTINGS")


@pytest.fixture(scope="module")
def pages(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    index = tmp_path_factory.mktemp("markup") / "index"
    assert not ingest(NOTES / "markup", index=index, embedder=default_embedder).failed
    with page_app(index, default_embedder) as client:
        yield client


@pytest.mark.parametrize("product", SOURCES)
def test_a_quote_reads_without_the_markup_of_its_format_and_its_raw_text_is_at_hand(
    pages: TestClient, product: str
) -> None:
    name, quoted = SOURCES[product]
    page = main_of(pages.get("/upgrade", params={"product": product, "from": "1.0", "to": "2.0"}).text)
    raw = re.findall(r"(?s)<template>(.*?)</template>", page)[0]
    shown = PageHtml(re.sub(r"(?s)<template>.*?</template>", "", page))
    assert quoted in shown.texts("mark")[0]
    assert not SIGNS.search(shown.texts("blockquote")[0])
    (marked,) = PageHtml(raw).texts("mark")
    assert marked in " ".join((NOTES / "markup" / product / name).read_text("utf-8").split())
    assert SIGNS.search(marked)
