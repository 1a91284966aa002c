"""Reranking: how two rankings are blended, and which models are taken."""

import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from indexes_by_hand import AxisEmbedder, note, open_index, query, with_vectors
from numpy.typing import NDArray
from small_corpus import HashedEmbedder

from corpus.embedding import Embedder
from corpus.errors import ModelError
from corpus.index.reader import IndexReader
from retrieval.assistant import Assistant
from retrieval.evidence import load_calibration
from retrieval.search.hits import SearchOutcome
from retrieval.search.rerank import CrossEncoderReranker, blend, rerank
from retrieval.search.search import search
from retrieval.search.weights import RERANKED_HITS

pytestmark = pytest.mark.slow


class LongestFirst:
    """The longer a passage, the better; remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """See `Reranker.score`."""
        self.asked.append((question, tuple(passages)))
        return np.array([len(passage) for passage in passages], dtype=np.float32)


class Indifferent:
    """Every passage is as good as any other."""

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """See `Reranker.score`."""
        return np.full(len(passages), 7.0, dtype=np.float32)


def open_valves(folder: Path, count: int) -> IndexReader:
    """Passages that say ever more and fit ever less: what is longest comes last."""
    return open_index(
        folder,
        *(
            with_vectors(note("cobalt valve" + " and more" * number, source=f"{number:02}"), 0.9 - 0.01 * number)
            for number in range(count)
        ),
    )


def found(index: IndexReader, *, limit: int = 50) -> SearchOutcome:
    return search(query("cobalt valve"), index, AxisEmbedder(), limit=limit)


def sources(outcome: SearchOutcome) -> list[str]:
    return [hit.passage.document.source for hit in outcome.hits]


@pytest.mark.parametrize(
    ("fused", "read", "expected"),
    [
        pytest.param((1.0, 0.6, 0.2), (0.0, 5.0, 10.0), (0.6, 0.6, 0.6), id="opposed"),
        pytest.param((1.0, 0.6, 0.2), (9.0, 8.0, 7.0), (1.0, 0.6, 0.2), id="agreed"),
        pytest.param((1.0, 0.6, 0.2), (3.0, 3.0, 3.0), (1.0, 0.6, 0.2), id="reranker-indifferent"),
        pytest.param((0.5, 0.5), (1.0, 2.0), (0.5, 0.5), id="fused-equal"),
        pytest.param((1.0, 0.0), (-4.0, 4.0), (0.5, 0.5), id="negative-scores"),
    ],
)
def test_each_side_has_half_a_say(
    fused: tuple[float, ...], read: tuple[float, ...], expected: tuple[float, ...]
) -> None:
    assert blend(fused, np.array(read, dtype=np.float32)) == pytest.approx(expected)


@given(st.lists(st.tuples(st.floats(0, 2), st.floats(-50, 50, width=32)), min_size=2, max_size=20))
def test_blended_scores_stay_in_the_range_of_the_fused_ones(pairs: list[tuple[float, float]]) -> None:
    fused = [score for score, _ in pairs]
    blended = blend(fused, np.array([score for _, score in pairs], dtype=np.float32))
    assert all(min(fused) - 1e-9 <= score <= max(fused) + 1e-9 for score in blended)


def test_a_score_that_is_no_number_is_an_error() -> None:
    with pytest.raises(ModelError, match=r"isn't a number: .* Choose another model"):
        blend((1.0, 0.5), np.array([0.1, np.nan], dtype=np.float32))


def test_the_first_hits_are_ranked_anew_and_the_others_stay_behind_them(tmp_path: Path) -> None:
    index = open_valves(tmp_path, RERANKED_HITS + 5)
    before = found(index)
    after = rerank(before, query("cobalt valve"), index, LongestFirst())
    assert sorted(sources(after)[:RERANKED_HITS]) == sorted(sources(before)[:RERANKED_HITS])
    assert sources(after)[:RERANKED_HITS] != sources(before)[:RERANKED_HITS]
    assert after.hits[RERANKED_HITS:] == before.hits[RERANKED_HITS:]
    scores = [hit.score for hit in after.hits]
    assert scores == sorted(scores, reverse=True)


def test_a_reranker_without_an_opinion_changes_nothing(tmp_path: Path) -> None:
    index = open_valves(tmp_path, 6)
    assert rerank(found(index), query("cobalt valve"), index, Indifferent()).hits == found(index).hits


def test_equal_blends_stand_in_the_order_of_the_index(tmp_path: Path) -> None:
    index = open_index(tmp_path, *(note("cobalt valve", source=name) for name in "dacb"))
    assert sources(rerank(found(index), query("cobalt valve"), index, LongestFirst())) == list("dacb")


def test_the_model_reads_the_question_and_each_passage_with_what_it_is_about(tmp_path: Path) -> None:
    index = open_index(
        tmp_path, note("cobalt", source="a", version="2.9"), note("cobalt valve", source="b", product="pump")
    )
    reranker = LongestFirst()
    rerank(found(index), query("cobalt valve"), index, reranker)
    ((question, passages),) = reranker.asked
    assert question == "cobalt valve"
    assert {tuple(passage.split("\n")) for passage in passages} == {
        ("demo / 2.9 / demo / 2.9", "cobalt"),
        ("pump / 1.0 / pump / 1.0", "cobalt valve"),
    }


def test_the_assistant_asks_it_about_more_hits_than_it_lists(tmp_path: Path) -> None:
    index = open_valves(tmp_path, RERANKED_HITS + 5)
    reranker = LongestFirst()
    assistant = Assistant(index, HashedEmbedder(), load_calibration(), reranker=reranker)
    assert len(assistant.search("cobalt valve", limit=3).passages) == 3
    assert [len(passages) for _, passages in reranker.asked] == [RERANKED_HITS]


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of one small layer with random weights, saved as any cross-encoder is."""
    return save_cross_encoder(tmp_path_factory.mktemp("cross-encoder"), outputs=1)


