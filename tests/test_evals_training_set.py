"""What the committed training questions must hold, and what the check of them promises."""

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evals.labelled_places import words_sha
from evals.pages import FolderTexts
from evals.suites import CORPORA, load_suite
from evals.training import check as command
from evals.training.check import (
    Asked,
    check_documents,
    check_gold,
    check_lines,
    check_questions,
    check_shares,
    find_repeats,
)
from evals.training.composition import DATASHEET, with_tables
from evals.training.sources import TRAINING_CORPORA, fetched_suite, load_sources
from evals.training.training_set import (
    FOLDS,
    QUESTIONS,
    PlacedQuestion,
    SetFault,
    fold_of,
    load_training,
    parse_training_question,
    question_id,
    read_lines,
)

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


def lines_of(folder: Path, *entries: dict[str, Any], file: str = "kettle.jsonl") -> tuple[PlacedQuestion, ...]:
    """Entries as lines of a file, none of which may be malformed."""
    (folder / file).write_text("".join(json.dumps(one) + "\n" for one in entries), encoding="utf-8")
    lines, faults = read_lines(folder)
    assert faults == ()
    return lines


def test_every_committed_line_passes_the_check() -> None:
    lines, faults = check_questions()
    assert [str(fault) for fault in faults] == []
    assert len(lines) == len(load_training())


@pytest.mark.skipif(not CORPORA.is_available, reason="needs the documents in ../shared")
def test_gold_stands_in_the_documents_that_are_here() -> None:
    lines, _ = read_lines(QUESTIONS)
    here = [line for line in lines if line.question.asked.project in TRAINING_CORPORA.projects]
    gold = check_gold(here, FolderTexts(CORPORA.documents))
    assert (gold.faults, gold.absent) == ((), 0)
    assert gold.checked >= len([line for line in here if line.question.asked.answerable])


def test_the_tables_of_the_datasheet_are_those_of_the_set() -> None:
    datasheet = DATASHEET.read_text(encoding="utf-8")
    assert with_tables(datasheet, load_training()) == datasheet, "run python -m evals.training.check --tables"


def test_folds_are_about_equal_and_follow_from_the_name() -> None:
    assert [fold_of(name) for name in ("attrs", "django", "trio")] == [1, 0, 4]
    questions = load_training()
    sizes = Counter(fold_of(question.asked.project) for question in questions)
    assert sorted(sizes) == list(range(FOLDS))
    assert all(0.15 < size / len(questions) < 0.25 for size in sizes.values())


def test_the_suites_share_out_all_questions() -> None:
    suites = (TRAINING_CORPORA, fetched_suite())
    asked = [question.id for suite in suites for question in load_suite(suite)]
    assert sorted(asked) == sorted(question.asked.id for question in load_training())


def test_a_suite_is_available_once_all_of_its_documents_are_there(tmp_path: Path) -> None:
    suite = fetched_suite(tmp_path)
    for source in load_sources():
        assert not suite.is_available
        (tmp_path / source.project).mkdir()
    assert suite.is_available


