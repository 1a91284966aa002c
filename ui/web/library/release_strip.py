"""Releases on a line of time, as a small picture; the numbers beside it say the same in words."""

from collections.abc import Iterable, Sequence
from datetime import date

from corpus.catalogue import CatalogueRelease
from ui.web.escaping import escape

_WIDTH, _HEIGHT = 140, 20
_MINOR_TOP, _MAJOR_TOP = 7, 1


def time_span(releases: Iterable[CatalogueRelease], *, today: date) -> tuple[date, date]:
    """From the first dated release to `today`: the one scale that the strips of several products share."""
    days = [release.date for release in releases if release.date]
    first = min([*days, today])
    return (first, max([*days, today]))


def render_strip(releases: Sequence[CatalogueRelease], *, span: tuple[date, date], label: str) -> str:
    """A tick for each dated release, a high one for the first of a major version; empty where none is dated.

    Ticks that fall on the same pixel are one, so that a thousand releases stay a small picture.
    """
    seen: set[int] = set()
    ticks: dict[int, int] = {}
    for release in reversed(releases):
        major = release.version.release[0]
        is_first = major not in seen
        seen.add(major)
        if release.date is not None:
            x = _place(release.date, span)
            ticks[x] = min(ticks.get(x, _MINOR_TOP), _MAJOR_TOP if is_first else _MINOR_TOP)
    if not ticks:
        return ""
    path = "".join(f"M{x + 0.5} {top}V{_HEIGHT - 2}" for x, top in sorted(ticks.items()))
    return (
        f'<svg class="rn-strip" role="img" viewBox="0 0 {_WIDTH + 1} {_HEIGHT}" width="{_WIDTH + 1}" '
        f'height="{_HEIGHT}"><title>{escape(label)}</title>'
        f'<path class="rn-strip-line" d="M0 {_HEIGHT - 1.5}H{_WIDTH + 1}"/>'
        f'<path class="rn-strip-ticks" d="{path}"/></svg>'
    )


def _place(day: date, span: tuple[date, date]) -> int:
    first, last = span
    days = (last - first).days
    return round(_WIDTH * (day - first).days / days) if days else _WIDTH
