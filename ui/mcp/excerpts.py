"""Ids of texts, and how much text comes back for one: documents can be longer than a model reads at once.

`12` is document 12 from its beginning, `12:1766-2407` the passage there with what surrounds it in the same release.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.errors import UsageError
from corpus.model import Release, Span

MAX_EXCERPT_CHARACTERS = 20_000  # About 5,000 tokens.
_ID = re.compile(r"([0-9]{1,15})(?::([0-9]{1,15})-([0-9]{1,15}))?")
_RESOURCE = re.compile(r"relnotes://documents/([0-9]{1,15})")
RESOURCE_TEMPLATE = "relnotes://documents/{id}"


@dataclass(frozen=True, slots=True)
class TextId:
    """A document, and the place in it that is meant; None: all of it."""

    document_id: int
    place: Span | None

    def __str__(self) -> str:
        return f"{self.document_id}:{self.place.start}-{self.place.end}" if self.place else str(self.document_id)


def parse_text_id(text: str) -> TextId:
    """Read an id.

    Raises:
        UsageError: it isn't one.
    """
    found = _ID.fullmatch(text)
    if found is None or (found[2] is not None and int(found[2]) >= int(found[3])):
        raise UsageError(f"Not an id: {text!r}. Take one from the results of `search`, like '12:1766-2407' or '12'.")
    return TextId(int(found[1]), Span(int(found[2]), int(found[3])) if found[2] is not None else None)


def resource_uri(document_id: int) -> str:
    return RESOURCE_TEMPLATE.replace("{id}", str(document_id))


def parse_resource_uri(uri: str) -> int | None:
    """The number of the document at a resource's address; None where it isn't one."""
    found = _RESOURCE.fullmatch(uri)
    return int(found[1]) if found else None


def cut_excerpt(text: str, place: Span | None, releases: Sequence[Release]) -> Span:
    """The range of `text` to give for `place`: the release around it, or as much of that as fits, in whole lines.

    `place` is cut where it reaches beyond the text or holds too much. None gives the beginning of the text.

    Raises:
        UsageError: `place` is behind the end of the text.
    """
    if place is None:
        return _grown(text, Span(0, 0), Span(0, len(text)))
    if place.start >= len(text):
        raise UsageError(
            f"The document has {len(text):,} characters, and the id names a place behind them. Search again: the "
            "document may have been ingested anew."
        )
    wanted = Span(place.start, min(place.end, len(text), place.start + MAX_EXCERPT_CHARACTERS))
    around = next(
        (release.span for release in releases if release.span.start <= wanted.start < release.span.end), wanted
    )
    return _grown(text, wanted, Span(around.start, max(around.end, wanted.end)))


def _grown(text: str, wanted: Span, around: Span) -> Span:
    if len(around) <= MAX_EXCERPT_CHARACTERS:
        return around
    room = MAX_EXCERPT_CHARACTERS - len(wanted)
    start = max(around.start, min(wanted.start - room // 2, around.end - MAX_EXCERPT_CHARACTERS))
    end = start + MAX_EXCERPT_CHARACTERS
    # A cut in mid-line would look like the text's own; a text without lines is cut between words.
    if start > around.start:
        start = next((cut + 1 for mark in "\n " if (cut := text.find(mark, start - 1, wanted.start)) >= 0), start)
    if end < around.end:
        end = next((cut + 1 for mark in "\n " if (cut := text.rfind(mark, wanted.end, end)) >= 0), end)
    return Span(start, end)
