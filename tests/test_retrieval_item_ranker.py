"""The learned order of items: what is known of each, and the probability that this makes."""

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from indexes_by_hand import AxisEmbedder, every_passage, note, open_index, query, with_vectors

from corpus.index.commit import EncodedDocument
from corpus.index.reader import IndexReader
from corpus.lexicon import split_tokens
from corpus.model import Act
from corpus.versions import Version, VersionConstraint, VersionMatch
from retrieval.model import Form, Query
from retrieval.products.known import KnownProducts
from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import Focus
from retrieval.quoting.quotes import ItemScore, score_items
from retrieval.search.hits import Hit, read_hits
from retrieval.search.item_ranker import FEATURES, ItemFeatures, ItemRanker, load_item_ranker, read_item_features

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
        self.focus = Focus.of(asked, index.lexical, known=KnownProducts.of(index.products), passages=len(hits))

    def features(self) -> list[list[ItemFeatures]]:
        return read_item_features(self.asked, self.readings, self.weights, self.focus)

    def scored(self, by: ItemRanker) -> tuple[ItemScore, ...]:
        return score_items(self.asked, self.readings, self.weights, self.focus, by)


def features(index: IndexReader, asked: Query, match: VersionMatch = VersionMatch.EXACT) -> list[ItemFeatures]:
    """Of all items of an index, in order."""
    return [one for items in Found(index, asked, match).features() for one in items]


def acting(text: str, act: Act, *, certainty: float = 0.75, version: str = "1.0") -> EncodedDocument:
    """A document of one item that was read as telling this act."""
    whole = with_vectors(note(text, source=f"{act}-{version}.md", version=version), 0.5)
    passage = whole.parsed.passages[0]
    items = tuple(replace(item, act=act, certainty=certainty) for item in passage.items)
    return replace(whole, parsed=replace(whole.parsed, passages=(replace(passage, items=items),)))


@pytest.mark.parametrize(
    ("form", "act", "match", "mends"),
    [
        pytest.param(Form.SYMPTOM, Act.FIXED, VersionMatch.BEARING, 1.0, id="a later release mends it"),
        pytest.param(Form.SECURITY, Act.SECURED, VersionMatch.BEARING, 1.0, id="a later one closes the hole"),
        pytest.param(Form.SECURITY, Act.FIXED, VersionMatch.BEARING, 0.0, id="a later one mends what is no hole"),
        pytest.param(Form.SYMPTOM, Act.FIXED, VersionMatch.EXACT, -1.0, id="whoever runs it has its own repairs"),
        pytest.param(Form.SYMPTOM, Act.FIXED, VersionMatch.SERIES, 0.0, id="of its line"),
        pytest.param(Form.SYMPTOM, Act.CHANGED, VersionMatch.EXACT, 0.0, id="what it changed may be the cause"),
        pytest.param(Form.VALUE, Act.FIXED, VersionMatch.EXACT, 0.0, id="nothing is broken"),
    ],
)
def test_trouble_with_a_release_is_mended_by_a_later_one(
    tmp_path: Path, form: Form, act: Act, match: VersionMatch, mends: float
) -> None:
    asked = replace(query("cobalt"), form=form, bearing=VersionConstraint.since(Version.parse("1.0")))
    (found,) = features(open_index(tmp_path, acting("The cobalt valve closes.", act)), asked, match)
    assert found.mends == mends


def test_releases_count_by_their_place_among_the_hits_of_their_product(tmp_path: Path) -> None:
    index = open_index(
        tmp_path,
        *(note("cobalt", source=version, version=version) for version in ("1.0", "1.10", "1.9", "2.0rc1")),
        note("cobalt", source="other", product="pump", version="0.1"),
    )
    found = features(index, query("cobalt"))
    assert [one.newest for one in found] == [0.25, 0.75, 0.5, 1.0, 1.0]
    since = features(index, query("cobalt", form=Form.SINCE_WHEN))
    assert not any(one.newest for one in since)
    exact = query("cobalt", constraint=VersionConstraint.exactly(Version.parse("1.9")))
    assert not any(one.newest for one in features(index, exact))


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


