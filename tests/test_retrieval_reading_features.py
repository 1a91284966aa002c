"""What reading a hit adds, on passages written out by hand."""

from dataclasses import replace
from pathlib import Path

import pytest
from indexes_by_hand import AxisEmbedder, note, open_index, query, with_vectors

from corpus.index_store import IndexReader
from corpus.model import ParsedDocument
from retrieval.model import Query
from retrieval.reading_features import ReadingFeatures, read_features
from retrieval.search import search


def read(index: IndexReader, asked: Query) -> dict[str, ReadingFeatures]:
    outcome = search(asked, index, AxisEmbedder(), limit=10)
    features = read_features(asked, outcome, index)
    assert len(features) == len(outcome.hits)
    return {hit.passage.document.source: one for hit, one in zip(outcome.hits, features, strict=True)}


def under(document: ParsedDocument, *heading: str) -> ParsedDocument:
    return replace(document, passages=(replace(document.passages[0], heading=heading),))


def test_coverage_counts_words_headings_and_the_best_item(tmp_path: Path) -> None:
    """Of two words the heading has one and an item the other: together they have the question's whole weight."""
    index = open_index(
        tmp_path,
        with_vectors(under(note("the valve leaks. it is red.", "the valve leaks.", "it is red."), "Cobalt"), 0.9, 0.1),
        with_vectors(under(note("a cobalt lamp", source="lamp"), "Other"), 0.5),
        with_vectors(under(note("the steel valve", source="steel"), "Other"), 0.5),
    )
    features = read(index, query("cobalt valve"))["notes.md"]
    assert features.heading + features.best_item == pytest.approx(1.0)
    assert features.coverage == pytest.approx(1.0)
    assert 0 < features.heading < 1
    assert 0 < features.best_item < 1
    assert features.items_hit == 1.0
    assert features.length == pytest.approx(27 / 1600)


def test_items_nearly_as_near_as_the_nearest_are_counted(tmp_path: Path) -> None:
    index = open_index(tmp_path, with_vectors(note("one. two. three.", "one.", "two.", "three."), 0.8, 0.75, 0.3))
    assert read(index, query("one"))["notes.md"].items_hit == 2.0


@pytest.mark.parametrize(("symbols", "expected"), [((), 0.0), (("torch.cond",), 1.0), (("torch.cond", "Cond"), 0.5)])
def test_symbols_count_as_they_are_written(symbols: tuple[str, ...], expected: float, tmp_path: Path) -> None:
    index = open_index(tmp_path, note("`torch.cond` is stable"))
    asked = replace(query("torch.cond"), symbols=symbols)
    assert read(index, asked)["notes.md"].symbol == expected


def test_recency_is_the_place_among_the_releases_of_the_product(tmp_path: Path) -> None:
    index = open_index(
        tmp_path,
        *(note("cobalt", source=version, version=version) for version in ("1.0", "1.10", "1.9", "2.0")),
        note("cobalt", source="other", product="pump", version="0.1"),
    )
    found = read(index, query("cobalt"))
    assert {source: one.recency for source, one in found.items()} == {
        "1.0": 0.25, "1.9": 0.5, "1.10": 0.75, "2.0": 1.0, "other": 1.0,
    }  # fmt: skip


def test_what_recurs_is_counted_and_the_earlier_release_is_known(tmp_path: Path) -> None:
    words = "the cobalt valve was mended"
    index = open_index(
        tmp_path,
        with_vectors(note(words, source="first", version="1.0"), 0.9),
        with_vectors(note(words, source="again", version="1.1"), 0.9),
        with_vectors(note("the cobalt lamp", source="else", version="1.2"), 0.1),
    )
    found = read(index, query("cobalt valve"))
    assert {source: (one.copies, one.earlier_copy) for source, one in found.items()} == {
        "first": (1.0, 0.0),
        "again": (1.0, 1.0),
        "else": (0.0, 0.0),
    }


def test_nothing_found_is_nothing_to_read(tmp_path: Path) -> None:
    index = open_index(tmp_path, note("subscribe", boilerplate=True))
    assert read(index, query("subscribe")) == {}
