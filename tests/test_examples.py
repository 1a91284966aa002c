"""Whoever tries an example of README, help, docs or the start page gets the answer that was read when it was kept."""

from pathlib import Path

import pytest
from example_answers import BUNDLE, printed, read_examples, read_kept, read_printed, start_questions

from corpus.embedding import Embedder
from ingest.pipeline import build_index

REFUSED = 'relnotes ask "Does NumPy 2.3 support Python 3.15?"'
pytestmark = pytest.mark.usefixtures("opened_once")


@pytest.fixture(scope="module")
def index(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("examples") / "index"
    assert not build_index(BUNDLE, index=place, embedder=default_embedder).failed
    return place


def test_the_kept_examples_are_those_that_are_shown(index: Path) -> None:
    assert {*read_examples(), *start_questions(index)} == read_kept().keys(), "python tests/example_answers.py"


@pytest.mark.parametrize("example", read_kept())
def test_an_example_is_answered_as_it_was_kept(example: str, index: Path) -> None:
    told = printed(example, index).partition("\n")[0]
    assert not told.startswith("exit status")
    # README shows one of a refusal.
    assert told.startswith("Not found") == (example == REFUSED)
    assert told == read_kept()[example], "run python tests/example_answers.py, and read what changed"


@pytest.mark.parametrize("command", read_printed())
def test_readme_shows_what_a_command_prints(command: str, index: Path) -> None:
    told = " ".join(printed(command, index).split())
    assert [line for line in read_printed()[command] if " ".join(line.split()) not in told] == []
