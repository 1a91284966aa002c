"""The timeline of an upgrade as inline SVG, in percent of its width so that its text is as large on a phone; and the
same as a table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from retrieval.upgrades.model import Change
from ui.rendering.upgrade_kinds import counted, counted_changes
from ui.web.citation_cards import render_date
from ui.web.escaping import escape
from ui.web.upgrade.timeline import ReleaseMark, Timeline

_WIDE_PX, _NARROW_PX = 760, 330
_CHARACTER_PX = 6.8
_BASE, _TOP = 112, 34
_LEFT, _SHARE = 2.0, 96.0
_DAYS_IN_YEARS, _DAYS_IN_QUARTERS = 900, 240


@dataclass(frozen=True, slots=True)
class _Label:
    text: str
    place: float
    y: float
    style: str


def render_timeline(timeline: Timeline, *, title: str, prefix: str) -> str:
    """A figure of `timeline`; `prefix` begins the identifiers of the releases that its table links to."""
    drawn = [mark for mark in timeline.marks if mark.place is not None]
    if len(drawn) < 2:
        return ""
    undrawn = sum(mark.place is None for mark in timeline.marks)
    note = f"; {counted(undrawn, 'release')} without a date left out" if undrawn else ""
    how = "by date" if timeline.days else "in version order, as dates aren't known"
    told = [mark for mark in drawn if mark.count and mark.is_in_range]
    most = max((mark.count for mark in told), default=1)
    worst = max(told, key=lambda mark: mark.count, default=None)
    described = f"{counted(sum(mark.is_in_range for mark in drawn), 'release')} {how}{note}; " + (
        f"{len(told)} with changes to mind, most of them in {worst.label}." if worst else "none has changes to mind."
    )
    low, high = (_x(place) for place in timeline.band)
    shapes = "".join(_mark(mark, most) for mark in drawn)
    return (
        f'<figure class="rn-timeline"><figcaption>Releases {how}{note}</figcaption>'
        f'<svg role="img" aria-label="{escape(f"{title}: {described}")}" height="150" width="100%">'
        f'<rect class="rn-band" x="{low:.2f}%" y="8" width="{max(high - low, 0.4):.2f}%" height="{_BASE - 8}"/>'
        f'<line class="rn-axis" x1="0" x2="100%" y1="{_BASE}" y2="{_BASE}"/>{shapes}{"".join(_labels(timeline, most))}'
        f"</svg>{_legend()}{_table(timeline, prefix)}</figure>"
    )


def change_mark(change: Change | None) -> str:
    """The sign of a change: a diamond for what breaks, a circle for what will, a square for what is mended."""
    box = 'width="12" height="12" viewBox="-6 -6 12 12"'
    return f'<svg class="rn-sign" aria-hidden="true" {box}>{_shape(change, 4.6)}</svg>'


def _mark(mark: ReleaseMark, most: int) -> str:
    words = escape(f"{mark.label}, {mark.date or 'undated'}: {_words(mark)}")
    x, height = f"{_x(mark.place or 0.0):.2f}%", _height(mark, most)
    if not mark.is_in_range or not mark.count:
        ring = "rn-ring" if mark.is_in_range else "rn-ring rn-outside"
        return f'<circle class="{ring}" cx="{x}" cy="{_BASE}" r="3"><title>{words}</title></circle>'
    radius = 4 + 3 * (mark.count / most) ** 0.5
    return (
        f'<line class="rn-stem" x1="{x}" x2="{x}" y1="{_BASE}" y2="{_BASE - height:.1f}"/>'
        f'<svg x="{x}" y="{_BASE - height:.1f}" overflow="visible"><g><title>{words}</title>'
        f"{_shape(mark.changes[0][0], radius)}</g></svg>"
    )


def _shape(change: Change | None, radius: float) -> str:
    r = f"{radius:.1f}"
    match change:
        case None:
            return f'<circle class="rn-ring" r="{r}"/>'
        case Change.DEPRECATED:
            return f'<circle class="rn-later" r="{r}"/>'
        case Change.SECURITY:
            half, side = f"{radius * 0.85:.1f}", f"{radius * 1.7:.1f}"
            return f'<rect class="rn-mended" x="-{half}" y="-{half}" width="{side}" height="{side}"/>'
        case _:
            return f'<path class="rn-breaks" d="M0-{r}L{r} 0L0 {r}L-{r} 0Z"/>'


def _height(mark: ReleaseMark, most: int) -> float:
    return 12 + (_BASE - _TOP - 12) * (mark.count / most) ** 0.5 if mark.count and mark.is_in_range else 0


def _labels(timeline: Timeline, most: int) -> Iterator[str]:
    """The names of the most telling releases, and days, as many as fit; on a narrow screen fewer."""
    drawn = [mark for mark in timeline.marks if mark.place is not None]
    inside = [mark for mark in drawn if mark.is_in_range]
    ends = [mark for mark in drawn if mark.label in timeline.ends]
    ranked = dict.fromkeys((*ends, *sorted(inside, key=lambda mark: -mark.count)))
    names = [
        _Label(mark.label, mark.place or 0.0, _BASE - _height(mark, most) - 12, "rn-name")
        for mark in ranked
        if mark.count or mark in ends
    ]
    days = [_Label(text, place, _BASE + 18, "rn-day") for text, place in _ticks(timeline.days)] if timeline.days else []
    for labels in (names, days):
        always = _fitting(labels, _NARROW_PX)
        for label in _fitting(labels, _WIDE_PX):
            yield _text(label, is_narrow=label in always)
        yield from (
            _text(label, is_narrow=True, is_wide=False) for label in always if label not in _fitting(labels, _WIDE_PX)
        )


def _fitting(labels: Sequence[_Label], width_px: int) -> list[_Label]:
    kept: list[_Label] = []
    for label in labels:
        if all(
            abs(label.place - other.place) * width_px > (len(label.text) + len(other.text)) / 2 * _CHARACTER_PX + 8
            for other in kept
        ):
            kept.append(label)
    return kept


def _text(label: _Label, *, is_narrow: bool, is_wide: bool = True) -> str:
    anchor = "start" if label.place < 0.05 else "end" if label.place > 0.95 else "middle"
    only = "" if is_narrow and is_wide else " rn-on-desk" if is_wide else " rn-on-phone"
    return (
        f'<text class="{label.style}{only}" x="{_x(label.place):.2f}%" y="{label.y:.1f}" text-anchor="{anchor}">'
        f"{escape(label.text)}</text>"
    )


def _ticks(days: tuple[date, date]) -> Iterator[tuple[str, float]]:
    """The beginnings of years, quarters or months, by how long the line is."""
    first, last = days
    span = (last - first).days or 1
    step = 12 if span > _DAYS_IN_YEARS else 3 if span > _DAYS_IN_QUARTERS else 1
    for year in range(first.year, last.year + 1):
        for month in range(1, 13, step):
            day = date(year, month, 1)
            if first <= day <= last:
                yield (f"{year}" if step == 12 else f"{year}-{month:02}"), (day - first).days / span


def _legend() -> str:
    signs = (
        (Change.BREAKS, "Breaks something"),
        (Change.DEPRECATED, "Only deprecates"),
        (Change.SECURITY, "Only fixes security"),
        (None, "Nothing to mind"),
    )
    words = "".join(f"<li>{change_mark(change)} {text}</li>" for change, text in signs)
    return f'<ul class="rn-legend" aria-hidden="true">{words}<li>Higher: more changes</li></ul>'


def _table(timeline: Timeline, prefix: str) -> str:
    inside = [mark for mark in timeline.marks if mark.is_in_range]
    rows = "".join(
        f'<tr><th scope="row">{_link(mark, prefix)}</th><td>{render_date(mark.date)}</td>'
        f"<td>{escape(_words(mark))}</td></tr>"
        for mark in inside
    )
    return (
        '<details class="rn-as-table"><summary>The same as a table</summary><div class="rn-rows" tabindex="0" '
        'role="region" aria-label="Releases of the range"><table><thead><tr><th scope="col">Release</th>'
        '<th scope="col">Date</th><th scope="col">Changes</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div></details>"
    )


def _link(mark: ReleaseMark, prefix: str) -> str:
    name = escape(mark.label)
    is_listed = any(change is not Change.SECURITY for change, _ in mark.changes)
    return f'<a href="#{escape(f"{prefix}{mark.label}")}">{name}</a>' if is_listed else name


def _words(mark: ReleaseMark) -> str:
    return counted_changes(mark.changes) or "nothing to mind"


def _x(place: float) -> float:
    return _LEFT + _SHARE * place
