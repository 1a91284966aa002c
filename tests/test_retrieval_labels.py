"""What an upgrade lists and an answer says, from notes whose labels, names and tails a reader could take for words."""

from pathlib import Path

import pytest
from case_files import Case, read_cases
from ui_small_index import index_notes
from upgrade_notes import told

from corpus.embedding import Embedder
from retrieval.assistant import Assistant


@pytest.mark.parametrize("case", read_cases("retrieval-labels"), ids=lambda case: case.name)
def test_reads_labels_as_their_project_means_them(case: Case, default_embedder: Embedder, tmp_path: Path) -> None:
    _check(case, default_embedder, tmp_path, other=False)


@pytest.mark.parametrize("case", read_cases("retrieval-what-entries-do"), ids=lambda case: case.name)
def test_tells_what_entries_do_and_what_else_is_new(case: Case, default_embedder: Embedder, tmp_path: Path) -> None:
    _check(case, default_embedder, tmp_path, other=True)


def _check(case: Case, default_embedder: Embedder, tmp_path: Path, *, other: bool) -> None:
    """A line of what is expected is what the upgrade tells, or a question and how its answer goes on."""
    index = index_notes(tmp_path, default_embedder, {f"widget/{case.subject}": case.text})
    with Assistant.open(index, embedder=default_embedder) as assistant:
        asked = [line.partition(" => ")[0] for line in case.gives if " => " in line]
        answers = [f"{question} => {' / '.join(_lines(assistant, question))}" for question in asked]
        assert [*told(assistant.upgrade("widget", "1.0.0", "2.0.0", every=other), other=other), *answers] == case.gives


def _lines(assistant: Assistant, question: str) -> list[str]:
    return [line for line in assistant.ask(question).answer.splitlines() if line.strip()]
