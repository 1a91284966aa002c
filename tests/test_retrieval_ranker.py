"""The learned ranker: named weights in, an order and its reasons out."""

from pathlib import Path

import pytest
from indexes_by_hand import AxisEmbedder, note, open_index, query, with_vectors

from corpus.index.reader import IndexReader
from retrieval.search.ranked_hits import RankedHits, rank_hits
from retrieval.search.ranker import FEATURES, Ranker, load_ranker
from retrieval.search.search import search
from retrieval.search.weights import RANKED_HITS


def ranked(index: IndexReader, ranker: Ranker, *, limit: int = 50) -> RankedHits:
    return rank_hits(query("cobalt"), search(query("cobalt"), index, AxisEmbedder(), limit=limit), index, ranker)


def sources(found: RankedHits) -> list[str]:
    return [hit.passage.document.source for hit in found.outcome.hits]


@pytest.fixture
def three(tmp_path: Path) -> IndexReader:
    return open_index(
        tmp_path,
        with_vectors(note("cobalt", source="near", version="1.0"), 0.9),
        with_vectors(note("cobalt and more", source="middle", version="2.0"), 0.5),
        with_vectors(note("a long cobalt story " * 9, source="far", version="3.0"), 0.1),
    )


def test_without_weights_the_search_keeps_its_order_and_scores(three: IndexReader) -> None:
    found = ranked(three, Ranker({}))
    assert found.outcome.hits == found.ranked
    assert sources(found)[0] == "near"


def test_a_weight_is_points_for_each_unit_of_its_feature_beside_the_mean(three: IndexReader) -> None:
    found = ranked(three, Ranker({"newest": 3.0}))
    assert sources(found) == ["far", "middle", "near"]
    before = {hit.passage.document.source: hit.score for hit in found.ranked}
    added = {hit.passage.document.source: hit.score - before[hit.passage.document.source] for hit in found.outcome.hits}
    assert added == pytest.approx({"near": -1.0, "middle": 0.0, "far": 1.0})


def test_what_counted_adds_up_to_what_was_added(three: IndexReader) -> None:
    ranker = Ranker({"newest": 3.0, "pairs": -0.5})
    found = ranked(three, ranker)
    told = ranker.contributions(found.ranked, found.features)
    after = {hit.passage.position: hit.score for hit in found.outcome.hits}
    for hit, parts in zip(found.ranked, told, strict=True):
        assert {part.feature for part in parts} == {"newest", "pairs"}
        assert hit.score + sum(part.points for part in parts) == pytest.approx(after[hit.passage.position])


def test_readings_follow_their_hits(three: IndexReader) -> None:
    found = ranked(three, Ranker({"newest": 3.0}))
    assert [reading.hit for reading in found.readings] == list(found.outcome.hits)
    assert found.cut(2).readings == found.readings[:2]


def test_what_was_not_read_never_comes_before_what_was(tmp_path: Path) -> None:
    count = RANKED_HITS + 8
    notes = (note("cobalt", source=f"{number:02}", version=f"{number + 1}.0") for number in range(count))
    index = open_index(tmp_path, *(with_vectors(one, 0.9 - 0.01 * place) for place, one in enumerate(notes)))
    found = ranked(index, Ranker({"newest": 5.0}))
    scores = [hit.score for hit in found.outcome.hits]
    assert len(scores) == count
    assert scores == sorted(scores, reverse=True)
    assert sources(found)[RANKED_HITS:] == [f"{number:02}" for number in range(RANKED_HITS, count)]


def test_the_committed_weights_are_of_features_that_there_are() -> None:
    assert set(load_ranker().weights) <= set(FEATURES)
