"""How long one call takes of the processor's time, and with which power of an input's size that grows."""

import math
import signal
import time
from collections.abc import Callable, Sequence
from types import FrameType

import numpy as np

Costs = Sequence[tuple[int, float]]
"""Seconds of processor time by size, the smallest first."""


_LEAST_S = 0.016
"""Some systems count the processor's time in steps of 4 ms."""


class _OverError(BaseException):
    """Not an `Exception`: no handler of the product takes it for one of its own."""


def processor_s(call: Callable[[], object], *, limit_s: float) -> float:
    """What a call takes; infinite where it is ended for taking more. Also a search of `re` looks at signals."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _OverError

    usual = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
    began = time.process_time()
    try:
        call()
        return max(time.process_time() - began, 1e-6)
    except _OverError:
        return math.inf
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, usual)


def exponent(costs: Costs) -> float:
    """The slope of log time over log size at the four largest sizes that take long enough to be told: 1 is linear, 0
    what is too quick for it. Infinite where one took too long and fewer than two are left."""
    finite = [cost for cost in costs if _LEAST_S <= cost[1] < math.inf][-4:]
    if len(finite) < 2:
        return math.inf if costs[-1][1] == math.inf else 0.0
    sizes, times = np.log(np.array(finite)).T
    return float(np.polyfit(sizes, times, 1)[0])
