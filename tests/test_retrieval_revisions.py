"""Answers where versions are a distribution's, a variant's or a stage's, and where days and numbers disagree."""

from collections.abc import Callable

import pytest
from answer_contract import faults
from case_files import read_rows

from retrieval.assistant import Assistant


@pytest.mark.parametrize(("question", "says"), read_rows("retrieval-each-release-is-told-as-itself"))
def test_each_release_is_told_as_itself(library: Callable[[str], Assistant], question: str, says: str) -> None:
    answer = library("revisions").ask(question)
    assert says in answer.answer
    assert faults(answer, library("revisions")) == ()


def test_what_is_told_elsewhere_is_said_to_be(library: Callable[[str], Assistant]) -> None:
    notes = library("revisions").ask("What is the newest ladle?").notes
    assert any(note.endswith("5.2.0 and later are told elsewhere.") for note in notes)
