"""Learning from use: verdicts and unanswered questions become lines of a question file, which a person reviews."""

import json
import stat
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ui.cli.app import app
from ui.environment import silence_libraries
from ui.feedback.candidates import gather_candidates
from ui.feedback.log import FEEDBACK_FILE, CitedQuote, Feedback, FeedbackLog, StoredFeedback, Unanswered

silence_libraries()
pytestmark = pytest.mark.usefixtures("opened_once")

START = datetime(2026, 3, 1, tzinfo=UTC)
QUOTE = CitedQuote("widget/changes.md", 68, 97, "`widget.spin` is deprecated.")
GOOD = Feedback(
    good=True,
    status="answered",
    confidence=0.9,
    question="Is widget.spin deprecated?",
    history=("What is new in Widget 2.0?",),
    product="widget",
    version="2.0",
    cited=(QUOTE,),
)
BAD = Feedback(good=False, status="answered", confidence=0.4, question="Since when?", reason="another\nrelease")
ABSENT = Feedback(good=True, status="not_found", confidence=0.1, question="Is there a Widget 9?")
CORRECTED = replace(GOOD, without=("version",), version=None, history=())
IN_SLACK = replace(BAD, question="What of Python?", channel="C0SECRET", message="1700.22")


def gathered(*verdicts: Feedback, unanswered: tuple[Unanswered, ...] = ()) -> tuple[Mapping[str, Any], ...]:
    return gather_candidates([StoredFeedback(START, verdict) for verdict in verdicts], unanswered)


SAID: dict[str, tuple[Feedback, dict[str, Any]]] = {
    "a thumb up gives its quotes as gold": (
        GOOD,
        {
            "question": "Is widget.spin deprecated?",
            "answerable": True,
            "gold": [{"path": "widget/changes.md", "quote": "`widget.spin` is deprecated."}],
            "from": "thumb-up",
            "history": ["What is new in Widget 2.0?"],
            "product": "widget",
            "version": "2.0",
        },
    ),
    "any of several quotes is enough": (
        replace(GOOD, cited=(QUOTE, QUOTE), history=()),
        {
            "question": "Is widget.spin deprecated?",
            "answerable": True,
            "gold": [{"path": "widget/changes.md", "quote": "`widget.spin` is deprecated."}] * 2,
            "any_of": True,
            "from": "thumb-up",
            "product": "widget",
            "version": "2.0",
        },
    ),
    "a thumb down gives the question alone": (
        replace(BAD, cited=(QUOTE,)),
        {
            "question": "Since when?",
            "answerable": True,
            "gold": [],
            "from": "thumb-down",
            "note": "another\nrelease",
        },
    ),
    "an honest not found is right to find nothing": (
        ABSENT,
        {"question": "Is there a Widget 9?", "answerable": False, "gold": [], "from": "thumb-up"},
    ),
    "a reading taken back says what was wrong": (
        CORRECTED,
        {
            "question": "Is widget.spin deprecated?",
            "answerable": True,
            "gold": [{"path": "widget/changes.md", "quote": "`widget.spin` is deprecated."}],
            "from": "corrected",
            "product": "widget",
            "without": ["version"],
        },
    ),
    "a verdict in Slack doesn't tell where": (
        IN_SLACK,
        {
            "question": "What of Python?",
            "answerable": True,
            "gold": [],
            "from": "thumb-down",
            "note": "another\nrelease",
        },
    ),
}


@pytest.mark.parametrize(("verdict", "expected"), SAID.values(), ids=SAID.keys())
def test_what_a_verdict_becomes(verdict: Feedback, expected: dict[str, Any]) -> None:
    (line,) = gathered(verdict)
    about = {"id": line["id"], "kind": "feedback", "reviewed": False, "times": 1}
    assert json.loads(json.dumps(line)) == about | expected


def test_an_unanswered_question_is_answerable_until_someone_decides() -> None:
    (line,) = gathered(unanswered=(Unanswered("Is spin fast?", 3, START),))
    told = tuple(line[name] for name in ("question", "from", "times", "answerable"))
    assert told == ("Is spin fast?", "unanswered", 3, True)


def test_a_question_comes_once_by_its_latest_verdict() -> None:
    respelt = replace(GOOD, good=False, question=" is  widget.spin\nDeprecated ")
    (line,) = gathered(GOOD, respelt)
    assert line["id"] == gathered(GOOD)[0]["id"]
    told = tuple(line[name] for name in ("question", "from", "gold", "times"))
    assert told == ("is widget.spin Deprecated", "thumb-down", [], 2)


@pytest.mark.parametrize(
    "other", [{"product": "gadget"}, {"version": "1.5"}, {"history": ()}, {"question": "Is widget.turn?"}], ids=str
)
def test_another_filter_or_conversation_is_another_question(other: dict[str, Any]) -> None:
    one, two = gathered(GOOD, replace(GOOD, **other))
    assert one["id"] != two["id"]


