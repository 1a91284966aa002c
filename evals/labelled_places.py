"""Ranges of documents that people labelled, and the files of JSON lines that hold them."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field, ValidationError, model_validator

from corpus.errors import SourceError, UsageError
from corpus.model import Span

_SHA_DIGITS = 12
_Label = TypeVar("_Label")


def words_sha(words: str) -> str:
    """The first 12 hex digits of the SHA-256 of a range's words."""
    return hashlib.sha256(words.encode()).hexdigest()[:_SHA_DIGITS]


@dataclass(frozen=True, slots=True)
class Place:
    """A range of a source file as it is, markup included; `sha` is that of `words_sha`."""

    path: str
    start: int
    end: int
    sha: str

    def words_of(self, source: str) -> str:
        """The words that stand there in the file.

        Raises:
            SourceError: the file has changed since it was labelled.
        """
        words = source[self.start : self.end]
        if words_sha(words) != self.sha:
            raise SourceError(f"{self.path!r} has changed: characters {self.start} to {self.end} don't match their sha")
        return words


def share_half(one: Span, other: Span) -> bool:
    """Whether two ranges share at least half of the shorter one, and so tell the same."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    return shared > 0 and 2 * shared >= min(len(one), len(other))


class RangeLine(BaseModel):
    """A range as a line of JSON states it."""

    start: int = Field(ge=0)
    end: int
    sha: str = Field(pattern="^[0-9a-f]{12}$")

    @model_validator(mode="after")
    def _ends_after_its_start(self) -> "RangeLine":
        if self.start >= self.end:
            raise ValueError(f"must end after it starts, got {self.start} to {self.end}")
        return self

    def place(self, path: str) -> Place:
        """The range as one of the file at `path`."""
        return Place(path, self.start, self.end, self.sha)


def load_labels(path: Path, parse: Callable[[str], _Label], *, name: str) -> tuple[_Label, ...]:
    """Read a file of labels, one JSON object a line; `name` is what a message calls them, in the plural.

    Raises:
        UsageError: the file can't be read, or has faults; all of them are listed by line.
    """
    labels: list[_Label] = []
    faults: list[str] = []
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read the {name} {str(path)!r}: {error}. Give a UTF-8 JSONL file.") from error
    for number, line in enumerate(lines, start=1):
        try:
            labels.extend([parse(line)] if line.strip() else [])
        except ValidationError as error:
            faults.extend(f"{path.name}:{number}: {fault['loc']}: {fault['msg']}" for fault in error.errors())
        except json.JSONDecodeError as error:
            faults.append(f"{path.name}:{number}: not JSON ({error})")
        except ValueError as error:
            faults.append(f"{path.name}:{number}: {error}")
    if faults:
        raise UsageError(f"The {name} have {len(faults)} faults, correct them: {'; '.join(faults)}")
    return tuple(labels)
