"""Recorded completions: replayed, packed, measured; and the lies that are planted in them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from page_answers import CITATION, saying

from evals.grading import grade_typed
from evals.question_set import parse_question
from evals.reading import load_lies, plant_lies
from evals.recordings import RecordedModel, digest_request
from retrieval.assistant import Assistant
from retrieval.llm import CompletionError
from retrieval.llm.chat import Message, Prompt
from retrieval.model import Answer, Interpretation, Status

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


@pytest.mark.slow
def test_no_lie_reaches_an_answer(bundled: Assistant) -> None:
    # `python -m evals.reading` plants all of them.
    assert plant_lies(bundled, load_lies()[::4]) == []
