"""Question sets: JSON lines in, checked values out.

Reads the form of docs/contract.md and reports every fault of a file at once. It doesn't look at the
documents that the gold points to: that is `evals.gold`, because one set serves several folders. Lines that nobody
has reviewed don't count: whoever reads a set gets none of them.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, StrictBool, ValidationError, model_validator

from corpus.errors import UsageError


@dataclass(frozen=True, slots=True)
class Gold:
    """A passage that proves the answer: by its words (`quote`) or by its range in the source file.

    `start` and `end` count code points of the file as it is, markup and line ends included. `sha` is the
    first 12 hex digits of the SHA-256 of that slice and tells whether the file has changed since.
    """

    path: str
    start: int | None
    end: int | None
    sha: str | None
    quote: str | None


@dataclass(frozen=True, slots=True)
class Question:
    """One question with what a right answer needs.

    `answer_key` holds key facts that must all be there, each as a tuple of accepted wordings.
    `any_of`: one gold passage is enough; otherwise all are needed. `split` and `project` are empty where
    the file doesn't state them.
    """

    id: str
    kind: str
    question: str
    answerable: bool
    gold: tuple[Gold, ...]
    any_of: bool
    answer_key: tuple[tuple[str, ...], ...]
    history: tuple[str, ...]
    product: str | None
    version: str | None
    note: str | None
    split: str
    project: str


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """The questions of a file that count, and how many lines of it wait for a review."""

    questions: tuple[Question, ...]
    unreviewed: int


def load_questions(path: Path) -> tuple[Question, ...]:
    """Read the questions of a file that count.

    Raises:
        UsageError: as `load_question_file`.
    """
    return load_question_file(path).questions


def load_question_file(path: Path) -> QuestionFile:
    """Read a question file, one JSON object a line; blank lines and unknown keys are passed over. A line that says
    `"reviewed": false` is counted and not looked at further; one that says nothing of it is reviewed.

    Raises:
        UsageError: the file can't be read, holds no reviewed question, or has faults; all of them are listed by line.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read the question file {str(path)!r}: {error}. Give a UTF-8 JSONL file.") from error
    questions: list[Question] = []
    unreviewed = 0
    faults: list[str] = []
    first_line_of: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
            if isinstance(content, dict) and content.get("reviewed") is False:
                unreviewed += 1
                continue
            question = _question(content)
        except ValueError as error:
            faults.extend(f"line {number}: {fault}" for fault in line_faults(error))
            continue
        if question.id in first_line_of:
            faults.append(f"line {number}: id {question.id!r} is already on line {first_line_of[question.id]}")
        first_line_of.setdefault(question.id, number)
        questions.append(question)
    if faults:
        raise UsageError(f"Question file {str(path)!r} has {len(faults)} faults, correct them: {'; '.join(faults)}")
    if not questions and unreviewed:
        raise UsageError(
            f"Question file {str(path)!r} holds no reviewed questions, and {unreviewed} to be reviewed. "
            'Check question, answerable and gold of each, and set "reviewed": true.'
        )
    if not questions:
        raise UsageError(f"Question file {str(path)!r} holds no questions: expected one JSON object a line.")
    return QuestionFile(tuple(questions), unreviewed)


def parse_question(line: str) -> Question:
    """Parse one line of a question file, reviewed or not.

    Raises:
        ValueError: not JSON, or not a question (pydantic's ValidationError and JSONDecodeError are both).
    """
    return _question(json.loads(line))


def _question(content: object) -> Question:
    entry = _QuestionLine.model_validate(content)
    return Question(
        id=entry.id,
        kind=entry.kind,
        question=entry.question,
        answerable=entry.answerable,
        gold=tuple(gold.checked() for gold in entry.gold),
        any_of=entry.any_of,
        answer_key=tuple(tuple(_wordings(key)) for key in entry.answer_key),
        history=tuple(entry.history),
        product=entry.product,
        version=entry.version,
        note=entry.note,
        split=entry.split,
        project=entry.project,
    )


class GoldLine(BaseModel):
    """One gold passage as a line of a question or claim file writes it."""

    path: str = Field(min_length=1)
    start: int | None = Field(default=None, ge=0)
    end: int | None = None
    sha: str | None = Field(default=None, pattern="^[0-9a-f]{12}$")
    quote: str | None = None

    @model_validator(mode="after")
    def _points_somewhere(self) -> "GoldLine":
        ranged = self.start is not None and self.end is not None
        if not ranged and not (self.quote and self.quote.strip()):
            raise ValueError("must have a quote, or start and end")
        if self.start is not None and self.end is not None and self.start >= self.end:
            raise ValueError(f"must end after it starts, got {self.start} to {self.end}")
        return self

    def checked(self) -> Gold:
        """The value that the other modules use."""
        return Gold(self.path, self.start, self.end, self.sha, self.quote)


class _QuestionLine(BaseModel):
    id: str = Field(min_length=1)
    kind: str = Field(min_length=1)
    question: str = Field(min_length=1)
    answerable: bool
    gold: list[GoldLine] = []
    any_of: bool = False
    answer_key: list[Any] = []
    history: list[str] = []
    product: str | None = None
    version: str | None = None
    note: str | None = None
    answer_version: list[str] = []
    split: str = Field(default="", pattern="^(dev|test|)$")
    project: str = ""
    reviewed: StrictBool = True

    @model_validator(mode="after")
    def _reviewed_has_gold(self) -> "_QuestionLine":
        # Only where the line says that someone reviewed it: sets of others may grade by key facts alone.
        if "reviewed" in self.model_fields_set and self.reviewed and self.answerable and not self.gold:
            raise ValueError(
                "reviewed and answerable, but without gold: give the passage that answers it, "
                "or set answerable to false"
            )
        return self

    @model_validator(mode="after")
    def _keys_have_wordings(self) -> "_QuestionLine":
        for key in self.answer_key:
            if not list(_wordings(key)):
                raise ValueError("answer_key has a list without alternatives")
        return self


def _wordings(key: object) -> Iterator[str]:
    """Flatten nested alternatives: any of any is any. A bare number is a wording too."""
    if isinstance(key, list):
        for alternative in key:
            yield from _wordings(alternative)
    elif isinstance(key, str | int | float) and not isinstance(key, bool):
        yield str(key)
    else:
        raise ValueError(f"answer_key holds strings or lists of strings, got {key!r}")


def line_faults(error: ValueError) -> Iterator[str]:
    """What is wrong with a line that failed to parse, one message a fault."""
    if not isinstance(error, ValidationError):
        yield f"not JSON ({error})"
        return
    for fault in error.errors():
        place = ".".join(str(part) for part in fault["loc"])
        message = fault["msg"].removeprefix("Value error, ")
        yield f"{place}: {message}" if place else message
