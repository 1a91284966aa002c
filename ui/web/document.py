"""`GET /documents/{id}`: a document to read, with a quote marked in it."""

from collections.abc import Sequence
from datetime import UTC, datetime

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from starlette.datastructures import QueryParams

from corpus.errors import IndexUnavailable
from corpus.index.stored import DocumentSummary
from corpus.model import Span
from retrieval.assistant import Assistant
from ui.http.problems import RETRY_AFTER_S
from ui.rendering.words import counted
from ui.server.live_assistant import AssistantSource
from ui.server.question_desk import QuestionDesk, QuestionTimeoutError, TooManyQuestionsError
from ui.web.addresses import DOCUMENT_PATH
from ui.web.document_html import (
    DocumentView,
    part_holding,
    render_document_html,
    render_notice_html,
    split_parts,
)
from ui.web.services import NO_INDEX

_MAX_DIGITS = 12
_NO_PLACE = "No such place in the document"


class _Refusal(Exception):
    """Why there is nothing to show: a status, a title, a message, and a document where it is there itself."""


def add_document_page(app: FastAPI, assistants: AssistantSource, desk: QuestionDesk) -> None:
    """Add the page to `app`."""

    @app.head(DOCUMENT_PATH, include_in_schema=False)
    @app.get(DOCUMENT_PATH, include_in_schema=False)
    async def show_document(document_id: str, request: Request) -> HTMLResponse:
        def work() -> str:
            with assistants.borrow() as assistant:
                return render_document_html(_view(assistant, document_id, request.query_params))

        retry = {"Retry-After": str(RETRY_AFTER_S)}
        try:
            return HTMLResponse(await desk.run(work))
        except _Refusal as refusal:
            status, title, message, shown = refusal.args
            return HTMLResponse(render_notice_html(title, message, document_id=shown), status)
        except TooManyQuestionsError as error:
            return HTMLResponse(render_notice_html("Busy just now", str(error)), 503, headers=retry)
        except QuestionTimeoutError as error:
            return HTMLResponse(render_notice_html("It took too long", str(error)), 504, headers=retry)
        except IndexUnavailable:
            # Its message names places on this machine.
            return HTMLResponse(render_notice_html("Nothing to show yet", NO_INDEX), 503, headers=retry)


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
        raise _Refusal(404, "No such part", f"The document has {counted(len(parts), 'part')}.", document.id)
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
    raise _Refusal(
        404,
        "No such document",
        "The index holds no document of this number. It may have been removed, or read anew since the link was made, "
        "which gives a document a new number. The Library lists what there is.",
        None,
    )


def _span(start: int | None, end: int | None, document: DocumentSummary, length: int) -> Span:
    if start is None or end is None or not start < end <= length:
        raise _Refusal(
            400,
            _NO_PLACE,
            f"A place needs both `start` and `end`, the first before the second, and the end at most {length:,}, "
            "which is how many characters the document has. It may have been read anew since the link was made.",
            document.id,
        )
    return Span(start, end)


def _number(asked: QueryParams, name: str, document: DocumentSummary) -> int | None:
    values = asked.getlist(name)
    if not values:
        return None
    if len(values) > 1 or not (values[0].isascii() and values[0].isdigit()) or len(values[0]) > _MAX_DIGITS:
        raise _Refusal(400, _NO_PLACE, f"`{name}` must be one whole number.", document.id)
    return int(values[0])
