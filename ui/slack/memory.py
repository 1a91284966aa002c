"""Which requests came, and how far each is: on disk, so that no retry and no restart doubles or loses one.

A request goes by several names: the event's id, and the message's place, under which a mention comes twice. It is
waiting, claimed by a worker, answered, or given up. What was asked is kept sealed, and only until it is answered.
"""

import math
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

KEPT_S = 2 * 24 * 3600
"""Seconds that a request is remembered once it is settled; Slack delivers again for a day at most."""
WAITS_S = 24 * 3600
"""Seconds after which an answer is no longer wanted."""

LONGEST_DELAY_S = 60.0
"""Seconds for which a request is put back at most."""

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
CREATE TABLE IF NOT EXISTS names (
    name TEXT PRIMARY KEY,
    request INTEGER NOT NULL REFERENCES requests (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS requests_by_state ON requests (state, not_before);
CREATE INDEX IF NOT EXISTS names_by_request ON names (request);
"""


@dataclass(frozen=True, slots=True)
class TakenRequest:
    """A request that a worker has taken up."""

    id: int
    key: str
    """Names the request in its replies' metadata."""
    sealed: bytes
    attempts: int
    """Counts this one; beyond the first, a part of the reply may be there already."""


class RequestMemory:
    """The requests on disk; several processes may take them in, one at a time works them off.

    For one thread at a time. `now` gives seconds since the epoch.
    """

    def __init__(self, path: Path, *, now: Callable[[], float]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._now = now
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        path.chmod(0o600)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA foreign_keys = ON")
        self._db.execute("PRAGMA secure_delete = ON")
        self._db.executescript(_SCHEMA)

    def close(self) -> None:
        """Let the file go."""
        self._db.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write what is done inside to the disk once, at the end: all of it, or none."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def take_in(self, names: Sequence[str], sealed: bytes) -> bool:
        """Remember a request that goes by `names`; whether there is something to do.

        Known by any of them, it is only given the others as well. One that was given up waits again.
        """
        now = self._now()
        with self.together():
            places = ", ".join("?" * len(names))
            known = self._db.execute(
                f"SELECT r.id, r.state FROM requests r JOIN names n ON n.request = r.id WHERE n.name IN ({places})",
                names,
            ).fetchone()
            if known is None:
                inserted = self._db.execute(
                    "INSERT INTO requests (key, sealed, state, created, not_before) VALUES (?, ?, 'waiting', ?, ?)",
                    (names[-1], sealed, now, now),
                )
                request = inserted.lastrowid
            else:
                request = known[0]
                if known[1] == "given up":
                    # Its attempts go on counting: some of its reply may be there.
                    self._db.execute(
                        "UPDATE requests SET state = 'waiting', sealed = ?, created = ?, not_before = ? WHERE id = ?",
                        (sealed, now, now, request),
                    )
            self._db.executemany(
                "INSERT OR IGNORE INTO names (name, request) VALUES (?, ?)", [(name, request) for name in names]
            )
        return known is None or known[1] == "given up"

    def knows(self, name: str) -> bool:
        """Whether a request of this name came."""
        return self._db.execute("SELECT 1 FROM names WHERE name = ?", (name,)).fetchone() is not None

    def is_full(self, most: int) -> bool:
        """Whether `most` requests wait, or more."""
        found = self._db.execute(
            "SELECT count(*) FROM (SELECT 1 FROM requests WHERE state = 'waiting' LIMIT ?)", (most,)
        ).fetchone()
        return bool(found[0] >= most)

    def claim(self) -> TakenRequest | None:
        """Take up the request that has waited longest; None where none is due."""
        now = self._now()
        # Nothing is put back for longer: what seems to be came before the clock was set back.
        row = self._db.execute(
            "UPDATE requests SET state = 'claimed', attempts = attempts + 1 WHERE id = ("
            "SELECT id FROM requests WHERE state = 'waiting' AND not_before NOT BETWEEN ? AND ? "
            "ORDER BY not_before, id LIMIT 1) RETURNING id, key, sealed, attempts",
            (math.nextafter(now, math.inf), now + LONGEST_DELAY_S),
        ).fetchone()
        return TakenRequest(*row) if row else None

    def settle(self, claim: TakenRequest, *, answered: bool) -> None:
        """Note that a request is answered, or given up; what was asked is forgotten."""
        state = "answered" if answered else "given up"
        self._db.execute("UPDATE requests SET state = ?, sealed = NULL WHERE id = ?", (state, claim.id))

    def put_back(self, claim: TakenRequest, *, delay_s: float) -> None:
        """Let a claimed request wait again, for `delay_s`, or for `LONGEST_DELAY_S` if that is shorter."""
        not_before = self._now() + min(delay_s, LONGEST_DELAY_S)
        self._db.execute(
            "UPDATE requests SET state = 'waiting', not_before = ? WHERE id = ? AND state = 'claimed'",
            (not_before, claim.id),
        )

    def take_over(self) -> None:
        """Put back what a process that is gone had claimed; only for the process that alone works requests off."""
        self._db.execute(
            "UPDATE requests SET state = 'waiting', not_before = ? WHERE state = 'claimed'", (self._now(),)
        )

    def forget(self) -> None:
        """Give up what has waited too long, and forget what nobody will deliver again."""
        now = self._now()
        with self.together():
            self._db.execute(
                "UPDATE requests SET state = 'given up', sealed = NULL WHERE state = 'waiting' AND created < ?",
                (now - WAITS_S,),
            )
            self._db.execute(
                "DELETE FROM requests WHERE state IN ('answered', 'given up') AND created < ?", (now - KEPT_S,)
            )
