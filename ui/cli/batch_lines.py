"""The lines of a batch file, questions and claims, checked whole before any work."""

import sys
from pathlib import Path
from typing import Annotated, TypeAlias

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


class BatchClaim(BaseModel):
    """One line: a claim, or a text of several, with its filters; keys it doesn't know are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str | int
    claim: Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
    product: str | None = None
    version: str | None = None


BatchLine: TypeAlias = BatchQuestion | BatchClaim


def read_batch(path: Path) -> tuple[BatchLine, ...]:
    """Read every line of `path`, in order; `-` is standard input, and blank lines are skipped.

    Raises:
        UsageError: the file can't be read, is empty, or has lines that are neither questions nor claims; the message
            names the first of them by number.
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
        raise UsageError(f'{str(path)!r} is empty. Write one JSON object a line, with "id" and "question" or "claim".')
    asked: list[BatchLine] = []
    faults: list[str] = []
    for number, line in lines:
        try:
            asked.append(_read_line(line))
        except ValueError as error:
            faults.append(f"{path}:{number}: {_fault(error)}")
    if faults:
        shown = "; ".join(faults[:_SHOWN_FAULTS])
        more = f"; and {len(faults) - _SHOWN_FAULTS} more" if len(faults) > _SHOWN_FAULTS else ""
        raise UsageError(f"{shown}{more}. Nothing was asked: correct these lines first.")
    return tuple(asked)


def _read_line(line: str) -> BatchLine:
    """A line with a claim and no question is a claim; one with both would be two, so it's refused.

    Raises:
        ValidationError: it is neither, or both.
        ValueError: it is both.
    """
    is_claim = _HasClaim.model_validate_json(line)
    if is_claim.claim is None:
        return BatchQuestion.model_validate_json(line)
    if is_claim.question is not None:
        raise ValueError('holds both a "question" and a "claim": write two lines')
    return BatchClaim.model_validate_json(line)


class _HasClaim(BaseModel):
    model_config = ConfigDict(extra="ignore")

    claim: object | None = None
    question: object | None = None


def _fault(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else first["msg"]
