"""Where the notes end and how old they are: said where a later release could change the answer, and nowhere else."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from indexes_by_hand import note, open_index

from corpus.ages import day_words
from corpus.index.tables import TableReader
from retrieval.assistant import Assistant
from retrieval.products.end_of_notes import end_of_notes
from retrieval.upgrades.upgrade_list import list_upgrade

ENDS = "The notes here go up to Gizmo 2.12.0 (1 May 2026), last checked on"


@pytest.fixture
def gizmo(library: Callable[[str], Assistant]) -> Assistant:
    return library("currency")


@pytest.mark.parametrize(
    "question",
    [
        "What is the latest Gizmo release?",
        "Is 2.11.0 the newest version of Gizmo?",
        "What was removed in the latest Gizmo?",
        "What changed in the last two releases of Gizmo?",
        "What changed in Gizmo since 2.9?",
        "What breaks from Gizmo 2.9 to 2.14?",
        "Does Gizmo 3.0 exist?",
        "What is new in Gizmo 3.0?",
        "Which Gizmo releases came out in 2019?",
    ],
)
def test_the_end_of_the_notes_is_told_where_it_matters(gizmo: Assistant, question: str) -> None:
    assert [note for note in gizmo.ask(question).notes if note.startswith(ENDS)]


@pytest.mark.parametrize(
    "question",
    [
        "What was added in Gizmo 2.11?",
        "Since when does Gizmo have the lever?",
        "What changed in Gizmo from 2.9 to 2.11?",
        "When did Gizmo 2.9 come out?",
        "What is the oldest Gizmo release?",
        "What's new in Keras 3.1?",
    ],
)
def test_it_is_not_told_of_what_later_releases_leave_as_it_is(gizmo: Assistant, question: str) -> None:
    assert not [note for note in gizmo.ask(question).notes if note.startswith(ENDS)]


def test_the_day_is_that_of_the_last_sync(gizmo: Assistant) -> None:
    (document,) = gizmo.index.documents
    assert document.synced_at is not None
    answer = gizmo.ask("What is the latest Gizmo release?")
    assert answer.notes == (f"{ENDS} {day_words(date.fromisoformat(document.synced_at[:10]))}.",)


@pytest.mark.parametrize(("end", "is_told"), [("latest", True), ("2.14", True), ("2.12", False), ("2.11", False)])
def test_an_upgrade_to_what_may_have_more_notes_tells_it(gizmo: Assistant, end: str, is_told: bool) -> None:
    notes = list_upgrade(gizmo.index, "gizmo", "2.9", end).notes
    assert any(note.startswith(ENDS) for note in notes) is is_told


@pytest.mark.parametrize(
    ("question", "says", "is_end_told"),
    [
        ("What is the latest Gizmo release?", "**Gizmo 3** isn't released yet", True),
        ("Is Gizmo 3 out?", "No, it isn't released yet", True),
        ("newest Gizmo 3 release?", "is the newest stable release in the notes. **Gizmo 3** isn't released yet", True),
        ("When was Gizmo 3 released?", "It isn't released yet:", True),
        ("Is there a Gizmo 4?", "The latest:\n\n**Gizmo 2.12.0**", True),
        ("Is Gizmo 2.12 out?", "Yes", False),
    ],
)
def test_what_only_a_guide_names_is_out_nowhere(
    library: Callable[[str], Assistant], question: str, says: str, *, is_end_told: bool
) -> None:
    answer = library("planned").ask(question)
    assert says in answer.answer
    assert any(note.startswith(ENDS) for note in answer.notes) is is_end_told


def test_without_a_date_and_a_sync_the_release_is_told(tmp_path: Path) -> None:
    index = open_index(tmp_path, note("Words.", version="1.4", product="Odd"))
    with TableReader.open(index.path) as tables:
        assert list(end_of_notes(tables.products[0], tables)) == ["The notes here go up to Odd 1.4."]
