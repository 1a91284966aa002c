"""The gate: figures that a run must reach."""

import difflib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corpus.errors import UsageError
from evals.metrics import METRIC_NAMES

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Minimum:
    """The least value that a metric must have over all questions."""

    metric: str
    value: float


@dataclass(frozen=True, slots=True)
class MissedMinimum:
    """A minimum that wasn't reached; `measured` is None where the run has no question for the metric."""

    minimum: Minimum
    measured: float | None

    def __str__(self) -> str:
        measured = "not measured" if self.measured is None else f"{self.measured:.4f}"
        return f"{self.minimum.metric} is {measured}, the minimum is {self.minimum.value:g}"


def parse_minimum(text: str) -> Minimum:
    """Parse `METRIC=VALUE`.

    Raises:
        UsageError: no `=`, an unknown metric, or a value that isn't a finite number.
    """
    metric, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise UsageError(f"A minimum is METRIC=VALUE, such as recall@5=0.85, got {text!r}.")
    if metric not in METRIC_NAMES:
        close = difflib.get_close_matches(metric, METRIC_NAMES, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(METRIC_NAMES)}."
        raise UsageError(f"Unknown metric {metric!r} in {text!r}: {hint}")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"The minimum of {metric} must be a number, got {value!r}.")
    return Minimum(metric, number)


def check_minimums(figure: Callable[[str], float | None], minimums: Sequence[Minimum]) -> tuple[MissedMinimum, ...]:
    """The minimums that figures miss, in the order given; `figure` gives one by its metric. What wasn't measured is
    missed."""
    checked = (MissedMinimum(minimum, figure(minimum.metric)) for minimum in minimums)
    return tuple(miss for miss in checked if miss.measured is None or miss.measured < miss.minimum.value - _ROUNDING)
