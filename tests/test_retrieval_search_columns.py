"""What search works out for many passages at once must be what the plain definition says of each."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.index.release_matching import match_release, release_matches
from corpus.model import Authority, Kind
from corpus.stores.passage_table import PassageTable
from corpus.stores.protocol import PassageFilter, PassageScores
from corpus.versions import Version, VersionConstraint
from retrieval.search import search as searching

LABELS = (None, "2.8", "2.8.0", "2.8.3", "2.9", "2.9.0rc1", "2.9.1", "3.0", "3.0.2")
CONSTRAINTS = (
    None,
    VersionConstraint.exactly(Version.parse("2.8"), Version.parse("3.0.2")),
    VersionConstraint.between(Version.parse("2.8"), Version.parse("2.9")),
    VersionConstraint.since(Version.parse("2.9.0")),
)


def table_of(labels: list[str | None]) -> PassageTable:
    distinct = tuple(dict.fromkeys(labels))
    versions = tuple(None if label is None else Version.parse(label) for label in distinct)
    codes = np.array([distinct.index(label) for label in labels], np.int32)
    count = len(labels)
    return PassageTable(
        ids=np.arange(count, dtype=np.int64),
        products=np.zeros(count, np.int32),
        distinct_versions=versions,
        version_codes=codes,
        kind_codes=np.full(count, list(Kind).index(Kind.OTHER), np.int8),
        authority_weights=np.full(count, Authority.UNKNOWN.weight, np.int8),
        boilerplate=np.zeros(count, np.bool_),
        item_offsets=np.zeros(count + 1, np.int64),
        item_passages=np.zeros(0, np.int32),
    )


@given(labels=st.lists(st.sampled_from(LABELS), min_size=1, max_size=30), data=st.data())
def test_releases_match_as_each_by_itself(labels: list[str | None], data: st.DataObject) -> None:
    table = table_of(labels)
    constraint = data.draw(st.sampled_from(CONSTRAINTS))
    positions = np.array(data.draw(st.lists(st.integers(0, len(labels) - 1), max_size=40)), np.int64)
    expected = [match_release(constraint, table.version_of(position)) for position in positions]
    assert release_matches(constraint, table, positions).tolist() == expected


def scored(scores: list[float]) -> PassageScores:
    """What a leg that gave the passages these scores found: 0 is for one that it didn't find."""
    everything = np.array(scores, np.float32)
    return PassageScores(np.flatnonzero(everything), everything[everything > 0])


@given(st.lists(st.sampled_from([0.0, 0.1, 0.5]), max_size=12), st.data())
def test_scores_are_found_by_position(scores: list[float], data: st.DataObject) -> None:
    asked = data.draw(st.lists(st.integers(0, len(scores)), max_size=20))
    expected = [scores[place] or -1.0 if place < len(scores) else -1.0 for place in asked]
    found = scored(scores).at(np.array(asked, np.int64), missing=-1.0)
    assert found.tolist() == pytest.approx(expected)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.booleans()), max_size=30),
    st.sets(st.integers(0, 5)),
    st.sampled_from([None, (0,), (1, 2), ()]),
)
def test_a_filter_lets_through_what_each_passage_says(
    passages: list[tuple[int, bool]], products: set[int], versions: tuple[int, ...] | None
) -> None:
    table = replace(
        table_of([LABELS[product] for product, _ in passages]),
        products=np.array([product for product, _ in passages], np.int32),
        boilerplate=np.array([is_boilerplate for _, is_boilerplate in passages], np.bool_),
    )
    for wanted in (PassageFilter(tuple(products), versions), PassageFilter(None, versions)):
        expected = [
            place
            for place, (product, is_boilerplate) in enumerate(passages)
            if not is_boilerplate
            and (wanted.products is None or product in products)
            and (versions is None or table.version_codes[place] in versions)
        ]
        assert wanted.positions(table).tolist() == expected


@given(st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.9]), max_size=40), st.integers(1, 12))
def test_best_are_the_highest_and_among_equals_the_first(scores: list[float], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "_CANDIDATES", most)
        found = searching._best(scored(scores))
    ranked = sorted((-score, position) for position, score in enumerate(scores) if score > 0)
    assert sorted(found.tolist()) == sorted(position for _, position in ranked[:most])
