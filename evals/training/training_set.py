"""Load and validate the training questions, which are JSON lines; and split them into folds by project."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, dataclasses, model_validator

from corpus.errors import UsageError
from evals.labelled_places import Place, load_labels
from evals.question_set import Question, parse_question

FOLDS = 5
_SALT = 88
"""Of the first hundreds of numbers, the one with the most equal folds; chosen without looking at any result."""


@cache
def fold_of(project: str) -> int:
    """Return the fold (0 to 4) of all questions about a project; it depends on the project's name only."""
    digest = hashlib.sha256(f"{_SALT} {project}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % FOLDS


class OfProject(Protocol):
    """A training example about one project."""

    @property
    def project(self) -> str:
        """The project's name."""
        ...


_Example = TypeVar("_Example", bound=OfProject)


def outside(examples: Sequence[_Example], fold: int) -> list[_Example]:
    """Return the examples about projects of the other folds."""
    return [example for example in examples if fold_of(example.project) != fold]


def held_out(
    examples: Sequence[_Example], predict: Callable[[Sequence[_Example], Sequence[_Example]], NDArray[Any]]
) -> NDArray[Any]:
    """Return cross-validated predictions, a row for each example, in order: `predict(learned, tested)` is called for
    each fold with the examples of the other folds and its own, and returns a row for each of the latter."""
    folds = [fold_of(example.project) for example in examples]
    predictions = [
        predict(outside(examples, fold), [e for e, its_fold in zip(examples, folds, strict=True) if its_fold == fold])
        for fold in sorted(set(folds))
    ]
    rows = np.concatenate(predictions)
    rows[np.argsort(folds, kind="stable")] = rows.copy()
    return rows


QUESTIONS = Path(__file__).with_name("questions")
_ID_DIGITS = 10


Style = Literal["chat", "search", "review", "misspelt", "typed"]
"""The wording of a question: `search` is terse, without grammar, `review` as a reviewer of code asks, `typed` hasty:
short, vague, with the version that somebody runs (`../shared/PANEL.md`)."""
_Answered = Literal[
    "paraphrase", "since_when", "version_specific", "symbol", "number", "upgrade", "status", "which_pr", "followup",
    "symptom", "error", "security", "migrate", "yes_no", "value",
]  # fmt: skip
"""What an answerable question asks for."""
_NearMiss = Literal["wrong_version", "other_product", "no_such_feature", "wrong_detail", "fake_symbol", "off_topic"]
"""Why an unanswerable question looks answerable: the notes have the feature, but in another release or product; or the
feature doesn't exist; or the notes lack the detail asked for."""


@dataclass(frozen=True, slots=True)
class TrainingQuestion:
    """A question of the training set, with the style of its wording."""

    question: Question
    style: Style


def question_id(question: str, history: Sequence[str]) -> str:
    """Return the id of a question: a hash of its words and of those asked before it."""
    words = "\n".join([*history, question])
    return f"t-{hashlib.sha256(words.encode()).hexdigest()[:_ID_DIGITS]}"


def load_training(folder: Path = QUESTIONS) -> tuple[TrainingQuestion, ...]:
    """Load every question of the set, by project and in the order of its file.

    Raises:
        UsageError: the set is empty, or lines have faults; all those of a file are listed.
    """
    questions: list[TrainingQuestion] = []
    for path in sorted(folder.glob("*.jsonl")):
        questions += load_labels(path, partial(parse_training_question, project=path.stem), name="training questions")
    if not questions:
        raise UsageError(f"The folder {str(folder)!r} holds no training questions: expected PROJECT.jsonl.")
    return tuple(questions)


def parse_training_question(line: str, *, project: str) -> TrainingQuestion:
    """Parse one line of a project's file.

    Raises:
        ValueError: not JSON, or no training question of this project.
    """
    entry = _Line.model_validate(json.loads(line))
    if entry.project != project:
        raise ValueError(f"is about {entry.project!r}: it belongs in {entry.project}.jsonl")
    return TrainingQuestion(parse_question(line), entry.style)


@dataclasses.dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class _Gold(Place):
    """A labelled range, without further keys."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str
    project: str = Field(min_length=1)
    writer: str = Field(pattern="^w[0-9]+$")
    reader: str = Field(default="", pattern="^(j[0-9]+|)$")
    """The second reader; empty without one."""
    style: Style
    kind: _Answered | _NearMiss
    question: str = Field(min_length=1)
    history: list[str] = []
    product: str | None = Field(default=None, min_length=1)
    answerable: bool
    gold: list[_Gold] = []
    any_of: bool = False
    why: str = ""

    @model_validator(mode="after")
    def _parts_fit(self) -> "_Line":
        if self.id != (expected := question_id(self.question, self.history)):
            raise ValueError(f"id {self.id!r} isn't the hash of its question, which is {expected!r}")
        if self.answerable != (self.kind in get_args(_Answered)):
            raise ValueError(f"kind {self.kind!r} doesn't fit answerable: {str(self.answerable).lower()}")
        if self.answerable != bool(self.gold):
            raise ValueError("must have gold where it is answerable, and none where it isn't")
        if strange := [gold.path for gold in self.gold if not gold.path.startswith(f"{self.project}/")]:
            raise ValueError(f"gold in {strange[0]!r}, which isn't a document of {self.project!r}")
        if self.answerable == bool(self.why.strip()):
            raise ValueError("must say why where nothing answers it, and nowhere else")
        if self.kind == "followup" and not self.history:
            raise ValueError("a follow-up must have a history")
        return self
