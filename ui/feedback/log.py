"""What people think of answers: rows of one SQLite table, for all entrances over an index.

A verdict is a row each time it is given. Its owner alone may read the file, and who said something isn't kept.
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
MAX_ROWS = 10_000  # The oldest makes room.
MAX_REASON_CHARACTERS = 1_000
# An earlier relnotes kept questions without an answer here too, by a key of text.
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
    """A verdict on an answer, with its question where the person agreed, and with the place of an answer in Slack."""

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
    """Feedback with when it was given."""

    at: datetime
    feedback: Feedback


_FEEDBACK = TypeAdapter(Feedback)


class FeedbackLog:
    """The table; safe to share between threads and processes. A file that isn't there holds nothing; RelnotesError is
    raised where one can't be read or written. What is older than `keep_days` goes with whatever is written next."""

    def __init__(self, path: Path, *, keep_days: int = 90, with_questions: bool = True) -> None:
        self._path = path
        self._keep_days = keep_days
        self._with_questions = with_questions

    def add(self, feedback: Feedback) -> None:
        """Keep a verdict, without secrets in what a person wrote. Quotes are of documents, and stay what they are."""
        if not self._with_questions:
            feedback = replace(feedback, question=None, history=())
        kept = replace(
            feedback,
            question=feedback.question and redact(feedback.question),
            reason=feedback.reason and redact(feedback.reason),
            history=tuple(map(redact, feedback.history)),
        )
        words = json.dumps(asdict(kept), ensure_ascii=False).encode("utf-8", "replace")
        with self._open() as table:
            table.execute("INSERT INTO said (at, times, words) VALUES (?, 1, ?)", (_moment(), words))
            table.execute("DELETE FROM said WHERE at < ?", (_moment(self._keep_days),))
            oldest = "SELECT id FROM said ORDER BY id DESC LIMIT -1 OFFSET ?"
            table.execute(f"DELETE FROM said WHERE id IN ({oldest})", (MAX_ROWS,))

    def feedback(self) -> tuple[StoredFeedback, ...]:
        """Return the verdicts, oldest first; nothing is written: the folder may be another's, or for reading only."""
        # A file that somebody is just making holds nothing yet.
        if not self._path.exists() or not self._path.stat().st_size:
            return ()
        address = f"{self._path.absolute().as_uri()}?mode=ro"
        with self._reporting_errors(), closing(sqlite3.connect(address, uri=True)) as table:
            rows = table.execute("SELECT at, words FROM said WHERE typeof(key) <> 'text' ORDER BY id").fetchall()
        return tuple(StoredFeedback(datetime.fromisoformat(at), _FEEDBACK.validate_json(words)) for at, words in rows)

    def forget(self, *, days: int) -> int:
        """Delete what is older than `days`, all of it for 0; how many that were."""
        if not self._path.exists():
            return 0
        with self._open() as table:
            return table.execute("DELETE FROM said WHERE ?1 = 0 OR at < ?2", (days, _moment(days))).rowcount

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the table for a `with` block, which is one transaction."""
        with self._reporting_errors():
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
            with closing(sqlite3.connect(self._path, timeout=10)) as table, table:
                # What is forgotten isn't to be found in the file.
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


def _moment(days: int = 0) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")
