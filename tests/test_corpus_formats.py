"""The table of formats: names, media types, and the parsers behind them."""

import pytest
from case_files import read_rows

from corpus.errors import SourceError
from corpus.formats import FORMATS, Format, format_of_name
from ingest.formats import parse_blocks


@pytest.mark.parametrize("one", FORMATS.values(), ids=lambda one: one.name)
def test_each_format_has_the_parser_that_its_name_says(one: Format) -> None:
    content = b"<p>Widget</p>" if one.name == "html" else b"Widget"
    assert parse_blocks(f"notes{one.suffixes[0]}", content).media_type == one.media_type


def test_no_two_formats_share_a_suffix() -> None:
    suffixes = [suffix for one in FORMATS.values() for suffix in one.suffixes]
    assert len(set(suffixes)) == len(suffixes)


@pytest.mark.parametrize(("name", "media_type"), read_rows("corpus-a-name-says-its-format"))
def test_a_name_says_its_format(name: str, media_type: str | None) -> None:
    assert format_of_name(name) is (FORMATS[media_type] if media_type else None)


@pytest.mark.parametrize(
    ("name", "says"), [("a.html", "of its own; where scripts write it"), ("a.md", "nothing to ingest")]
)
def test_a_document_without_text_says_what_to_do(name: str, says: str) -> None:
    with pytest.raises(SourceError, match=rf"has no text.*{says}"):
        parse_blocks(name, b"<p> </p>" if name == "a.html" else b" \n")
