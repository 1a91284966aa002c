"""`GET /documents/{id}`: a document to read, with a quote marked in it."""

from collections.abc import Sequence
from datetime import UTC, datetime

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from starlette.datastructures import QueryParams

from corpus.index.stored import DocumentSummary
from corpus.model import Span
from retrieval.assistant import Assistant
from ui.rendering.words import counted
from ui.web.addresses import DOCUMENT_PATH, document_address
from ui.web.document_html import DocumentView, part_holding, render_document_html, split_parts
from ui.web.services import PageServices
from ui.web.shell import Notice, show_page

_MAX_DIGITS = 12


def add_document_page(app: FastAPI, services: PageServices) -> None:
    """Add the page to `app`."""

    @app.api_route(DOCUMENT_PATH, methods=["GET", "HEAD"], include_in_schema=False)
    async def show_document(document_id: str, request: Request) -> HTMLResponse:
        def work(assistant: Assistant) -> tuple[str, Markup]:
            view = _view(assistant, document_id, request.query_params)
            title = f"{view.document.title or view.document.source} · {view.document.product}"
            return title, render_document_html(view)

        return await show_page(request, "library", services, work)


def _view(assistant: Assistant, document_id: str, asked: QueryParams) -> DocumentView:
    index = assistant.index
    document = _find(index.documents, document_id)
    text = index.document_text(document.id)
    start, end, asked_part, raw = (_number(asked, name, document) for name in ("start", "end", "part", "raw"))
    spans = index.passage_spans(document.id)
    parts = split_parts(len(text), spans)
    quote, part = None, (asked_part or 1) - 1
    if start is not None or end is not None:
        quote = _span(start, end, document, len(text))
        part = part_holding(parts, quote.start)
    elif asked_part is not None and not 1 <= asked_part <= len(parts):
        raise _refusal(document, f"The document has {counted(len(parts), 'part')}.", title="No such part", status=404)
    return DocumentView(
        document=document,
        text=text,
        releases=index.document_releases(document.id),
        passages=index.document_passages(document.id, within=parts[part]),
        parts=parts,
        part=part,
        quote=quote,
        today=datetime.now(UTC).date(),
        spans=spans,
        is_raw=bool(raw),
    )


def _find(documents: Sequence[DocumentSummary], document_id: str) -> DocumentSummary:
    for document in documents:
        if str(document.id) == document_id:
            return document
    message = (
        "The index holds no document of this number. It may have been removed, or read anew since the link was made, "
        "which gives a document a new number. The Library lists what there is."
    )
    raise Notice("No such document", message, 404, link=("/library", "Library"))


def _span(start: int | None, end: int | None, document: DocumentSummary, length: int) -> Span:
    if start is None or end is None or not start < end <= length:
        raise _refusal(
            document,
            f"A place needs both `start` and `end`, the first before the second, and the end at most {length:,}, "
            "which is how many characters the document has. It may have been read anew since the link was made.",
        )
    return Span(start, end)


def _number(asked: QueryParams, name: str, document: DocumentSummary) -> int | None:
    values = asked.getlist(name)
    if not values:
        return None
    if len(values) > 1 or not (values[0].isascii() and values[0].isdigit()) or len(values[0]) > _MAX_DIGITS:
        raise _refusal(document, f"`{name}` must be one whole number.")
    return int(values[0])


def _refusal(
    document: DocumentSummary, message: str, *, title: str = "No such place in the document", status: int = 400
) -> Notice:
    link = (document_address(document.id), "Open the document from its beginning")
    return Notice(title, message, status, link)
