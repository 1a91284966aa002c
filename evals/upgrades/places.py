"""Where labelled changes and citations stand, and when the two are the same."""

from bisect import bisect_left
from dataclasses import dataclass

from corpus.errors import SourceError
from corpus.model import Span
from evals.labelled_places import Place, share_half
from evals.matching import squash, untag
from evals.pages import Page, Pages
from evals.upgrades.bump_set import LabelledBump, ListedChange


@dataclass(frozen=True, slots=True)
class Spot:
    """A span of the page at `path`."""

    path: str
    span: Span

    def tells(self, other: "Spot") -> bool:
        """Whether the two share at least half of the shorter one."""
        return self.path == other.path and share_half(self.span, other.span)


@dataclass(frozen=True, slots=True)
class PlacedChange:
    """A listed change with every spot that tells it."""

    change: ListedChange
    spots: tuple[Spot, ...]

    def is_told_by(self, spot: Spot) -> bool:
        """Whether a citation at `spot` tells it."""
        return any(spot.tells(own) for own in self.spots)


def place_changes(bump: LabelledBump, pages: Pages) -> tuple[PlacedChange, ...]:
    """Find every change of a bump in its document.

    Raises:
        SourceError: a document is absent or has changed, so that the bump can't be scored fairly.
    """
    return tuple(
        PlacedChange(change, tuple(spot for place in (change, *change.also) for spot in _spots(place, pages)))
        for change in bump.changes
    )


def _spots(place: Place, pages: Pages) -> tuple[Spot, ...]:
    page = pages.page(place.path)
    if page is None:
        raise SourceError(f"{place.path!r} is absent")
    return tuple(Spot(place.path, span) for span in _spans(place, place.words_of(page.source), page))


def _spans(place: Place, words: str, page: Page) -> tuple[Span, ...]:
    """The span of a range, as one; where HTML's words stand nowhere, none."""
    if not page.is_html:
        positions = page.squashed.positions
        return (Span(bisect_left(positions, place.start), bisect_left(positions, place.end)),)
    found = page.occurrences(words)
    if len(found) < 2:
        return found
    # Ranges into HTML count markup, which the page's spans don't: of several places, the one that lies as deep.
    depth = len(squash(untag(page.source[: place.start])).text)
    return (min(found, key=lambda span: abs(span.start - depth)),)
