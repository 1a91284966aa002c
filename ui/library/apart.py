"""Work of an ingest in a process of its own, which can be ended wherever it stands, in a parser's loop too."""

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, Pipe
from typing import TYPE_CHECKING, Protocol, TypeVar

from corpus.children import OUR_PYTHON, PIPE, end_child, start_child
from corpus.errors import RelnotesError

if TYPE_CHECKING:
    from ingest.report import IngestProgress

_LISTEN_S = 0.1
_GRACE_S = 1.0  # Seconds to undo what was begun; an index is whole without that too.
_NOT_FOR_INGESTS = ("RELNOTES_TOKEN", "RELNOTES_LLM", "SLACK_")
_T = TypeVar("_T")


class Runner(Protocol):
    """Where work is done."""

    def __call__(self, work: "Callable[[IngestProgress], _T]", progress: "IngestProgress", /) -> _T:
        """Do `work`, which reports to `progress` how far it is; raises what both raise."""
        ...


@contextmanager
def apart() -> Iterator[Runner]:
    """A `Runner` for picklable pieces of work, one after the other in one process, which ends with the `with` block.

    `progress` hears of no steps ten times a second, and ends the work by raising an error at any of its calls. Where
    the process ends by itself, the runner raises RelnotesError.
    """
    ours, theirs = Pipe()
    # Its standard input ends with this process.
    process = start_child(
        (sys.executable, "-m", __name__, str(theirs.fileno())),
        environment=os.environ,
        keeps=OUR_PYTHON,
        stdin=PIPE,
        descriptors=(theirs.fileno(),),
    )
    theirs.close()
    # What fetching sources needs of secrets, by a way that nobody else can read.
    ours.send({name: value for name, value in os.environ.items() if not name.startswith(_NOT_FOR_INGESTS)})

    def run(work: "Callable[[IngestProgress], _T]", progress: "IngestProgress", /) -> _T:
        try:
            ours.send(work)
            while True:
                if not ours.poll(_LISTEN_S):
                    progress.advance(0)
                    continue
                match ours.recv():
                    case "phase", name, total:
                        progress.phase(name, total)
                        ours.send(None)
                    case "steps", count:
                        progress.advance(count)
                    case "done", value:
                        return value  # type: ignore[no-any-return]
                    case "failed", error, trace:
                        raise error or RuntimeError(trace)
        except (EOFError, OSError):
            end_child(process, within_s=_GRACE_S)
            raise RelnotesError(
                f"Adding stopped before it was done (status {process.returncode}), perhaps for want of memory. The "
                "library is as it was before. Add less at once."
            ) from None

    try:
        yield run
    finally:
        ours.close()
        end_child(process, within_s=_GRACE_S)
        if process.stdin is not None:
            process.stdin.close()


class _SentProgress:
    """`IngestProgress` for the process that waits; a phase begins once that has agreed."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def phase(self, name: str, total: int) -> None:
        self._connection.send(("phase", name, total))
        self._connection.recv()

    def advance(self, count: int) -> None:
        self._connection.send(("steps", count))


def _work_off(connection: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal, which goes to the process that waits as well
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # no Exception, which parsers hold up
    threading.Thread(target=_end_with_parent, daemon=True).start()
    progress = _SentProgress(connection)
    os.environ.update(connection.recv())
    with suppress(EOFError, OSError):
        while True:
            work = connection.recv()
            answer: tuple[object, ...]
            try:
                answer = "done", work(progress)
            except Exception as error:  # raised again where somebody waits
                answer = "failed", error if isinstance(error, RelnotesError) else None, traceback.format_exc()
            connection.send(answer)


def _end_with_parent() -> None:
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    _work_off(Connection(int(sys.argv[1])))
