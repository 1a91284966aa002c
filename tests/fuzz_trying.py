"""One input tried: with a limit on the processor's time, and what broke told by its place; failing inputs made small."""

import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType

from fuzz_target import Target

_MINIMISING_TRIES = 400


class HangError(BaseException):
    """An input took longer than any may. Not an `Exception`: no handler of the product takes it for one of its own."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What broke and where; two failures of the same kind at the same place are one."""

    kind: str
    """`crash` or `hang`."""
    error: str
    place: str
    """The file and line of ours that the error came out of last."""
    message: str


def arm() -> None:
    """Let `try_input` interrupt what hangs; regular expressions ask for signals too."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise HangError

    signal.signal(signal.SIGVTALRM, stop)


def try_input(target: Target, content: bytes) -> tuple[Failure | None, float]:
    """What breaks with this input, and the seconds of processor time that it took; needs `arm`."""
    began = time.process_time()
    failure = None
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, target.per_input_s)
        try:
            target.check(content)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except HangError as error:
        failure = _failure("hang", error)
    except Exception as error:  # whatever it is: that is what is looked for
        failure = _failure("crash", error)
    return failure, time.process_time() - began


def _failure(kind: str, error: BaseException) -> Failure:
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "site-packages" not in frame.filename and "/lib/python" not in frame.filename and frame.name != "stop"
    ]
    last = frames[-1]
    place = f"{'/'.join(last.filename.split('/')[-2:])}:{last.lineno}"
    return Failure(kind, type(error).__name__, place, " ".join(str(error).split())[:300])


def minimised(
    target: Target, content: bytes, failure: Failure, *, clock: Callable[[], float] = time.process_time
) -> bytes:
    """The smallest input found within some tries that fails alike; `content` itself where it hangs for long."""
    until = clock() + 20
    tries = 0
    size = max(1, len(content) // 2)
    while size and tries < _MINIMISING_TRIES and clock() < until:
        start, shrunk = 0, False
        while start < len(content) and tries < _MINIMISING_TRIES and clock() < until:
            shorter = content[:start] + content[start + size :]
            found, _ = try_input(target, shorter)
            tries += 1
            if found is not None and (found.kind, found.error, found.place) == (
                failure.kind,
                failure.error,
                failure.place,
            ):
                content, shrunk = shorter, True
            else:
                start += size
        if not shrunk or size > len(content):
            size = min(size // 2, len(content) // 2) if len(content) > 1 else 0
    return content
