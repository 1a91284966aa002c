"""Bytes to text, whatever their encoding: what is read exactly, what is guessed, what is refused."""

import contextlib

import pytest
from case_files import Case, read_cases, read_rows
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import SourceError
from ingest.formats.encodings import decode


@pytest.mark.parametrize("case", read_cases("encoded-notes"), ids=lambda case: case.name)
def test_notes_of_every_encoding_are_read_exactly(case: Case) -> None:
    for encoding in case.gives:
        assert decode(case.text.encode(encoding)) == case.text, encoding


@pytest.mark.parametrize(("encoding", "head"), read_rows("ingest-a-stated-encoding-goes-before-a-guess"))
def test_a_stated_encoding_goes_before_a_guess(encoding: str, head: str) -> None:
    text = head + "\nЛя."
    assert decode(text.encode(encoding)) == text


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1), st.sampled_from(["16", "32"]))
def test_utf16_and_utf32_of_notes_need_no_mark(line: str, width: str) -> None:
    text = f"# Kettle 1.2\n\n- Fixed a leak.\n- {line}\n"
    for order in ("le", "be"):
        assert decode(text.encode(f"utf-{width}-{order}")) == text


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_a_marked_encoding_is_read_exactly(text: str) -> None:
    assert decode(text.encode("utf-16")) == text
    assert decode(text.encode("utf-32")) == text


@given(st.binary(max_size=400), st.sampled_from([b"", b"\xff\xfe", b"\x1b$B", b"<meta charset=big5>", b"a\0b\0"]))
def test_no_bytes_end_in_anything_but_an_error_of_ours(content: bytes, start: bytes) -> None:
    with contextlib.suppress(SourceError):
        # No half of a character, and none that the bytes don't hold.
        assert len(decode(start + content).encode("utf-32-le")) <= 4 * len(start + content)
