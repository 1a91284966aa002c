"""What was asked in Slack and how far each request is: on disk, so that no retry and no restart doubles or loses one.

A request is waiting, claimed by a worker, answered, or given up. What was asked is kept sealed, and only until it is
answered.
"""

import base64
import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken
from pydantic import TypeAdapter

from corpus.errors import RelnotesError

KEPT_S = 2 * 24 * 3600
"""Seconds that a request is remembered once it is settled; Slack delivers again for a day at most."""
WAITS_S = 24 * 3600  # Seconds after which an answer is no longer wanted.
LONGEST_DELAY_S = 60.0  # Seconds for which a request is put back at most.
MAX_WAITING = 1_000
"""Requests that wait to be answered; one more is refused. They take minutes to work off: nobody waits for longer."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS requests (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    sealed BLOB,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'claimed', 'answered', 'given up')),
    attempts INTEGER NOT NULL DEFAULT 0,
    created REAL NOT NULL,
    not_before REAL NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS requests_by_key ON requests (key);
CREATE INDEX IF NOT EXISTS requests_by_state ON requests (state, not_before);
"""


class TooManyWaitingError(RelnotesError):
    """So many requests wait already that a further one would be answered too late; it can be sent again."""


class RequestKind(StrEnum):
    """What is to be done."""

    QUESTION = "question"  # Answer a mention or a direct message in its thread.
    COMMAND = "command"  # Answer a slash command, to its user alone.
    MORE = "more"  # List passages beyond an answer's quotes.


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackRequest:
    """One thing asked for."""

    name: str  # The same however often Slack delivers it, and as whichever event.
    kind: RequestKind
    channel: str
    user: str
    text: str  # The question as a person reads it, without our own mention.
    ts: str | None = None  # The message that asks; None for commands and buttons.
    thread_ts: str | None = None  # The thread to answer in; None: only at `response_url`.
    response_url: str | None = None  # Where Slack takes an answer that only the user sees.
    history: tuple[str, ...] = ()  # Earlier questions where they came along; else they are read from the thread.
    is_direct: bool = False  # Asked in a conversation with the bot alone, where every message is meant for it.

    @property
    def is_follow_up(self) -> bool:
        """Whether it was asked inside a thread that began before it."""
        return self.ts is not None and self.thread_ts is not None and self.thread_ts != self.ts


_REQUEST = TypeAdapter(SlackRequest)


@dataclass(frozen=True, slots=True)
class Claim:
    """A request that a worker has taken up."""

    id: int
    request: SlackRequest | None
    """None: it was sealed with another token or by another version, and can't be read any more."""
    attempts: int  # Counts this one; beyond the first, a part of the reply may be there already.


class RequestQueue:
    """The requests on disk; several processes may take them in, one at a time works them off.

    For one thread at a time. They are encrypted with a key made from the bot's token: who can open one can read it in
    Slack as well. `now` gives seconds since the epoch.
    """

    def __init__(self, path: Path, *, token: str, now: Callable[[], float] = time.time) -> None:
        digest = hashlib.sha256(b"relnotes slack memory\0" + token.encode()).digest()
        self._seal = Fernet(base64.urlsafe_b64encode(digest))
        self._now = now
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        path.chmod(0o600)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA secure_delete = ON")
        self._db.executescript(_SCHEMA)

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write what is done inside to the disk once, at the end: all of it, or none."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield

    def enqueue(self, request: SlackRequest) -> bool:
        """Remember a request; whether there is something to do. One that was given up waits again.

        Raises:
            TooManyWaitingError: `MAX_WAITING` others wait.
        """
        (waiting,) = self._db.execute("SELECT count(*) FROM requests WHERE state = 'waiting'").fetchone()
        is_known = self._db.execute("SELECT 1 FROM requests WHERE key = ?", (request.name,)).fetchone() is not None
        if waiting >= MAX_WAITING and not is_known:
            raise TooManyWaitingError(f"{MAX_WAITING:,} requests wait to be answered already.")
        now = self._now()
        # The attempts of one that was given up go on counting: some of its reply may be there.
        taken = self._db.execute(
            "INSERT INTO requests (key, sealed, state, created, not_before) VALUES (?, ?, 'waiting', ?, ?) "
            "ON CONFLICT (key) DO UPDATE SET state = 'waiting', sealed = excluded.sealed, created = excluded.created, "
            "not_before = excluded.not_before WHERE state = 'given up' RETURNING id",
            (request.name, self._seal.encrypt(_REQUEST.dump_json(request)), now, now),
        )
        return taken.fetchone() is not None

    def claim(self) -> Claim | None:
        """Take up the request that has waited longest; None where none is due."""
        now = self._now()
        # Nothing is put back for longer: what seems to be came before the clock was set back.
        row = self._db.execute(
            "UPDATE requests SET state = 'claimed', attempts = attempts + 1 WHERE id = ("
            "SELECT id FROM requests WHERE state = 'waiting' AND (not_before <= ? OR not_before > ?) "
            "ORDER BY not_before, id LIMIT 1) RETURNING id, sealed, attempts",
            (now, now + LONGEST_DELAY_S),
        ).fetchone()
        if row is None:
            return None
        number, sealed, attempts = row
        try:
            request = _REQUEST.validate_json(self._seal.decrypt(sealed))
        except (InvalidToken, ValueError):
            request = None
        return Claim(number, request, attempts)

    def settle(self, claim: Claim, *, answered: bool) -> None:
        """Note that a request is answered, or given up; what was asked is forgotten."""
        state = "answered" if answered else "given up"
        self._db.execute("UPDATE requests SET state = ?, sealed = NULL WHERE id = ?", (state, claim.id))

    def put_back(self, claim: Claim, *, delay_s: float, is_attempt: bool = True) -> None:
        """Let a claimed request wait again, for at most `LONGEST_DELAY_S`. What was no attempt isn't counted, but for
        the first: it may have left a part of the reply."""
        self._db.execute(
            "UPDATE requests SET state = 'waiting', not_before = ?, attempts = max(1, attempts - ?) WHERE id = ?",
            (self._now() + min(delay_s, LONGEST_DELAY_S), 0 if is_attempt else 1, claim.id),
        )

    def requeue_claimed(self) -> None:
        """Put back what a process that is gone had claimed; only for the process that alone works requests off."""
        self._db.execute(
            "UPDATE requests SET state = 'waiting', not_before = ? WHERE state = 'claimed'", (self._now(),)
        )

    def forget(self) -> None:
        """Give up requests that have waited too long, and delete those that Slack won't deliver again."""
        now = self._now()
        self._db.execute(
            "UPDATE requests SET state = 'given up', sealed = NULL WHERE state = 'waiting' AND created < ?",
            (now - WAITS_S,),
        )
        self._db.execute(
            "DELETE FROM requests WHERE state IN ('answered', 'given up') AND created < ?", (now - KEPT_S,)
        )


def open_queue(folder: Path, *, token: str) -> RequestQueue:
    """Return the memory in the bot's folder, which is made if it isn't there.

    Raises:
        RelnotesError: it can't be read or written there.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, "it can't be written to")
        return RequestQueue(folder / "requests.sqlite", token=token)
    except (OSError, sqlite3.Error) as error:
        fault = (error.strerror if isinstance(error, OSError) else None) or error
        raise RelnotesError(
            f"Cannot keep Slack's requests in {str(folder)!r}: {fault}. Name a folder that can be written to in "
            "RELNOTES_SLACK_DIR, or move a damaged requests.sqlite out of it."
        ) from None
