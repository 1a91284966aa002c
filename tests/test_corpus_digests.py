"""The bundled digests: each says what it is, when its release came out, and where the notes are that it digests."""

import re
from pathlib import Path

import pytest

from corpus.model import Authority
from ingest.releases.identity import Hints
from ingest.sources.files import Source, list_sources

DIGESTS = Path(__file__).parents[1] / "corpus" / "documents"
SOURCES = list_sources(str(DIGESTS), flags=Hints()).sources


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_a_digest_says_what_sources_toml_tells_of_it(source: Source) -> None:
    assert source.path is not None
    text, told = source.path.read_text(encoding="utf-8"), source.hints
    lines = text.splitlines()
    assert lines[0] == f"# {told.product} {told.version}"
    assert lines[2] == f"Released: {told.day}"
    assert lines[4].startswith("A digest in our own words")
    assert (told.authority, str(told.title).startswith(f"{lines[0][2:]}: our digest")) == (Authority.DIGEST, True)
    assert str(told.url).startswith("https://")


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_every_entry_of_a_digest_is_a_line_of_its_own(source: Source) -> None:
    assert source.path is not None
    body = source.path.read_text(encoding="utf-8").split("\n## ", 1)[1]
    entries = [line for line in body.splitlines() if line.startswith("- ")]
    assert len(entries) >= 20
    assert len(entries) == len(set(entries))
    # Without a blank at an end, and nothing wrapped.
    assert [line for line in body.splitlines() if line and not re.match(r"(?:- |#|\w).*\S$", line)] == []
