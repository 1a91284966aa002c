"""The lines of a batch file, checked whole before any work."""

import sys
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from corpus.errors import UsageError

STANDARD_INPUT = Path("-")
_SHOWN_FAULTS = 5

Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class BatchQuestion(BaseModel):
    """One line: a question with its filters; keys it doesn't know are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str | int
    question: Question
    history: tuple[Question, ...] | None = None
    product: str | None = None
    version: str | None = None


def read_batch(path: Path) -> tuple[BatchQuestion, ...]:
    """Read every line of `path`, in order; `-` is standard input, and blank lines are skipped.

    Raises:
        UsageError: the file can't be read, is empty, or has lines that aren't questions; the message names the
            first of them by number.
    """
    try:
        content = sys.stdin.buffer.read() if path == STANDARD_INPUT else path.read_bytes()
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"Cannot read {str(path)!r}: {error.strerror}. Check the path.") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"Cannot read {str(path)!r}: not UTF-8 at byte {error.start}. Save it as UTF-8.") from None
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise UsageError(f'{str(path)!r} is empty. Write one JSON object a line, with "id" and "question".')
    asked: list[BatchQuestion] = []
    faults: list[str] = []
    for number, line in lines:
        try:
            asked.append(BatchQuestion.model_validate_json(line))
        except ValidationError as error:
            faults.append(f"{path}:{number}: {_fault(error)}")
    if faults:
        shown = "; ".join(faults[:_SHOWN_FAULTS])
        more = f"; and {len(faults) - _SHOWN_FAULTS} more" if len(faults) > _SHOWN_FAULTS else ""
        raise UsageError(f"{shown}{more}. Nothing was asked: correct these lines first.")
    return tuple(asked)


def _fault(error: ValidationError) -> str:
    for fault in error.errors():
        if fault["loc"] == ("question",) and fault["type"] == "missing" and "claim" in fault["input"]:
            return 'claims are answered by a later release; this one takes a "question"'
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else first["msg"]
