"""Verdicts of people on answers: rows of one SQLite table, for all entrances over an index.

Each verdict is a new row. Only the owner can read the file, and authors of verdicts aren't stored.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import TypeAdapter

from corpus.errors import RelnotesError
from ui.log import redact

FEEDBACK_FILE = "feedback.sqlite"
MAX_ROWS = 10_000  # Above it, the oldest rows are deleted.
MAX_REASON_CHARACTERS = 1_000
# Earlier versions of relnotes stored unanswered questions here too; those rows have a text as `key`.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS said (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, key TEXT UNIQUE, times INTEGER NOT NULL, words BLOB NOT NULL
)
"""


@dataclass(frozen=True, slots=True)
class CitedQuote:
    """A quote that the judged answer showed, with its place."""

    path: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Feedback:
    """A verdict on an answer, with its question if the person agreed, and with the place of an answer in Slack."""

    good: bool
    status: str
    confidence: float
    question: str | None = None
    history: tuple[str, ...] = ()
    product: str | None = None
    version: str | None = None
    cited: tuple[CitedQuote, ...] = ()
    reason: str | None = None
    channel: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class StoredFeedback:
    """Feedback with its time."""

    at: datetime
    feedback: Feedback


_FEEDBACK = TypeAdapter(Feedback)


class FeedbackLog:
    """The table of verdicts; safe to share between threads and processes. A missing file is an empty log; methods raise
    RelnotesError if it can't be read or written. Each write deletes verdicts older than `keep_days`."""

    def __init__(self, path: Path, *, keep_days: int = 90, with_questions: bool = True) -> None:
        self._path = path
        self._keep_days = keep_days
        self._with_questions = with_questions

    def add(self, feedback: Feedback) -> None:
        """Store a verdict, secrets redacted in a person's words; quotes, which are of documents, are unchanged."""
        if not self._with_questions:
            feedback = replace(feedback, question=None, history=())
        stored = replace(
            feedback,
            question=feedback.question and redact(feedback.question),
            reason=feedback.reason and redact(feedback.reason),
            history=tuple(map(redact, feedback.history)),
        )
        words = json.dumps(asdict(stored), ensure_ascii=False).encode("utf-8", "replace")
        with self._open() as table:
            table.execute("INSERT INTO said (at, times, words) VALUES (?, 1, ?)", (_iso_time(), words))
            table.execute("DELETE FROM said WHERE at < ?", (_iso_time(self._keep_days),))
            oldest = "SELECT id FROM said ORDER BY id DESC LIMIT -1 OFFSET ?"
            table.execute(f"DELETE FROM said WHERE id IN ({oldest})", (MAX_ROWS,))

    def feedback(self) -> tuple[StoredFeedback, ...]:
        """Return the verdicts, oldest first, without writing: the folder may be read-only or another user's."""
        # An empty file is just being created by another process.
        if not self._path.exists() or not self._path.stat().st_size:
            return ()
        address = f"{self._path.absolute().as_uri()}?mode=ro"
        with self._reporting_errors(), closing(sqlite3.connect(address, uri=True)) as table:
            rows = table.execute("SELECT at, words FROM said WHERE typeof(key) <> 'text' ORDER BY id").fetchall()
        return tuple(StoredFeedback(datetime.fromisoformat(at), _FEEDBACK.validate_json(words)) for at, words in rows)

    def forget(self, *, days: int) -> int:
        """Delete verdicts older than `days`, or all for 0; return their number, 0 without a file."""
        if not self._path.exists():
            return 0
        with self._open() as table:
            return table.execute("DELETE FROM said WHERE ?1 = 0 OR at < ?2", (days, _iso_time(days))).rowcount

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the table for a `with` block, which is one transaction."""
        with self._reporting_errors():
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
            with closing(sqlite3.connect(self._path, timeout=10)) as table, table:
                # Overwrites deleted rows, so that their text doesn't stay in the file.
                table.execute("PRAGMA secure_delete = ON")
                table.execute(_SCHEMA)
                yield table

    @contextmanager
    def _reporting_errors(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or error
            raise RelnotesError(
                f"Cannot read or keep feedback in {str(self._path)!r}: {reason}. Let the server write there, or move a "
                "damaged file away."
            ) from None


def _iso_time(days_ago: int = 0) -> str:
    return (datetime.now(UTC) - timedelta(days=days_ago)).isoformat(timespec="seconds")
