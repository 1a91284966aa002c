"""Reads documents as ingest does, up to their releases, without embedding; finds labelled ranges in them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from corpus.dates import find_dates
from corpus.errors import SourceError
from corpus.model import Release, Span
from evals.labelled_places import Place
from evals.matching import Squashed, squash, untag
from ingest.blocks import Block, BlockKind, ParsedText
from ingest.encoding import read_structure
from ingest.passages.splitting import find_boilerplate, is_boilerplate
from ingest.releases.identity import Hints
from ingest.sources.files import Source, list_sources, read_source

_ANCHOR = 40
_STRETCH = 1.5
_LINK = re.compile(r"\[[^\[\]]*\]\([^()\s]*\)|`[^`<>]*<[^<>]*>`__?|<?https?://\S+>?")
_FIELD = re.compile(
    r"\W*(?:authors?|editors?|contact|organization|status|revision|copyright|release|version|date)\s*:\W*",
    re.IGNORECASE,
)
"""A bibliographic field of docutils on a line of its own, whose value is on the next."""
_NAMES_NOTHING = frozenset(
    "at by changelog changes compare date diff full on posted published release released".split()
)


@dataclass(frozen=True)
class ReadDocument:
    """A document as ingest reads it; `entries`, in order, leave out headings, boilerplate, and bare dates and links."""

    path: str
    source: str
    """The file as it is."""
    text: str
    """The text that ranges of releases and entries count in: for HTML, the extracted text."""
    releases: tuple[Release, ...]
    entries: tuple[Span, ...]

    @cached_property
    def squashed(self) -> Squashed:
        """Return the text in the form that `evals.matching` compares."""
        return squash(self.text)

    def release_at(self, span: Span) -> Release:
        """Return the release with the largest part of a range; of equal ones, the first."""
        return max(self.releases, key=lambda release: _overlap(release.span, span))

    def entries_of(self, release: Release) -> tuple[Span, ...]:
        """Return the entries that begin in a release, also after releases nested in it."""
        rest = (part for part in self.releases if not part.label and part.version and part.version == release.version)
        spans = sorted({release.span, *(part.span for part in rest if part.span > release.span)})
        starts = [entry.start for entry in self.entries]
        return tuple(
            entry
            for span in spans
            for entry in self.entries[bisect_left(starts, span.start) : bisect_left(starts, span.end)]
        )

    def locate(self, place: Place) -> Span:
        """Return the range in the text of a range in the file.

        Raises:
            SourceError: the file has changed, or ingest lost its words.
        """
        words = place.words_of(self.source)
        if self.text == self.source:
            return Span(place.start, place.end)
        span = self._located_in_extracted(squash(untag(words)).text, place)
        if span is None:
            raise SourceError(f"{self.path!r}: the words at {place.start} to {place.end} are lost")
        return span

    def _located_in_extracted(self, sought: str, place: Place) -> Span | None:
        """Return the range of the words in the extracted text; of several, the nearest to their depth in the file."""
        depth = len(squash(untag(self.source[: place.start])).text)
        start = self._nearest(sought, depth)
        end = start + len(sought)
        if start < 0:  # Search for its two ends, as an extractor may drop a link or add a bullet in between.
            start = self._nearest(sought[:_ANCHOR], depth)
            end = self._nearest(sought[-_ANCHOR:], depth + len(sought)) + min(_ANCHOR, len(sought))
            if not 0 <= start < end <= start + _STRETCH * len(sought):
                return None
        positions = self.squashed.positions
        return Span(positions[start], positions[end - 1] + 1) if sought else None

    def _nearest(self, sought: str, depth: int) -> int:
        """Return the start of the occurrence in the squashed text nearest to `depth`; -1 if there is none."""
        ends = r"(?!\d)" if sought[-1:].isdigit() else ""
        starts = [match.start() for match in re.finditer(f"(?={re.escape(sought)}{ends})", self.squashed.text)]
        return min(starts, key=lambda start: abs(start - depth), default=-1)


def read_folder(root: Path, paths: Container[str]) -> tuple[ReadDocument, ...]:
    """Read the documents at `paths` below a folder as ingest does.

    Raises:
        SourceError: a document can't be read.
    """
    listed = list_sources(str(root), flags=Hints()).sources
    return tuple(_read(source) for source in listed if source.name in paths)


def _read(source: Source) -> ReadDocument:
    content = read_source(source)
    parsed, _, releases = read_structure(source, content)
    return ReadDocument(
        path=source.name,
        source=content.decode("utf-8", errors="replace"),
        text=parsed.text,
        releases=releases,
        entries=tuple(_entries(parsed, releases)),
    )


def _entries(parsed: ParsedText, releases: Sequence[Release]) -> Iterator[Span]:
    """Yield the range of each bullet with all nested in it, or paragraph; code and tables belong to the entry above."""
    boilerplate = find_boilerplate(parsed)
    starts = [release.span.start for release in releases]
    group: list[Block] = []
    is_field = False
    for block in parsed.blocks:
        if block.kind is BlockKind.MARKUP or is_boilerplate(block, boilerplate):
            continue
        is_field, was_field = _FIELD.fullmatch(parsed.text, block.start, block.end) is not None, is_field
        if not group and (is_field or was_field) and block.kind is BlockKind.PARAGRAPH:
            continue
        is_other_release = bool(group) and bisect_right(starts, group[0].start) != bisect_right(starts, block.start)
        if group and (is_other_release or block.kind is BlockKind.HEADING or _is_new_entry(block, group)):
            yield Span(group[0].start, group[-1].end)
            group = []
        if block.kind is not BlockKind.HEADING and (group or _is_entry(parsed.text, block)):
            group.append(block)
    if group:
        yield Span(group[0].start, group[-1].end)


def _is_new_entry(block: Block, group: Sequence[Block]) -> bool:
    if block.kind is BlockKind.LIST_ITEM:
        return group[0].kind is not BlockKind.LIST_ITEM or block.level <= group[0].level
    return block.kind is BlockKind.PARAGRAPH and (block.level == 0 or group[0].kind is not BlockKind.LIST_ITEM)


def _is_entry(text: str, block: Block) -> bool:
    """Return whether a block is more than a date or a link on a line of its own."""
    if block.kind is not BlockKind.PARAGRAPH:
        return True
    words = _LINK.sub(" ", text[block.start : block.end])
    for mention in reversed(find_dates(words)):
        words = words[: mention.span.start] + " " + words[mention.span.end :]
    left = {word.casefold() for word in re.findall(r"[^\W\d_]+", words)}
    return not left <= _NAMES_NOTHING


def _overlap(first: Span, second: Span) -> int:
    return max(0, min(first.end, second.end) - max(first.start, second.start))
