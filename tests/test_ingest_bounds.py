"""What is small outside and large inside: a document ends at a bound, in one line, before it fills the memory."""

import time
from pathlib import Path
from typing import Any

import pytest
from small_corpus import HashedEmbedder

from corpus.errors import SourceError
from ingest import encoding
from ingest.formats import html_page, parse_blocks
from ingest.passages import splitting
from ingest.passages.splitting import split_passages
from ingest.pipeline import build_index
from ingest.releases.splitting import split_releases
from ingest.text_lines import split_lines


def split(name: str, content: bytes) -> None:
    parsed = parse_blocks(name, content)
    releases = split_releases(parsed, products=(), version=None, day=None)
    split_passages(parsed, releases, title="")


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


DEEP = {
    "html": b"<h2>Gizmo 1.0</h2>" + b"<ul><li>a" * 900,
    "htm": b"<h2>Gizmo 1.0</h2>" + b"<ol><li><p>Removed:</p>" * 400,
    "rst": b"Gizmo 1.0\n=========\n\n" + b"".join(b"  " * n + b"* a\n\n" for n in range(600)),
    "rest": b"Gizmo 1.0\n=========\n\n" + b"* " * 2_000 + b"a\n",
    "md": b"# Gizmo 1.0\n\n" + b"> - " * 2_000 + b"a\n",
    "markdown": b"# Gizmo 1.0\n\n" + b"".join(b"  " * n + b"- a:\n" for n in range(600)),
    "adoc": b"= Gizmo 1.0\n\n" + b"".join(b"*" * n + b" a\n" for n in range(1, 600)),
    "txt": b"Gizmo 1.0\n=========\n\n" + b"".join(b" " * n + b"- a:\n" for n in range(600)),
}


@pytest.mark.parametrize("suffix", DEEP)
def test_lists_in_lists_without_end_stop_nothing(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"deep.{suffix}").write_bytes(DEEP[suffix])
    (tmp_path / "cog.md").write_text("# Cog 1.0\n\n- It turns.\n")
    report = build_index([str(tmp_path)], index=tmp_path / "index", embedder=HashedEmbedder())
    assert (report.added, report.failed) == (2, ())
    assert not [doubt for doubt in report.suspicious if "can't be read" in doubt.reason]


@pytest.mark.parametrize("error", [RecursionError("too deep"), MemoryError()], ids=["depth", "memory"])
@pytest.mark.parametrize("step", ["with_entries", "settle_acts", "split_passages"])
def test_what_reading_a_document_trips_over_is_a_line_of_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: Exception
) -> None:
    works = getattr(encoding, step)

    def trip(parsed: Any, *given: Any, **more: Any) -> Any:
        if "trips" in getattr(parsed, "document", parsed).text:
            raise error
        return works(parsed, *given, **more)

    monkeypatch.setattr(encoding, step, trip)
    (tmp_path / "gear.md").write_text("# Gear 1.0\n\n- It trips.\n")
    (tmp_path / "cog.md").write_text("# Cog 1.0\n\n- It turns.\n")
    report = build_index([str(tmp_path)], index=tmp_path / "index", embedder=HashedEmbedder())
    lines = [one.error for one in report.failed] + [one.reason for one in report.suspicious]
    assert "Cog" in [one.product.name for one in report.products]
    assert [line for line in lines if type(error).__name__ in line and "please report it" in line]


def test_lines_of_navigation_cost_no_more_the_more_there_are() -> None:
    started = time.thread_time()
    split("notes.txt", b"Gizmo 1.0\n=========\n\n" + b"Read more\n\n" * 10_000)
    assert time.thread_time() - started < 5  # It was seven.


def test_lines_are_read_without_what_is_before_them() -> None:
    text, started = "a\n\n" * 500_000, time.thread_time()
    assert all(list(split_lines(text, at, at + 1)) for at in range(900_000, len(text), 90))
    assert time.thread_time() - started < 2  # It was ten.


def test_a_paragraph_has_a_bound_of_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "_MOST_BLOCK_CHARACTERS", 1_000)
    with pytest.raises(SourceError, match="has a paragraph of more than 1,000 characters"):
        split("notes.md", b"# 1.0\n\n" + b"Words and words. " * 100)
