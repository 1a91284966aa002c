"""Which part of a document comes back for an id."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import UsageError
from corpus.model import Release, Span
from corpus.versions import Version
from ui.mcp.excerpts import (
    MAX_EXCERPT_CHARACTERS,
    TextId,
    cut_excerpt,
    parse_resource_uri,
    parse_text_id,
    resource_uri,
)

LINES = "A line of notes.\n" * 4_000
FLAT = "words without an end " * 3_000


def release(start: int, end: int, version: str = "1.0") -> Release:
    return Release(version=Version.parse(version), label=version, date=None, span=Span(start, end))


@pytest.mark.parametrize("text", ["12", "12:1766-2407", "1:0-1"])
def test_an_id_is_written_as_it_is_read(text: str) -> None:
    assert str(parse_text_id(text)) == text


@pytest.mark.parametrize("text", ["", "x", "-1", "1:", "1:2", "1:5-5", "1:9-2", "1:2-3:4", "1 ", "١", "9" * 16])
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="Take one from the results of `search`"):
        parse_text_id(text)


def test_a_resource_is_found_at_its_address_alone() -> None:
    assert parse_resource_uri(resource_uri(12)) == 12
    assert parse_resource_uri("relnotes://documents/12/") is None
    assert parse_resource_uri("relnotes://documents/x") is None


EXCERPTS: dict[str, tuple[str, Span | None, tuple[Release, ...], Span]] = {
    "a short document": ("One.\nTwo.\n", None, (), Span(0, 10)),
    "an empty document": ("", None, (), Span(0, 0)),
    "the release around a passage": ("a" * 90, Span(40, 50), (release(0, 30), release(30, 60)), Span(30, 60)),
    "a passage of no release": ("a" * 90, Span(40, 50), (release(0, 30),), Span(40, 50)),
    "a place that reaches beyond its release": ("a" * 90, Span(40, 70), (release(30, 60),), Span(30, 70)),
    "a place that reaches beyond the text": ("a" * 90, Span(80, 999), (), Span(80, 90)),
    "the first lines of a long document": (LINES, None, (), Span(0, 19_992)),
    "the first words of a long line": (FLAT, None, (), Span(0, 19_998)),
}


@pytest.mark.parametrize(("text", "place", "releases", "wanted"), EXCERPTS.values(), ids=EXCERPTS.keys())
def test_excerpt(text: str, place: Span | None, releases: tuple[Release, ...], wanted: Span) -> None:
    assert cut_excerpt(text, place, releases) == wanted


def test_a_place_behind_the_text_is_refused() -> None:
    with pytest.raises(UsageError, match="Search again"):
        cut_excerpt("short", Span(5, 6), ())


@given(st.sampled_from((LINES, FLAT)), st.integers(0, 50_000), st.integers(1, 60_000), st.integers(0, 40_000))
def test_an_excerpt_holds_its_place_and_fits(text: str, start: int, length: int, release_start: int) -> None:
    place = Span(start, start + length)
    found = cut_excerpt(text, place, (release(release_start, len(text)),))
    assert 0 < len(found) <= MAX_EXCERPT_CHARACTERS
    assert found.start <= place.start
    assert found.end >= min(place.end, len(text), place.start + MAX_EXCERPT_CHARACTERS)
    assert found.end <= len(text)


@given(st.integers(0, 40_000))
def test_a_part_of_a_long_release_begins_and_ends_with_whole_lines(start: int) -> None:
    found = cut_excerpt(LINES, Span(start, start + 40), (release(0, len(LINES)),))
    assert found.start == 0 or LINES[found.start - 1] == "\n"
    assert LINES[found.end - 1] == "\n"


def test_reading_on_by_ids_gives_the_whole_document() -> None:
    read, place = "", None
    while len(read) < len(LINES):
        found = cut_excerpt(LINES, place, ())
        read += found.slice(LINES)
        place = Span(found.end, min(len(LINES), found.end + MAX_EXCERPT_CHARACTERS))
    assert read == LINES
    assert str(TextId(3, place)) == f"3:{place.start}-{place.end}" if place else "3"
