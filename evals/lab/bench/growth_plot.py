"""Plots of growth as SVG by hand, both axes logarithmic: a straight line that rises by a decade a decade is linear."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

_SIDE_X, _SIDE_Y = 300, 220
_LEFT, _TOP, _GAP = 62, 34, 74
_LEGEND_STEP = 118
_COLOURS = ("#1f5fae", "#b8480f", "#2e7d4f", "#8a4fa8", "#8a6d00", "#777777")
"""Dark enough on white, and apart for those who see no red or green: the first stands for relnotes."""


@dataclass(frozen=True, slots=True)
class GrowthCurve:
    """A named line through points (passages, value), all above 0."""

    name: str
    points: Sequence[tuple[float, float]]
    is_dashed: bool = False


@dataclass(frozen=True, slots=True)
class GrowthPanel:
    """Curves over the number of passages; `y` names the measure with its unit."""

    y: str
    curves: tuple[GrowthCurve, ...]


def render_growth(panels: Sequence[GrowthPanel]) -> str:
    """Panels side by side with one legend, as a whole SVG document; the same input gives the same bytes.

    A curve has the same colour in each panel. Panels without a point are drawn empty.
    """
    width = _LEFT + len(panels) * (_SIDE_X + _GAP) - _GAP + 24
    height = _TOP + _SIDE_Y + 64
    names = tuple(dict.fromkeys(curve.name for panel in panels for curve in panel.curves))
    colours = {name: _COLOURS[number % len(_COLOURS)] for number, name in enumerate(names)}
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="11" fill="#222">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for number, panel in enumerate(panels):
        lines += _panel(panel, left=_LEFT + number * (_SIDE_X + _GAP), colours=colours)
    for number, name in enumerate(names):
        x, y = _LEFT + _LEGEND_STEP * number, height - 10
        lines.append(f'<path d="M{x} {y - 4}h18" stroke="{colours[name]}" stroke-width="2"/>')
        lines.append(f'<text x="{x + 24}" y="{y}">{escape(name)}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _panel(panel: GrowthPanel, *, left: int, colours: dict[str, str]) -> Iterator[str]:
    points = [point for curve in panel.curves for point in curve.points] or [(1000.0, 1.0)]
    across, up = _decades([x for x, _ in points]), _decades([y for _, y in points])
    bottom = _TOP + _SIDE_Y

    def place(x: float, y: float) -> tuple[float, float]:
        return left + _SIDE_X * _part(x, across), bottom - _SIDE_Y * _part(y, up)

    yield f'<text x="{left + _SIDE_X / 2:g}" y="18" text-anchor="middle" font-size="13">{escape(panel.y)}</text>'
    for decade in range(across[0], across[1] + 1):
        x, _ = place(10.0**decade, 10.0 ** up[0])
        yield f'<path d="M{x:.1f} {_TOP}v{_SIDE_Y}" stroke="#ddd"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 15}" text-anchor="middle">{_short(10.0**decade)}</text>'
    for decade in range(up[0], up[1] + 1):
        _, y = place(10.0 ** across[0], 10.0**decade)
        yield f'<path d="M{left} {y:.1f}h{_SIDE_X}" stroke="#ddd"/>'
        yield f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{_short(10.0**decade)}</text>'
    yield f'<text x="{left + _SIDE_X / 2:g}" y="{bottom + 31}" text-anchor="middle">passages</text>'
    for curve in panel.curves:
        colour = colours[curve.name]
        placed = [place(x, y) for x, y in curve.points]
        dashes = ' stroke-dasharray="5 4"' if curve.is_dashed else ""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'
        if not curve.is_dashed:
            yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in placed)


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around the values, apart by one at least."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def _part(value: float, decades: tuple[int, int]) -> float:
    return (math.log10(value) - decades[0]) / (decades[1] - decades[0])


def _short(value: float) -> str:
    """1k for 1,000, 1M for 1,000,000."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"
