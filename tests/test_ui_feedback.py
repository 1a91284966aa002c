"""What people think of answers, and what they asked in vain: kept in one table, for its owner alone, and listed."""

import json
import os
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli_calls import run

from corpus.errors import RelnotesError
from retrieval.model import Status
from ui.feedback import log as feedback_log
from ui.feedback.log import FEEDBACK_FILE, CitedQuote, Feedback, FeedbackLog, FeedbackRefused, Unanswered, feedback_logs
from ui.server.metrics import feedback_metrics
from ui.server.question_desk import QuestionDesk
from ui.settings import load_settings

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
    log(tmp_path / FEEDBACK_FILE).add(feedback, client="ada")
    (stored,) = log(tmp_path / FEEDBACK_FILE).feedback()
    assert stored.feedback == feedback
    assert stored.at.isoformat() == "2023-11-14T22:13:20+00:00"


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    log(tmp_path / "judged").add(GOOD, client="ada")
    log(tmp_path / "missed").add_unanswered("a")
    assert {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()} == {0o600}


def test_questions_are_left_out_where_nobody_agreed(tmp_path: Path) -> None:
    FeedbackLog(tmp_path / FEEDBACK_FILE, now=lambda: 0.0, with_questions=False).add(CLICK, client="ada")
    assert b"secret" not in (tmp_path / FEEDBACK_FILE).read_bytes()


def test_a_full_table_takes_no_more_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RELNOTES_SLACK_DIR", raising=False)
    monkeypatch.setattr(feedback_log, "MAX_VERDICTS_AN_HOUR", 1_000)
    kept = log(tmp_path / FEEDBACK_FILE, max_bytes=1_200)
    kept.add(GOOD, client="ada")
    number = 0
    while not kept.is_full and number < 8:
        number += 1
        kept.add(BAD, client=f"mallory {number}")
    with pytest.raises(FeedbackRefused, match="no room"):
        kept.add(BAD, client="grace")
    first, *others = kept.feedback()
    assert first.feedback == GOOD
    assert len(others) == number < 8
    assert kept.forget_before(None) == len(others) + 1
    assert not kept.is_full
    kept.add(BAD, client="mallory")


def test_that_it_is_full_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RELNOTES_SLACK_DIR", raising=False)
    monkeypatch.setattr(FeedbackLog, "is_full", property(lambda kept: bool(kept.feedback())))
    told = []
    for _ in range(2):
        shown, printed = run("feedback", "--index", tmp_path), run("feedback", "--index", tmp_path, "--json")
        (metric,) = feedback_metrics(feedback_logs(load_settings(index=tmp_path)))
        told.append(("no room for more" in shown.stdout, json.loads(printed.stdout)["full"], metric.samples[0].value))
        log(tmp_path / FEEDBACK_FILE).add(GOOD, client="ada")
    assert told == [(False, False, 0), (True, True, 1)]


def test_a_client_has_one_verdict_an_answer_and_the_last_one_counts(tmp_path: Path) -> None:
    kept = log(tmp_path / FEEDBACK_FILE)
    kept.add(GOOD, client="grace")
    for _ in range(3):
        kept.add(GOOD, client="ada")
    against = replace(GOOD, good=False, reason="since 1.9")
    log(tmp_path / FEEDBACK_FILE).add(against, client="ada")
    assert [stored.feedback for stored in kept.feedback()] == [GOOD, against]
    kept.add(replace(GOOD, product="gadget"), client="ada")
    assert len(kept.feedback()) == 3


def test_who_gave_a_verdict_can_not_be_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / FEEDBACK_FILE
    log(path).add(GOOD, client="192.0.2.7")
    assert b"192.0.2.7" not in path.read_bytes()
    # Whoever knows an address and an answer can't make their digest: that takes a key of which nothing is kept.
    monkeypatch.setattr(feedback_log, "_KEY", b"of the next process")
    log(path).add(GOOD, client="192.0.2.7")
    assert len(log(path).feedback()) == 2


def test_a_client_gives_no_more_than_so_many_verdicts_an_hour(tmp_path: Path) -> None:
    now = [1_700_000_000.0]
    kept = FeedbackLog(tmp_path / FEEDBACK_FILE, now=lambda: now[0])

    def judge(number: int, client: str) -> None:
        kept.add(replace(GOOD, question=f"Is it {number}?"), client=client)

    def may_judge(number: int) -> bool:
        try:
            judge(number, "mallory")
        except FeedbackRefused:
            return False
        return True

    with ThreadPoolExecutor(60) as clients:
        assert sum(clients.map(may_judge, range(60))) == 30
    with pytest.raises(FeedbackRefused, match="30 verdicts within an hour") as refused:
        judge(30, "mallory")
    assert refused.value.wait_s == 3600
    judge(30, "ada")
    now[0] += 3601
    judge(30, "mallory")
    assert len(kept.feedback()) == 32


