"""The examples that are learned from and reported on: the training set and our suites, each over its own index.

The training set is asked over two indexes of many products and over one index for each of its projects: how much a
word tells, and how many passages look right, depends on what else is indexed.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from evals.pages import FolderTexts, Pages
from evals.progress import TerminalProgress
from evals.suite_index import open_suite
from evals.suites import CORPORA, FULL_SUITES, PRACTICE_SUITES, SEEDS, Suite, load_suite
from evals.training.examples import Example, collect_examples
from evals.training.folds import fold_of
from evals.training.suites import TRAINING_CORPORA, fetched_suite
from retrieval.ranker import Ranker

MANY, ONE = "many products", "one product"


@dataclass(frozen=True, slots=True)
class LearningSet:
    """Examples by where they come from. `many` and `one` are the training set over indexes of many products and of one;
    `development` and `test` are the halves of our suites, `practice` what others wrote."""

    many: tuple[Example, ...]
    one: tuple[Example, ...]
    development: tuple[Example, ...]
    test: tuple[Example, ...]
    practice: tuple[Example, ...]

    @property
    def everything(self) -> tuple[Example, ...]:
        """All of them."""
        return (*self.many, *self.one, *self.development, *self.test, *self.practice)


def learning_suites(documents: Path | None = None) -> tuple[Suite, ...]:
    """Every suite that training needs; `documents` is where the further notes were fetched to, the cache without."""
    return (TRAINING_CORPORA, fetched_suite(documents), *FULL_SUITES)


def collect_learning_set(ranker: Ranker, documents: Path | None = None, *, with_single: bool = True) -> LearningSet:
    """Ask everything with a ranker; without `with_single`, not over the indexes of one product. Takes minutes, the
    first time more, for everything is ingested.

    Raises:
        RelnotesError: documents can't be ingested, or the model can't be loaded.
    """
    fetched = fetched_suite(documents)
    many = _collect(CORPORA, TRAINING_CORPORA, MANY, ranker) + _collect(fetched, fetched, MANY, ranker)
    one = [
        example
        for suite in (TRAINING_CORPORA, fetched)
        for project in (suite.projects if with_single else ())
        for example in _of_one_product(replace(suite, name=f"training-{project}", projects=(project,)), ranker)
    ]
    own = [example for suite in FULL_SUITES for example in _collect(suite, suite, suite.name, ranker)]
    practice = [
        example
        for suite, like in zip(PRACTICE_SUITES, (SEEDS, CORPORA), strict=True)
        if suite.is_available
        for example in _collect(like, suite, suite.name, ranker)
    ]
    return LearningSet(
        many=many,
        one=tuple(one),
        development=tuple(example for example in own if example.question.split == "dev"),
        test=tuple(example for example in own if example.question.split == "test"),
        practice=tuple(practice),
    )


def fold_of_example(example: Example) -> int:
    """The fold of the project that a question is about, by name or by the folder of its gold."""
    question = example.question
    return fold_of(question.project or (question.gold[0].path.partition("/")[0] if question.gold else ""))


def _of_one_product(suite: Suite, ranker: Ranker) -> tuple[Example, ...]:
    return _collect(suite, suite, ONE, ranker)


def _collect(opened: Suite, asked: Suite, name: str, ranker: Ranker) -> tuple[Example, ...]:
    """The questions of one suite over the index of another, which holds its documents."""
    pages, questions = Pages(FolderTexts(opened.documents)), load_suite(asked)
    with TerminalProgress() as progress, open_suite(opened, progress=progress) as assistant:
        progress.phase(f"Asking {asked.name}", len(questions))
        found = []
        for example in collect_examples(name, questions, assistant.ranking_by(ranker), pages):
            progress.advance(1)
            found.append(example)
    return tuple(found)
