"""The plot of the decision to answer, as SVG by hand: a plotting library would be a dependency for one picture."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

Points = Sequence[tuple[float, float]]

_SIDE = 220
_LEFT, _TOP, _GAP = 52, 34, 84
_WIDTH, _HEIGHT = _LEFT + 2 * _SIDE + _GAP + 20, _TOP + _SIDE + 62
_COLOURS = ("#1f5fae", "#b8480f")
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Curve:
    """A named line through points (x, y), 0 to 1 each; `mark` is the point in use, None for none."""

    name: str
    points: Points
    mark: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves over axes from 0 to 1."""

    title: str
    x: str
    y: str
    curves: tuple[Curve, ...]


def render_plot(panels: tuple[Panel, Panel]) -> str:
    """Two panels side by side with one legend, as a whole SVG document; the same input gives the same bytes."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" font-family="sans-serif" font-size="11" fill="#222">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
    ]
    for number, panel in enumerate(panels):
        lines += _panel(panel, left=_LEFT + number * (_SIDE + _GAP))
    for number, curve in enumerate(panels[0].curves):
        x, y = _LEFT + 90 * number, _HEIGHT - 12
        lines.append(f'<path d="M{x} {y - 4}h22" stroke="{_COLOURS[number]}" stroke-width="2"/>')
        lines.append(f'<text x="{x + 28}" y="{y}">{escape(curve.name)}</text>')
    lines.append(f'<circle cx="{_LEFT + 190}" cy="{_HEIGHT - 16}" r="4" fill="none" stroke="#222"/>')
    lines.append(f'<text x="{_LEFT + 200}" y="{_HEIGHT - 12}">the threshold in use</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _panel(panel: Panel, *, left: int) -> Iterator[str]:
    bottom, middle = _TOP + _SIDE, left + _SIDE / 2
    yield f'<text x="{middle:g}" y="18" text-anchor="middle" font-size="13">{escape(panel.title)}</text>'
    for tick in _TICKS:
        x, y = left + tick * _SIDE, bottom - tick * _SIDE
        yield f'<path d="M{left} {y:g}h{_SIDE}M{x:g} {_TOP}v{_SIDE}" stroke="#ddd"/>'
        yield f'<text x="{left - 6}" y="{y + 4:g}" text-anchor="end">{tick:g}</text>'
        yield f'<text x="{x:g}" y="{bottom + 15}" text-anchor="middle">{tick:g}</text>'
    yield f'<text x="{middle:g}" y="{bottom + 31}" text-anchor="middle">{escape(panel.x)}</text>'
    up = f"translate({left - 36} {_TOP + _SIDE / 2:g}) rotate(-90)"
    yield f'<text transform="{up}" text-anchor="middle">{escape(panel.y)}</text>'
    for colour, curve in zip(_COLOURS, panel.curves, strict=True):
        places = " ".join(f"{left + x * _SIDE:.1f},{bottom - y * _SIDE:.1f}" for x, y in curve.points)
        yield f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>'
        if curve.mark is not None:
            x, y = curve.mark
            centre = f'cx="{left + x * _SIDE:.1f}" cy="{bottom - y * _SIDE:.1f}"'
            yield f'<circle {centre} r="4" fill="none" stroke="{colour}" stroke-width="2"/>'
