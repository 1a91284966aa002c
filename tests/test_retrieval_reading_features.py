"""What reading a hit adds, on passages written out by hand."""

from dataclasses import replace
from pathlib import Path

import pytest
from indexes_by_hand import AxisEmbedder, note, open_index, query, with_vectors

from corpus.index.reader import IndexReader
from corpus.model import ParsedDocument
from retrieval.model import Form, Query
from retrieval.search.ranked_hits import rank_hits
from retrieval.search.ranker import Ranker
from retrieval.search.reading_features import ReadingFeatures
from retrieval.search.search import search


def read(index: IndexReader, asked: Query) -> dict[str, ReadingFeatures]:
    found = rank_hits(asked, search(asked, index, AxisEmbedder(), limit=10), index, Ranker({}))
    assert len(found.features) == len(found.ranked)
    return {hit.passage.document.source: one for hit, one in zip(found.ranked, found.features, strict=True)}


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
    assert features.items_near == 0.5


def test_the_share_of_items_nearly_as_near_as_the_nearest_is_told(tmp_path: Path) -> None:
    index = open_index(tmp_path, with_vectors(note("one. two. three.", "one.", "two.", "three."), 0.8, 0.75, 0.3))
    assert read(index, query("one"))["notes.md"].items_near == pytest.approx(2 / 3)


def test_words_and_meaning_agree_where_one_item_has_both(tmp_path: Path) -> None:
    index = open_index(
        tmp_path,
        with_vectors(note("cobalt. valve.", "cobalt.", "valve.", source="apart"), 0.2, 0.9),
        with_vectors(note("cobalt valve.", source="together"), 0.9),
    )
    found = read(index, query("cobalt valve"))
    assert found["together"].item_agreement == pytest.approx(0.95, abs=1e-5)
    assert found["apart"].item_agreement < found["together"].item_agreement
    assert found["together"].item_cosine == found["apart"].item_cosine == pytest.approx(0.9, abs=1e-5)


def test_neighbouring_words_count_where_they_stand_close_in_one_item(tmp_path: Path) -> None:
    far = "the cobalt of the lamp that hangs above every single wooden valve"
    index = open_index(
        tmp_path,
        note("a valve of cobalt", source="close"),
        note(far, source="far"),
        note("cobalt. valve", "cobalt.", "valve", source="apart"),
    )
    found = read(index, query("cobalt valve"))
    assert {source: one.pairs for source, one in found.items()} == {"close": 1.0, "far": 0.0, "apart": 0.0}


@pytest.mark.parametrize(("symbols", "expected"), [((), 0.0), (("torch.cond",), 1.0), (("torch.cond", "Cond"), 0.5)])
def test_symbols_count_as_they_are_written(symbols: tuple[str, ...], expected: float, tmp_path: Path) -> None:
    index = open_index(tmp_path, note("`torch.cond` is stable"))
    asked = replace(query("torch.cond"), symbols=symbols)
    assert read(index, asked)["notes.md"].symbol == expected


def test_the_newest_is_told_by_its_place_among_the_hits_of_its_product(tmp_path: Path) -> None:
    index = open_index(
        tmp_path,
        *(note("cobalt", source=version, version=version) for version in ("1.0", "1.10", "1.9", "2.0")),
        note("cobalt", source="other", product="pump", version="0.1"),
    )
    found = read(index, query("cobalt"))
    assert {source: one.newest for source, one in found.items()} == {
        "1.0": 0.25, "1.9": 0.5, "1.10": 0.75, "2.0": 1.0, "other": 1.0,
    }  # fmt: skip
    assert {source: one.product_share for source, one in found.items()} == {
        "1.0": 0.8, "1.9": 0.8, "1.10": 0.8, "2.0": 0.8, "other": 0.2,
    }  # fmt: skip


def test_since_when_favours_the_earliest_release_that_says_as_much(tmp_path: Path) -> None:
    index = open_index(
        tmp_path,
        note("lamp", source="lamp", version="1.0"),
        *(note("the cobalt valve", source=version, version=version) for version in ("1.1", "1.2")),
    )
    asked = query("cobalt valve")
    assert not any(one.since for one in read(index, asked).values())
    found = read(index, replace(asked, form=Form.SINCE_WHEN))
    assert (found["1.1"].since, found["1.2"].since) == (1.0, 0.0)


def test_what_recurs_is_counted(tmp_path: Path) -> None:
    words = "the cobalt valve was mended"
    index = open_index(
        tmp_path,
        with_vectors(note(words, source="first", version="1.0"), 0.9),
        with_vectors(note(words, source="again", version="1.1"), 0.9),
        with_vectors(note("the cobalt lamp", source="else", version="1.2"), 0.1),
    )
    found = read(index, query("cobalt valve"))
    assert {source: one.copies for source, one in found.items()} == {"first": 0.2, "again": 0.2, "else": 0.0}


def test_nothing_found_is_nothing_to_read(tmp_path: Path) -> None:
    index = open_index(tmp_path, note("subscribe", boilerplate=True))
    assert read(index, query("subscribe")) == {}
