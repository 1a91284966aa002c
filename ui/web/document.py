"""`GET /documents/{id}`: a document to read: its releases, and its text with a quote marked."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from starlette.datastructures import QueryParams

from corpus.index.stored import DocumentSummary
from corpus.model import Release, Span
from retrieval.assistant import Assistant
from retrieval.quoting.links import quote_link
from ui.rendering.words import counted, document_name
from ui.web.html import DOCUMENT_PATH, document_address, render, visible_text
from ui.web.products import newest_held
from ui.web.services import PageServices
from ui.web.shell import Notice, show_page
from ui.web.source import mark_quote, read_window

PART_CHARACTERS = 40_000  # What is drawn in less than half a second.
_NUMBER = re.compile("[0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class DocumentView:
    """What one part of a document's page shows."""

    document: DocumentSummary
    text: str
    releases: tuple[Release, ...]
    parts: tuple[Span, ...]
    part: int
    quote: Span | None
    today: date
    day: date | None
    spans: tuple[Span, ...] = ()  # Of all passages of the document, in order.
    is_raw: bool = False  # Its characters are shown, not what they mark up.

    @property
    def named(self) -> list[tuple[int, Release]]:
        """The releases that are called something, with their numbers."""
        return [(number, release) for number, release in enumerate(self.releases) if release.label or release.version]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A release's heading (without `number` it goes on from the part before), or the text between two."""

    text: Markup = field(default_factory=Markup)
    release: Release | None = None
    number: int | None = None


def add_document_page(app: FastAPI, services: PageServices) -> None:
    @app.api_route(DOCUMENT_PATH, methods=["GET", "HEAD"], include_in_schema=False)
    async def show_document(document_id: str, request: Request) -> HTMLResponse:
        def work(assistant: Assistant) -> tuple[str, Markup]:
            view = _view(assistant, document_id, request.query_params)
            return document_name(view.document), render_document_html(view)

        return await show_page(request, "library", services, work)


def _view(assistant: Assistant, document_id: str, asked: QueryParams) -> DocumentView:
    index = assistant.index
    document = next((known for known in index.documents if str(known.id) == document_id), None)
    if document is None:
        message = (
            "The index holds no document of this number. It may have been removed, or read anew since the link was "
            "made, which gives a document a new number. The Library lists what there is."
        )
        raise Notice("No such document", message, 404, link=("/library", "Library"))

    def refusal(message: str, *, title: str = "No such place in the document", status: int = 400) -> Notice:
        link = (document_address(document.id), "Open the document from its beginning")
        return Notice(title, message, status, link)

    numbers: dict[str, int] = {}
    for name in ("start", "end", "part", "raw"):
        values = asked.getlist(name)
        if len(values) > 1 or not all(map(_NUMBER.fullmatch, values)):
            raise refusal(f"`{name}` must be one whole number.")
        numbers.update((name, int(value)) for value in values)
    text, spans = index.document_text(document.id), index.passage_spans(document.id)
    parts = split_parts(len(text), spans)
    quote, part = None, numbers.get("part", 1) - 1
    if "start" in numbers or "end" in numbers:
        start, end = numbers.get("start"), numbers.get("end")
        if start is None or end is None or not start < end <= len(text):
            raise refusal(
                "A place needs both `start` and `end`, the first before the second, and the end at most "
                f"{len(text):,}, which is how many characters the document has. It may have been read anew since the "
                "link was made."
            )
        quote = Span(start, end)
        part = part_holding(parts, start)
    elif not 0 <= part < len(parts):
        raise refusal(f"The document has {counted(len(parts), 'part')}.", title="No such part", status=404)
    return DocumentView(
        document=document,
        text=text,
        releases=index.document_releases(document.id),
        parts=parts,
        part=part,
        quote=quote,
        today=datetime.now(UTC).date(),
        day=newest_held(index, document),
        spans=spans,
        is_raw=bool(numbers.get("raw")),
    )


def render_document_html(view: DocumentView) -> Markup:
    """The page, with the quote as `<mark id="quote">` where there is one; raw where it can't be seen otherwise."""
    read = None if view.is_raw else _blocks_shown(view)
    # The query of the same place, raw or read.
    place: dict[str, object] = {"start": view.quote.start, "end": view.quote.end} if view.quote else {}
    if view.part and not view.quote:
        place["part"] = view.part + 1
    query = urlencode(place | ({} if view.is_raw else {"raw": 1}))
    versions = sorted({release.version for release in view.releases if release.version})
    return render(
        "document",
        "document",
        view=view,
        versions=versions,
        original=quote_link(view.document, view.text, view.quote) if view.quote else view.document.url,
        releases=[(number, release, part_holding(view.parts, release.span.start)) for number, release in view.named],
        pieces=list(_pieces(view, read or partial(_raw_shown, view))),
        is_raw=read is None,
        toggle=f"?{query}{'#quote' if view.quote else ''}" if view.is_raw or read else "",
    )


def split_parts(length: int, passages: Sequence[Span], *, size: int = PART_CHARACTERS) -> tuple[Span, ...]:
    """Cut `[0, length)` into ranges of at most `size`, what a browser lays out, at the last of the `passages` (in
    order) that begins inside, or else at `size`. There is always one part, if only an empty one."""
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
    """Return the position of the part that holds the character at `offset`."""
    return max(0, bisect_right([part.start for part in parts], offset) - 1)


def _blocks_shown(view: DocumentView) -> Callable[[Span], Markup] | None:
    """What gives the blocks that begin in a range of the part, as they read; None where they don't show the quote."""
    blocks = read_window(view.text, view.document.media_type, view.parts[view.part], view.spans)
    if view.quote is not None:
        blocks = mark_quote(view.text, blocks, view.quote)
    first = next((block for block in blocks if block.has_mark), None)
    starts = [block.runs[0].start for block in blocks]

    def blocks_in(span: Span) -> Markup:
        shown = blocks[bisect_left(starts, span.start) : bisect_left(starts, span.end)]
        return render("source", "blocks", shown=shown, anchor="quote" if first in shown else "")

    return blocks_in if view.quote is None or first else None


def _raw_shown(view: DocumentView, span: Span) -> Markup:
    """Return the characters of a range, what it has of the quote marked; the first mark in the part is scrolled to."""
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
    if begun := next((one for _, one in view.named if one.span.start < part.start < one.span.end), None):
        yield _Piece(release=begun)
    for number, release in view.named:
        start = release.span.start
        if part.start <= start < part.end:
            if start > at:
                yield _Piece(shown(Span(at, start)))
            yield _Piece(release=release, number=number)
            at = start
    yield _Piece(shown(Span(at, part.end)))
