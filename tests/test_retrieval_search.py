"""search: what may be shown, how two legs are fused, and what moves a passage up."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from indexes_by_hand import AxisEmbedder, every_passage, note, open_index, query, with_vectors
from property_examples import examples
from small_corpus import HashedEmbedder

from corpus.index.commit import remove_documents
from corpus.index.reader import IndexReader
from corpus.model import Kind
from corpus.versions import Version, VersionConstraint, VersionMatch
from retrieval.assistant import Assistant
from retrieval.model import Form, Query
from retrieval.search.hits import Hit
from retrieval.search.search import search

EXACT_2_9 = VersionConstraint.exactly(Version.parse("2.9"))


def found(index: IndexReader, asked: Query, *, limit: int = 10) -> tuple[Hit, ...]:
    return search(asked, index, AxisEmbedder(), limit=limit).hits


def sources(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.passage.document.source for hit in hits]


def test_both_legs_are_scaled_and_added(tmp_path: Path) -> None:
    """Three passages of two words. BM25 of "cobalt" (in two of three, lengths equal) is idf·tf / (tf + 1.2):
    one mention idf/2.2, two 2·idf/3.2, so scaled 0 and 1; cosines .8, .4, .2 are scaled 1, 1/3, 0."""
    index = open_index(
        tmp_path,
        with_vectors(note("cobalt alpha", source="one"), 0.8),
        with_vectors(note("cobalt cobalt", source="two"), 0.4),
        with_vectors(note("gamma delta", source="three"), 0.2),
    )
    hits = found(index, query("cobalt"))
    official = 0.01 * 5
    assert sources(hits) == ["two", "one", "three"]
    assert [hit.score for hit in hits] == pytest.approx([0.4 / 3 + 0.6 + official, 0.4 + official, official], abs=1e-5)
    assert [hit.cosine for hit in hits] == pytest.approx([0.4, 0.8, 0.2], abs=1e-5)


def test_a_passage_scores_as_its_best_item(tmp_path: Path) -> None:
    index = open_index(
        tmp_path,
        with_vectors(note("red. blue.", "red.", "blue.", source="mixed"), 0.1, 0.9),
        with_vectors(note("green.", source="even"), 0.5),
    )
    assert [(hit.passage.document.source, round(hit.cosine, 4)) for hit in found(index, query("zebra"))] == [
        ("mixed", 0.9),
        ("even", 0.5),
    ]
    assert [len(matrix) for matrix in index.load_vectors([one.position for one in every_passage(index)])] == [2, 1]


def test_a_stated_product_is_a_filter_and_a_hinted_one_is_not(tmp_path: Path) -> None:
    index = open_index(
        tmp_path,
        note("cobalt paint dries faster", source="a", product="alpha"),
        note("cobalt", source="b", product="beta"),
        note("cobalt paint", source="c", product="gamma"),
        note("paint", source="d", product="beta"),
    )
    assert set(sources(found(index, query("cobalt paint", products=("beta",))))) == {"b", "d"}
    assert set(sources(found(index, query("cobalt paint", products=("beta",), stated=False)))) == {"a", "b", "c", "d"}


def test_boilerplate_is_never_shown(tmp_path: Path) -> None:
    index = open_index(
        tmp_path, note("subscribe to cobalt news", boilerplate=True, source="junk"), note("cobalt", source="notes")
    )
    assert sources(found(index, query("subscribe to cobalt news"))) == ["notes"]
    only_junk = open_index(tmp_path / "junk", note("subscribe", boilerplate=True))
    assert found(only_junk, query("subscribe")) == ()


def test_the_asked_release_comes_before_its_series_before_a_mention_before_others(tmp_path: Path) -> None:
    words = "the cobalt valve was replaced"
    index = open_index(
        tmp_path,
        *(
            with_vectors(note(words, source=source, version=version, mentions=mentions), 0.5)
            for source, version, mentions in (
                ("other", "2.8", ()),
                ("mention", "2.10", ("2.9",)),
                ("series", "2.9.1", ()),
                ("exact", "2.9", ()),
            )
        ),
    )
    hits = found(index, query("cobalt valve", constraint=EXACT_2_9))
    assert [(hit.passage.document.source, hit.match) for hit in hits] == [
        ("exact", VersionMatch.EXACT),
        ("series", VersionMatch.SERIES),
        ("mention", VersionMatch.SERIES),
        ("other", VersionMatch.OUTSIDE),
    ]
    assert [round(hits[0].score - hit.score, 4) for hit in hits] == [0.0, 0.15, 0.18, 0.3]


def test_a_version_filter_leaves_only_the_release_and_its_series(tmp_path: Path) -> None:
    index = open_index(
        tmp_path,
        note("the cobalt valve was replaced", version="2.8"),
        note("the cobalt valve was mended", version="2.9", source="b.md"),
        note("the cobalt valve was greased", version="2.9.1", source="c.md"),
    )
    hits = found(index, query("cobalt valve", constraint=EXACT_2_9, filtered=True))
    assert {str(hit.passage.release) for hit in hits} == {"2.9", "2.9.1"}


def test_the_passage_with_the_reference_comes_first(tmp_path: Path) -> None:
    index = open_index(
        tmp_path,
        with_vectors(note("cobalt valves and cobalt pipes were fixed", source="words"), 0.7),
        with_vectors(note("fixed a leak of the cobalt valves (#412)", source="record", references=("#412",)), 0.6),
        with_vectors(note("the pump was fixed and then, much later, painted", source="rest"), 0.1),
    )
    assert sources(found(index, query("who fixed cobalt valves")))[0] == "words"
    assert sources(found(index, query("who fixed cobalt valves", references=("#412",))))[0] == "record"


@pytest.mark.parametrize(
    ("form", "kind"),
    [
        (Form.BREAKS, Kind.BREAKING),
        (Form.BREAKS, Kind.DEPRECATION),
        (Form.SECURITY, Kind.SECURITY),
        (Form.WHATS_NEW, Kind.FEATURE),
    ],
)
def test_the_kind_that_is_asked_for_decides_between_equals(tmp_path: Path, form: Form, kind: Kind) -> None:
    index = open_index(tmp_path, note("cobalt", source="a", kind=Kind.FIX), note("cobalt", source="b", kind=kind))
    assert sources(found(index, query("cobalt", form=form))) == ["b", "a"]
    assert sources(found(index, query("cobalt"))) == ["a", "b"]


def test_equal_passages_stand_in_their_order_in_the_index(tmp_path: Path) -> None:
    index = open_index(tmp_path, *(note("cobalt", source=name) for name in "dacb"))
    hits = found(index, query("cobalt"))
    assert [hit.passage.position for hit in hits] == [0, 1, 2, 3]
    assert len({hit.score for hit in hits}) == 1


def test_an_empty_index_gives_nothing(tmp_path: Path) -> None:
    open_index(tmp_path, note("cobalt")).close()
    remove_documents(tmp_path, every=True)
    with IndexReader.open(tmp_path) as index:
        outcome = search(query("cobalt valve"), index, HashedEmbedder(), limit=5)
        assert (outcome.hits, outcome.tokens) == ((), ("cobalt", "valv"))
        assert outcome.vector.shape == (index.manifest.dimensions,)


@examples(25)
@given(words=st.lists(st.sampled_from("lamp dimmer night mode desk whistle rungs 2.0.0 #412".split()), min_size=1))
def test_a_smaller_limit_gives_the_head_of_the_same_ranking(handmade: Assistant, words: list[str]) -> None:
    asked = handmade.search(" ".join(words), limit=10).passages
    assert handmade.search(" ".join(words), limit=3).passages == asked[:3]


def test_the_release_itself_comes_before_its_pre_releases(tmp_path: Path) -> None:
    index = open_index(
        tmp_path,
        *(
            with_vectors(note("the cobalt valve was replaced", source=version, version=version), 0.5)
            for version in ("2.9rc1", "2.9", "2.9rc2")
        ),
    )
    assert sources(found(index, query("cobalt valve", constraint=EXACT_2_9))) == ["2.9", "2.9rc1", "2.9rc2"]
    asked = VersionConstraint.exactly(Version.parse("2.9rc2"))
    assert sources(found(index, query("cobalt valve", constraint=asked)))[0] == "2.9rc2"
    assert sources(found(index, query("cobalt valve"))) == ["2.9rc1", "2.9", "2.9rc2"]
