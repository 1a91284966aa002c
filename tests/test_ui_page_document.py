"""The page of a document: parts, outlines, the marked quote, and text that stays text."""

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from case_files import read_rows
from fastapi.testclient import TestClient
from httpx import Response
from hypothesis import given
from hypothesis import strategies as st
from page_answers import DOCUMENT, HOSTILE
from page_app import page_app
from page_html import PageHtml, assert_harmless, main_of
from property_examples import examples

from corpus.embedding import Embedder
from corpus.model import Release, Span
from corpus.versions import Version
from ui.web.document import DocumentView, part_index_at, render_document_html, split_parts
from ui.web.html import document_address, visible_text

TEXT = "# Widget\n\n## 2.0\n\nSpin is gone.\n\n## 1.0\n\nSpin is new.\n"
RELEASES = (
    Release(None, "", None, Span(0, 10)),
    Release(Version.parse("2.0"), "2.0", date(2026, 9, 20), Span(10, 33)),
    Release(Version.parse("1.0"), "1.0", None, Span(33, len(TEXT)), yanked=True),
)
VIEW = DocumentView(
    document=DOCUMENT,
    text=TEXT,
    releases=RELEASES,
    parts=(Span(0, len(TEXT)),),
    part=0,
    quote=None,
    today=date(2026, 11, 20),
    day=date(2026, 9, 20),
)


def test_a_document_says_what_it_is_and_links_its_releases() -> None:
    markup = render_document_html(VIEW)
    words = " ".join(PageHtml(markup).text.split())
    for printed in ("widget/CHANGELOG.md", "1.0–2.0, 2 releases", "20 September 2026, 2 months ago", "official"):
        assert printed in words
    releases = [("release-1", "2.0"), ("release-2", "1.0 (yanked)")]
    assert re.findall(r'<h2 id="([^"]+)">([^<]+\b\)?)', markup) == releases
    assert re.findall(r'<li><a href="#([^"]+)">([^<]+)', markup) == releases


@pytest.mark.parametrize(
    ("quote", "marked"),
    [
        (Span(18, 31), ["Spin is gone."]),
        (Span(20, 29), ["in is gon"]),
        (Span(12, 22), ["2.0 Spin"]),
        (Span(0, len(TEXT)), ["# Widget", "## 2.0 Spin is gone.", "## 1.0 Spin is new."]),
        (Span(10, 12), ["##"]),
    ],
    ids=["a passage", "half words", "over its edge", "everything", "markup alone"],
)
def test_the_quote_is_marked_to_the_letter(quote: Span, marked: list[str]) -> None:
    assert " ".join(marked).split() == quote.slice(TEXT).split()
    reader = PageHtml(render_document_html(replace(VIEW, quote=quote)))
    assert list(filter(None, reader.texts("mark"))) == marked
    assert reader.values("id").count("quote") == 1


def test_hostile_text_stays_text() -> None:
    names = dict.fromkeys(("source", "title", "product"), HOSTILE)
    document = replace(DOCUMENT, **names, url="javascript:alert(1)")  # type: ignore[arg-type]
    release = Release(None, HOSTILE, None, Span(0, 1))
    parts = (Span(0, len(HOSTILE)),)
    about = {"text": HOSTILE, "document": document, "releases": (release, release)}
    view = replace(VIEW, **about, parts=parts, quote=Span(0, 9))  # type: ignore[arg-type]
    reader = assert_harmless(render_document_html(view))
    assert reader.tags.count("mark") == 1
    assert reader.texts("h1") == [HOSTILE]


@examples(40)
@given(st.text(max_size=30))
def test_visible_text_keeps_every_printable_character(text: str) -> None:
    shown = html.unescape(re.sub(r"<span [^>]*>|</span>", "", visible_text(text)))
    assert shown == re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", "", re.sub("\r\n?", "\n", text))


@examples(40)
@given(st.integers(0, 400), st.lists(st.integers(0, 400), max_size=40), st.integers(1, 60))
def test_parts_cover_the_document(length: int, starts: list[int], size: int) -> None:
    spans = [Span(start, start + 1) for start in sorted(starts) if start < length]
    parts = split_parts(length, spans, size=size)
    assert (parts[0].start, parts[-1].end) == (0, length)
    assert all(before.end == after.start for before, after in pairwise(parts))
    assert all(len(part) <= size for part in parts)
    for offset in range(length):
        part = parts[part_index_at(parts, offset)]
        assert part.start <= offset < part.end


@pytest.fixture(scope="module")
def pages(small_index: Path, default_embedder: Embedder) -> Iterator[TestClient]:
    with page_app(small_index, default_embedder) as client:
        yield client


def _main(page: Response) -> PageHtml:
    return PageHtml(main_of(page.text))


def _number(pages: TestClient, source: str) -> int:
    listed = pages.get("/v1/documents").json()["documents"]
    return next(int(document["id"]) for document in listed if document["source"] == source)


@pytest.mark.parametrize(("source", "text", "quote"), read_rows("ui-a-citation-opens-in-its-document"))
def test_a_citation_opens_in_its_document(pages: TestClient, source: str, text: str, quote: str) -> None:
    start = text.index(quote)
    address = document_address(_number(pages, source), Span(start, start + len(quote)))
    response = pages.get(address)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["content-security-policy"]
    assert _main(response).texts("mark") == [quote]
    assert "script" not in _main(response).tags


@pytest.mark.parametrize(("address", "status"), read_rows("ui-what-is-not-there-is-said-on-a-page"))
def test_what_is_not_there_is_said_on_a_page(pages: TestClient, address: str, status: int) -> None:
    number = _number(pages, "widget/changes.md")
    response = pages.get(address.replace("{id}", str(number)))
    assert (response.status_code, response.headers["content-type"]) == (status, "text/html; charset=utf-8")
    page = _main(response)
    assert page.texts("h1")[0].startswith("No such")
    assert page.values("href") == [f"/documents/{number}" if "{id}" in address else "/library"]


@pytest.mark.parametrize("mark", ["\u202e", "\u202d", "\u2066", "\u2069"])
def test_turning_marks_are_shown_and_shut_in(mark: str) -> None:
    shown = visible_text(f"user{mark}nimda")
    assert shown == f'user<span class="rn-hidden" data-code="U+{ord(mark):04X}">{mark}</span>nimda'
