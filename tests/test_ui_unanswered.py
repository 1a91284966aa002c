"""Questions without an answer: kept once each, the newest, readable by the owner alone, and only where wanted."""

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from retrieval.model import Status
from ui.feedback import log
from ui.feedback.log import FeedbackLog, Unanswered
from ui.server.question_desk import QuestionDesk

START = datetime(2026, 3, 1, tzinfo=UTC)


def questions(path: Path, *, max_unanswered: int = 200) -> FeedbackLog:
    times = iter(START + timedelta(minutes=minute) for minute in range(100))
    return FeedbackLog(path, max_unanswered=max_unanswered, now=lambda: next(times).timestamp())


def test_the_same_question_is_counted_and_comes_first(tmp_path: Path) -> None:
    kept = questions(tmp_path / "said.sqlite")
    for question in ("Is spin  fast?", "Where is Lamp?", "is spin fast"):
        kept.add_unanswered(question)
    assert kept.unanswered() == (
        Unanswered("is spin fast", 2, START + timedelta(minutes=2)),
        Unanswered("Where is Lamp?", 1, START + timedelta(minutes=1)),
    )


def test_the_newest_are_kept(tmp_path: Path) -> None:
    kept = questions(tmp_path / "said.sqlite", max_unanswered=2)
    for question in ("a", "b", "a", "c"):
        kept.add_unanswered(question)
    assert [(missed.question, missed.times) for missed in kept.unanswered()] == [("c", 1), ("a", 2)]


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    questions(path := tmp_path / "said.sqlite").add_unanswered("a")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_question_is_one_whatever_it_holds(tmp_path: Path) -> None:
    kept = questions(tmp_path / "said.sqlite")
    kept.add_unanswered('a\n{"question": "b", "times": 9}\u2028\u202ec\ud800')
    assert [missed.question for missed in kept.unanswered()] == ['a {"question": "b", "times": 9} \u202ec?']


def test_what_cannot_be_written_is_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[str] = []
    # At the module's own logger: what ran in this process before may have turned others off.
    monkeypatch.setattr(log, "_LOG", SimpleNamespace(warning=lambda words, *given: logged.append(words % given)))
    questions(tmp_path / "absent" / "said.sqlite").add_unanswered("a")
    assert "Cannot keep a question" in logged[0]


@pytest.mark.parametrize("status", Status, ids=str)
def test_a_desk_keeps_what_found_nothing(status: Status, tmp_path: Path) -> None:
    kept = questions(tmp_path / "said.sqlite")
    desk = QuestionDesk(max_questions=1, timeout_s=1, unanswered=kept)
    desk.record("Is spin fast?", status)
    asked_in_vain = ["Is spin fast?"] if status is Status.NOT_FOUND else []
    assert [missed.question for missed in kept.unanswered()] == asked_in_vain
