"""Computes the metrics of a listed upgrade from the places of labelled changes and citations; runs no engines.

- recall: the share of the labelled changes that some item reports. An item whose quote covers two changes reports both.
- precision: the share of the items that report a change of their own: a second item on the same change is wrong, as is
  one that reports none. Items are paired with changes so that as many as possible have one.
- ratio: items for each change; a list of everything in the range has a high one.
- optional changes: an item on one counts neither for nor against.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, fields

from corpus.errors import SourceError
from corpus.model import Kind, Span
from evals.labelled_places import Place, share_half
from evals.matching import squash, untag
from evals.pages import Pages
from evals.upgrades.bump_set import LabelledBump, ListedChange

Spot = tuple[str, Span]
"""A span of the page at a path."""
ListedItem = tuple[Spot | None, Kind | None]
"""An item that an engine lists: its spot (None if the document doesn't contain its quote) and its kind, if any."""


@dataclass(frozen=True, slots=True)
class PlacedChange:
    """A labelled change with every spot that reports it."""

    change: ListedChange
    spots: tuple[Spot, ...]

    def is_found_by(self, spot: Spot | None) -> bool:
        """Return whether a citation at `spot` reports the change: shares half of the shorter range with its spots."""
        return spot is not None and any(spot[0] == path and share_half(spot[1], span) for path, span in self.spots)


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
    """Return the spot of a range as a tuple of one; empty if its words aren't in the HTML."""
    page = pages.page(place.path)
    if page is None:
        raise SourceError(f"{place.path!r} is absent")
    words = place.words_of(page.source)
    if not page.is_html:
        positions = page.squashed.positions
        return ((place.path, Span(bisect_left(positions, place.start), bisect_left(positions, place.end))),)
    # Ranges of HTML count markup, unlike the page's spans: of several occurrences, take the one at the same depth.
    depth = len(squash(untag(page.source[: place.start])).text)
    spans = sorted(page.occurrences(words), key=lambda span: abs(span.start - depth))
    return tuple((place.path, span) for span in spans[:1])


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts over one bump or, added up, over several."""

    changes: int
    listed: int
    severe: int
    """Those of the changes that break or remove something."""
    severe_listed: int
    items: int
    """Without items that report optional changes only."""
    right: int
    of_right_kind: int
    """Those of the right items that have the change's kind, too."""

    @property
    def figures(self) -> dict[str, float]:
        """Return the metrics by name; without items, precision is 0; without changes, recall is 1. `severe` is the
        recall of breaking changes and removals, `kind` the share of the right items with the right kind."""
        return {
            "recall": self.listed / self.changes if self.changes else 1.0,
            "severe": self.severe_listed / self.severe if self.severe else 1.0,
            "precision": self.right / self.items if self.items else 0.0,
            "ratio": self.items / self.changes if self.changes else 0.0,
            "kind": self.of_right_kind / self.right if self.right else 0.0,
        }


FIGURES = ("recall", "severe", "precision", "ratio", "kind")


def score(changes: Sequence[PlacedChange], items: Sequence[ListedItem]) -> Counts:
    """Score the items that an engine lists for one bump."""
    changes_of = [[n for n, placed in enumerate(changes) if placed.is_found_by(spot)] for spot, _ in items]
    needed = frozenset(n for n, placed in enumerate(changes) if not placed.change.optional)
    severe = frozenset(n for n in needed if Kind.DEPRECATION not in changes[n].change.kinds)
    listed = frozenset(n for numbers in changes_of for n in numbers)
    pairs = _pair([[n for n in numbers if n in needed] for numbers in changes_of])
    on_optional = sum(
        1 for i, numbers in enumerate(changes_of) if i not in pairs and any(n not in needed for n in numbers)
    )
    return Counts(
        changes=len(needed),
        listed=len(listed & needed),
        severe=len(severe),
        severe_listed=len(listed & severe),
        items=len(items) - on_optional,
        right=len(pairs),
        of_right_kind=sum(items[i][1] in changes[n].change.kinds for i, n in pairs.items()),
    )


def add_up(scores: Sequence[Counts]) -> Counts:
    """Return the counts of several bumps together: their micro average."""
    return Counts(*(sum(getattr(counts, field.name) for counts in scores) for field in fields(Counts)))


def _pair(candidates: Sequence[Sequence[int]]) -> dict[int, int]:
    """Pair as many items as possible with one of their candidates each, no candidate twice: {item: change}.

    Source: augmenting paths, Kuhn, The Hungarian Method for the Assignment Problem (1955).
    """
    holder: dict[int, int] = {}

    def place(item: int, tried: set[int]) -> bool:
        for change in candidates[item]:
            if change in tried:
                continue
            tried.add(change)
            if change not in holder or place(holder[change], tried):
                holder[change] = item
                return True
        return False

    for item in range(len(candidates)):
        place(item, set())
    return {item: change for change, item in holder.items()}
