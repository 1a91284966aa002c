"""Corrections and voices in answers: the reverted change, the opinion left to who holds it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from case_files import read_rows
from ui_small_index import ingest

from corpus.embedding import Embedder
from retrieval.assistant import Assistant

SEEDS = Path(__file__).parents[2] / "shared" / "seeds"


@pytest.mark.parametrize(("question", "first", "after", "notes"), read_rows("retrieval-corrections-are-told"))
def test_what_takes_a_change_back_is_told(
    library: Callable[[str], Assistant], question: str, first: str, after: tuple[str, ...], notes: tuple[str, ...]
) -> None:
    answer = library("sides").ask(question)
    lines = [line.removeprefix("- ") for line in answer.answer.splitlines() if line]
    assert first in lines[0]
    assert (tuple(lines[1:]), answer.notes) == (after, notes)


@pytest.fixture(scope="session")
def seeds(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """Answers from a release post, a news item and an analyst's note about the same release, among others."""
    if not SEEDS.is_dir():
        pytest.skip("needs ../shared/seeds beside the checkout")
    index = tmp_path_factory.mktemp("seeds") / "index"
    assert not ingest(SEEDS, index=index, embedder=default_embedder).failed
    with Assistant.open(index, embedder=default_embedder) as assistant:
        yield assistant


@pytest.mark.slow
def test_a_statement_that_the_post_took_back_is_answered_as_taken_back(seeds: Assistant) -> None:
    answer = seeds.ask("Can torch._C._mps_loadMetallib load a precompiled .metallib in 2.12?")
    assert "(taken back by the source itself)" in answer.answer
    assert "did not land in the 2.12 release" in answer.citations[0].quote
