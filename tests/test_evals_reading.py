"""Recorded completions: replayed, packed, measured; and the lies that are planted in them."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from page_answers import CITATION, saying
from typer.testing import CliRunner

from evals.grading import grade_typed
from evals.question_set import parse_question
from evals.reading import fit, holds, load_lies, plant_lies
from evals.recordings import RecordedModel, digest_request
from evals.suites import TYPED
from retrieval.answers.evidence import log_odds
from retrieval.assistant import Assistant
from retrieval.llm import CompletionError
from retrieval.llm.chat import Message, Prompt
from retrieval.llm.reader import ReadConfidence
from retrieval.model import Answer, Interpretation, Status
from ui.cli.app import app

TYPED_TOOL = TYPED.questions.parents[1] / "tools" / "typed.py"
PROMPT = Prompt((Message("system", "Rules"), Message("user", "How bright?")), {})


def test_what_was_recorded_is_replayed_and_what_was_not_is_written_down(tmp_path: Path) -> None:
    requests = tmp_path / "requests.jsonl"
    model = RecordedModel({digest_request(PROMPT): "It glows."}, record_to=requests)
    assert model.complete(PROMPT, within_s=1).text == "It glows."
    other = Prompt((PROMPT.messages[0], Message("user", "{}")), {})
    for _ in range(2):
        with pytest.raises(CompletionError, match="has no recording"):
            model.complete(other, within_s=1)
    (line,) = map(json.loads, requests.read_text(encoding="utf-8").splitlines())
    assert line["request"] == digest_request(other)
    assert [message["content"] for message in line["messages"]] == ["Rules", "{}"]
    assert (model.replayed, model.missing) == (1, {digest_request(other)})


@pytest.mark.parametrize("text", ["{", "[]", '{"request": 7, "completion": "x"}', '{"request": "x"}'])
def test_a_file_that_holds_none_is_wrong_usage(tmp_path: Path, text: str) -> None:
    file = tmp_path / "recordings.jsonl"
    file.write_text(text, encoding="utf-8")
    ran = CliRunner().invoke(app, ["eval", "--replay", str(file), "--index", str(tmp_path / "none")])
    assert ran.exit_code == 2
    assert str(file) in " ".join(ran.stderr.split())


def test_what_is_read_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    line = json.dumps({"id": "a", "kind": "fact", "question": "Why?", "answerable": False})
    for options, said in (
        (["--replay", str(file), "--record", str(file)], "which is read"),
        ([str(file), "--record", str(file)], "which is read"),
        ([str(tmp_path / "mistyped.jsonl"), "--record", str(file)], "mistyped.jsonl"),
    ):
        file.write_text(line, encoding="utf-8")
        ran = CliRunner().invoke(app, ["eval", *options, "--index", str(tmp_path / "none")])
        assert ran.exit_code == 2
        assert said in " ".join(ran.stderr.split())
        assert file.read_text(encoding="utf-8") == line


def answer(text: str, *, quotes: tuple[str, ...] = ("x",), status: Status = Status.ANSWERED) -> Answer:

    citations = tuple(replace(CITATION, n=n, quote=quote) for n, quote in enumerate(quotes, start=1))
    reading = Interpretation((), None, (), "fact")
    return Answer("q", status, 0.9, saying(text, *range(1, 1 + len(quotes))), citations, (), (), reading, (), 1.0)


QUESTION = parse_question(
    json.dumps(
        {
            "id": "t1",
            "kind": "since_when",
            "question": "since when json",
            "expect": "answered",
            "lead": [["2.4", "v2.4"]],
            "must": [["2.4"], ["`json`", "JSON module"]],
            "mustnot": ["2.3"],
            "gold": [],
        }
    )
)
GOOD, HALF, WRONG = (True, False), (False, False), (False, True)
GRADES = {
    "good": (answer("Since **2.4**: `json`"), GOOD),
    "in other words": (answer("Since 2.4: a JSON module"), GOOD),
    "a longer number": (answer("Since 2.41: `json`"), WRONG),
    "a fact in a quote alone": (answer("Since 2.4", quotes=("the json module",)), HALF),
    "late": (answer(f"{'So. ' * 80} Since 2.4: json"), HALF),
    "long": (answer(f"Since 2.4: json {'So. ' * 300}"), HALF),
    "without a citation": (answer("Since 2.4: json", quotes=()), HALF),
    "what it mustn't say": (answer("Since 2.4, not 2.3: json"), WRONG),
    "nothing of it": (answer("No idea"), WRONG),
    "not found": (answer("Not found", quotes=(), status=Status.NOT_FOUND), HALF),
}


@pytest.mark.parametrize(("given", "grade"), GRADES.values(), ids=GRADES.keys())
def test_a_typed_question_is_graded_by_its_first_line(given: Answer, grade: tuple[bool, bool]) -> None:
    assert grade_typed(QUESTION, given) == grade


@pytest.mark.skipif(not TYPED_TOOL.exists(), reason="../shared isn't beside this checkout")
@pytest.mark.parametrize("name", GRADES)
def test_it_grades_as_the_held_back_sets_are_graded(name: str, tmp_path: Path) -> None:
    given, grade = GRADES[name]
    asked = {"id": "t1", "kind": "k", "question": "q", "expect": "answered", "lead": QUESTION.lead}
    asked |= {"must": QUESTION.answer_key, "mustnot": QUESTION.mustnot}
    said = {"id": "t1", "status": given.status.value, "answer": given.answer}
    said |= {"citations": [{"quote": cited.quote} for cited in given.citations]}
    (tmp_path / "q.jsonl").write_text(json.dumps(asked) + "\n", encoding="utf-8")
    (tmp_path / "run.jsonl").write_text(json.dumps(said) + "\n", encoding="utf-8")
    command = [sys.executable, str(TYPED_TOOL), str(tmp_path / "q.jsonl"), str(tmp_path / "run.jsonl")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    figures = json.loads(printed.splitlines()[-1])
    assert (bool(figures["good"]), bool(figures["wrong"])) == grade


def test_confidence_is_fitted_on_how_often_answers_are_right() -> None:
    sure = [(0.9, n < 95) for n in range(100)]
    unsure = [(0.2, n < 60) for n in range(100)]
    bias, weight = fit([*sure, *unsure])
    told = ReadConfidence(bias, weight)
    assert told.of(0.9) == pytest.approx(0.95, abs=0.01)
    assert told.of(0.2) == pytest.approx(0.6, abs=0.01)
    assert 0 < told.of(0.0) < told.of(0.5) < told.of(1.0) < 1
    assert log_odds(0.5) == 0


@pytest.mark.slow
def test_no_lie_reaches_an_answer(bundled: Assistant) -> None:
    # `python -m evals.reading` plants all of them.
    assert plant_lies(bundled, load_lies()[::4]) == []


def test_a_lie_that_reached_an_answer_would_be_seen(bundled: Assistant) -> None:
    told = bundled.ask("Can torch.export save float8_e8m0fnu models in PyTorch 2.12?")
    words = told.citations[0].quote.splitlines()[-1].strip("- ")
    assert holds(told, words)
    assert not holds(told, f"{words} always")