def test_what_an_earlier_relnotes_kept_is_read_and_counted(tmp_path: Path) -> None:
    kept = log(tmp_path / FEEDBACK_FILE, max_bytes=1)
    kept.add(GOOD, client="ada")
    with closing(sqlite3.connect(tmp_path / FEEDBACK_FILE)) as table, table:
        table.execute("UPDATE said SET key = NULL")
    assert [stored.feedback for stored in kept.feedback()] == [GOOD]
    assert kept.is_full


def test_no_file_is_no_feedback(tmp_path: Path) -> None:
    assert log(tmp_path / FEEDBACK_FILE).feedback() == ()
    assert not (tmp_path / FEEDBACK_FILE).exists()


def test_a_file_that_is_no_table_says_so(tmp_path: Path) -> None:
    (tmp_path / FEEDBACK_FILE).write_text("{}\n" * 400)
    with pytest.raises(RelnotesError, match="Cannot read the feedback"):
        log(tmp_path / FEEDBACK_FILE).feedback()


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_what_is_kept_in_a_folder_for_reading_only_is_read(tmp_path: Path) -> None:
    log(tmp_path / FEEDBACK_FILE).add(GOOD, client="ada")
    (tmp_path / FEEDBACK_FILE).chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        assert [stored.feedback for stored in log(tmp_path / FEEDBACK_FILE).feedback()] == [GOOD]
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_that_cannot_be_written_to_says_so(tmp_path: Path) -> None:
    with pytest.raises(RelnotesError, match="Cannot keep the feedback"):
        log(tmp_path / "absent" / FEEDBACK_FILE).add(GOOD, client="ada")


def test_the_command_lists_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RELNOTES_SLACK_DIR", raising=False)
    log(tmp_path / FEEDBACK_FILE).add(GOOD, client="ada")
    log(tmp_path / FEEDBACK_FILE).add(BAD, client="ada")
    log(tmp_path / FEEDBACK_FILE).add_unanswered("Is spin fast?")
    shown = run("feedback", "--index", tmp_path)
    assert shown.exit_code == 0
    assert "Is spin deprecated?" in shown.stdout
    assert "wrong release" in shown.stdout
    assert "Is spin fast?" in shown.stdout
    printed = json.loads(run("feedback", "--index", tmp_path, "--json").stdout)
    assert (printed["good"], printed["bad"], len(printed["entries"])) == (1, 1, 2)
    assert [(missed["question"], missed["times"]) for missed in printed["unanswered"]] == [("Is spin fast?", 1)]


def test_the_command_reads_the_folder_of_slack_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slack").mkdir()
    monkeypatch.setenv("RELNOTES_SLACK_DIR", str(tmp_path / "slack"))
    log(tmp_path / "slack" / FEEDBACK_FILE).add(CLICK, client="ada")
    printed = json.loads(run("feedback", "--index", tmp_path, "--json").stdout)
    assert printed["bad"] == 1


# --- questions without an answer

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


def test_a_question_is_one_whatever_it_holds(tmp_path: Path) -> None:
    kept = questions(tmp_path / "said.sqlite")
    kept.add_unanswered('a\n{"question": "b", "times": 9}\u2028\u202ec\ud800')
    assert [missed.question for missed in kept.unanswered()] == ['a {"question": "b", "times": 9} \u202ec?']


def test_what_cannot_be_written_is_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[str] = []
    # At the module's own logger: what ran in this process before may have turned others off.
    monkeypatch.setattr(
        feedback_log, "_LOG", SimpleNamespace(warning=lambda words, *given: logged.append(words % given))
    )
    questions(tmp_path / "absent" / "said.sqlite").add_unanswered("a")
    assert "Cannot keep a question" in logged[0]


@pytest.mark.parametrize("status", Status, ids=str)
def test_a_desk_keeps_what_found_nothing(status: Status, tmp_path: Path) -> None:
    kept = questions(tmp_path / "said.sqlite")
    desk = QuestionDesk(max_questions=1, timeout_s=1, unanswered=kept)
    desk.record("Is spin fast?", status)
    asked_in_vain = ["Is spin fast?"] if status is Status.NOT_FOUND else []
    assert [missed.question for missed in kept.unanswered()] == asked_in_vain
