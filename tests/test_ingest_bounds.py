"""What is small outside and large inside: a document ends at a bound, in one line, before it fills the memory."""

import numpy as np
import pytest
from test_ingest_pdf import write_pdf

from corpus.errors import SourceError
from ingest.formats import html_page, parse_blocks
from ingest.passages import splitting
from ingest.passages.splitting import split_passages
from ingest.releases.splitting import split_releases


def split(name: str, content: bytes) -> None:
    parsed = parse_blocks(name, content)
    releases = split_releases(parsed, products=(), version=None, day=None)
    split_passages(parsed, releases, title="", embed=lambda texts: np.zeros((len(texts), 4), np.float32))


@pytest.mark.parametrize("name", ["notes.md", "notes.rst", "notes.adoc", "notes.txt", "notes.html"])
@pytest.mark.parametrize(
    "line", [b"- a\n", b"\n", b"\r", b"# 1.0\n"], ids=["entries", "lines", "old line ends", "releases"]
)
def test_a_text_has_a_million_lines_at_most(name: str, line: bytes) -> None:
    with pytest.raises(SourceError, match="has more than 1,000,000 lines; split it or leave it out"):
        parse_blocks(name, line * 1_000_001)


@pytest.mark.parametrize("word", ["a", "a ", "Ab c. ", "*a* "])
def test_a_line_has_four_million_characters_at_most(word: str) -> None:
    with pytest.raises(SourceError, match="has a line of more than 4,000,000 characters"):
        parse_blocks("notes.md", (word * (4_000_001 // len(word) + 1)).encode())


@pytest.mark.parametrize(
    "element", ["<p>a", "<li>a</li>", "<td>a", "<br>", "<i></i>", "<p class=a id=b>", "<div>"], ids=lambda one: one
)
def test_a_page_has_a_bound_of_tags(element: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_page, "_MAX_EVENTS", 1_000)
    with pytest.raises(SourceError, match="has more than 1,000 tags"):
        html_page.parse_page("<html><body>" + element * 20_000)


def test_a_document_has_a_bound_of_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "_MOST_ITEMS", 100)
    split("notes.md", b"# 1.0\n\n" + b"- An entry.\n" * 100)
    with pytest.raises(SourceError, match="has more than 100 sentences and entries"):
        split("notes.md", b"# 1.0\n\n" + b"- An entry.\n" * 101)


def test_a_paragraph_has_a_bound_of_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "_MOST_BLOCK_CHARACTERS", 1_000)
    with pytest.raises(SourceError, match="has a paragraph of more than 1,000 characters"):
        split("notes.md", b"# 1.0\n\n" + b"Words and words. " * 100)


@pytest.mark.parametrize(
    ("filters", "unit"), [("/ASCII85Decode", b"z"), ("/ASCIIHexDecode", b"20"), ("/RunLengthDecode", b"\x81 ")]
)
def test_the_filters_of_a_pdf_have_a_bound(filters: str, unit: bytes) -> None:
    content = write_pdf(unit * (15_900_000 // len(unit)), filters=filters)
    assert len(content) < 32_000
    with pytest.raises(SourceError, match=r"Cannot read this PDF: .*(?:maximum|Maximum)"):
        parse_blocks("notes.pdf", content)
