"""What the committed training questions must hold, and what the check of them promises."""

import json
from pathlib import Path
from typing import Any

import pytest
from case_files import read_rows

from corpus.errors import UsageError
from evals.labelled_places import words_sha
from evals.pages import FolderTexts
from evals.suites import CORPORA
from evals.training.check import check_documents, check_gold, find_repeats, load_asked
from evals.training.fetch import TRAINING_CORPORA
from evals.training.training_set import TrainingQuestion, load_training, question_id

NOTE = "- The kettle no longer whistles by default."


def entry(question: str = "Can I make the kettle quiet?", **keys: Any) -> dict[str, Any]:
    """A line about a made-up project, with the hash of its question as its id."""
    history = keys.get("history", [])
    gold = [{"path": "kettle/NEWS.md", "start": 2, "end": 12, "sha": words_sha(NOTE[2:12])}]
    return {
        "id": question_id(question, history), "project": "kettle", "writer": "w1", "style": "chat",
        "kind": "paraphrase", "question": question, "answerable": True, "gold": gold, "any_of": True, **keys,
    }  # fmt: skip


def near_miss(question: str = "Does the kettle sing?", **keys: Any) -> dict[str, Any]:
    made = entry(question, **{"kind": "no_such_feature", "answerable": False, "why": "never mentioned", **keys})
    return {key: value for key, value in made.items() if key not in ("gold", "any_of")}


def read(folder: Path, *entries: dict[str, Any], file: str = "kettle.jsonl") -> tuple[TrainingQuestion, ...]:
    """Entries as lines of a file, none of which may be malformed."""
    folder.mkdir(exist_ok=True)
    (folder / file).write_text("".join(json.dumps(one) + "\n" for one in entries), encoding="utf-8")
    return load_training(folder)


def test_the_committed_set_passes_the_check() -> None:
    questions = load_training()
    assert [*check_documents(questions), *find_repeats(questions, load_asked())] == []


@pytest.mark.skipif(not CORPORA.is_available, reason="needs the documents in ../shared")
def test_gold_stands_in_the_documents_that_are_here() -> None:
    here = [question for question in load_training() if question.question.project in TRAINING_CORPORA.projects]
    checked, absent, faults = check_gold(here, FolderTexts(CORPORA.documents))
    assert (absent, faults) == (0, ())
    assert checked >= sum(question.question.answerable for question in here)


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        (entry(kind="riddle"), "kind"),
        (entry(style="verse"), "style"),
        (entry(writer="me"), "writer"),
        (entry(id="t-ffffffffff"), "id 't-ffffffffff' isn't the hash of its question, which is 't-"),
        (entry(project="pot", gold=[]), "must have gold where it is answerable"),
        (near_miss(project="pot"), "is about 'pot': it belongs in pot.jsonl"),
        (entry(quote="The kettle"), "Extra inputs are not permitted"),
        (entry(kind="wrong_detail"), "kind 'wrong_detail' doesn't fit answerable: true"),
        (entry(gold=[{"path": "pot/NEWS.md", "start": 0, "end": 1, "sha": "0" * 12}]), "isn't a document of 'kettle'"),
        (entry(gold=[{"path": "kettle/NEWS.md", "quote": "The kettle"}]), "Field required"),
        (entry(why="it isn't"), "must say why where nothing answers it"),
        (entry(kind="followup"), "a follow-up must have a history"),
        (near_miss(why=" "), "must say why where nothing answers it"),
        (near_miss(kind="paraphrase"), "kind 'paraphrase' doesn't fit answerable: false"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_malformed_line_is_named_by_file_and_line(written: dict[str, Any], fault: str, tmp_path: Path) -> None:
    (tmp_path / "kettle.jsonl").write_text(f"\n{json.dumps(written)}\n{{\n", encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        load_training(tmp_path)
    assert "kettle.jsonl:2: " in str(raised.value)
    assert "kettle.jsonl:3: not JSON" in str(raised.value)
    assert fault in str(raised.value)


@pytest.mark.parametrize(("asked", "fault"), read_rows("evals-a-question-of-the-question-sets-is-not-trained-on"))
def test_a_question_of_the_question_sets_is_not_trained_on(asked: str, fault: str | None, tmp_path: Path) -> None:
    (line,) = read(tmp_path, entry())
    faults = list(find_repeats([line], {"questions/seeds.jsonl:7": asked}))
    assert faults == ([f"kettle.jsonl, {line.question.id}: {fault}"] if fault else [])


def test_gold_is_compared_with_the_documents_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "kettle").mkdir()
    (tmp_path / "kettle" / "NEWS.md").write_text(NOTE, encoding="utf-8")
    moved = {"path": "kettle/NEWS.md", "start": 3, "end": 12, "sha": words_sha(NOTE[2:12])}
    absent = {**moved, "path": "kettle/OLD.md"}
    qs = read(tmp_path / "set", entry(), entry("Why?", gold=[moved, absent]))
    assert check_gold(qs, FolderTexts(tmp_path)) == (
        2,
        1,
        (f"kettle.jsonl, {qs[1].question.id}: 'kettle/NEWS.md' has changed: characters 3 to 12 don't match their sha",),
    )
