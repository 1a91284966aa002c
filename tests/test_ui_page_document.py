"""The page of a document: parts, outlines, the marked quote, and text that stays text."""

import html
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from case_files import read_rows
from fastapi.testclient import TestClient
from httpx import Response
from hypothesis import given
from hypothesis import strategies as st
from page_app import page_app
from page_html import PageHtml, main_of
from property_examples import examples

from corpus.embedding import Embedder
from corpus.model import Span
from ui.web.document import part_index_at, split_parts
from ui.web.html import document_address, visible_text


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
