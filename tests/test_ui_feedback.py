"""What people think of answers: kept in one table, for its owner alone, and listed."""

import json
import stat
from pathlib import Path

import pytest
from cli_calls import run

from corpus.errors import RelnotesError
from ui.feedback import log as feedback_log
from ui.feedback.log import FEEDBACK_FILE, CitedQuote, Feedback, FeedbackLog

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
CLICK = Feedback(good=False, status="answered", confidence=0.4, question="secret", channel="C1", message="1.2")


@pytest.fixture
def kept(tmp_path: Path) -> FeedbackLog:
    return FeedbackLog(tmp_path / FEEDBACK_FILE)


@pytest.mark.parametrize("feedback", [GOOD, BAD, CLICK], ids=["good", "bad", "in Slack"])
def test_what_is_kept_is_read_again_by_its_owner_alone(kept: FeedbackLog, feedback: Feedback, tmp_path: Path) -> None:
    assert kept.feedback() == ()
    kept.add(feedback)
    assert [stored.feedback for stored in kept.feedback()] == [feedback]
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_cannot_be_read_or_written_says_so(tmp_path: Path) -> None:
    (tmp_path / FEEDBACK_FILE).write_text("{}\n" * 400)
    with pytest.raises(RelnotesError, match="Cannot read or keep feedback"):
        FeedbackLog(tmp_path / FEEDBACK_FILE).feedback()
    absent = FeedbackLog(tmp_path / "absent" / FEEDBACK_FILE)
    with pytest.raises(RelnotesError, match="Cannot read or keep feedback"):
        absent.add(GOOD)


def test_the_command_lists_them(kept: FeedbackLog, tmp_path: Path) -> None:
    assert "No feedback yet" in run("feedback", "--index", tmp_path).stdout
    for verdict in (GOOD, GOOD, BAD, CLICK):
        kept.add(verdict)
    shown = run("feedback", "--index", tmp_path)
    assert shown.exit_code == 0
    for words in ("Is spin deprecated?", "wrong release", "secret"):
        assert words in shown.stdout
    printed = json.loads(run("feedback", "--index", tmp_path, "--json").stdout)
    assert (printed["good"], printed["bad"], len(printed["entries"])) == (2, 2, 4)
    assert printed["entries"][0]["feedback"]["cited"][0]["quote"] == "`spin` is deprecated."


def test_the_newest_are_kept(kept: FeedbackLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedback_log, "MAX_ROWS", 2)
    for verdict in (GOOD, BAD, CLICK):
        kept.add(verdict)
    assert [stored.feedback for stored in kept.feedback()] == [BAD, CLICK]
