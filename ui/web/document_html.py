"""A document's page as HTML: what it is, its releases, its text with the passages outlined and a quote marked."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from urllib.parse import urlencode

from markupsafe import Markup

from corpus.index.stored import DocumentSummary, StoredPassage
from corpus.model import Release, Span
from retrieval.quoting.links import quote_link
from ui.rendering.source.marking import mark_quote, read_window
from ui.web.html import render, visible_text

PART_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True)
class DocumentView:
    """What one part of a document's page shows; `passages` are those of the part, in order."""

    document: DocumentSummary
    text: str
    releases: tuple[Release, ...]
    passages: tuple[StoredPassage, ...]
    parts: tuple[Span, ...]
    part: int
    quote: Span | None
    today: date
    spans: tuple[Span, ...] = ()
    """Of all passages of the document, in order."""
    is_raw: bool = False
    """Its characters are shown, not what they mark up."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A heading of a release (`number` is None for one that goes on from the part before), a passage, or the text
    between two passages; text as HTML.
    """

    text: Markup = field(default_factory=Markup)
    release: Release | None = None
    number: int | None = None
    passage: StoredPassage | None = None


def render_document_html(view: DocumentView) -> Markup:
    """The page, with the quote as `<mark id="quote">` where there is one; raw where it can't be seen otherwise."""
    document = view.document
    read = None if view.is_raw else _read(view)
    day = max((release.date for release in view.releases if release.date), default=document.date)
    return render(
        "document",
        "document",
        document=document,
        versions=_versions(view),
        day=day,
        today=view.today,
        original=quote_link(document, view.text, view.quote) if view.quote else document.url,
        releases=[
            (number, release, _part_of(view, release))
            for number, release in enumerate(view.releases)
            if _is_named(release)
        ],
        parts=len(view.parts),
        part=view.part,
        pieces=list(_pieces(view, read or partial(_raw, view))),
        is_raw=read is None,
        toggle=_toggle(view) if view.is_raw or read else "",
    )


def split_parts(length: int, passages: Sequence[Span], *, size: int = PART_CHARACTERS) -> tuple[Span, ...]:
    """Cut `[0, length)` into ranges of at most `size`, at the last of the `passages` (in order) that begins inside.

    A browser lays out no more than a part. Where no passage begins inside, the cut is at `size`. There is always one
    part, if only an empty one.
    """
    bounds = [passage.start for passage in passages]
    parts: list[Span] = []
    start = 0
    while length - start > size:
        at = bisect_right(bounds, start + size) - 1
        end = bounds[at] if at >= 0 and bounds[at] > start else start + size
        parts.append(Span(start, end))
        start = end
    return (*parts, Span(start, length))


def part_holding(parts: Sequence[Span], offset: int) -> int:
    """The position of the part that holds the character at `offset`."""
    return max(0, bisect_right([part.start for part in parts], offset) - 1)


def _versions(view: DocumentView) -> str:
    versions = sorted({release.version for release in view.releases if release.version})
    if not versions:
        return view.document.version or "none named"
    ends = f"{versions[0].label}–{versions[-1].label}, {len(versions)} releases"
    return versions[0].label if len(versions) == 1 else ends


def _part_of(view: DocumentView, release: Release) -> int:
    return next(part for part, span in enumerate(view.parts) if release.span.start < span.end or span == view.parts[-1])


def _is_named(release: Release) -> bool:
    return bool(release.label or release.version)


def _toggle(view: DocumentView) -> str:
    """The query of the same place, raw or read."""
    place: dict[str, object] = {"start": view.quote.start, "end": view.quote.end} if view.quote else {}
    if view.part and not view.quote:
        place["part"] = view.part + 1
    query = urlencode(place | ({} if view.is_raw else {"raw": 1}))
    return f"?{query}{'#quote' if view.quote else ''}"


def _read(view: DocumentView) -> Callable[[Span], Markup] | None:
    """What gives the blocks that begin in a range of the part, as they read; None where they don't show the quote."""
    blocks = mark_quote(
        view.text, read_window(view.text, view.document.media_type, view.parts[view.part], view.spans), view.quote
    )
    starts = [next(run.start for cell in block.cells for piece in cell for run in piece.runs) for block in blocks]

    def blocks_in(span: Span) -> Markup:
        shown = [block for at, block in zip(starts, blocks, strict=True) if span.start <= at < span.end]
        return render("source", "blocks", shown=shown, anchor="quote")

    return blocks_in if view.quote is None or any(block.has_mark for block in blocks) else None


def _raw(view: DocumentView, span: Span) -> Markup:
    """The characters of a range, what it has of the quote marked; the first mark in the part is scrolled to."""
    quote = view.quote
    if quote is None or not quote.meets(span):
        return visible_text(span.slice(view.text))
    start, end = max(span.start, quote.start), min(span.end, quote.end)
    place = "quote" if start == max(quote.start, view.parts[view.part].start) else None
    before, marked, after = (
        visible_text(view.text[first:last]) for first, last in ((span.start, start), (start, end), (end, span.end))
    )
    return render("document", "marked", before=before, place=place, marked=marked, after=after)


def _pieces(view: DocumentView, shown: Callable[[Span], Markup]) -> Iterator[_Piece]:
    part = view.parts[view.part]
    at = part.start
    for release in view.releases:
        if release.span.start < part.start < release.span.end:
            if _is_named(release):
                yield _Piece(release=release)
            break
    landmarks: list[tuple[int, bool, int]] = [
        (release.span.start, False, number)
        for number, release in enumerate(view.releases)
        if part.start <= release.span.start < part.end
    ]
    landmarks += [(passage.span.start, True, number) for number, passage in enumerate(view.passages)]
    for start, is_passage, number in sorted(landmarks):
        if start > at:
            yield _Piece(shown(Span(at, start)))
            at = start
        if is_passage:
            passage = view.passages[number]
            end = min(passage.span.end, part.end)
            if end > at:
                yield _Piece(shown(Span(at, end)), passage=passage)
                at = end
        elif _is_named(release := view.releases[number]):
            yield _Piece(release=release, number=number)
    yield _Piece(shown(Span(at, part.end)))
