"""Commands that write to an index end cleanly when they are told to: by Ctrl-C, cron, a service manager, `timeout`."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from corpus.errors import RelnotesError


class Interrupted(RelnotesError):
    """Somebody ended the command before it was done."""


@contextmanager
def ending_when_told() -> Iterator[None]:
    """Let a `with` block be ended by SIGTERM as by Ctrl-C: what it holds is let go, and what it began is undone.

    Raises:
        Interrupted: it was.
    """
    before = signal.signal(signal.SIGTERM, _raise)
    try:
        yield
    except KeyboardInterrupt as error:
        name = "SIGTERM" if isinstance(error, _Terminated) else "Ctrl-C"
        raise Interrupted(
            f"Ended by {name} before it was done. The index is whole; run the same command again to finish."
        ) from None
    finally:
        signal.signal(signal.SIGTERM, before)


class _Terminated(KeyboardInterrupt):
    """SIGTERM, on the way that Python gives to Ctrl-C: no parser's `except Exception` holds it up."""


def _raise(*_: object) -> None:
    raise _Terminated
