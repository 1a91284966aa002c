"""Retrieval under variants: what a trial measures, what ablation and tuning make of it, and what is logged."""

import json
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from indexes_by_hand import axis_vector, note, open_index, with_vectors
from ui_small_index import write_documents

from corpus.cache_folder import cache_folder
from corpus.embedding import Embedder
from corpus.errors import UsageError
from corpus.stores.protocol import PassageFilter
from evals import features, tune
from evals.ablation import VARIANTS, ablate, average_items
from evals.features import IRRELEVANT, RETRIEVES, collect, render_rows
from evals.grading import Score
from evals.retrieval_trial import UNCHANGED, RetrievalTrial, Variant, open_trials
from evals.suites import Suite
from evals.tune import Tuner, climb, with_objective
from retrieval.search.rank_features import RankFeatures
from retrieval.search.reading_features import ReadingFeatures
from retrieval.search.weights import SearchWeights

QUESTIONS = (
    ("a", "dev", "Is widget.spin deprecated?", (), "widget/changes.md", "`widget.spin` is deprecated."),
    ("b", "dev", "Where does the cache live?", (), "gadget/changes.md", "The cache of Gadget is now kept in SQLite"),
    ("c", "test", "And which Python?", ("What was removed in Widget 2.0?",), "widget/changes.md", "needs Python 3.8"),
    ("d", "test", "What does the absent page say?", (), "widget/absent.md", "nothing"),
)


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory, default_embedder: Embedder) -> Iterator[RetrievalTrial]:
    """Four questions over two documents; the last one's document is absent. The exported model is there by now."""
    folder = tmp_path_factory.mktemp("trial")
    cache = folder / "cache"
    cache.mkdir()
    (cache / "models").symlink_to(cache_folder() / "models")
    lines = (
        {"id": name, "kind": "fact", "split": split, "question": question, "answerable": True, "history": list(history)}
        | {"gold": [{"path": path, "quote": quote}]}
        for name, split, question, history, path, quote in QUESTIONS
    )
    questions = folder / "questions.jsonl"
    questions.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    suite = Suite("small", questions, write_documents(folder / "documents"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RELNOTES_CACHE_DIR", str(cache))
        with open_trials(
            [suite, Suite("elsewhere", questions, folder / "nowhere"), replace(suite, name="again")]
        ) as found:
            first, second = found
            assert first.index is second.index
            yield first


def test_every_question_with_its_document_is_measured(trial: RetrievalTrial) -> None:
    scores = trial.run(UNCHANGED)
    assert [(one.question_id, one.split) for one in scores] == [("a", "dev"), ("b", "dev"), ("c", "test")]
    assert all(one.scores == (Score("mrr@10", 1.0), Score("recall@5", 1.0)) for one in scores)


def test_a_variant_changes_the_search_that_answers(trial: RetrievalTrial) -> None:
    blind = Variant("blind", change_query=lambda query: replace(query, products=("Gadget",), product_stated=True))
    assert [one.score("recall@5") for one in trial.run(blind)] == [0.0, 1.0, 0.0]
    assert trial.run(UNCHANGED) == trial.run(Variant("the same"))


def test_the_ablation_has_a_row_for_the_whole_and_for_each_part(trial: RetrievalTrial) -> None:
    lines = ablate(trial).splitlines()
    names = [line.split(" | ")[0].removeprefix("| ") for line in lines if line.startswith("| ")]
    assert names == ["search", "---", UNCHANGED.name, *(variant.name for variant in VARIANTS)]
    assert "3 answerable questions." in lines


def test_every_variant_differs_from_the_whole_search() -> None:
    assert len({variant.name for variant in VARIANTS}) == len(VARIANTS)
    for variant in VARIANTS:
        assert replace(variant, name=UNCHANGED.name) != UNCHANGED


def test_averaged_items_score_a_passage_as_the_mean_of_its_items(tmp_path: Path) -> None:
    index = open_index(
        tmp_path,
        with_vectors(note("red. blue.", "red.", "blue."), 0.6, 1.0),
        with_vectors(note("green.", source="even"), 0.5),
    )
    averaged = average_items(index)
    vectors = averaged.store.vectors.searched.reconstruct_n(0, 3)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert vectors[0] == pytest.approx(vectors[1])
    # Of (.6, .8) and (1, 0) the mean is (.8, .4), of length sqrt(.8).
    assert vectors[0, 0] == pytest.approx(0.8 / 0.8**0.5, abs=1e-5)
    assert vectors[2, 0] == pytest.approx(0.5, abs=1e-5)
    assert index.store.vectors.searched.reconstruct_n(0, 1)[0, 0] == pytest.approx(0.6, abs=1e-5)
    _, cosines = averaged.store.nearest_items(axis_vector(1.0), PassageFilter(), limit=3)
    assert cosines == pytest.approx([0.8 / 0.8**0.5, 0.8 / 0.8**0.5, 0.5], abs=1e-5), "search sees the averaged ones"


class Hills:
    """A tuner over a made-up landscape: best at dense .5 and kind .2, whatever the rest."""

    def development(self, weights: SearchWeights) -> float:
        """The height at some weights."""
        return 1 - abs(weights.dense - 0.5) - abs(weights.kind - 0.2)


def test_the_climb_ends_at_the_best_of_the_grid_and_leaves_what_makes_no_difference() -> None:
    best, steps = climb(Hills(), SearchWeights())
    assert best == replace(SearchWeights(), dense=0.5, kind=0.2)
    assert [(step.weight, step.value) for step in steps] == [("dense", 0.5), ("kind", 0.2)]


def test_the_climb_stays_where_nothing_is_better() -> None:
    assert climb(Hills(), replace(SearchWeights(), dense=0.5, kind=0.2))[1] == ()


def test_the_grid_names_every_weight_and_holds_its_value() -> None:
    assert set(tune.GRID) == {field.name for field in fields(SearchWeights)}
    assert all(getattr(SearchWeights(), name) in values for name, values in tune.GRID.items())


def test_the_objective_is_the_mean_of_the_metrics(trial: RetrievalTrial) -> None:
    tuner = Tuner([trial])
    assert tuner.development(SearchWeights()) == 1.0
    half = replace(trial.run(UNCHANGED)[0], scores=(Score("mrr@10", 0.5), Score("recall@5", 1.0)))
    assert with_objective(half).score("objective") == 0.75


def test_features_are_logged_for_every_hit_without_the_question(trial: RetrievalTrial) -> None:
    ranked = next(iter(collect(trial)))
    lines = [json.loads(line) for line in render_rows(ranked)]
    assert [line["rank"] for line in lines] == list(range(1, len(lines) + 1))
    first = lines[0]
    assert (first["id"], first["suite"], first["kind"], first["relevance"]) == ("a", "small", "fact", RETRIEVES)
    assert set(first["features"]) == {field.name for kind in (RankFeatures, ReadingFeatures) for field in fields(kind)}
    assert {line["relevance"] for line in lines[1:]} == {IRRELEVANT}
    assert "deprecated?" not in json.dumps(lines)


def test_a_log_that_cannot_be_written_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Cannot write the features to .* Check the path"):
        features.main([str(tmp_path / "no" / "such" / "run.jsonl")])
