"""Commands that write to an index end cleanly when they are told to: by Ctrl-C, cron, a service manager, `timeout`."""

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from corpus.errors import RelnotesError

_NAMES = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
_GRACE_S = 1.0
"""What is told to end gets so long to undo what it began; an index is whole without that too."""


class Interrupted(RelnotesError):
    """Somebody ended the command before it was done."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Ended by {name} before it was done. The index is whole; run the same command again to finish."
        )


@contextmanager
def ending_when_told() -> Iterator[None]:
    """Let a block, or a function that is decorated with it, be ended by Ctrl-C and SIGTERM: what it holds is let go,
    and what it began is undone. Where that takes over a second, or a call never looks up from its work, the process
    ends.

    Raises:
        Interrupted: it was.
    """
    told: list[str] = []

    def tell(number: int, _: object) -> None:
        told.append(_NAMES[signal.Signals(number)])
        raise _Told

    # Written to where the signal comes in; Python's own handlers wait until a call returns.
    hearing, telling = socket.socketpair()
    telling.setblocking(False)
    is_over = threading.Event()
    before = {number: signal.signal(number, tell) for number in _NAMES}
    told_before = signal.set_wakeup_fd(telling.fileno())
    threading.Thread(target=_end_anyway, args=(hearing, is_over), name="signals", daemon=True).start()
    try:
        yield
    except BaseException:
        # Of whatever kind: a library that is being imported makes an error of its own of it.
        if not told:
            raise
        raise Interrupted(told[0]) from None
    finally:
        is_over.set()
        signal.set_wakeup_fd(told_before)
        telling.close()
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_anyway(hearing: socket.socket, is_over: threading.Event) -> None:
    with hearing:
        while number := hearing.recv(1):
            if number[0] in _NAMES and not is_over.wait(_GRACE_S):
                print(f"relnotes: {Interrupted(_NAMES[signal.Signals(number[0])])}", file=sys.stderr, flush=True)  # noqa: T201
                os._exit(1)


class _Told(BaseException):
    """Not an Exception, which parsers hold up; not a KeyboardInterrupt, for which Python has ends of its own."""
