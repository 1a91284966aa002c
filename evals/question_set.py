"""Reads question sets from JSON lines, and validates them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StrictBool, TypeAdapter, model_validator
from pydantic.dataclasses import dataclass

from corpus.errors import UsageError
from evals.labelled_places import Filled, Sha, line_parser, load_labels


def _read_keys(keys: Any) -> Any:
    """Return each key fact as a list of its wordings; anything but a list is returned as it is."""
    wordings = [list(_wordings(key)) for key in keys] if isinstance(keys, list | tuple) else keys
    if isinstance(wordings, list) and not all(wordings):
        raise ValueError("answer_key has a list without alternatives")
    return wordings


def _wordings(key: object) -> Iterator[str]:
    """Yield the wordings of nested alternatives; a bare number is a wording too."""
    if isinstance(key, list | tuple):
        for alternative in key:
            yield from _wordings(alternative)
    elif isinstance(key, str | int | float) and not isinstance(key, bool):
        yield str(key)
    else:
        raise ValueError(f"answer_key holds strings or lists of strings, got {key!r}")


@dataclass(frozen=True, slots=True)
class Gold:
    """A passage that proves the answer: by its words (`quote`) or by its range in the source file.

    `start` and `end` count code points of the file, markup and line ends included. `sha`, the first 12 hex digits of
    the SHA-256 of that slice, shows whether the file has changed since.
    """

    path: Filled
    start: Annotated[int | None, Field(ge=0)] = None
    end: int | None = None
    sha: Sha | None = None
    quote: str | None = None

    @model_validator(mode="after")
    def _points_somewhere(self) -> "Gold":
        has_range = self.start is not None and self.end is not None
        if not has_range and not (self.quote and self.quote.strip()):
            raise ValueError("must have a quote, or start and end")
        if self.start is not None and self.end is not None and self.start >= self.end:
            raise ValueError(f"must end after it starts, got {self.start} to {self.end}")
        return self


@dataclass(frozen=True, slots=True)
class Question:
    """One question with what a right answer needs.

    `answer_key` has the key facts, all required, each as a tuple of accepted wordings; `lead` has those that the first
    300 characters must contain, `mustnot` the wordings that make an answer wrong. `typed` questions are graded by
    `grade_typed`, too. With `any_of`, one gold passage is enough; otherwise all are needed. `split` and `project` are
    empty if the file doesn't state them.
    """

    id: Filled
    kind: Filled
    question: Filled
    answerable: bool
    gold: tuple[Gold, ...] = ()
    any_of: bool = False
    answer_key: Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_read_keys)] = ()
    lead: Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_read_keys)] = ()
    mustnot: tuple[str, ...] = ()
    typed: bool = False
    history: tuple[str, ...] = ()
    product: str | None = None
    version: str | None = None
    note: str | None = None
    split: Annotated[str, Field(pattern="^(dev|test|)$")] = ""
    project: str = ""
    reviewed: StrictBool = True

    @model_validator(mode="before")
    @classmethod
    def _read_typed(cls, line: Any) -> Any:
        # The format of questions that people typed: `expect` for `answerable`, `must` for `answer_key`.
        if isinstance(line, dict) and line.get("expect") in ("answered", "not_found"):
            typed = {"answerable": line["expect"] == "answered", "answer_key": line.get("must", []), "typed": True}
            return {**line, **typed}
        return line

    @model_validator(mode="before")
    @classmethod
    def _reviewed_has_gold(cls, line: Any) -> Any:
        # Only if the line states its review, because sets of others may grade by key facts alone.
        if isinstance(line, dict) and line.get("reviewed") is True and line.get("answerable") and not line.get("gold"):
            raise ValueError(
                "reviewed and answerable, but without gold: give the passage that answers it, "
                "or set answerable to false"
            )
        return line


_QUESTION: TypeAdapter[Question] = TypeAdapter(Question)
parse_question = line_parser(Question)
"""Parses one line of a question file, reviewed or not."""


def load_questions(path: Path) -> tuple[Question, ...]:
    """Read the reviewed questions of a file.

    Raises:
        UsageError: as for `load_question_file`.
    """
    return load_question_file(path)[0]


def load_question_file(path: Path) -> tuple[tuple[Question, ...], int]:
    """Return the reviewed questions of a file, and the number of unreviewed ones.

    One JSON object a line; blank lines and unknown keys are ignored. A line with `"reviewed": false` is only counted;
    a line without the key is reviewed.

    Raises:
        UsageError: the file can't be read, has no reviewed question, or has faults; all of them are listed by line.
    """
    parsed = load_labels(path, _parse_reviewed, name="questions")
    questions = tuple(question for question in parsed if question is not None)
    unreviewed = len(parsed) - len(questions)
    if not questions and unreviewed:
        raise UsageError(
            f"Question file {str(path)!r} holds no reviewed questions, and {unreviewed} to be reviewed. "
            'Check question, answerable and gold of each, and set "reviewed": true.'
        )
    if not questions:
        raise UsageError(f"Question file {str(path)!r} holds no questions: expected one JSON object a line.")
    return questions, unreviewed


def _parse_reviewed(line: str) -> Question | None:
    content = json.loads(line)
    is_unreviewed = isinstance(content, dict) and content.get("reviewed") is False
    return None if is_unreviewed else _QUESTION.validate_python(content)
