"""Markdown to blocks: literal documents, then what holds for any text."""

import re
from pathlib import Path

import pytest
from case_files import read_rows

from ingest.formats.front_matter import split_front_matter
from ingest.formats.markdown import parse_markdown

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"


@pytest.mark.parametrize(("heading", "title"), read_rows("ingest-title-is-the-heading-without-markup"))
def test_title_is_the_heading_without_markup(heading: str, title: str) -> None:
    assert parse_markdown(heading).blocks[0].title == title


def test_what_folds_is_over_at_a_heading_as_high_as_its_title() -> None:
    parsed = parse_markdown("## 2.0\n\n::: details Why?\nBecause.\n\n### Fixed\n\nBolts.\n\n:::\n\nTaps.\n")
    assert not any(block.ends for block in parsed.blocks)


@pytest.mark.parametrize(
    ("text", "values", "body"),
    [
        *read_rows("ingest-front-matter-of-markdown"),
        pytest.param("---\n" + "[" * 30_000 + "\n---\n", {}, None, id="nested without end"),
    ],
)
def test_front_matter(text: str, values: dict[str, str], body: str | None) -> None:
    found, begin = split_front_matter(text)
    assert found == values
    assert text[begin:] == (text if body is None else body)


@pytest.mark.skipif(not CORPORA.is_dir(), reason="needs ../shared/corpora")
def test_every_heading_of_the_corpora_is_found_once() -> None:
    for path in sorted(CORPORA.glob("**/*.md")):
        text = path.read_bytes().decode()
        parsed = parse_markdown(text)
        unfenced = re.sub(r"(?ms)^ *```.*?^ *```", "", text)
        written = re.findall(r"(?m)^#{1,6} +\S", unfenced)
        found = [block for block in parsed.blocks if block.kind == "heading" and text[block.start] == "#"]
        assert len(found) == len(written), path.name
