"""Shows the progress of long work on stderr."""

import logging
import sys
import time

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task
from rich.text import Text

_logger = logging.getLogger(__name__)
_LINE_S = 10.0
_PACE_S = 600.0
"""Seconds over which the pace is averaged for the time left: a cluster's results come by the minute."""


class _LineColumn(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(_line(task))


class BarProgress:
    """Shows one bar at a time on a terminal, removed when done; elsewhere prints a line every ten seconds."""

    def __init__(self, *, is_shown: bool = True) -> None:
        console = Console(stderr=True)
        self._bars = Progress(
            BarColumn(),
            _LineColumn(),
            console=console,
            transient=True,
            speed_estimate_period=_PACE_S,
            disable=not (is_shown and console.is_terminal),
        )
        self._prints_lines = is_shown and not console.is_terminal
        self._printed_at = time.monotonic()

    def __enter__(self) -> "BarProgress":
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def phase(self, name: str, total: int) -> None:
        """Begin a phase of `total` steps, and remove the bar of the last one."""
        for bar in self._bars.task_ids:
            self._bars.remove_task(bar)
        self._bars.add_task(name, total=total if total > 1 else None)
        _logger.debug("%s: %d", name, total)

    def advance(self, count: int) -> None:
        """Count `count` more steps of the phase as done; print a line if none was printed for ten seconds."""
        for bar in self._bars.task_ids:
            self._bars.advance(bar, count)
        if self._prints_lines and time.monotonic() > self._printed_at + _LINE_S:
            self._printed_at = time.monotonic()
            sys.stderr.writelines(f"{_line(phase)}\n" for phase in self._bars.tasks)
            sys.stderr.flush()


def _line(phase: Task) -> str:
    """Return the phase in one line, counted if it has several steps, with the seconds left if a pace is known."""
    count = f": {phase.completed:,} of {phase.total:,}" if phase.total and phase.total > 1 else ""
    text = f"{phase.description}{count} after {phase.elapsed or 0:,.0f} s"
    return f"{text}, some {phase.time_remaining:,.0f} s left" if phase.time_remaining else text
