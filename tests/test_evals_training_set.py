"""What the committed training questions must hold."""

import pytest

from evals.pages import FolderTexts
from evals.suites import CORPORA
from evals.training.check import check_documents, check_gold, find_repeats, load_asked
from evals.training.fetch import TRAINING_CORPORA
from evals.training.training_set import load_training


def test_the_committed_set_passes_the_check() -> None:
    questions = load_training()
    assert [*check_documents(questions), *find_repeats(questions, load_asked())] == []


@pytest.mark.skipif(not CORPORA.is_available, reason="needs the documents in ../shared")
def test_gold_stands_in_the_documents_that_are_here() -> None:
    here = [question for question in load_training() if question.question.project in TRAINING_CORPORA.projects]
    checked, absent, faults = check_gold(here, FolderTexts(CORPORA.documents))
    assert (absent, faults) == (0, ())
    assert checked >= sum(question.question.answerable for question in here)
