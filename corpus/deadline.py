"""The time until which a caller waits: long computations check it at each step, and stop once it is over."""

import math
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

_Step = TypeVar("_Step")
_until = ContextVar("until", default=math.inf)


@contextmanager
def waited_until(until: float) -> Iterator[None]:
    """Set the deadline of a `with` block, in seconds of the monotonic clock; an earlier outer one stays in force."""
    before = _until.set(min(until, _until.get()))
    try:
        yield
    finally:
        _until.reset(before)


def left_s() -> float:
    """Return the seconds left before the deadline, negative after it; infinity if there is none."""
    return _until.get() - time.monotonic()


def check_time() -> None:
    """Stop a computation whose caller has stopped waiting.

    Raises:
        TimeoutError: the time is up.
    """
    if left_s() < 0:
        raise TimeoutError


def waited_for(steps: Iterable[_Step]) -> Iterator[_Step]:
    """Yield the steps one by one; the deadline is checked before each.

    Raises:
        TimeoutError: the time is up.
    """
    for step in steps:
        check_time()
        yield step
