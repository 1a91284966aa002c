"""The formats of a review: what each says, what the standards ask of it, and that no text breaks out of any."""

import re
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

import pytest
from case_files import read_rows
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from reviews_by_hand import HOSTILE, HOSTILE_REVIEW, citation

from corpus.model import Change, Kind
from retrieval.blocks import Run, Words, words_of
from retrieval.reviews.model import Review
from retrieval.upgrades.model import UpgradeItem
from ui.rendering.markup import fenced, markdown_text, marked_text, on_one_line, visible, web_address
from ui.rendering.review.markdown import MAX_CHARACTERS, render_markdown

CONTROLS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def github_markdown(text: str) -> str:
    """HTML as a forge makes it: tables, and HTML let through."""
    return str(MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(text))


# --- disarming


@pytest.mark.parametrize("text", read_rows("ui-escaped-text-shows-its-words-and-nothing-acts"))
def test_escaped_text_shows_its_words_and_nothing_acts(text: str) -> None:
    html = github_markdown(f"Said: {markdown_text(text)}")
    assert re.findall(r"<(?!/?p>)", html) == []
    assert html.count("<p>") == 1
    for mention in (r"[@#]\w", r"GH-\d", r"://", r"www\."):
        assert not re.search(mention, re.sub(r"&#\d+;", "", html))


@given(st.text("@#`*_[]()<>&|$\\~^! \n\t1.-+aw:/GH", max_size=60) | st.text(max_size=60))
def test_escaped_text_is_always_one_paragraph_without_markup(text: str) -> None:
    html = github_markdown(f"Said: {markdown_text(text)}")
    assert re.findall(r"<[^>]*>", html) == ["<p>", "</p>"]


@given(st.lists(st.builds(Run, st.text("` \n\\ab\u202e", max_size=4), is_code=st.booleans()), max_size=6))
@example([Run("x", is_code=True), Run("y", is_code=True)])
@example([Run("", is_code=True), Run("x"), Run(" ", is_code=True), Run("`y`", is_code=True)])
def test_code_spans_hold_the_code_and_nothing_else(runs: list[Run]) -> None:
    (inline,) = MarkdownIt("commonmark").parseInline(f"Said: {marked_text(Words(tuple(runs)))}")
    shown = [(run.is_code, text) for run in runs if (text := visible(run.text))]
    groups = groupby(shown, itemgetter(0))
    code = [on_one_line("".join(text for _, text in group)) for is_code, group in groups if is_code]
    told = inline.children or []
    assert [token.content for token in told if token.type == "code_inline"] == [line for line in code if line]
    words = "".join(token.content for token in told).split()
    assert "".join(words) == "Said:" + "".join("".join(text for _, text in shown).split())


@given(st.text("`~\n\r \ta<>/", max_size=80) | st.text(max_size=80))
def test_a_fence_ends_after_the_last_line_of_its_quote(text: str) -> None:
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse("\n".join((*fenced(text), "", "after")))
    assert [token.type for token in tokens] == ["fence", "paragraph_open", "inline", "paragraph_close"]
    assert tokens[0].content.removesuffix("\n") == visible(text)


@given(st.text())
def test_visible_text_has_no_controls(text: str) -> None:
    assert not CONTROLS.search(visible(text).replace("\n", "").replace("\t", ""))
    assert "\n" not in on_one_line(text)


@pytest.mark.parametrize(("url", "address"), read_rows("ui-only-web-addresses-become-links"))
def test_only_web_addresses_become_links(url: str | None, address: str | None) -> None:
    assert web_address(url) == address


# --- Markdown


def test_hostile_texts_stay_in_their_bodies() -> None:
    """Every tag in the page is one of ours, and each body is closed where we close it."""
    text = render_markdown(HOSTILE_REVIEW)
    html = github_markdown(text)
    outside_code = re.sub(r"<pre>.*?</pre>", "", html, flags=re.DOTALL)
    tags = {tag.lower() for tag in re.findall(r"</?([A-Za-z][\w-]*)", outside_code)}
    assert tags <= set("a code details em h3 h4 li p strong summary table tbody td th thead tr ul".split())
    assert "<em>" not in outside_code
    assert html.count("<details>") == html.count("</details>") == html.count("<summary>") == 3
    assert "<script" not in html
    assert not CONTROLS.search(text)
    assert not re.search(r"(?<!&)[@#](?=\w)(?!\d+;)", re.sub(r"<[^>]*>", "", outside_code))
    assert re.findall(r"href=\"(\w+:)", html) == ["https:"] * 3


def test_hostile_quotes_are_whole_in_their_code_blocks() -> None:
    tokens = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(render_markdown(HOSTILE_REVIEW))
    shown = [token.content.removesuffix("\n") for token in tokens if token.type == "fence"]
    quotes = [HOSTILE, f"removal\n{HOSTILE}", HOSTILE, f"breaking\n{HOSTILE}", f"deprecation\n{HOSTILE}"]
    assert shown == [visible(quote) for quote in quotes]


@pytest.mark.parametrize(("bumps", "quote"), [(1, 70_000), (30, 10), (30, 3_000), (1_000, 10)])
def test_any_review_fits_and_closes_what_it_opens(bumps: int, quote: int) -> None:
    item = UpgradeItem(Kind.REMOVAL, Change.REMOVED, words_of("`spin` was removed."), (), citation("x" * quote))
    told = {"items": (item,) * 9, "security": (item,) * 9, "product": "Widget", "start": "1.5", "notes": ()}
    bump = replace(HOSTILE_REVIEW.bumps[0], **told, missing_releases=())
    many = Review(tuple(replace(bump, end=f"{n}.0") for n in range(5, bumps + 5)), (), (), 1.0)
    text = render_markdown(many)
    assert len(text) <= MAX_CHARACTERS
    assert text.count("<details>") == text.count("</details>")
    assert re.search(r"- \*\*2\.0\*\*|more: `relnotes", text)