def save_cross_encoder(folder: Path, *, outputs: int) -> Path:
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast
    from transformers.utils import logging as transformers_logging

    words = "[PAD] [UNK] [CLS] [SEP] [MASK] cobalt valve lamp the was replaced and more / .".split()
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    torch.manual_seed(1)
    configuration = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        num_labels=outputs,
    )
    transformers_logging.disable_progress_bar()
    BertForSequenceClassification(configuration).save_pretrained(folder)
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def test_a_cross_encoder_scores_pairs(cross_encoder: Path) -> None:
    reranker = CrossEncoderReranker(str(cross_encoder))
    passages = ["the lamp was replaced", "cobalt valve " * 200, ""]
    scores = reranker.score("cobalt valve", passages)
    assert (scores.shape, scores.dtype) == ((3,), np.float32)
    assert len(set(scores.tolist())) == 3
    assert reranker.score("cobalt valve", passages[:1]) == pytest.approx(scores[:1], abs=1e-5)
    assert reranker.score("cobalt valve", []).shape == (0,)


def test_threads_share_a_cross_encoder(cross_encoder: Path) -> None:
    reranker = CrossEncoderReranker(str(cross_encoder))
    passages = ["the lamp was replaced", "cobalt valve"]
    alone = reranker.score("cobalt valve", passages)
    with ThreadPoolExecutor(4) as pool:
        shared = list(pool.map(lambda _: reranker.score("cobalt valve", passages), range(12)))
    assert all(scores == pytest.approx(alone, abs=1e-5) for scores in shared)


def test_answers_are_ranked_by_a_real_cross_encoder(
    handmade: Assistant, default_embedder: Embedder, cross_encoder: Path
) -> None:
    plain = handmade.ask("Is widget.spin deprecated?")
    with Assistant.open(
        handmade.index.path, embedder=default_embedder, reranker=CrossEncoderReranker(str(cross_encoder))
    ) as assistant:
        answer = assistant.ask("Is widget.spin deprecated?")
    assert [passage.score for passage in answer.passages] != [passage.score for passage in plain.passages]
    scores = [passage.score for passage in answer.passages]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("name", ["nobody/no-such-model", "./no/such/folder"])
def test_a_model_that_is_not_there_is_an_error_with_a_next_step(name: str) -> None:
    with pytest.raises(ModelError) as raised:
        CrossEncoderReranker(name)
    assert str(raised.value) == (
        f"Cannot open reranker {name!r}: there is no such folder, and no model of that name in the local hub cache. "
        "Give the folder of a sentence-transformers cross-encoder with safetensors weights, or a name that is in the "
        "local hub cache; nothing is downloaded."
    )


def test_weights_are_never_unpickled(cross_encoder: Path, tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file

    folder = shutil.copytree(cross_encoder, tmp_path / "pickled")
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"model\.safetensors"):
        CrossEncoderReranker(str(folder))


def test_code_that_a_model_brings_along_is_never_run(cross_encoder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(cross_encoder, tmp_path / "coded")
    (folder / "modeling.py").write_text("raise SystemExit('run')", encoding="utf-8")
    with pytest.raises(ModelError, match="brings Python code along"):
        CrossEncoderReranker(str(folder))


def test_a_classifier_is_no_reranker(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="it gives 3 scores for a pair of texts"):
        CrossEncoderReranker(str(save_cross_encoder(tmp_path, outputs=3)))
