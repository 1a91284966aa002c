"""A bar on stderr for work that takes a while."""

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn


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
        self._bar: TaskID | None = None

    def __enter__(self) -> "BarProgress":
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def phase(self, name: str, total: int) -> None:
        """Begin a phase of `total` steps; the bar before it goes."""
        if self._bar is not None:
            self._bars.remove_task(self._bar)
        self._bar = self._bars.add_task(name, total=total)

    def advance(self, count: int) -> None:
        """Count `count` more steps of the phase as done."""
        if self._bar is not None:
            self._bars.advance(self._bar, count)
