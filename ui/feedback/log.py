"""What people think of answers: one JSON object a line, in one file for all entrances; who said it isn't kept."""

import errno
import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corpus.errors import RelnotesError
from ui.server.redaction import redact
from ui.server.retention import guard

FEEDBACK_FILE = "feedback.jsonl"
MAX_FEEDBACK_BYTES = 4 * 1024 * 1024
"""Of the file that is written to; the one before it is kept as well."""
MAX_REASON_CHARACTERS = 1_000
_EARLIER = ".1"


@dataclass(frozen=True, slots=True)
class CitedQuote:
    """A quote that the judged answer showed, with its place."""

    path: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Feedback:
    """A verdict on an answer. `question` and what belongs to it are there where the person agreed that they are kept;
    `channel` and `message` are the place of an answer in Slack."""

    good: bool
    status: str
    confidence: float
    question: str | None = None
    history: tuple[str, ...] = ()
    product: str | None = None
    version: str | None = None
    without: tuple[str, ...] = ()
    cited: tuple[CitedQuote, ...] = ()
    reason: str | None = None
    channel: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class StoredFeedback:
    """Feedback with when it was given."""

    at: datetime
    feedback: Feedback


class FeedbackLog:
    """Appends feedback to a file that its owner alone may read; safe to share between threads."""

    def __init__(
        self, path: Path, *, now: Callable[[], float], with_questions: bool = True, max_bytes: int = MAX_FEEDBACK_BYTES
    ) -> None:
        self._path = path
        self._now = now
        self._with_questions = with_questions
        self._max_bytes = max_bytes
        self._lock = threading.Lock()

    def add(self, feedback: Feedback) -> None:
        """Append one line; a full file takes the place of the one before it first.

        Raises:
            RelnotesError: it can't be written.
        """
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(self._now(), UTC).isoformat(timespec="seconds"),
            "verdict": "good" if feedback.good else "bad",
        }
        told = asdict(feedback)
        del told["good"]
        if not self._with_questions:
            del told["question"]
        line |= {name: _redacted(name, value) for name, value in told.items() if value not in (None, ())}
        data = (json.dumps(line, ensure_ascii=False) + "\n").encode("utf-8", "replace")
        with self._lock:
            try:
                with guard(self._path):
                    self._append(data)
            except OSError as error:
                raise RelnotesError(
                    f"Cannot keep the feedback in {str(self._path)!r}: {error.strerror or error}. "
                    "Let the server write there."
                ) from None

    def _append(self, data: bytes) -> None:
        if self._path.exists() and self._path.stat().st_size + len(data) > self._max_bytes:
            self._path.replace(earlier_file(self._path))
        descriptor = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            if size and os.pread(descriptor, 1, size - 1) != b"\n":
                # A full disk or a crash cut the line before; only that one is lost.
                data = b"\n" + data
            # One write of a whole line: two processes may share the file.
            if os.write(descriptor, data) < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(descriptor)


def _redacted(name: str, value: object) -> object:
    """What a person wrote without secrets; quotes are of documents, and stay what they are."""
    if name in ("question", "reason") and isinstance(value, str):
        return redact(value)
    return [redact(one) for one in value] if name == "history" and isinstance(value, tuple) else value


def earlier_file(path: Path) -> Path:
    """Where the lines are that were in `path` before it was full."""
    return path.with_suffix(path.suffix + _EARLIER)


def read_feedback(path: Path) -> tuple[StoredFeedback, ...]:
    """All feedback that is kept at `path`, oldest first; none where there is no file. Lines that a crash cut off or
    that aren't feedback are passed over.

    Raises:
        RelnotesError: the file can't be read.
    """
    return tuple(_read(earlier_file(path))) + tuple(_read(path))


def _read(path: Path) -> Iterator[StoredFeedback]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return
    except OSError as error:
        raise RelnotesError(f"Cannot read the feedback in {str(path)!r}: {error.strerror or error}.") from None
    for line in lines:
        try:
            entry = _Line.model_validate_json(line)
        except ValidationError:
            continue
        yield StoredFeedback(entry.at, entry.feedback())


class _Quote(BaseModel):
    path: str
    start: int
    end: int
    quote: str


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore")

    at: datetime
    verdict: Annotated[str, Field(pattern="^(good|bad)$")]
    status: str
    confidence: float
    question: str | None = None
    history: tuple[str, ...] = ()
    product: str | None = None
    version: str | None = None
    without: tuple[str, ...] = ()
    cited: tuple[_Quote, ...] = ()
    reason: str | None = None
    channel: str | None = None
    message: str | None = None

    def feedback(self) -> Feedback:
        cited = tuple(CitedQuote(one.path, one.start, one.end, one.quote) for one in self.cited)
        told = {name: getattr(self, name) for name in type(self).model_fields if name not in ("at", "verdict", "cited")}
        return Feedback(good=self.verdict == "good", cited=cited, **told)
