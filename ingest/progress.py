"""A bar on stderr for work that takes a while."""

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class BarProgress:
    """One bar at a time; shown on a terminal only, and gone when the work is done."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )

    def __enter__(self) -> "BarProgress":
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def phase(self, name: str, total: int) -> None:
        """Begin a phase of `total` steps; the bar before it goes."""
        for bar in self._bars.task_ids:
            self._bars.remove_task(bar)
        self._bars.add_task(name, total=total)

    def advance(self, count: int) -> None:
        """Count `count` more steps of the phase as done."""
        for bar in self._bars.task_ids:
            self._bars.advance(bar, count)
