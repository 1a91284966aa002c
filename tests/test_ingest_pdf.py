"""PDF: text by pages, read as plain text, and clear refusals. The PDFs are written here, byte by byte."""

import zlib

import pytest
from block_promises import assert_blocks_hold, outline
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples

from corpus.errors import SourceError
from ingest.formats.pdf import parse_pdf


def write_pdf(*streams: bytes, title: str = "", encoding: str = "/WinAnsiEncoding", filters: str = "") -> bytes:
    """A PDF with one page for each content stream, deflated after what other `filters` undo; Helvetica as /F1."""
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(streams)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(streams)} >>".encode(),
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding {encoding} >>".encode(),
    ]
    for index, stream in enumerate(streams):
        page = f"/MediaBox [0 0 600 800] /Contents {5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R {page} >>".encode())
        packed = zlib.compress(stream)
        head = f"<< /Length {len(packed)} /Filter [/FlateDecode{filters}] >> stream\n"
        objects.append(head.encode() + packed + b"\nendstream")
    objects.append(f"<< /Title ({title}) >>".encode())
    content = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"<< /Size %d /Root 1 0 R /Info %d 0 R >>" % (len(objects) + 1, len(objects))
    xref = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return content + xref + b"trailer\n%s\nstartxref\n%d\n%%%%EOF\n" % (trailer, len(content))


def lines(*rows: tuple[int, int, str]) -> bytes:
    """A content stream that sets each (font size, distance from the top, text) as a line."""
    shown = (f"BT /F1 {size} Tf 1 0 0 1 50 {800 - top} Tm ({text}) Tj ET" for size, top, text in rows)
    return "\n".join(shown).encode("cp1252")


def test_lines_that_stand_apart_are_headings_and_paragraphs_and_bullets_begin_items() -> None:
    page = lines(
        (24, 60, "Demo 2.0"),
        (10, 100, "This release is the first of"),
        (10, 112, "its kind and hyphen-"),
        (10, 124, "ates."),
        (10, 160, "Another paragraph."),
        (16, 200, "Fixes"),
        (10, 240, "• One fix that goes"),
        (10, 252, "on here."),
        (10, 264, "• Two."),
    )
    parsed = parse_pdf(write_pdf(page, title="Demo notes"))
    assert outline(parsed) == [
        ("heading", 1, "Demo 2.0"),
        ("paragraph", 0, "This release is the first of\nits kind and hyphenates."),
        ("paragraph", 0, "Another paragraph."),
        ("heading", 2, "Fixes"),
        ("list_item", 1, "• One fix that goes\non here."),
        ("list_item", 1, "• Two."),
    ]
    assert parsed.media_type == "application/pdf"
    assert parsed.front_matter == {"title": "Demo notes"}
    assert_blocks_hold(parsed)


@pytest.mark.parametrize(("rows", "expected"), read_rows("ingest-words-cut-at-line-ends-are-whole", list))
def test_words_cut_at_line_ends_are_whole(rows: list[str], expected: str) -> None:
    placed = ((10, 50 + 12 * place, row.replace("\u00ad", "\\255")) for place, row in enumerate(rows))
    assert parse_pdf(write_pdf(lines(*placed))).text == expected


@pytest.mark.parametrize(
    "content",
    [b"", b"%PDF-1.4\n", b"not a pdf at all", write_pdf(lines((10, 50, "Text")))[:120]],
    ids=["empty", "header-only", "text", "cut-off"],
)
def test_what_cannot_be_read_is_refused_in_one_line(content: bytes) -> None:
    with pytest.raises(SourceError, match=r"^Cannot read this PDF: [^\n]+$"):
        parse_pdf(content)


def test_a_stream_that_unpacks_to_far_more_than_a_page_is_refused() -> None:
    bomb = write_pdf(b" " * 40_000_000)
    assert len(bomb) < 100_000
    with pytest.raises(SourceError, match="Cannot read this PDF"):
        parse_pdf(bomb)


@examples(40)
@given(
    st.lists(st.tuples(st.sampled_from([8, 10, 18]), st.integers(10, 790), st.sampled_from(["a b", "- c", "12", "  "])))
)
def test_every_word_is_in_one_block_wherever_the_lines_stand(rows: list[tuple[int, int, str]]) -> None:
    assert_blocks_hold(parse_pdf(write_pdf(lines(*rows))))


@examples(60)
@given(st.integers(0, 700), st.binary(min_size=1, max_size=20))
def test_a_damaged_pdf_is_read_or_refused(place: int, damage: bytes) -> None:
    content = write_pdf(lines((10, 50, "Text")))
    try:
        parsed = parse_pdf(content[:place] + damage + content[place + len(damage) :])
    except SourceError:
        return
    assert_blocks_hold(parsed)


def test_too_many_pages_are_refused() -> None:
    with pytest.raises(SourceError, match=r"2,001 pages, more than 2,000"):
        parse_pdf(write_pdf(*[b""] * 2_001))
