"""Ingests that people start over the page: one at a time, watched and cancelled from elsewhere."""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from corpus.errors import IndexBusy, RelnotesError

if TYPE_CHECKING:
    from corpus.embedding import Embedder
    from ingest.pipeline import IngestProgress, IngestReport
    from ingest.sources.connectors import Connectors
    from ingest.sources.files import FailedSource

_LOG = logging.getLogger("relnotes.ingests")
_COMMITTING = "Committing"


@dataclass(frozen=True, slots=True)
class IngestTools:
    """The index, and how to open what brings documents into it: where the work is done, and when it begins."""

    index: Path
    open_embedder: "Callable[[], Embedder]"
    open_connectors: "Callable[[], Connectors]"


class IngestCancelled(RelnotesError):
    """The ingest was called off; the index is as it was."""


@dataclass(frozen=True, slots=True)
class IngestOutcome:
    """How an ingest ended: with a report, or with what stopped it; which uploads are documents now, and which were
    refused."""

    report: "IngestReport | None" = None
    refused: "tuple[FailedSource, ...]" = ()
    kept: tuple[str, ...] = ()
    error: str = ""
    is_cancelled: bool = False


@dataclass(frozen=True, slots=True)
class IngestState:
    """How far an ingest is; `outcome` once it has ended."""

    subject: str
    phase: str = "Starting"
    done: int = 0
    total: int = 0
    is_cancelled: bool = False
    outcome: IngestOutcome | None = None


IngestWork: TypeAlias = "Callable[[IngestProgress], IngestOutcome]"


class IngestJob:
    """One ingest, as a state for who watches and as `IngestProgress` for the pipeline, whose calls raise
    IngestCancelled once it was called off."""

    def __init__(self, subject: str) -> None:
        self._lock = threading.Lock()
        self.state = IngestState(subject)  # How far it is; replaced as it goes on.

    def cancel(self) -> None:
        """Call it off; what is being committed at this moment is done all the same."""
        with self._lock:
            self.state = replace(self.state, is_cancelled=True)

    def phase(self, name: str, total: int) -> None:
        with self._lock:
            self._check()
            self.state = replace(self.state, phase=name, done=0, total=total)

    def advance(self, count: int) -> None:
        with self._lock:
            # From here on there is nothing to call off.
            if self.state.phase != _COMMITTING:
                self._check()
            self.state = replace(self.state, done=self.state.done + count)

    def _check(self) -> None:
        if self.state.is_cancelled:
            raise IngestCancelled("Cancelled. The library is as it was before.")

    def finish(self, outcome: IngestOutcome) -> None:
        with self._lock:
            self.state = replace(self.state, outcome=outcome)


class IngestDesk:
    """Where ingests are started, or IndexBusy raised while one is under way; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.latest: IngestJob | None = None  # The ingest that was started last; None where none was.
        self._ended: Counter[str] = Counter()

    @property
    def ended(self) -> Mapping[str, int]:
        """How many ingests ended how."""
        with self._lock:
            return {end: self._ended[end] for end in ("done", "failed", "cancelled")}

    @property
    def running(self) -> IngestJob | None:
        job = self.latest
        return job if job is not None and job.state.outcome is None else None

    def check_free(self) -> None:
        """Refuse to begin where something is under way."""
        if (running := self.running) is not None:
            raise IndexBusy(
                f"Something else is being added at the moment ({running.state.subject}). Wait until it is done."
            )

    def start(self, subject: str, work: IngestWork) -> IngestJob:
        with self._lock:
            self.check_free()
            job = self.latest = IngestJob(subject)
        threading.Thread(target=self._run, args=(job, work), name="ingest", daemon=True).start()
        return job

    def _run(self, job: IngestJob, work: IngestWork) -> None:
        try:
            outcome = work(job)
        except IngestCancelled as error:
            outcome = IngestOutcome(error=str(error), is_cancelled=True)
        except IndexBusy:
            # Its own words name the place of the index on this machine.
            outcome = IngestOutcome(
                error="Something else is being added on the server at the moment. Wait until it is done and try again."
            )
        except RelnotesError as error:
            outcome = IngestOutcome(error=str(error))
        except Exception:
            _LOG.exception("defect")
            outcome = IngestOutcome(error="relnotes met an error it didn't expect; the server's log has it.")
        with self._lock:
            # Of what is done, some documents may have failed.
            self._ended["cancelled" if outcome.is_cancelled else "failed" if outcome.error else "done"] += 1
        job.finish(outcome)