def test_judged_last_comes_last_and_what_nobody_judged_after() -> None:
    missed = tuple(Unanswered(question, 1, START) for question in ("newer", "older", "since WHEN", "?"))
    order = gathered(BAD, GOOD, BAD, replace(IN_SLACK, question=None), replace(BAD, question=" ? "), unanswered=missed)
    assert [line["question"] for line in order] == [GOOD.question, BAD.question, "older", "newer"]


# The command.


@pytest.fixture
def index(small_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("RELNOTES_SLACK_DIR", raising=False)
    return Path(copytree(small_index, tmp_path / "index"))


@pytest.fixture
def judge(index: Path) -> Callable[[Feedback], None]:
    return FeedbackLog(index / FEEDBACK_FILE, now=START.timestamp).add


def collect(index: Path, file: Path | None = None) -> dict[str, Any]:
    result = relnotes("eval", "--from-feedback", *((file,) if file else ()), "--index", index, "--json")
    assert result.exit_code == 0, result.stderr
    printed: dict[str, Any] = json.loads(result.stdout)
    return printed


def relnotes(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], prog_name="relnotes")


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_the_logs_are_gathered_into_the_named_file(
    index: Path, judge: Callable[[Feedback], None], tmp_path: Path
) -> None:
    for verdict in (GOOD, BAD, CORRECTED, IN_SLACK):
        judge(verdict)
    FeedbackLog(index / FEEDBACK_FILE).add_unanswered("Which Python does Widget 2.0 need? \ud800")
    file = tmp_path / "from-users.jsonl"
    assert collect(index, file) == {
        "file": str(file),
        "added": {"thumb-up": 1, "thumb-down": 2, "corrected": 1, "unanswered": 1},
        "already_there": 0,
    }
    assert [line["from"] for line in lines_of(file)] == [
        "thumb-up",
        "thumb-down",
        "corrected",
        "thumb-down",
        "unanswered",
    ]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "C0SECRET" not in file.read_text(encoding="utf-8")
    assert "1700.22" not in file.read_text(encoding="utf-8")


def test_again_only_what_is_new_is_added_and_what_is_there_stays(
    index: Path, judge: Callable[[Feedback], None], tmp_path: Path
) -> None:
    file = tmp_path / "q.jsonl"
    judge(GOOD)
    collect(index, file)
    edited = {"note": "mine"} | lines_of(file)[0] | {"question": "Is `widget.spin` going away?", "reviewed": True}
    # As an editor leaves it: other spaces, a blank line, no end of the last line.
    file.write_text(f"\n {json.dumps(edited, indent=None)}", encoding="utf-8")
    before = file.read_bytes()
    judge(replace(GOOD, good=False))
    assert collect(index, file) == {"file": str(file), "added": {}, "already_there": 1}
    assert file.read_bytes() == before
    judge(BAD)
    assert collect(index, file)["added"] == {"thumb-down": 1}
    assert file.read_bytes().startswith(before + b"\n{")
    assert file.read_bytes().endswith(b"}\n")


@pytest.mark.parametrize("damage", ["{", "[]", "{}", '{"id": 7}'])
def test_a_file_that_cannot_be_told_apart_is_left_alone(
    damage: str, index: Path, judge: Callable[[Feedback], None], tmp_path: Path
) -> None:
    (tmp_path / "q.jsonl").write_text(f'{{"id": "a"}}\n{damage}\n', encoding="utf-8")
    judge(GOOD)
    result = relnotes("eval", "--from-feedback", tmp_path / "q.jsonl", "--index", index)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "q.jsonl:2" in result.stderr
    assert (tmp_path / "q.jsonl").read_text(encoding="utf-8") == f'{{"id": "a"}}\n{damage}\n'


def test_no_logs_are_no_questions_and_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RELNOTES_SLACK_DIR", raising=False)
    result = relnotes("eval", "--from-feedback", tmp_path / "q.jsonl", "--index", tmp_path)
    assert (result.exit_code, list(tmp_path.iterdir())) == (0, [])
    assert "No questions are kept" in result.stdout


def test_collecting_has_nothing_to_measure(tmp_path: Path) -> None:
    result = relnotes("eval", "--from-feedback", "--min", "recall@5=1", "--index", tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--min" in result.stderr


def test_only_what_is_reviewed_is_asked(index: Path, judge: Callable[[Feedback], None], tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    judge(replace(BAD, question="Which Python does Widget 2.0 need?"))
    judge(GOOD)
    collect(index, file)
    waiting = relnotes("eval", file, "--index", index)
    assert waiting.exit_code == 2
    assert "2 to be reviewed" in waiting.stderr
    first, second = lines_of(file)
    first |= {"gold": [{"path": "widget/changes.md", "quote": "Python 3.8 or newer"}], "reviewed": True}
    file.write_text(json.dumps(first) + "\n" + json.dumps(second) + "\n", encoding="utf-8")
    result = relnotes("eval", file, "--index", index, "--json")
    assert result.exit_code == 0, result.stderr
    report = json.loads(result.stdout)
    assert (report["questions"], report["unreviewed"], report["metrics"]["recall@5"]) == (1, 1, 1.0)
    assert "Left out 1 line of" in result.stderr
