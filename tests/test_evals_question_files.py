"""What the committed question files must hold."""

import re
from collections import Counter

import pytest

from corpus.errors import SourceError
from evals.grading import find_gold
from evals.matching import holds_wording, normalise
from evals.pages import FolderTexts, Pages
from evals.question_set import Question
from evals.suites import CORPORA, CORPORA_PART, FULL_SUITES, Suite, load_suite

README = (CORPORA.questions.parent / "README.md").read_text("utf-8")
KINDS = set(re.findall(r"(?m)^- `(\w+)`:", README.partition("\n`kind` is one of")[2]))


@pytest.fixture(scope="module")
def committed() -> dict[str, tuple[Question, ...]]:
    return {suite.name: load_suite(suite) for suite in FULL_SUITES}


def test_every_question_is_well_formed(committed: dict[str, tuple[Question, ...]]) -> None:
    questions = [question for suite in committed.values() for question in suite]
    faults = [
        f"{question.id}: {fault}"
        for question in questions
        for fault, present in (
            ("unknown kind", question.kind not in KINDS),
            ("no split", not question.split),
            ("no project", not question.project),
            ("follow-up without history", question.kind == "followup" and not question.history),
            ("negative kind that is answerable", question.answerable and question.kind.startswith("negative")),
            ("unanswerable with gold", not question.answerable and bool(question.gold)),
            ("unanswerable with key facts", not question.answerable and bool(question.answer_key)),
            (
                "answerable without gold",
                question.answerable and not question.gold and not (question.kind == "catalogue" and question.note),
            ),
        )
        if present
    ]
    assert faults == []


def test_ids_are_unique_across_files(committed: dict[str, tuple[Question, ...]]) -> None:
    ids = Counter(question.id for questions in committed.values() for question in questions)
    assert [name for name, times in ids.items() if times > 1] == []


@pytest.mark.slow
@pytest.mark.parametrize("suite", FULL_SUITES, ids=lambda suite: suite.name)
def test_gold_and_key_facts_stand_in_the_documents(suite: Suite) -> None:
    if not suite.documents.is_dir():
        pytest.skip(f"the documents of {suite.name} aren't beside this checkout")
    pages = Pages(FolderTexts(suite.documents))
    faults: list[str] = []
    for question in load_suite(suite):
        try:
            places = find_gold(question, pages)
        except SourceError as error:
            faults.append(f"{question.id}: {error}")
            continue
        texts = [page.text for place in places if (page := pages.page(place.path))]
        everything = normalise(" \n ".join(texts))
        missing = [key for key in question.answer_key if texts and not any(holds_wording(w, everything) for w in key)]
        faults.extend(f"{question.id}: no gold document says {key!r}" for key in missing)
    assert faults == []


def test_the_gate_asks_about_every_project_of_its_part() -> None:
    if not CORPORA.is_available:
        pytest.skip("../shared isn't beside this checkout")
    assert {question.project for question in load_suite(CORPORA_PART)} == set(CORPORA_PART.projects)
