"""Where the notes end and how old they are: said where a later release could change the answer, and nowhere else."""

from collections.abc import Callable

import pytest
from case_files import read_rows

from retrieval.assistant import Assistant

ENDS = "The notes here go up to Gizmo 2.12.0 (1 May 2026), last checked on"


@pytest.fixture
def gizmo(library: Callable[[str], Assistant]) -> Assistant:
    return library("currency")


@pytest.mark.parametrize("question", read_rows("retrieval-the-end-of-the-notes-is-told-where-it-matters"))
def test_the_end_of_the_notes_is_told_where_it_matters(gizmo: Assistant, question: str) -> None:
    assert [note for note in gizmo.ask(question).notes if note.startswith(ENDS)]


@pytest.mark.parametrize("question", read_rows("retrieval-the-end-of-the-notes-is-not-told-of-the-past"))
def test_it_is_not_told_of_what_later_releases_leave_as_it_is(gizmo: Assistant, question: str) -> None:
    assert not [note for note in gizmo.ask(question).notes if note.startswith(ENDS)]


@pytest.mark.parametrize(("question", "told"), read_rows("retrieval-the-present-is-told-by-the-newest"))
def test_the_present_is_told_by_the_newest(library: Callable[[str], Assistant], question: str, told: str) -> None:
    assert library("runtimes").ask(question).answer.startswith(told)


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("what changed in gizmo in 2025", "in 2025"),
        ("Which Gizmo releases came out in February 2026?", "in February 2026"),
        ("what changed in gizmo 2.11.0", None),
    ],
)
def test_a_period_that_is_not_read_is_said(gizmo: Assistant, question: str, period: str | None) -> None:
    assert [f"“{period}” was left aside" in note for note in gizmo.ask(question).notes if "Period" in note] == (
        [True] if period else []
    )
