"""The Quality tab's pictures: bars with their intervals inside a table, and figures over the runs as lines.

SVG by hand, drawn here: places are in per cent, so that a picture takes the width it gets and its text keeps its size.
Each stands beside, or in, a table that says the same.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from evals.last_run import Mean
from ui.web.escaping import escape
from ui.web.quality.measures import kind_title

_LEFT, _RIGHT, _TOP, _HEIGHT = 8.0, 98.0, 10, 190
_BOTTOM = 160
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_LINES = 6
"""Styles of lines in quality.css; a seventh line begins with the first again."""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A named line over the runs: at `places` (0 is the oldest run) these `values`, 0 to 1."""

    name: str
    places: tuple[int, ...]
    values: tuple[float, ...]


def render_bars(means: Sequence[Mean], *, caption: str) -> str:
    """A table with a row for each mean: name, bar with its interval, value, interval, questions."""
    rows = "".join(
        f'<tr><th scope="row">{escape(kind_title(mean.name))}</th>'
        f'<td class="rn-bar-cell">{_bar(mean)}</td><td class="rn-number">{percent(mean.value)}</td>'
        f'<td class="rn-number">{percent(mean.low)} to {percent(mean.high)}</td>'
        f'<td class="rn-number">{mean.questions}</td></tr>'
        for mean in means
    )
    return (
        '<div class="rn-scroll" tabindex="0" role="region" aria-label="By kind of question">'
        f'<table class="rn-table rn-bars"><caption>{escape(caption)}</caption>'
        f'<thead><tr><th scope="col">Kind</th><td class="rn-bar-cell"></td>'
        '<th scope="col" class="rn-number">Share</th><th scope="col" class="rn-number">95 % interval</th>'
        f'<th scope="col" class="rn-number">Questions</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def render_lines(lines: Sequence[ChartLine], *, title: str, runs: Sequence[str]) -> str:
    """A picture of the lines over `runs`, which are named by their dates, and a legend with the last values."""
    grid = "".join(
        f'<line x1="{_LEFT}%" x2="{_RIGHT}%" y1="{_y(tick):g}" y2="{_y(tick):g}" class="rn-grid"/>'
        f'<text x="{_LEFT - 1}%" y="{_y(tick) + 4:g}" text-anchor="end">{tick:.0%}</text>'
        for tick in _TICKS
    )
    ends = (
        f'<text x="{_LEFT}%" y="{_HEIGHT - 8}">{escape(runs[0])}</text>'
        f'<text x="{_RIGHT}%" y="{_HEIGHT - 8}" text-anchor="end">{escape(runs[-1]) if len(runs) > 1 else ""}</text>'
    )
    drawn = "".join(_line(line, number, runs) for number, line in enumerate(lines))
    legend = "".join(
        f'<li><svg width="28" height="12" aria-hidden="true"><line x1="1" x2="27" y1="6" y2="6" '
        f'class="rn-line rn-line-{number % _LINES}"/></svg>{escape(line.name)} '
        f"<strong>{percent(line.values[-1])}</strong></li>"
        for number, line in enumerate(lines)
    )
    return (
        f'<figure class="rn-history"><svg role="img" width="100%" height="{_HEIGHT}" aria-label="{escape(title)}">'
        f'{grid}{ends}{drawn}</svg><figcaption><ul class="rn-legend">{legend}</ul></figcaption></figure>'
    )


def percent(share: float) -> str:
    """A share as per cent with one digit: 73.5 %, 100 %."""
    text = f"{share * 100:.1f}".removesuffix(".0")
    return f"{text}\u202f%"


def _bar(mean: Mean) -> str:
    whole, low, high = (f"{value * 100:.2f}%" for value in (mean.value, mean.low, mean.high))
    return (
        '<svg width="100%" height="18" aria-hidden="true">'
        '<rect width="100%" height="10" y="4" rx="2" class="rn-bar-ground"/>'
        f'<rect width="{whole}" height="10" y="4" rx="2" class="rn-bar-value"/>'
        f'<g class="rn-whisker"><line x1="{low}" x2="{high}" y1="9" y2="9"/>'
        f'<line x1="{low}" x2="{low}" y1="5" y2="13"/>'
        f'<line x1="{high}" x2="{high}" y1="5" y2="13"/></g></svg>'
    )


def _line(line: ChartLine, number: int, runs: Sequence[str]) -> str:
    points = [(_x(place, len(runs)), _y(value)) for place, value in zip(line.places, line.values, strict=True)]
    style = number % _LINES
    strokes = "".join(
        f'<line x1="{x1:g}%" y1="{y1:g}" x2="{x2:g}%" y2="{y2:g}" class="rn-line rn-line-{style}"/>'
        for (x1, y1), (x2, y2) in itertools.pairwise(points)
    )
    dots = "".join(
        f'<circle cx="{x:g}%" cy="{y:g}" r="3.5" class="rn-dot rn-line-{style}">'
        f"<title>{escape(line.name)}, {escape(runs[place])}: {percent(value)}</title></circle>"
        for (x, y), place, value in zip(points, line.places, line.values, strict=True)
    )
    return strokes + dots


def _x(place: int, runs: int) -> float:
    return round(_LEFT + 1 + (place / (runs - 1) if runs > 1 else 0.5) * (_RIGHT - _LEFT - 2), 2)


def _y(value: float) -> float:
    return round(_BOTTOM - value * (_BOTTOM - _TOP), 1)
