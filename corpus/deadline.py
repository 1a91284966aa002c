"""Until when somebody waits for what is computed: long work looks here at each step, and ends once nobody does."""

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
    """What a `with` block computes is waited for until then, in seconds of the monotonic clock, or as long as what is
    around it where that is less."""
    before = _until.set(min(until, _until.get()))
    try:
        yield
    finally:
        _until.reset(before)


def left_s() -> float:
    """Seconds for which somebody waits still; without end where nobody set one."""
    return _until.get() - time.monotonic()


def check_time() -> None:
    """End what nobody waits for any more.

    Raises:
        TimeoutError: the time is up.
    """
    if left_s() < 0:
        raise TimeoutError


def waited_for(steps: Iterable[_Step]) -> Iterator[_Step]:
    """Yield the steps one by one, for as long as somebody waits.

    Raises:
        TimeoutError: the time is up.
    """
    for step in steps:
        check_time()
        yield step
