"""How far work is that takes a while, on stderr."""

import sys
import threading
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

_LINE_S = 10.0


class BarProgress:
    """One bar at a time on a terminal, gone when the work is done; elsewhere a line each ten seconds."""

    def __init__(self, *, line_s: float = _LINE_S) -> None:
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
            disable=not console.is_terminal,
        )
        self._line_s = line_s
        self._over = threading.Event()
        self._lines = None if console.is_terminal else threading.Thread(target=self._tell, daemon=True)

    def __enter__(self) -> "BarProgress":
        self._bars.start()
        if self._lines:
            self._lines.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()
        self._over.set()
        if self._lines:
            self._lines.join()

    def phase(self, name: str, total: int) -> None:
        """Begin a phase of `total` steps; the bar before it goes."""
        for bar in self._bars.task_ids:
            self._bars.remove_task(bar)
        self._bars.add_task(name, total=total)

    def advance(self, count: int) -> None:
        """Count `count` more steps of the phase as done."""
        for bar in self._bars.task_ids:
            self._bars.advance(bar, count)

    def _tell(self) -> None:
        while not self._over.wait(self._line_s):
            for bar in self._bars.tasks:
                left = "" if not bar.time_remaining else f", some {bar.time_remaining:.0f} s left"
                sys.stderr.write(f"{bar.description}: {bar.completed:,.0f} of {bar.total or 0:,.0f}{left}\n")
                sys.stderr.flush()
