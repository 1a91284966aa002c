"""The lines of a batch file, questions and claims, checked whole before any work."""

import sys
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, model_validator

from corpus.errors import UsageError
from ui.cli.options import decoded

STANDARD_INPUT = Path("-")
_SHOWN_FAULTS = 5

Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class BatchLine(BaseModel):
    """A question or a claim, with its filters; unknown keys are ignored."""

    model_config = ConfigDict(frozen=True)

    id: str | int
    question: Question | None = None
    claim: Annotated[str, StringConstraints(min_length=1, pattern=r"\S")] | None = None
    """One claim or a text of several; not stripped, because offsets count in it."""
    history: tuple[Question, ...] | None = None
    product: str | None = None
    version: str | None = None

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if self.question is None and self.claim is None:
            raise ValueError('needs a "question" or a "claim"')
        if self.question is not None and self.claim is not None:
            raise ValueError('holds both a "question" and a "claim": write two lines')
        return self


def read_batch(path: Path) -> tuple[BatchLine, ...]:
    """Read every line of `path`, in order; `-` is standard input, and blank lines are skipped.

    Raises:
        UsageError: the file can't be read, is empty, or has lines that are neither questions nor claims; the message
            names the first of them by number.
    """
    try:
        content = sys.stdin.buffer.read() if path == STANDARD_INPUT else path.read_bytes()
    except OSError as error:
        raise UsageError(f"Cannot read {str(path)!r}: {error.strerror}. Check the path.") from None
    text = decoded(content, label=repr(str(path)))
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise UsageError(f'{str(path)!r} is empty. Write one JSON object a line, with "id" and "question" or "claim".')
    batch: list[BatchLine] = []
    faults: list[str] = []
    for number, line in lines:
        try:
            batch.append(BatchLine.model_validate_json(line))
        except ValidationError as error:
            faults.append(f"{path}:{number}: {_fault(error)}")
    if faults:
        shown = "; ".join(faults[:_SHOWN_FAULTS])
        more = f"; and {len(faults) - _SHOWN_FAULTS} more" if len(faults) > _SHOWN_FAULTS else ""
        raise UsageError(f"{shown}{more}. Nothing was asked: correct these lines first.")
    return tuple(batch)


def _fault(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    return f"{where}: {message}" if where else message
