"""What people think of answers, and what they asked in vain: rows of one SQLite table, for all entrances over an index.

A client has one verdict an answer, in a row of its own. A question without an answer is one row, with how often and
when it was asked last. Its owner alone may read the file, and who said or asked something isn't kept: beside a verdict
stands a digest of its client and answer, made with a key that is lost when the process ends.
"""

import hashlib
import json
import logging
import os
import secrets
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from corpus.errors import RelnotesError
from ui.log import redact
from ui.settings import IndexSettings

_LOG = logging.getLogger("relnotes.questions")
_RETENTION_LOG = logging.getLogger("relnotes.retention")
FEEDBACK_FILE = "feedback.sqlite"
MAX_FEEDBACK_BYTES = 8 * 1024 * 1024  # Of all verdicts; where there are so many, none is taken.
MAX_VERDICTS_AN_HOUR = 30  # Of one client.
MAX_UNANSWERED = 200  # Questions without an answer; the one that was asked longest ago makes room.
MAX_REASON_CHARACTERS = 1_000
_PATIENCE_S = 10
_FORGETS_EVERY_S = 6 * 3600.0
_HOUR_S = 3600
# A question's key is text; a verdict's is bytes, or none where an earlier relnotes wrote it. The rows of either kind
# stand in the order in which they were last said.
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


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question without an answer, as it was last put."""

    question: str
    times: int
    last_asked: datetime


_BYTES = "SELECT coalesce(sum(length(words)), 0) FROM said WHERE typeof(key) <> 'text'"
_FEEDBACK = TypeAdapter(Feedback)
_KEY = secrets.token_bytes(32)


class FeedbackRefused(RelnotesError):
    """A verdict isn't kept; `wait_s`, where it is known, tells when it may be."""

    def __init__(self, message: str, *, wait_s: int | None = None) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class FeedbackLog:
    """The table; safe to share between threads and processes. A file that isn't there holds nothing; RelnotesError is
    raised where one can't be read or written."""

    def __init__(
        self,
        path: Path,
        *,
        now: Callable[[], float] = time.time,
        with_questions: bool = True,
        max_bytes: int = MAX_FEEDBACK_BYTES,
        max_unanswered: int = MAX_UNANSWERED,
    ) -> None:
        self._path = path
        self._now = now
        self._with_questions = with_questions
        self._max_bytes = max_bytes
        self._max_unanswered = max_unanswered
        self._lately: deque[tuple[float, str]] = deque()  # When who gave a verdict.
        self._lock = threading.Lock()

    def add(self, feedback: Feedback, *, client: str) -> None:
        """Keep a verdict, in place of what the same client said of the same answer; without secrets in what a person
        wrote. Quotes are of documents, and stay what they are.

        Raises:
            FeedbackRefused: there is no more room, or the client said too much within an hour.
        """
        self._count(client)
        answer = asdict(replace(feedback, good=False, reason=None))
        said_by = json.dumps([answer, client]).encode()
        key = hashlib.blake2b(said_by, key=_KEY, digest_size=16).digest()
        question = feedback.question if self._with_questions else None
        kept = replace(
            feedback,
            question=question and redact(question),
            reason=feedback.reason and redact(feedback.reason),
            history=tuple(map(redact, feedback.history)),
        )
        words = json.dumps(asdict(kept), ensure_ascii=False).encode("utf-8", "replace")
        with self._told("keep the feedback in", advice=" Let the server write there."), self._open() as table:
            if table.execute(_BYTES).fetchone()[0] >= self._max_bytes:
                raise FeedbackRefused(
                    "There is no room for more feedback. Tell whoever runs this server: `relnotes feedback` says more."
                )
            said = (self._moment(), key, words)
            table.execute("INSERT OR REPLACE INTO said (at, key, times, words) VALUES (?, ?, 1, ?)", said)

    def _count(self, client: str) -> None:
        with self._lock:
            while self._lately and self._lately[0][0] <= self._now() - _HOUR_S:
                self._lately.popleft()
            if sum(said_by == client for _, said_by in self._lately) >= MAX_VERDICTS_AN_HOUR:
                raise FeedbackRefused(
                    f"You gave {MAX_VERDICTS_AN_HOUR} verdicts within an hour. Give this one later.", wait_s=_HOUR_S
                )
            # Before it is kept: many come at once.
            self._lately.append((self._now(), client))

    @property
    def is_full(self) -> bool:
        """Whether verdicts are refused for want of room."""
        return any(taken >= self._max_bytes for (taken,) in self._rows(_BYTES))

    def add_unanswered(self, question: str) -> None:
        """Keep a question, or count it once more, whatever its case, spacing or last mark; what fails is logged
        alone."""
        words = redact(" ".join(question.split())).encode("utf-8", "replace")
        key = " ".join(words.decode().casefold().split()).rstrip(" ?!.")
        try:
            with self._open() as table:
                table.execute(
                    "INSERT OR REPLACE INTO said (at, key, times, words) VALUES "
                    "(?, ?, 1 + coalesce((SELECT times FROM said WHERE key = ?), 0), ?)",
                    (self._moment(), key, key, words),
                )
                table.execute(
                    "DELETE FROM said WHERE id IN "
                    "(SELECT id FROM said WHERE typeof(key) = 'text' ORDER BY id DESC LIMIT -1 OFFSET ?)",
                    (self._max_unanswered,),
                )
        except (OSError, sqlite3.Error) as error:
            _LOG.warning("Cannot keep a question without an answer in %s: %s", self._path, error)

    def feedback(self) -> tuple[StoredFeedback, ...]:
        """The verdicts, oldest first."""
        rows = self._rows("SELECT at, words FROM said WHERE typeof(key) <> 'text' ORDER BY id")
        return tuple(StoredFeedback(datetime.fromisoformat(at), _FEEDBACK.validate_json(words)) for at, words in rows)

    def unanswered(self) -> tuple[Unanswered, ...]:
        """The questions without an answer, asked last first."""
        rows = self._rows("SELECT words, times, at FROM said WHERE typeof(key) = 'text' ORDER BY id DESC")
        return tuple(Unanswered(words.decode(), times, datetime.fromisoformat(at)) for words, times, at in rows)

    def forget_before(self, moment: datetime | None) -> int:
        """Delete what is from before `moment`, all of it without one; how many verdicts and questions that were."""
        if not self._path.exists():
            return 0
        with self._told("delete from"), self._open() as table:
            before = "" if moment is None else moment.astimezone(UTC).isoformat(timespec="seconds")
            return table.execute("DELETE FROM said WHERE ? = '' OR at < ?", (before, before)).rowcount

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        """What is read without writing: the folder may be another's, or for reading only."""
        # A file that somebody is just making holds nothing yet.
        if not self._path.exists() or not self._path.stat().st_size:
            return []
        address = f"{self._path.absolute().as_uri()}?mode=ro"
        with self._told("read the feedback in"), closing(sqlite3.connect(address, uri=True)) as table:
            return table.execute(query).fetchall()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """The table for a `with` block, which is one transaction."""
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        with closing(sqlite3.connect(self._path, timeout=_PATIENCE_S)) as table, table:
            # What is forgotten isn't to be found in the file.
            table.execute("PRAGMA secure_delete = ON")
            table.execute(_SCHEMA)
            yield table

    @contextmanager
    def _told(self, act: str, *, advice: str = "") -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or error
            raise RelnotesError(f"Cannot {act} {str(self._path)!r}: {reason}.{advice}") from None

    def _moment(self) -> str:
        return datetime.fromtimestamp(self._now(), UTC).isoformat(timespec="seconds")


def feedback_logs(settings: IndexSettings) -> tuple[FeedbackLog, ...]:
    """All that the entrances over an index may have written to: the Slack bot can have a folder elsewhere."""
    folders = (settings.index, settings.slack_dir)
    return tuple(FeedbackLog(folder / FEEDBACK_FILE) for folder in folders if folder is not None)


class Retention(threading.Thread):
    """A thread that deletes what is older than `days` from the logs, at the start and every six hours."""

    def __init__(
        self, logs: Sequence[FeedbackLog], *, days: int, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        super().__init__(name="retention", daemon=True)
        self._logs = logs
        self._days = days
        self._now = now
        self._over = threading.Event()

    def close(self) -> None:
        self._over.set()

    def forget(self) -> int:
        """Do it once; how much was deleted. What can't be written is logged."""
        before = self._now() - timedelta(days=self._days)
        deleted = 0
        for log in self._logs:
            try:
                deleted += log.forget_before(before)
            except RelnotesError as error:
                _RETENTION_LOG.warning("%s", error)
        return deleted

    def run(self) -> None:
        while True:
            self.forget()
            if self._over.wait(_FORGETS_EVERY_S):
                return
