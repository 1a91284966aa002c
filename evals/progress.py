"""Progress of evaluations on standard error."""

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn


class TerminalProgress:
    """A bar for each phase, on standard error only; silent where that is no terminal."""

    def __init__(self) -> None:
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(file=sys.stderr),
            disable=not sys.stderr.isatty(),
        )
        self._task: TaskID | None = None

    def __enter__(self) -> "TerminalProgress":
        self._bars.start()
        return self

    def __exit__(self, *details: object) -> None:
        self._bars.stop()

    def phase(self, name: str, total: int) -> None:
        """Begin a new bar."""
        self._task = self._bars.add_task(name, total=total)

    def advance(self, count: int) -> None:
        """Move the current bar on."""
        if self._task is not None:
            self._bars.advance(self._task, count)
