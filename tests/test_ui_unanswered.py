"""Questions without an answer: kept once each, the newest, readable by the owner alone, and only where wanted."""

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from retrieval.model import Status
from ui.feedback import unanswered
from ui.feedback.unanswered import Unanswered, UnansweredQuestions, load_unanswered, unanswered_file
from ui.server.question_desk import QuestionDesk

START = datetime(2026, 3, 1, tzinfo=UTC)


def questions(path: Path, *, max_kept: int = 200) -> UnansweredQuestions:
    times = iter(START + timedelta(minutes=minute) for minute in range(100))
    return UnansweredQuestions(path, max_kept=max_kept, now=lambda: next(times))


def test_the_same_question_is_counted_and_comes_first(tmp_path: Path) -> None:
    path = unanswered_file(tmp_path)
    kept = questions(path)
    for question in ("Is spin  fast?", "Where is Lamp?", "is spin fast"):
        kept.add(question)
    assert load_unanswered(path) == (
        Unanswered("is spin fast", 2, START + timedelta(minutes=2)),
        Unanswered("Where is Lamp?", 1, START + timedelta(minutes=1)),
    )


def test_the_newest_are_kept(tmp_path: Path) -> None:
    kept = questions(path := tmp_path / "unanswered.jsonl", max_kept=2)
    for question in ("a", "b", "a", "c"):
        kept.add(question)
    assert [(kept_question.question, kept_question.times) for kept_question in load_unanswered(path)] == [
        ("c", 1),
        ("a", 2),
    ]


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    questions(path := tmp_path / "unanswered.jsonl").add("a")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {file.name for file in tmp_path.iterdir()} == {"unanswered.jsonl", "kept.lock"}


def test_a_question_is_one_line_whatever_it_holds(tmp_path: Path) -> None:
    kept = questions(path := tmp_path / "unanswered.jsonl")
    kept.add('a\n{"question": "b", "times": 9}\u2028\u202ec\ud800')
    assert [kept_question.times for kept_question in load_unanswered(path)] == [1]


def test_damage_loses_a_line_not_the_rest(tmp_path: Path) -> None:
    kept = questions(path := tmp_path / "unanswered.jsonl")
    kept.add("a")
    path.write_text("{\n[]\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    kept.add("b")
    assert [kept_question.question for kept_question in load_unanswered(path)] == ["b", "a"]


def test_what_cannot_be_written_is_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[str] = []
    # At the module's own logger: what ran in this process before may have turned others off.
    monkeypatch.setattr(unanswered, "_LOG", SimpleNamespace(warning=lambda words, *given: logged.append(words % given)))
    questions(tmp_path / "absent" / "unanswered.jsonl").add("a")
    assert "Cannot keep a question" in logged[0]


@pytest.mark.parametrize("status", Status, ids=str)
def test_a_desk_keeps_what_found_nothing(status: Status, tmp_path: Path) -> None:
    path = tmp_path / "unanswered.jsonl"
    desk = QuestionDesk(max_questions=1, timeout_s=1, unanswered=questions(path))
    desk.record("Is spin fast?", status)
    assert [kept_question.question for kept_question in load_unanswered(path)] == (
        ["Is spin fast?"] if status is Status.NOT_FOUND else []
    )
