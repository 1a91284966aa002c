"""Commands that write to an index end cleanly when they are told to: by Ctrl-C, cron, a service manager, `timeout`."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from corpus.errors import RelnotesError

_NAMES = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}


class Interrupted(RelnotesError):
    """Somebody ended the command before it was done."""


@contextmanager
def ending_when_told() -> Iterator[None]:
    """Let a block, or a function that is decorated with it, be ended by Ctrl-C and SIGTERM: what it holds is let go,
    and what it began is undone.

    Raises:
        Interrupted: it was.
    """
    told: list[str] = []

    def tell(number: int, _: object) -> None:
        told.append(_NAMES[signal.Signals(number)])
        raise _Told

    before = {number: signal.signal(number, tell) for number in _NAMES}
    try:
        yield
    except BaseException:
        # Of whatever kind: a library that is being imported makes an error of its own of it.
        if not told:
            raise
        raise Interrupted(
            f"Ended by {told[0]} before it was done. The index is whole; run the same command again to finish."
        ) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Told(BaseException):
    """Not an Exception, which parsers hold up; not a KeyboardInterrupt, for which Python has ends of its own."""
