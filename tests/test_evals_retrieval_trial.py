"""Retrieval under variants: what a trial measures, and what the ablation makes of it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from indexes_by_hand import axis_vector, note, open_index, with_vectors
from ui_small_index import write_documents

from corpus.cache_folder import cache_folder
from corpus.embedding import Embedder
from corpus.stores.protocol import PassageFilter
from evals.ablation import VARIANTS, ablate, average_items
from evals.grading import Score
from evals.retrieval_trial import UNCHANGED, RetrievalTrial, Variant, open_trials
from evals.suites import Suite

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
    assert [(score.question_id, score.split) for score in scores] == [("a", "dev"), ("b", "dev"), ("c", "test")]
    assert all(score.scores == (Score("mrr@10", 1.0), Score("recall@5", 1.0)) for score in scores)


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
