"""What people think of answers: kept in one file, listed, and turned into questions for the evals."""

import json
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corpus.errors import RelnotesError
from evals.question_set import load_questions
from ui.cli.app import app
from ui.feedback import FEEDBACK_FILE, CitedQuote, Feedback, FeedbackLog, StoredFeedback, read_feedback
from ui.feedback_questions import render_questions

GOOD = Feedback(
    good=True,
    status="answered",
    confidence=0.9,
    question="Is spin deprecated?",
    history=("What is new in Widget 2.0?",),
    product="widget",
    cited=(CitedQuote("widget/changes.md", 40, 61, "`spin` is deprecated."),),
)
BAD = Feedback(good=False, status="answered", confidence=0.4, question="Since when?", reason="wrong\nrelease")
ABSENT = Feedback(good=True, status="not_found", confidence=0.1, question="Is there a Widget 9?")
CLICK = Feedback(good=False, status="answered", confidence=0.4, question="secret", channel="C1", message="1.2")


def log(path: Path, **options: int) -> FeedbackLog:
    return FeedbackLog(path, now=lambda: 1_700_000_000.0, **options)


@pytest.mark.parametrize("feedback", [GOOD, BAD, ABSENT, CLICK], ids=["good", "bad", "absent", "in Slack"])
def test_what_is_kept_is_read_again(feedback: Feedback, tmp_path: Path) -> None:
    log(tmp_path / FEEDBACK_FILE).add(feedback)
    (stored,) = read_feedback(tmp_path / FEEDBACK_FILE)
    assert stored.feedback == feedback
    assert stored.at.isoformat() == "2023-11-14T22:13:20+00:00"


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    log(tmp_path / FEEDBACK_FILE).add(GOOD)
    assert stat.S_IMODE((tmp_path / FEEDBACK_FILE).stat().st_mode) == 0o600


def test_questions_are_left_out_where_nobody_agreed(tmp_path: Path) -> None:
    FeedbackLog(tmp_path / FEEDBACK_FILE, now=lambda: 0.0, with_questions=False).add(CLICK)
    assert "secret" not in (tmp_path / FEEDBACK_FILE).read_text(encoding="utf-8")


def test_the_file_is_bounded_and_the_newest_stays(tmp_path: Path) -> None:
    kept = log(tmp_path / FEEDBACK_FILE, max_bytes=600)
    for _ in range(20):
        kept.add(BAD)
    kept.add(GOOD)
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 1_200
    assert read_feedback(tmp_path / FEEDBACK_FILE)[-1].feedback == GOOD


def test_lines_that_are_not_feedback_are_passed_over(tmp_path: Path) -> None:
    log(tmp_path / FEEDBACK_FILE).add(GOOD)
    with (tmp_path / FEEDBACK_FILE).open("a", encoding="utf-8") as file:
        file.write('{"at": "2024-01-01T00:00:00Z", "verd\n[]\n\n')
    assert len(read_feedback(tmp_path / FEEDBACK_FILE)) == 1


def test_no_file_is_no_feedback(tmp_path: Path) -> None:
    assert read_feedback(tmp_path / FEEDBACK_FILE) == ()


def test_a_folder_that_cannot_be_written_to_says_so(tmp_path: Path) -> None:
    with pytest.raises(RelnotesError, match="Cannot keep the feedback"):
        log(tmp_path / "absent" / FEEDBACK_FILE).add(GOOD)


def stored(*feedback: Feedback) -> tuple[StoredFeedback, ...]:
    from datetime import UTC, datetime

    return tuple(StoredFeedback(datetime(2024, 1, 1, tzinfo=UTC), one) for one in feedback)


def test_feedback_becomes_questions_that_the_evals_read(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(render_questions(stored(GOOD, BAD, ABSENT)), encoding="utf-8")
    good, bad, absent = load_questions(file)
    assert (good.question, good.history, good.product, good.answerable) == (
        "Is spin deprecated?",
        ("What is new in Widget 2.0?",),
        "widget",
        True,
    )
    assert [(gold.path, gold.quote) for gold in good.gold] == [("widget/changes.md", "`spin` is deprecated.")]
    assert (bad.gold, bad.answerable, bad.note) == ((), True, "to be reviewed: wrong\nrelease")
    assert (absent.gold, absent.answerable, absent.note) == ((), False, "to be reviewed")
    assert {question.kind for question in (good, bad, absent)} == {"feedback"}


def test_a_question_comes_once_with_its_latest_verdict() -> None:
    from dataclasses import replace

    (line,) = render_questions(stored(GOOD, replace(GOOD, good=False))).splitlines()
    assert json.loads(line)["gold"] == []


def test_feedback_without_its_question_is_no_question() -> None:
    from dataclasses import replace

    assert render_questions(stored(replace(CLICK, question=None))) == ""


def test_the_command_lists_and_exports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RELNOTES_SLACK_DIR", raising=False)
    log(tmp_path / FEEDBACK_FILE).add(GOOD)
    log(tmp_path / FEEDBACK_FILE).add(BAD)
    out = tmp_path / "out.jsonl"
    shown = CliRunner().invoke(app, ["feedback", "--index", str(tmp_path), "--questions", str(out)])
    assert shown.exit_code == 0
    assert "Is spin deprecated?" in shown.stdout
    assert "wrong release" in shown.stdout
    assert len(load_questions(out)) == 2
    told = json.loads(CliRunner().invoke(app, ["feedback", "--index", str(tmp_path), "--json"]).stdout)
    assert (told["good"], told["bad"], len(told["entries"])) == (1, 1, 2)


def test_the_command_reads_the_folder_of_slack_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slack").mkdir()
    monkeypatch.setenv("RELNOTES_SLACK_DIR", str(tmp_path / "slack"))
    log(tmp_path / "slack" / FEEDBACK_FILE).add(CLICK)
    told = json.loads(CliRunner().invoke(app, ["feedback", "--index", str(tmp_path), "--json"]).stdout)
    assert told["bad"] == 1
