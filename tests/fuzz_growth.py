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
FIRST_BYTES = 8 * 1024
LAST_BYTES = 1024 * 1024
_POINTS = 4
_MEASURABLE_S = 0.004
_SMALL_SIZES = (8 * 1024, 16 * 1024, 64 * 1024)
_LARGE_SIZES = (128 * 1024, 256 * 1024, 512 * 1024, LAST_BYTES)
_ENOUGH_S = 60.0
"""Nothing is measured further that takes so long already."""


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


def measure_growth(
    target: Target, name: str, family: Family, *, enough_s: float = 0.5, last_bytes: int = LAST_BYTES
) -> Growth:
    """Double the size from `FIRST_BYTES` to `last_bytes`, or until one input takes `enough_s` of processor time.

    Where a way in takes less than that, from a sixteenth of what it takes.

    Raises what the check raises: an input that grows must not break a promise either.
    """
    sizes: list[int] = []
    seconds: list[float] = []
    size = min(FIRST_BYTES, target.most_bytes // 2**_POINTS)
    while size <= last_bytes:
        content = family(size)
        if sizes and len(content) > target.most_bytes:
            break
        if not sizes:
            target.check(content)  # what is compiled and loaded once isn't counted
        began = time.process_time()
        target.check(content)
        sizes.append(size)
        seconds.append(time.process_time() - began)
        if seconds[-1] >= enough_s:
            break
        size *= 2
    return Growth(target.name, name, tuple(sizes), tuple(seconds))


def measure_to_a_megabyte(target: Target, name: str, family: Family) -> Growth:
    """What a family of lines costs at small sizes, and to a megabyte where it seems to grow too fast there.

    What a busy machine makes of it shows in the lowest of up to four measurements.
    """
    target.check(family(_SMALL_SIZES[0]))
    small = _lowest(target, name, family, _SMALL_SIZES)
    return _lowest(target, name, family, _LARGE_SIZES) if small.is_too_steep else small


def _lowest(target: Target, name: str, family: Family, sizes: Sequence[int]) -> Growth:
    one = _measured(target, name, family, sizes)
    for _ in range(3):
        if not one.is_too_steep:
            break
        again = _measured(target, name, family, one.sizes)
        one = replace(again, seconds=tuple(map(min, one.seconds, again.seconds)))
    return one


def _measured(target: Target, name: str, family: Family, sizes: Sequence[int]) -> Growth:
    seconds: list[float] = []
    for size in sizes:
        content = family(size)
        gc.collect()
        began = time.process_time()
        target.check(content)
        seconds.append(time.process_time() - began)
        if seconds[-1] > _ENOUGH_S:
            break
    return Growth(target.name, name, tuple(sizes[: len(seconds)]), tuple(seconds), most=MAX_LINE_EXPONENT)


def worst_first(grown: Sequence[Growth]) -> list[Growth]:
    """Those with the highest exponents of what is notable first."""
    return sorted(grown, key=lambda one: (not one.is_defect, -(one.exponent or 0), -one.ms_per_mib))
