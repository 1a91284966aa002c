"""What notes tell of releases themselves, asked back: when one came out, and that it was taken back."""

from collections.abc import Iterator
from datetime import date

import pytest
from ui_small_index import ingest

from corpus.embedding import Embedder
from retrieval.answers.catalogue_releases import tells_day
from retrieval.assistant import Assistant

NOTES = "<li>The mast folds for a bridge of any height.</li>" * 12
PAGE = f"""<html><head><title>What's New in Petrel 3.7</title></head><body><main><h1>What's New in Petrel 3.7</h1>
<dl><dt>Editor:</dt><dd>Jane Doe</dd></dl><p>This page explains what is new. Petrel 3.7 was released on June 27, 2018.
See the log for the rest.</p><h2>Mast</h2><ul>{NOTES}</ul>
<h2>Notable changes in Petrel 3.7.1</h2><p>The rudder of 3.7.1 turns all the way.</p>
<h2>Notable changes in Petrel 3.7.10</h2><p>The anchor of 3.7.10 holds in mud.</p></main></body></html>
"""
LOG = """# Skua changelog

## 1.1.0 (2024-05-06)

**NOTE: v1.1.0 was ["yanked"](https://example.org/yanked) for a crash.**

- The wing folds.

## 1.0.0 (2024-01-02)

- The wing opens.
"""


@pytest.fixture(scope="module")
def birds(tmp_path_factory: pytest.TempPathFactory, default_embedder: Embedder) -> Iterator[Assistant]:
    """A page that tells of patch releases at its end, and a changelog with a yanked release."""
    folder = tmp_path_factory.mktemp("seabirds")
    for place, text in (("petrel/3.7.html", PAGE), ("skua/CHANGELOG.md", LOG)):
        path = folder / "documents" / place
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    assert not ingest(folder / "documents", index=folder / "index", embedder=default_embedder).failed
    with Assistant.open(folder / "index", embedder=default_embedder) as assistant:
        yield assistant


@pytest.mark.parametrize(
    ("question", "said", "quote", "day"),
    [
        (
            "When was Petrel 3.7 released?",
            "2018-06-27",
            "Petrel 3.7 was released on June 27, 2018.",
            date(2018, 6, 27),
        ),
        ("When was Petrel 3.7.1 released?", "state no date", "The rudder of 3.7.1 turns all the way.", None),
        ("Was Skua 1.1.0 yanked?", "Yes.", 'v1.1.0 was ["yanked"]', date(2024, 5, 6)),
        (
            "Was Skua 1.0.0 yanked?",
            "Its notes don't say that it was withdrawn.",
            "## 1.0.0 (2024-01-02)",
            date(2024, 1, 2),
        ),
    ],
)
def test_a_release_is_told_with_the_words_that_tell_it(
    birds: Assistant, question: str, said: str, quote: str, day: date | None
) -> None:
    answer = birds.ask(question)
    assert said in answer.answer
    assert [(quote in citation.quote, citation.date) for citation in answer.citations] == [(True, day)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("released on May 6, 2024", True),
        ("on 06 May 2024", True),
        ("2024-05-06", True),
        ("6 June 2024", False),
        ("16 May 2024", False),
        ("May 2024", False),
        ("May 6, 2023", False),
    ],
)
def test_a_day_is_told_with_its_month_in_words(words: str, expected: bool) -> None:
    assert tells_day(words, date(2024, 5, 6)) is expected
