"""The learned order of items: what is known of each, and the probability that this makes."""

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from indexes_by_hand import AxisEmbedder, every_passage, note, open_index, query

from corpus.index.reader import IndexReader
from corpus.lexicon import split_tokens
from corpus.model import Act
from corpus.versions import Version, VersionConstraint, VersionMatch
from retrieval.model import Form, Query
from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import Focus
from retrieval.quoting.quotes import ItemScore, score_items
from retrieval.search.hits import Hit, read_hits
from retrieval.search.item_ranker import FEATURES, ItemFeatures, ItemRanker, load_item_ranker

FIGURES = tuple(field.name for field in fields(ItemFeatures) if field.type is float)
NONE = ItemFeatures(Form.FACT, Act.OTHER, *[0.0] * len(FIGURES))


def ranker(*, bias: float = 0.0, **weights: float) -> ItemRanker:
    return ItemRanker.of(dict.fromkeys(FEATURES, 0.0) | weights, bias)


class Found:
    """Every passage of an index as a hit, in row order, each scoring 0.1 less than the one before."""

    def __init__(self, index: IndexReader, asked: Query, match: VersionMatch = VersionMatch.EXACT) -> None:
        hits = [Hit(one, 1 - n / 10, 0.0, match) for n, one in enumerate(every_passage(index))]
        self.asked = asked
        self.readings = read_hits(hits, AxisEmbedder().embed([asked.text])[0], index)
        self.weights = TokenWeights.of(split_tokens(asked.text), index.lexical, passages=len(hits))
        self.focus = Focus.of(asked, index.lexical, catalogue=index.products, passages=len(hits))

    def scored(self, by: ItemRanker) -> tuple[ItemScore, ...]:
        return score_items(self.asked, self.readings, self.weights, self.focus, by)


def test_items_come_best_first_and_ties_by_place(tmp_path: Path) -> None:
    words = ("- Pumps creak", "- Fine", "- The cobalt valve leaks")
    index = open_index(tmp_path, note("\n".join(words), *words), note("- The cobalt lamp", source="b"))
    found = Found(index, query("cobalt valve")).scored(ranker(coverage_own=4.0))
    assert [(one.hit.passage.document.source, one.number) for one in found] == [
        ("notes.md", 2), ("b", 0), ("notes.md", 0), ("notes.md", 1),
    ]  # fmt: skip
    assert found[0].score > found[1].score > found[2].score == found[3].score == 0.5
    assert found[0].item.span.slice("\n".join(words)) == words[2]
    assert {"cobalt", "valv"} <= found[0].tokens


def test_the_committed_weights_are_those_of_the_figures() -> None:
    assert FEATURES[: len(FIGURES)] == FIGURES
    assert len(load_item_ranker().weights) == len(FEATURES)
    with pytest.raises(KeyError, match="cosine"):
        ItemRanker.of({name: 0.0 for name in FEATURES if name != "cosine"}, 0.0)


@pytest.mark.parametrize("form", [Form.VALUE, Form.COMPARE, Form.SECURITY])
def test_a_form_without_weights_weighs_acts_as_a_plain_fact_does(form: Form) -> None:
    named = dict.fromkeys(FEATURES, 0.0) | {"fact told by removed": 2.0, "cosine": 1.0, f"{form} told by removed": 5.0}
    older = {name: weight for name, weight in named.items() if not name.startswith(f"{form} told by")}
    removed = replace(NONE, form=form, act=Act.REMOVED)
    assert ItemRanker.of(named, 0.0).score(removed) == pytest.approx(0.9933071)
    assert ItemRanker.of(older, 0.0).score(removed) == pytest.approx(0.8807971)
    assert ItemRanker.of(older, 0.0).score(replace(removed, act=Act.ADDED)) == 0.5
    with pytest.raises(KeyError, match="fact told by added"):
        ItemRanker.of({name: weight for name, weight in named.items() if name != "fact told by added"}, 0.0)


def test_a_score_is_the_logistic_of_the_weighed_figures() -> None:
    figures = replace(NONE, cosine=0.5, value=1.0)
    assert ranker().score(figures) == 0.5
    assert ranker(cosine=2.0, value=1.0, bias=-1.0).score(figures) == pytest.approx(0.7310586)


@given(st.lists(st.floats(-1e9, 1e9), min_size=len(FEATURES), max_size=len(FEATURES)), st.floats(-1e9, 1e9))
def test_a_score_is_a_probability_whatever_the_weights(weights: list[float], bias: float) -> None:
    assert (
        0 <= ItemRanker(tuple(weights), bias).score(ItemFeatures(Form.VALUE, Act.DEFAULT, *[1.0] * len(FIGURES))) <= 1
    )


@pytest.mark.parametrize(
    ("bearing", "nearest"),
    [(VersionConstraint.since(Version.parse("2.8")), "2.9"), (VersionConstraint.up_to(Version.parse("3.1")), "3.0")],
    ids=["later ones", "earlier ones"],
)
def test_of_the_releases_that_bear_on_the_asked_one_the_nearest_counts_most(
    tmp_path: Path, bearing: VersionConstraint, nearest: str
) -> None:
    index = open_index(tmp_path, *(note("The valve leaks", source=one, version=one) for one in ("2.9", "3.0")))
    found = Found(index, replace(query("valve leaks"), bearing=bearing), VersionMatch.BEARING)
    assert str(found.scored(ranker(bearing_near=4.0))[0].passage.release) == nearest
