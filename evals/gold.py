"""Gold passages in their documents: where each one stands, or why it can't be used."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.errors import SourceError
from corpus.model import Span
from evals.labelled_places import words_sha
from evals.pages import Page, Pages
from evals.question_set import Gold, Question

MIN_COVERED_SHARE = 0.7
"""A gold passage is retrieved when at least this share of its squashed characters lies in one returned passage."""
RETRIEVES, OVERLAPS, IRRELEVANT = 2, 1, 0


def grade_relevance(shares: Sequence[float]) -> int:
    """2 for a passage that retrieves a gold passage, 1 for one that overlaps with one, else 0; `shares` are its covered
    shares of them, 0 to 1."""
    best = max(shares, default=0.0)
    return RETRIEVES if best >= MIN_COVERED_SHARE else OVERLAPS if best > 0 else IRRELEVANT


@dataclass(frozen=True, slots=True)
class GoldPlaces:
    """All acceptable places of one gold passage, in squashed characters of the page at `path`."""

    path: str
    places: tuple[Span, ...]

    def covered_share(self, path: str, span: Span) -> float:
        """The largest share (0 to 1) of any of the places that lies inside a span of the page at `path`."""
        if path != self.path:
            return 0.0
        shared = (min(place.end, span.end) - max(place.start, span.start) for place in self.places)
        return max((max(0, size) / len(place) for size, place in zip(shared, self.places, strict=True)), default=0.0)


def find_gold(question: Question, pages: Pages) -> tuple[GoldPlaces, ...]:
    """Find every gold passage of an answerable question, as `place_gold`; a negative has none."""
    return place_gold(question.gold, pages) if question.answerable else ()


def place_gold(gold: Sequence[Gold], pages: Pages) -> tuple[GoldPlaces, ...]:
    """Find these gold passages, in their order.

    A passage given by range stands for its words: where they recur in the file, each occurrence is accepted.

    Raises:
        SourceError: a document is absent or has changed, so that a question can't be asked fairly.
    """
    found = []
    for one in gold:
        page = pages.page(one.path)
        if page is None:
            raise SourceError(f"{one.path!r} is absent")
        places = page.occurrences(_quote(one, page))
        if not places:
            raise SourceError(f"{one.path!r} has changed: the gold quote isn't in it")
        found.append(GoldPlaces(one.path, places))
    return tuple(found)


def _quote(gold: Gold, page: Page) -> str:
    if gold.start is None or gold.end is None:
        return gold.quote or ""
    words = page.source[gold.start : gold.end]
    if gold.sha is not None and words_sha(words) != gold.sha:
        raise SourceError(f"{gold.path!r} has changed: characters {gold.start} to {gold.end} don't match their sha")
    return words
