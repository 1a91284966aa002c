"""Training questions: JSON lines in, checked values out."""

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
"""Of the first hundreds of numbers the one that makes the folds most equal, in questions and projects; nothing that was
fitted had a say."""


@cache
def fold_of(project: str) -> int:
    """Return the fold (0 to 4) that all questions about a project are in; it depends on the project's name only."""
    digest = hashlib.sha256(f"{_SALT} {project}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % FOLDS


class OfProject(Protocol):
    """Something that is learned from, about one project."""

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
    """A row for each example, in their order, that `predict(learned from, asked)` gives for it where nothing was
    learned from an example of its fold."""
    folds = [fold_of(example.project) for example in examples]
    found = [
        predict(outside(examples, fold), [one for one, own in zip(examples, folds, strict=True) if own == fold])
        for fold in sorted(set(folds))
    ]
    rows = np.concatenate(found)
    rows[np.argsort(folds, kind="stable")] = rows.copy()
    return rows


QUESTIONS = Path(__file__).with_name("questions")
_ID_DIGITS = 10


Style = Literal["chat", "search", "review", "misspelt", "typed"]
"""How a question is put; `search` is terse, without grammar, `review` as a reviewer of code asks, `typed` in a hurry:
short, vague, with the version that somebody runs (`../shared/PANEL.md`)."""
_Answered = Literal[
    "paraphrase", "since_when", "version_specific", "symbol", "number", "upgrade", "status", "which_pr", "followup",
    "symptom", "error", "security", "migrate", "yes_no", "value",
]  # fmt: skip
"""What an answerable question asks for."""
_NearMiss = Literal["wrong_version", "other_product", "no_such_feature", "wrong_detail", "fake_symbol", "off_topic"]
"""Why an unanswerable question looks answered: it asks of a feature in a release that the notes don't say it of, of one
of another product or of none, for a detail that the notes don't give."""


@dataclass(frozen=True, slots=True)
class TrainingQuestion:
    """A question to learn from."""

    asked: Question
    style: Style


def question_id(question: str, history: Sequence[str]) -> str:
    """Return the id of a question: a hash of its words and of those asked before it."""
    asked = "\n".join([*history, question])
    return f"t-{hashlib.sha256(asked.encode()).hexdigest()[:_ID_DIGITS]}"


def load_training(folder: Path = QUESTIONS) -> tuple[TrainingQuestion, ...]:
    """Load every question of the set, by project and in the order of its file.

    Raises:
        UsageError: there is none, or lines have faults; all those of a file are listed.
    """
    found: list[TrainingQuestion] = []
    for path in sorted(folder.glob("*.jsonl")):
        found += load_labels(path, partial(parse_training_question, project=path.stem), name="training questions")
    if not found:
        raise UsageError(f"The folder {str(folder)!r} holds no training questions: expected PROJECT.jsonl.")
    return tuple(found)


def parse_training_question(line: str, *, project: str) -> TrainingQuestion:
    """Parse one line of the file of a project.

    Raises:
        ValueError: not JSON, or no training question of this project.
    """
    entry = _Line.model_validate(json.loads(line))
    if entry.project != project:
        raise ValueError(f"is about {entry.project!r}: it belongs in {entry.project}.jsonl")
    return TrainingQuestion(parse_question(line), entry.style)


@dataclasses.dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class _Gold(Place):
    """A range, and nothing else."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str
    project: str = Field(min_length=1)
    writer: str = Field(pattern="^w[0-9]+$")
    reader: str = Field(default="", pattern="^(j[0-9]+|)$")
    """Empty where nobody read it again."""
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