def test_a_score_is_the_logistic_of_the_weighed_figures() -> None:
    figures = replace(NONE, cosine=0.5, value=1.0)
    assert ranker().score(figures) == 0.5
    assert ranker(cosine=2.0, value=1.0, bias=-1.0).score(figures) == pytest.approx(0.7310586)


@given(st.lists(st.floats(-1e9, 1e9), min_size=len(FEATURES), max_size=len(FEATURES)), st.floats(-1e9, 1e9))
def test_a_score_is_a_probability_whatever_the_weights(weights: list[float], bias: float) -> None:
    assert (
        0 <= ItemRanker(tuple(weights), bias).score(ItemFeatures(Form.VALUE, Act.DEFAULT, *[1.0] * len(FIGURES))) <= 1
    )


def test_the_committed_weights_put_the_answer_before_its_heading_and_before_what_another_passage_says(
    tmp_path: Path,
) -> None:
    index = open_index(
        tmp_path,
        note("Valves\n\nThe cobalt valve was removed.", "Valves", "The cobalt valve was removed.", source="a"),
        note("The steel pump was removed.", source="b"),
    )
    best, *others = Found(index, query("Was the cobalt valve removed?")).scored(load_item_ranker())
    assert (best.hit.passage.document.source, best.number) == ("a", 1)
    assert best.score > max(one.score for one in others)


ASKED: dict[str, tuple[Act, Act | None, float]] = {
    "the act that is asked about": (Act.REMOVED, Act.REMOVED, 0.75),
    "another": (Act.ADDED, Act.REMOVED, 0.0),
    "no act is asked about": (Act.REMOVED, None, 0.0),
}


@pytest.mark.parametrize(("act", "asked", "told"), ASKED.values(), ids=ASKED.keys())
def test_what_happened_counts_by_what_is_asked(tmp_path: Path, act: Act, asked: Act | None, told: float) -> None:
    index = open_index(tmp_path, acting("The cobalt valve, as it was.", act))
    (found,) = features(index, replace(query("cobalt valve", form=Form.YES_NO), act=asked))
    assert (found.form, found.act, found.act_asked) == (Form.YES_NO, act, told)


BY_FORM: dict[str, tuple[Form, str, str, dict[str, float]]] = {
    "a value is asked for": (
        Form.VALUE, "valves of a cobalt pump", "figure_behind",
        {"The cobalt pump has 4 valves.": 0.0, "The cobalt pump has valves.": -1.0},
    ),
    "a figure of the question is no value": (
        Form.VALUE, "4 valves", "figure_behind", {"Has 4 valves.": -1.0, "Has 5 of them.": 0.0}
    ),
    "what to do now": (
        Form.MIGRATE, "cobalt valve", "replacing_behind",
        {"Use the steel lamp instead of the cobalt valve.": 0.0, "The cobalt valve is gone.": -1.0,
         "The pump was replaced.": -1.0},
    ),
    "one that names half of what is gone": (
        Form.MIGRATE, "cobalt valve", "replacing_behind",
        {"A lamp replaced the cobalt valve.": 0.0, "A lamp replaced the cobalt.": -0.5},
    ),
    "since when": (
        Form.SINCE_WHEN, "cobalt valve", "dense_since_behind",
        {"cobalt valve": 0.0, "Let the cobalt valve": -0.5, "lamp": -1.0},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("form", "asked", "feature", "items"), BY_FORM.values(), ids=BY_FORM.keys())
def test_what_answers_a_form_is_told_beside_the_item_that_has_most_of_it(
    tmp_path: Path, form: Form, asked: str, feature: str, items: dict[str, float]
) -> None:
    index = open_index(tmp_path, note("\n".join(items), *items))
    assert [getattr(one, feature) for one in features(index, query(asked, form=form))] == pytest.approx(
        [*items.values()]
    )
    assert not any(getattr(one, feature) for one in features(index, query(asked, form=Form.FACT)))
