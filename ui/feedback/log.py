"""What people think of answers: one JSON object a line, in one file for all entrances; who said it isn't kept."""

import errno
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter
from pydantic_core import from_json

from corpus.errors import RelnotesError
from ui.feedback.unanswered import unanswered_file
from ui.server.redaction import redact
from ui.server.retention import guard
from ui.settings import IndexSettings

FEEDBACK_FILE = "feedback.jsonl"
MAX_FEEDBACK_BYTES = 4 * 1024 * 1024
"""Of the file that is written to; the one before it is kept as well."""
MAX_REASON_CHARACTERS = 1_000
_VERDICTS = {"good": True, "bad": False}


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


_FEEDBACK = TypeAdapter(Feedback)


class FeedbackLog:
    """Appends feedback to a file that its owner alone may read; safe to share between threads."""

    def __init__(
        self, path: Path, *, now: Callable[[], float], with_questions: bool = True, max_bytes: int = MAX_FEEDBACK_BYTES
    ) -> None:
        self._path = path
        self._now = now
        self._with_questions = with_questions
        self._max_bytes = max_bytes

    def add(self, feedback: Feedback) -> None:
        """Append one line; a full file takes the place of the one before it first.

        Raises:
            RelnotesError: it can't be written.
        """
        # What a person wrote without secrets; quotes are of documents, and stay what they are.
        question = feedback.question if self._with_questions else None
        kept = replace(
            feedback,
            question=question and redact(question),
            reason=feedback.reason and redact(feedback.reason),
            history=tuple(map(redact, feedback.history)),
        )
        told = {name: value for name, value in asdict(kept).items() if name != "good" and value not in (None, ())}
        at = datetime.fromtimestamp(self._now(), UTC).isoformat(timespec="seconds")
        line = {"at": at, "verdict": "good" if feedback.good else "bad", **told}
        data = (json.dumps(line, ensure_ascii=False) + "\n").encode("utf-8", "replace")
        try:
            with guard(self._path):
                if self._path.exists() and self._path.stat().st_size + len(data) > self._max_bytes:
                    self._path.replace(_earlier_file(self._path))
                append_whole(self._path, data)
        except OSError as error:
            raise RelnotesError(
                f"Cannot keep the feedback in {str(self._path)!r}: {error.strerror or error}. "
                "Let the server write there."
            ) from None


def append_whole(path: Path, lines: bytes) -> None:
    """Add whole lines to a file that its owner alone may read; what a full disk or a crash cut before stays apart.

    Raises:
        OSError: not all of it could be written.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            lines = b"\n" + lines
        # At once: two processes may share the file.
        if os.write(descriptor, lines) < len(lines):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(descriptor)


def feedback_files(settings: IndexSettings) -> tuple[Path, ...]:
    """Every file that the entrances over an index may have written to: the Slack bot can have a folder elsewhere."""
    return tuple(folder / FEEDBACK_FILE for folder in (settings.index, settings.slack_dir) if folder is not None)


def kept_files(settings: IndexSettings) -> tuple[Path, ...]:
    """Every file that keeps what people asked or said, whole or not."""
    files = feedback_files(settings)
    return (*files, *map(_earlier_file, files), unanswered_file(settings.index))


def read_all_feedback(settings: IndexSettings) -> tuple[StoredFeedback, ...]:
    """What people thought of answers from the index, oldest first.

    Raises:
        RelnotesError: a file can't be read.
    """
    return read_feedback(*feedback_files(settings))


def read_feedback(*paths: Path) -> tuple[StoredFeedback, ...]:
    """All feedback that is kept at `paths`, oldest first; none where there is no file. Lines that a crash cut off or
    that aren't feedback are passed over.

    Raises:
        RelnotesError: a file can't be read.
    """
    stored = (told for path in paths for file in (_earlier_file(path), path) for told in _read(file))
    return tuple(sorted(stored, key=lambda told: told.at))


def _earlier_file(path: Path) -> Path:
    """Where the lines are that were in `path` before it was full."""
    return path.with_suffix(f"{path.suffix}.1")


def _read(path: Path) -> Iterator[StoredFeedback]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return
    except OSError as error:
        raise RelnotesError(f"Cannot read the feedback in {str(path)!r}: {error.strerror or error}.") from None
    for line in lines:
        try:
            told = from_json(line)
            feedback = _FEEDBACK.validate_python({**told, "good": _VERDICTS[told["verdict"]]})
            yield StoredFeedback(datetime.fromisoformat(told["at"]), feedback)
        except (ValueError, TypeError, KeyError):
            continue
