"""How the time of a family of inputs grows with their size.

Time is the processor's, so that a busy machine doesn't matter, and the figure is the exponent: the slope of log time
over log size at the largest sizes. 1 is linear, 2 is quadratic.
"""

import gc
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fuzz_growing import Family
from fuzz_target import Target

MAX_EXPONENT = 1.3
MAX_LINE_EXPONENT = 1.1
"""Of a format's parser, and of what follows it."""
NOTABLE_MS_PER_MIB = 4_000
"""An input that costs less than this a MiB at its largest size is no danger, whatever its exponent."""
_FIRST_BYTES = 8 * 1024
_LAST_BYTES = 1024 * 1024
_POINTS = 4
_MEASURABLE_S = 0.004
_FIRST_S = 0.25
_AGAIN_S = (3.0, 3.0, 6.0)
"""Small sizes deceive on a busy machine: what seems to grow too fast is measured again, up to so many seconds."""


@dataclass(frozen=True, slots=True)
class Growth:
    """What one family costs one target."""

    target: str
    family: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    most: float = MAX_EXPONENT
    """What the exponent may be."""

    @property
    def exponent(self) -> float | None:
        """The slope of log time over log size at the largest sizes; None where all were too quick to tell."""
        points = [
            (math.log(size), math.log(took))
            for size, took in zip(self.sizes, self.seconds, strict=True)
            if took >= _MEASURABLE_S
        ][-_POINTS:]
        if len(points) < 3:
            return None
        mean_x = sum(x for x, _ in points) / len(points)
        mean_y = sum(y for _, y in points) / len(points)
        return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)

    @property
    def ms_per_mib(self) -> float:
        """At the largest size that was tried."""
        return self.seconds[-1] * 1_000 / self.sizes[-1] * 2**20

    @property
    def is_too_steep(self) -> bool:
        """Whether the time grows faster than it may."""
        return self.exponent is not None and self.exponent > self.most

    @property
    def is_defect(self) -> bool:
        """Whether the time grows faster than it may, and to something notable."""
        return self.is_too_steep and self.ms_per_mib > NOTABLE_MS_PER_MIB


def measure_growth(target: Target, name: str, family: Family, *, most: float = MAX_EXPONENT) -> Growth:
    """Double the size to a megabyte, or until one input takes a fraction of a second of processor time.

    Where the time seems to grow too fast, again with more time; each size counts with the least of its measurements.
    Where a way in takes less than `_FIRST_BYTES`, sizes begin at a sixteenth of what it takes.

    Raises what the check raises: an input that grows must not break a promise either.
    """
    target.check(family(_FIRST_BYTES))  # what is compiled and loaded once isn't counted
    grown = _measured(target, name, family, enough_s=_FIRST_S, most=most)
    for enough_s in _AGAIN_S:
        if not grown.is_too_steep:
            break
        known = dict(zip(grown.sizes, grown.seconds, strict=True))
        again = _measured(target, name, family, enough_s=enough_s, most=most)
        least = (min(took, known.get(size, took)) for size, took in zip(again.sizes, again.seconds, strict=True))
        grown = replace(again, seconds=tuple(least))
    return grown


def _measured(target: Target, name: str, family: Family, *, enough_s: float, most: float) -> Growth:
    sizes: list[int] = []
    seconds: list[float] = []
    size = min(_FIRST_BYTES, target.most_bytes // 2**_POINTS)
    while size <= _LAST_BYTES and (not seconds or seconds[-1] < enough_s):
        content = family(size)
        if sizes and len(content) > target.most_bytes:
            break
        gc.collect()
        began = time.process_time()
        target.check(content)
        sizes.append(size)
        seconds.append(time.process_time() - began)
        size *= 2
    return Growth(target.name, name, tuple(sizes), tuple(seconds), most)


def worst_first(grown: Sequence[Growth]) -> list[Growth]:
    """Those with the highest exponents of what is notable first."""
    return sorted(grown, key=lambda growth: (not growth.is_defect, -(growth.exponent or 0), -growth.ms_per_mib))
