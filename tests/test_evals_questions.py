"""Loading question files, finding their gold, and naming the suites."""

import json
from pathlib import Path

import pytest
from case_files import read_rows

from corpus.errors import SourceError, UsageError
from evals.grading import find_gold
from evals.pages import FolderTexts, Pages
from evals.question_set import load_questions, parse_question

LINE = {
    "id": "q1", "kind": "paraphrase", "question": "What is new?", "answerable": True,
    "gold": [{"path": "a/1.md", "quote": "New: x"}],
}  # fmt: skip


def line(**changes: object) -> str:
    return json.dumps({**LINE, **changes})


def written(folder: Path, *lines: str) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(("bad", "fault"), read_rows("evals-a-faulty-line-is-named"))
def test_a_faulty_line_is_named(tmp_path: Path, bad: str, fault: str) -> None:
    with pytest.raises(UsageError, match=r"\.jsonl:2: ") as raised:
        load_questions(written(tmp_path, line(), bad))
    assert fault in str(raised.value)


def test_all_faults_of_a_file_are_reported_at_once(tmp_path: Path) -> None:
    path = written(tmp_path, line(), "", line(id="q2", kind=None, question=None), line(), "{")
    with pytest.raises(UsageError) as raised:
        load_questions(path)
    message = str(raised.value)
    assert "have 4 faults" in message
    assert "jsonl:3: kind: " in message
    assert "jsonl:3: question: " in message
    assert "jsonl:4: id 'q1' is already on line 1" in message
    assert "jsonl:5: not JSON" in message
    assert "\n" not in message


def test_gold_is_found_wherever_its_words_recur(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(b"1.1\r\nFixed a\r\nbug.\r\n1.0\r\nFixed a bug.")
    pages = Pages(FolderTexts(tmp_path))
    by_quote = parse_question(line(gold=[{"path": "notes.txt", "quote": "Fixed a bug."}]))
    by_range = parse_question(line(gold=[{"path": "notes.txt", "start": 5, "end": 18, "sha": "82110be32b26"}]))
    (found,) = find_gold(by_quote, pages)
    assert [(place.start, place.end) for place in found.places] == [(3, 13), (16, 26)]
    assert find_gold(by_range, pages) == (found,)


@pytest.mark.parametrize(("gold", "reason"), read_rows("evals-gold-that-cannot-be-found-says-why"))
def test_gold_that_cannot_be_found_says_why(tmp_path: Path, gold: dict[str, object], reason: str) -> None:
    (tmp_path / "notes.txt").write_text("some notes", encoding="utf-8")
    with pytest.raises(SourceError, match=reason):
        find_gold(parse_question(line(gold=[gold])), Pages(FolderTexts(tmp_path)))
