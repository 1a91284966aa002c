"""Training questions: JSON lines in, checked values out."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, dataclasses, model_validator

from corpus.errors import UsageError
from evals.labelled_places import Place
from evals.question_set import Question, line_faults, parse_question

FOLDS = 5
_SALT = 88
"""Of the first hundreds of numbers the one that makes the folds most equal, in questions and projects; nothing that was
fitted had a say."""


def fold_of(project: str) -> int:
    """The fold (0 to 4) that all questions about a project are in; it depends on the project's name only."""
    digest = hashlib.sha256(f"{_SALT} {project}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % FOLDS


QUESTIONS = Path(__file__).with_name("questions")
_ID_DIGITS = 10


class Style(StrEnum):
    """How a question is put."""

    CHAT = "chat"
    SEARCH = "search"
    """Terse, without grammar."""
    REVIEW = "review"
    """As a reviewer of code asks."""
    MISSPELT = "misspelt"
    TYPED = "typed"
    """As it is typed in a hurry: short, vague, with the version that somebody runs (`../shared/PANEL.md`)."""


class AnsweredKind(StrEnum):
    """What an answerable question asks for."""

    PARAPHRASE = "paraphrase"
    SINCE_WHEN = "since_when"
    VERSION_SPECIFIC = "version_specific"
    SYMBOL = "symbol"
    NUMBER = "number"
    UPGRADE = "upgrade"
    STATUS = "status"
    WHICH_PR = "which_pr"
    FOLLOWUP = "followup"
    SYMPTOM = "symptom"
    ERROR = "error"
    SECURITY = "security"
    MIGRATE = "migrate"
    YES_NO = "yes_no"
    VALUE = "value"


class NearMiss(StrEnum):
    """Why an unanswerable question looks answered."""

    WRONG_VERSION = "wrong_version"
    """A real feature, asked of a release that the notes don't say it of."""
    OTHER_PRODUCT = "other_product"
    """A feature of another product."""
    NO_SUCH_FEATURE = "no_such_feature"
    WRONG_DETAIL = "wrong_detail"
    """The right feature, and a detail that the notes don't give."""
    FAKE_SYMBOL = "fake_symbol"
    OFF_TOPIC = "off_topic"


@dataclass(frozen=True, slots=True)
class TrainingQuestion:
    """A question to learn from. `reader` is empty where nobody read it again."""

    asked: Question
    style: Style
    writer: str
    reader: str


@dataclass(frozen=True, slots=True)
class PlacedQuestion:
    """A training question and where it stands: `attrs.jsonl:3`."""

    place: str
    question: TrainingQuestion


@dataclass(frozen=True, slots=True)
class SetFault:
    """Something wrong; `place` is a line of a file, or empty where it is the whole set."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


def question_id(question: str, history: Sequence[str]) -> str:
    """The id of a question: a hash of its words and of those asked before it."""
    asked = "\n".join([*history, question])
    return f"t-{hashlib.sha256(asked.encode()).hexdigest()[:_ID_DIGITS]}"


def load_training() -> tuple[TrainingQuestion, ...]:
    """Load every question of the set, by project and id.

    Raises:
        UsageError: there is none, or lines have faults; all of them are listed.
    """
    lines, faults = read_lines(QUESTIONS)
    if faults:
        raise UsageError(
            f"The training questions have {len(faults)} faults, correct them: {'; '.join(map(str, faults))}"
        )
    if not lines:
        raise UsageError(f"The folder {str(QUESTIONS)!r} holds no training questions: expected PROJECT.jsonl.")
    return tuple(line.question for line in lines)


def read_lines(folder: Path) -> tuple[tuple[PlacedQuestion, ...], tuple[SetFault, ...]]:
    """Every line of a folder's files that can be read, by file, and what is wrong with the others."""
    lines: list[PlacedQuestion] = []
    faults: list[SetFault] = []
    for path in sorted(folder.glob("*.jsonl")):
        try:
            written = path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            faults.append(SetFault(path.name, f"can't be read ({error})"))
            continue
        for number, line in enumerate(written, start=1):
            place = f"{path.name}:{number}"
            try:
                lines.extend([PlacedQuestion(place, parse_training_question(line))] if line.strip() else [])
            except ValueError as error:
                faults.extend(SetFault(place, fault) for fault in line_faults(error))
    return tuple(lines), tuple(faults)


def parse_training_question(line: str) -> TrainingQuestion:
    """Parse one line.

    Raises:
        ValueError: not JSON, or not a training question (pydantic's ValidationError and JSONDecodeError are both).
    """
    entry = _Line.model_validate(json.loads(line))
    return TrainingQuestion(parse_question(line), entry.style, entry.writer, entry.reader)


@dataclasses.dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class _Gold(Place):
    """A range, and nothing else."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str = Field(pattern=f"^t-[0-9a-f]{{{_ID_DIGITS}}}$")
    project: str = Field(min_length=1)
    writer: str = Field(pattern="^w[0-9]+$")
    reader: str = Field(default="", pattern="^(j[0-9]+|)$")
    style: Style
    kind: AnsweredKind | NearMiss
    question: str = Field(min_length=1)
    history: list[str] = []
    product: str | None = Field(default=None, min_length=1)
    answerable: bool
    gold: list[_Gold] = []
    any_of: bool = False
    why: str = ""

    @model_validator(mode="after")
    def _kind_fits(self) -> "_Line":
        if self.answerable != isinstance(self.kind, AnsweredKind):
            raise ValueError(f"kind {self.kind.value!r} doesn't fit answerable: {str(self.answerable).lower()}")
        if self.answerable != bool(self.gold):
            raise ValueError("must have gold where it is answerable, and none where it isn't")
        if self.answerable == bool(self.why.strip()):
            raise ValueError("must say why where nothing answers it, and nowhere else")
        if self.kind is AnsweredKind.FOLLOWUP and not self.history:
            raise ValueError("a follow-up must have a history")
        return self
