"""The gate: figures that a run must reach."""

import difflib
import math
from collections.abc import Iterable, Mapping

from corpus.errors import UsageError
from evals.metrics import METRIC_NAMES

_ROUNDING = 1e-9


Minimum = tuple[str, float]
"""A metric, and the least value that it must have over all questions."""


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
    return metric, number


def check_minimums(figures: Mapping[str, float], minimums: Iterable[Minimum]) -> list[str]:
    """A line for each of the minimums, in the order given, that figures (by metric) miss or lack."""
    return [
        f"{metric} is {f'{figures[metric]:.4f}' if metric in figures else 'not measured'}, the minimum is {least:g}"
        for metric, least in minimums
        if figures.get(metric, -math.inf) < least - _ROUNDING
    ]
