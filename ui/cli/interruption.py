"""Commands that write to an index end cleanly by Ctrl-C and SIGTERM."""

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from corpus.errors import RelnotesError

_NAMES = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
BY_CTRL_C = 128 + signal.SIGINT  # The exit status that shells give what Ctrl-C ended.
_GRACE_S = 1.0  # Seconds to undo what was begun; an index is whole without that too.


class Interrupted(RelnotesError):
    """Somebody ended the command before it was done."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Ended by {name} before it was done. The index is whole; run the same command again to finish."
        )
        self.exit_status = BY_CTRL_C if name == _NAMES[signal.SIGINT] else 1


@contextmanager
def ending_on_signals() -> Iterator[None]:
    """Let a block, or a function that is decorated with it, be ended by Ctrl-C and SIGTERM: what it holds is closed,
    and what it began is undone. Where that takes over a second, or a call doesn't return, the process ends.

    Raises:
        Interrupted: it was.
    """
    received: list[str] = []

    def interrupt(number: int, _: object) -> None:
        received.append(_NAMES[signal.Signals(number)])
        raise _Signalled

    # Written to where the signal comes in; Python's own handlers wait until a call returns.
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    is_over = threading.Event()
    before = {number: signal.signal(number, interrupt) for number in _NAMES}
    wakeup_before = signal.set_wakeup_fd(writer.fileno())
    threading.Thread(target=_end_anyway, args=(reader, is_over), name="signals", daemon=True).start()
    try:
        yield
    except BaseException:
        # Of whatever kind: a library that is being imported makes an error of its own of it.
        if not received:
            raise
        raise Interrupted(received[0]) from None
    finally:
        is_over.set()
        signal.set_wakeup_fd(wakeup_before)
        writer.close()
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_anyway(hearing: socket.socket, is_over: threading.Event) -> None:
    with hearing:
        while number := hearing.recv(1):
            if number[0] in _NAMES and not is_over.wait(_GRACE_S):
                error = Interrupted(_NAMES[signal.Signals(number[0])])
                print(f"relnotes: {error}", file=sys.stderr, flush=True)  # noqa: T201
                os._exit(error.exit_status)


class _Signalled(BaseException):
    """Not an Exception, which parsers hold up; not a KeyboardInterrupt, for which Python has ends of its own."""
