"""`GET /documents/{id}`: a document to read: its releases, and its text with a quote marked."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from starlette.datastructures import QueryParams

from corpus.index.stored import DocumentSummary
from corpus.model import Release, Span
from retrieval.assistant import Assistant
from retrieval.quoting.links import quote_link
from ui.rendering.words import counted, document_name
from ui.web.html import document_address, render, visible_text
from ui.web.products import newest_release_day
from ui.web.services import PageServices
from ui.web.shell import Notice, show_page

PART_CHARACTERS = 40_000  # Browsers draw this much in less than half a second.
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

    @property
    def named(self) -> list[tuple[int, Release]]:
        """Return `(number, release)` of each release with a label or a version, in order."""
        return [(number, release) for number, release in enumerate(self.releases) if release.label or release.version]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A release's heading or the text between two; without `number` the heading continues the previous part."""

    text: Markup = field(default_factory=Markup)
    release: Release | None = None
    number: int | None = None


def add_document_page(app: FastAPI, services: PageServices) -> None:
    async def show_document(request: Request) -> HTMLResponse:
        def work(assistant: Assistant) -> tuple[str, Markup]:
            view = _build_view(assistant, request.path_params["document_id"], request.query_params)
            versions = sorted({release.version for release in view.releases if release.version})
            body = render(
                "document",
                "document",
                view=view,
                versions=versions,
                original=quote_link(view.document, view.text, view.quote) if view.quote else view.document.url,
                releases=[(n, release, part_index_at(view.parts, release.span.start)) for n, release in view.named],
                pieces=list(_pieces(view)),
            )
            return document_name(view.document), body

        return await show_page(request, "library", services, work)

    app.add_route("/documents/{document_id}", show_document)


def _build_view(assistant: Assistant, document_id: str, params: QueryParams) -> DocumentView:
    index = assistant.index
    document = next((entry for entry in index.documents if str(entry.id) == document_id), None)
    if document is None:
        message = (
            "The index holds no document of this number. It may have been removed, or read anew since the link was "
            "made, which gives a document a new number. The Library lists what there is."
        )
        raise Notice("No such document", message, 404, link=("/library", "Library"))

    def refusal(message: str, *, title: str = "No such place in the document", status: int = 400) -> Notice:
        return Notice(title, message, status, (document_address(document.id), "Open the document from its beginning"))

    numbers: dict[str, int] = {}
    for name in ("start", "end", "part"):
        values = params.getlist(name)
        if len(values) > 1 or not all(map(_NUMBER.fullmatch, values)):
            raise refusal(f"`{name}` must be one whole number.")
        numbers.update((name, int(value)) for value in values)
    text = index.document_text(document.id)
    parts = split_parts(len(text), index.passage_spans(document.id))
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
        part = part_index_at(parts, start)
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
        day=newest_release_day(index, document),
    )


def split_parts(length: int, passages: Sequence[Span], *, size: int = PART_CHARACTERS) -> tuple[Span, ...]:
    """Cut `[0, length)` into ranges of at most `size` characters, each up to the last start of one of the ordered
    `passages` inside it, or else of exactly `size`. Return at least one range, which may be empty."""
    starts = [passage.start for passage in passages]
    parts: list[Span] = []
    start = 0
    while length - start > size:
        n = bisect_right(starts, start + size) - 1
        end = starts[n] if n >= 0 and starts[n] > start else start + size
        parts.append(Span(start, end))
        start = end
    return (*parts, Span(start, length))


def part_index_at(parts: Sequence[Span], offset: int) -> int:
    """Return the index of the part that contains the character at `offset`; the last for one beyond the end."""
    return max(0, bisect_right([part.start for part in parts], offset) - 1)


def _render_text(view: DocumentView, span: Span) -> Markup:
    """Render a range's characters, its part of the quote marked; the part's first mark has the id "quote"."""
    quote = view.quote
    if quote is None or not quote.meets(span):
        return visible_text(span.slice(view.text))
    start, end = max(span.start, quote.start), min(span.end, quote.end)
    place = "quote" if start == max(quote.start, view.parts[view.part].start) else None
    before, marked, after = (
        visible_text(view.text[first:last]) for first, last in ((span.start, start), (start, end), (end, span.end))
    )
    return render("document", "marked", before=before, place=place, marked=marked, after=after)


def _pieces(view: DocumentView) -> Iterator[_Piece]:
    part = view.parts[view.part]
    at = part.start
    if continued := next((r for _, r in view.named if r.span.start < part.start < r.span.end), None):
        yield _Piece(release=continued)
    for number, release in view.named:
        start = release.span.start
        if part.start <= start < part.end:
            if start > at:
                yield _Piece(_render_text(view, Span(at, start)))
            yield _Piece(release=release, number=number)
            at = start
    yield _Piece(_render_text(view, Span(at, part.end)))