def test_an_id_is_the_hash_of_what_was_asked_in_turn() -> None:
    assert question_id("And on Windows?", ["Is it quiet?"]) == (
        "t-" + hashlib.sha256(b"Is it quiet?\nAnd on Windows?").hexdigest()[:10]
    )


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        (entry(kind="riddle"), "kind"),
        (entry(style="verse"), "style"),
        (entry(writer="me"), "writer"),
        (entry(id="q-1"), "id"),
        (entry(quote="The kettle"), "quote: Extra inputs are not permitted"),
        (entry(kind="wrong_detail"), "kind 'wrong_detail' doesn't fit answerable: true"),
        (entry(gold=[]), "must have gold where it is answerable"),
        (entry(gold=[{"path": "kettle/NEWS.md", "quote": "The kettle"}]), "gold.0.start: Field required"),
        (entry(why="it isn't"), "must say why where nothing answers it"),
        (entry(kind="followup"), "a follow-up must have a history"),
        (near_miss(why=" "), "must say why where nothing answers it"),
        (near_miss(kind="paraphrase"), "kind 'paraphrase' doesn't fit answerable: false"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_malformed_line_is_named_by_file_and_line(written: dict[str, Any], fault: str, tmp_path: Path) -> None:
    (tmp_path / "kettle.jsonl").write_text(f"\n{json.dumps(written)}\n{{\n", encoding="utf-8")
    lines, faults = read_lines(tmp_path)
    assert lines == ()
    assert {found.place for found in faults} == {"kettle.jsonl:2", "kettle.jsonl:3"}
    assert any(fault in str(found) for found in faults)


def test_a_line_says_what_other_question_files_say_and_who_wrote_it() -> None:
    question = parse_training_question(json.dumps(near_miss(reader="j2", style="search")))
    assert (question.writer, question.reader, question.style) == ("w1", "j2", "search")
    assert (question.asked.project, question.asked.kind, question.asked.gold) == ("kettle", "no_such_feature", ())


def test_ids_projects_and_order_are_checked(tmp_path: Path) -> None:
    one, other = sorted((entry(), near_miss()), key=lambda made: made["id"])
    wrong = near_miss("Is it loud?", id="t-ffffffffff", project="pot")
    hashed = question_id("Is it loud?", [])
    faults = [str(fault) for fault in check_lines(lines_of(tmp_path, other, one, one, wrong))]
    assert faults == [
        f"kettle.jsonl:2: id {one['id']!r} comes after {other['id']!r}: a file is sorted by id",
        f"kettle.jsonl:3: id {one['id']!r} is already at kettle.jsonl:2",
        f"kettle.jsonl:4: id 't-ffffffffff' isn't the hash of its question, which is {hashed!r}",
        "kettle.jsonl:4: is about 'pot': it belongs in pot.jsonl",
    ]


def test_documents_that_nobody_can_fetch_are_faults(tmp_path: Path) -> None:
    strange = {"path": "attrs/NEWS.md", "start": 0, "end": 1, "sha": "0" * 12}
    (line,) = lines_of(tmp_path, entry(gold=[strange]))
    assert [fault.message for fault in check_lines([line])] == [
        "gold in 'attrs/NEWS.md', which isn't a document of 'kettle'"
    ]
    assert [fault.message for fault in check_documents([line])] == [
        "is about 'kettle', whose documents sources.toml doesn't name"
    ]
    flask = lines_of(tmp_path, entry(project="flask", gold=[{**strange, "path": "flask/NEWS"}]), file="flask.jsonl")
    assert [fault.message for fault in check_documents(flask[:1])] == [
        "gold in 'flask/NEWS', which sources.toml doesn't name"
    ]


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ("can i make the KETTLE quiet", "asks in the same words as questions/seeds.jsonl:7"),
        ("And: can I make the kettle quiet?", "asks nearly as questions/seeds.jsonl:7 does (Jaccard 0.86)"),
        ("And how can I make the kettle quiet?", None),
    ],
    ids=["same words", "near", "far enough"],
)
def test_a_question_of_the_question_sets_is_not_trained_on(asked: str, fault: str | None, tmp_path: Path) -> None:
    lines = lines_of(tmp_path, entry())
    faults = tuple(find_repeats(lines, [Asked("questions/seeds.jsonl:7", asked)]))
    assert faults == ((SetFault("kettle.jsonl:1", fault),) if fault else ())


def test_what_was_asked_before_belongs_to_a_question(tmp_path: Path) -> None:
    lines = lines_of(tmp_path, near_miss("Since when?", history=["Is it quiet?"]), near_miss("Since when?"))
    assert list(find_repeats(lines, ())) == []
    again = (*lines, PlacedQuestion("kettle.jsonl:3", parse_training_question(json.dumps(near_miss("since when")))))
    assert list(find_repeats(again, ())) == [SetFault("kettle.jsonl:3", "asks in the same words as kettle.jsonl:2")]


def test_a_small_and_one_sided_set_is_refused(tmp_path: Path) -> None:
    assert [str(fault) for fault in check_shares(lines_of(tmp_path, entry()))] == [
        "the set has 1 questions, at least 2000 are wanted",
        "0 of 1 questions are unanswerable, at least 30% is wanted",
        "the set is about 1 projects, at least 14 are wanted",
        "w1 wrote 1 of 1 questions, at most a quarter is wanted",
    ]


def test_the_check_lists_every_fault_and_what_it_could_not_compare(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = lines_of(tmp_path, entry())
    monkeypatch.setattr(command, "check_questions", lambda: (lines, tuple(check_shares(lines))))
    monkeypatch.setattr("sys.argv", ["check", "--documents", str(tmp_path)])
    assert command.main() == 1
    assert capsys.readouterr().out.splitlines()[3:] == [
        "w1 wrote 1 of 1 questions, at most a quarter is wanted",
        "1 questions, 4 faults; 0 gold ranges compared with documents",
        "1 gold ranges not compared: their documents aren't here (python -m evals.training.fetch, and ../shared beside "
        "the checkout)",
    ]


def test_gold_is_compared_with_the_documents_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "kettle").mkdir()
    (tmp_path / "kettle" / "NEWS.md").write_text(NOTE, encoding="utf-8")
    moved = {"path": "kettle/NEWS.md", "start": 3, "end": 12, "sha": words_sha(NOTE[2:12])}
    absent = {**moved, "path": "kettle/OLD.md"}
    gold = check_gold(lines_of(tmp_path, entry(), entry("Why?", gold=[moved, absent])), FolderTexts(tmp_path))
    assert (gold.checked, gold.absent) == (2, 1)
    assert [str(fault) for fault in gold.faults] == [
        "kettle.jsonl:2: 'kettle/NEWS.md' has changed: characters 3 to 12 don't match their sha"
    ]
