"""How far work is that takes a while, on stderr."""

import logging
import sys
import threading
import time
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

_logger = logging.getLogger(__name__)
_LINE_S = 10.0
_PACE_S = 600.0
"""Of how many seconds the pace counts for what a bar says is left: parcels of a cluster come by the minute."""


@dataclass
class Phase:
    """How far one phase of the work is, in seconds of a clock that only goes on."""

    name: str
    total: int
    began: float = field(default_factory=time.monotonic)
    done: int = 0
    _first: tuple[float, int] | None = None
    """When the first steps were done and how many: what was done before, and waiting for workers, tell no pace."""

    def advance(self, count: int, *, now: float | None = None) -> None:
        """Count `count` more steps as done."""
        self.done += count
        if self._first is None and count:
            self._first = (time.monotonic() if now is None else now, self.done)

    def line(self, now: float) -> str:
        """Return the phase in one line; what is left at the pace so far, once there is one."""
        done, first = self.done, self._first
        count = f": {done:,} of {self.total:,}" if self.total > 1 else ""
        told = f"{self.name}{count} after {now - self.began:,.0f} s"
        if first is None or not first[1] < done < self.total:
            return told
        return f"{told}, some {(now - first[0]) * (self.total - done) / (done - first[1]):,.0f} s left"


class BarProgress:
    """One bar at a time on a terminal, gone when the work is done; elsewhere a line each ten seconds."""

    def __init__(self, *, line_s: float = _LINE_S, is_shown: bool = True) -> None:
        """`line_s` are the seconds from one line to the next where there is no terminal."""
        console = Console(stderr=True)
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            speed_estimate_period=_PACE_S,
            disable=not (is_shown and console.is_terminal),
        )
        self._line_s = line_s
        self._over = threading.Event()
        self._phase: Phase | None = None
        self._lines = threading.Thread(target=self._tell, daemon=True) if is_shown and not console.is_terminal else None

    def __enter__(self) -> "BarProgress":
        self._bars.start()
        if self._lines:
            self._lines.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()
        self._over.set()
        if self._lines:
            self._lines.join()

    def phase(self, name: str, total: int) -> None:
        """Begin a phase of `total` steps; the bar before it goes."""
        for bar in self._bars.task_ids:
            self._bars.remove_task(bar)
        self._bars.add_task(name, total=total)
        self._phase = Phase(name, total)
        _logger.debug("%s: %d", name, total)

    def advance(self, count: int) -> None:
        """Count `count` more steps of the phase as done."""
        for bar in self._bars.task_ids:
            self._bars.advance(bar, count)
        if self._phase:
            self._phase.advance(count)

    def _tell(self) -> None:
        while not self._over.wait(self._line_s):
            if phase := self._phase:
                sys.stderr.write(f"{phase.line(time.monotonic())}\n")
                sys.stderr.flush()
