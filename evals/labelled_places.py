"""Labelled ranges of documents, and the reading of label files (JSON lines)."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import Field, TypeAdapter, ValidationError, model_validator
from pydantic.dataclasses import dataclass

from corpus.errors import SourceError, UsageError
from corpus.model import Span

_SHA_DIGITS = 12
_Label = TypeVar("_Label")
Filled = Annotated[str, Field(min_length=1)]
Half = Annotated[str, Field(pattern="^(dev|test)$")]
Sha = Annotated[str, Field(pattern="^[0-9a-f]{12}$")]


def words_sha(words: str) -> str:
    """Return the first 12 hex digits of the SHA-256 of a range's words."""
    return hashlib.sha256(words.encode()).hexdigest()[:_SHA_DIGITS]


@dataclass(frozen=True, slots=True)
class Place:
    """A range of a source file as it is, markup included; `sha` is that of `words_sha`."""

    path: Filled
    start: Annotated[int, Field(ge=0)]
    end: int
    sha: Sha

    @model_validator(mode="after")
    def _ends_after_its_start(self) -> "Place":
        if self.start >= self.end:
            raise ValueError(f"must end after it starts, got {self.start} to {self.end}")
        return self

    def words_of(self, source: str) -> str:
        """Return the words of the range in the file's text `source`.

        Raises:
            SourceError: the file has changed since it was labelled.
        """
        words = source[self.start : self.end]
        if words_sha(words) != self.sha:
            raise SourceError(f"{self.path!r} has changed: characters {self.start} to {self.end} don't match their sha")
        return words


def share_half(first: Span, second: Span) -> bool:
    """Return whether two ranges share at least half of the shorter one, and so count as the same statement."""
    shared = min(first.end, second.end) - max(first.start, second.start)
    return shared > 0 and 2 * shared >= min(len(first), len(second))


def line_parser(kind: type[_Label]) -> Callable[[str], _Label]:
    """Return a function that parses a line of JSON as a `kind`; it raises ValueError if the line is no JSON or no
    `kind` (JSONDecodeError and pydantic's ValidationError are ValueErrors)."""
    adapter: TypeAdapter[_Label] = TypeAdapter(kind)
    return lambda line: adapter.validate_python(json.loads(line))


def with_path(line: Any, *names: str) -> Any:
    """Return the parsed line with its own `path` added to the ranges under `names`."""
    if not isinstance(line, dict):
        return line
    ranges = {name: line[name] for name in names if isinstance(line.get(name), dict)}
    return line | {name: {"path": line.get("path"), **range_} for name, range_ in ranges.items()}


def load_labels(path: Path, parse: Callable[[str], _Label], *, name: str) -> tuple[_Label, ...]:
    """Read a file of labels, one JSON object a line; blank lines are skipped. `name` is their plural in messages. Ids,
    if labels have any, must be unique.

    Raises:
        UsageError: the file can't be read, or has faults; all of them are listed by line.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read the {name} {str(path)!r}: {error}. Give a UTF-8 JSONL file.") from error
    labels: list[_Label] = []
    faults: list[str] = []
    first_line_of: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            label = parse(line)
        except ValueError as error:
            faults.extend(f"{path.name}:{number}: {fault}" for fault in line_faults(error))
            continue
        label_id = getattr(label, "id", None)
        if label_id in first_line_of:
            faults.append(f"{path.name}:{number}: id {label_id!r} is already on line {first_line_of[label_id]}")
        elif label_id is not None:
            first_line_of[label_id] = number
        labels.append(label)
    if faults:
        raise UsageError(f"The {name} in {str(path)!r} have {len(faults)} faults, correct them: {'; '.join(faults)}")
    return tuple(labels)


def line_faults(error: ValueError) -> Iterator[str]:
    """Yield one message for each fault of a line that failed to parse."""
    if isinstance(error, ValidationError):
        for fault in error.errors():
            place = ".".join(str(part) for part in fault["loc"])
            message = fault["msg"].removeprefix("Value error, ")
            yield f"{place}: {message}" if place else message
    else:
        yield f"not JSON ({error})" if isinstance(error, json.JSONDecodeError) else str(error)
