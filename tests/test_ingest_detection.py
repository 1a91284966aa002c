"""Bytes to text and format: what content decides, and what a name adds."""

from pathlib import Path

import pytest
from case_files import Case, read_cases, read_rows
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import SourceError
from ingest.formats.detection import detect_media_type
from ingest.formats.encodings import decode

SHARED = Path(__file__).parents[2] / "shared"


@pytest.mark.parametrize("case", read_cases("media-types"), ids=lambda case: case.name)
def test_content_decides_the_media_type(case: Case) -> None:
    assert [detect_media_type(case.name, case.text.encode())] == case.gives


@pytest.mark.parametrize(("name", "text", "kind"), read_rows("ingest-data-and-code-are-refused-by-name-or-start"))
def test_data_and_code_are_refused_by_name_or_start(name: str, text: str, kind: str) -> None:
    with pytest.raises(SourceError, match=rf"is .*{kind}.*, which isn't read as notes; give the changelog or the page"):
        detect_media_type(name, text.encode())


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00", id="png"),
        pytest.param(b"PK\x03\x04rest", id="zip"),
        pytest.param(b"text\x00text", id="NUL"),
        pytest.param(bytes(range(1, 256)) * 20, id="control characters"),
        pytest.param(b"\xff\xfea", id="half a UTF-16 character"),
    ],
)
def test_binary_content_is_refused(content: bytes) -> None:
    with pytest.raises(SourceError, match="looks binary"):
        detect_media_type("notes.txt", content)
    with pytest.raises(SourceError, match="looks binary"):
        decode(content)


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs", "Cc"])))
def test_utf8_is_decoded_exactly(text: str) -> None:
    assert decode(text.encode()) == text


@pytest.mark.skipif(not (SHARED / "corpora").is_dir(), reason="needs ../shared/corpora and ../shared/seeds")
@pytest.mark.parametrize(("pattern", "media_type"), read_rows("ingest-every-shared-file-is-recognised"))
def test_every_shared_file_is_recognised(pattern: str, media_type: str) -> None:
    paths = sorted(SHARED.glob(pattern))
    assert paths
    assert {path.name: detect_media_type(path.name, path.read_bytes()) for path in paths} == {
        path.name: media_type for path in paths
    }
