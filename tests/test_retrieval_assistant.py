"""The one public way: `Assistant.open(index).ask(question)`."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_corpus import HashedEmbedder

from corpus.embedding import Embedder
from corpus.errors import IndexMismatch, IndexNotFound, UsageError
from evals.question_set import load_questions
from evals.suites import BUNDLED
from retrieval.assistant import Assistant
from retrieval.model import MAX_QUESTION_LENGTH, Answer, Interpretation, Status
from ui.contract.answer import AnswerBody

QUESTIONS = tuple(question.question for question in load_questions(BUNDLED.questions))[::11][:6]


def timeless(answer: Answer) -> str:
    """The bytes of an answer, how long it took aside."""
    return AnswerBody.model_validate(replace(answer, elapsed_ms=0.0)).to_json()


def unscored(answer: Answer) -> str:
    """The same without its figures."""
    passages = tuple(replace(one, score=0.0) for one in answer.passages)
    return timeless(replace(answer, confidence=0.0, passages=passages))


def figures(answer: Answer) -> list[float]:
    return [answer.confidence, *(one.score for one in answer.passages)]


def test_an_opened_index_answers_and_searches(bundled_index: Path, default_embedder: Embedder) -> None:
    with Assistant.open(bundled_index, embedder=default_embedder) as assistant:
        answer = assistant.ask("By how much did linalg.eigh get faster on CUDA in PyTorch 2.12?")
        found = assistant.search("linalg.eigh CUDA", limit=3)
    assert answer.status is Status.ANSWERED
    assert "100x" in answer.answer
    assert answer.citations[0].version == "2.12"
    assert answer.interpretation == Interpretation(
        ("PyTorch",), "2.12", ("linalg.eigh",), "value", versions_words="2.12"
    )
    assert answer.elapsed_ms > 0
    assert (found.query, len(found.passages)) == ("linalg.eigh CUDA", 3)


def test_a_closed_one_is_freed_without_a_search_for_garbage(bundled_index: Path, default_embedder: Embedder) -> None:
    gc.collect()
    gc.disable()
    try:
        assistant = Assistant.open(bundled_index, embedder=default_embedder)
        assistant.ask(QUESTIONS[0])
        assistant.close()
        left = weakref.ref(assistant)
        del assistant
        assert left() is None
    finally:
        gc.enable()


def test_asking_again_gives_the_same_bytes(bundled: Assistant) -> None:
    assert [timeless(bundled.ask(question)) for question in QUESTIONS] == [
        timeless(bundled.ask(question)) for question in QUESTIONS
    ]


def test_eight_threads_get_the_answers_of_one(bundled_index: Path, default_embedder: Embedder) -> None:
    with Assistant.open(bundled_index, embedder=default_embedder) as alone:
        expected = [alone.ask(question) for question in QUESTIONS]
    # An assistant that nobody has asked yet: what it loads on first use is loaded by all threads at once.
    with Assistant.open(bundled_index, embedder=default_embedder) as shared, ThreadPoolExecutor(8) as threads:

        def ask_from(first: int) -> list[Answer]:
            order = [(first + step) % len(QUESTIONS) for step in range(len(QUESTIONS))]
            said = {number: shared.ask(QUESTIONS[number]) for number in order}
            return [said[number] for number in range(len(QUESTIONS))]

        for answers in threads.map(ask_from, range(8)):
            assert list(map(unscored, answers)) == list(map(unscored, expected))
            # The last digits of a product of vectors depend on where in memory they lie, another place for each thread.
            assert np.concatenate(list(map(figures, answers))) == pytest.approx(
                np.concatenate(list(map(figures, expected))), abs=0.01
            )


def test_history_gives_the_subject(handmade: Assistant) -> None:
    answer = handmade.ask("And since when?", history=("Does the Lamp have lamp.shine()?",))
    assert answer.interpretation.products == ("lamp",)
    assert answer.question == "And since when?"


@pytest.mark.parametrize(
    ("filters", "because"),
    [(("lmap", None), "Did you mean 'lamp'"), ((None, "two"), "Not a version: 'two'")],
    ids=["unknown product", "malformed version"],
)
def test_a_wrong_filter_is_wrong_usage(
    handmade: Assistant, filters: tuple[str | None, str | None], because: str
) -> None:
    product, version = filters
    with pytest.raises(UsageError, match=because):
        handmade.ask("What is new?", product=product, version=version)
    with pytest.raises(UsageError, match=because):
        handmade.search("What is new?", product=product, version=version)


def test_a_question_may_be_as_long_as_the_limit_and_no_longer(handmade: Assistant) -> None:
    longest = ("night mode " * MAX_QUESTION_LENGTH)[:MAX_QUESTION_LENGTH]
    assert handmade.ask(longest).question == longest
    assert handmade.search(longest).passages
    because = r"has 4,001 characters, more than the 4,000 .* fewer words"
    with pytest.raises(UsageError, match=because):
        handmade.ask(longest + "?")
    with pytest.raises(UsageError, match=because):
        handmade.search(longest + "?")
    with pytest.raises(UsageError, match=because):
        handmade.ask("And now?", history=(longest + "?",))
    with pytest.raises(UsageError, match=because):
        handmade.understand(longest + "?")


def test_catalogue_is_what_the_index_covers(handmade: Assistant) -> None:
    names = [product.name for product in handmade.catalogue()]
    assert names == ["broom", "desk", "Kettle", "Ladder", "lamp", "Trap", "workshop"]
    assert next(one for one in handmade.catalogue() if one.name == "Kettle").aliases == ("teakettle",)
    assert handmade.ask("How fast does the teakettle boil?").interpretation.products == ("Kettle",)


def test_an_index_of_another_model_or_none_is_refused(
    bundled_index: Path, tmp_path: Path, default_embedder: Embedder
) -> None:
    with pytest.raises(IndexMismatch, match="hashed-words"):
        Assistant.open(bundled_index, embedder=HashedEmbedder())
    with pytest.raises(IndexNotFound):
        Assistant.open(tmp_path / "none", embedder=default_embedder)


def test_the_limit_bounds_the_list_and_not_the_answer(bundled: Assistant) -> None:
    short, long = (bundled.ask(QUESTIONS[0], limit=limit) for limit in (1, 10))
    assert (len(short.passages), len(long.passages)) == (1, 10)
    assert short.passages == long.passages[:1]
    assert (short.answer, short.citations, short.confidence) == (long.answer, long.citations, long.confidence)
