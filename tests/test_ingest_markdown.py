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
        pytest.param('---\ntitle: "A: b"\nlayout: x\n---\nBody', {"title": "A: b"}, "Body", id="yaml"),
        pytest.param("---\nversion: 4.10\ndate: 2024-02-08\n---\n", {"version": "4.10", "date": "2024-02-08"}, "",
                     id="as written"),
        pytest.param("---\ntitle: T\nhead:\n  - - meta\n    - url: u\n...\nBody", {"title": "T"}, "Body",
                     id="nested keys don't count"),
        pytest.param('+++\ntitle = "T"\nversion = 4.10\ndate = 2024-02-08\n+++\nBody',
                     {"title": "T", "version": "4.10", "date": "2024-02-08"}, "Body", id="toml"),
        pytest.param("\ufeff---\r\nTitle: T\r\n---\r\nBody", {"title": "T"}, "Body", id="byte order mark and CRLF"),
        pytest.param("---\ntitle: [a, b]\n---\nBody", {}, "Body", id="lists aren't titles"),
        pytest.param("---\n\nSome prose.\n\n---\n\nMore.", {}, None, id="thematic breaks"),
        pytest.param("---\nOne line of prose: with a colon\n---\n", {}, None, id="prose with a colon"),
        pytest.param("---\n# 1.0\n---\n", {}, None, id="heading between breaks"),
        pytest.param("---\ntitle: T\nno end", {}, None, id="never closed"),
        pytest.param("---\na: [\n---\nBody", {}, None, id="broken yaml"),
        pytest.param("---\n" + "[" * 30_000 + "\n---\n", {}, None, id="nested without end"),
        pytest.param("----\ntitle: T\n----\n", {}, None, id="longer rule"),
        pytest.param("Text\n---\ntitle: T\n---\n", {}, None, id="not at the start"),
    ],
)  # fmt: skip
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
