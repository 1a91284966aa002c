"""`GET /documents/{id}`: a document to read, with a quote marked in it."""

from collections.abc import Sequence
from datetime import UTC, datetime

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from starlette.datastructures import QueryParams

from corpus.errors import IndexUnavailable, RelnotesError
from corpus.index.stored import DocumentSummary
from corpus.model import Span
from retrieval.assistant import Assistant
from ui.http.problems import RETRY_AFTER_S
from ui.server.live_assistant import AssistantSource
from ui.server.question_desk import QuestionDesk, QuestionTimeoutError, TooManyQuestionsError
from ui.web.document.address import DOCUMENT_PATH, document_address
from ui.web.document.page_html import DocumentView, render_document_html, render_notice_html
from ui.web.document.parts import part_holding, split_parts

_MAX_DIGITS = 12


class _Refusal(Exception):
    """Why there is nothing to show; `document_id` where the document itself is there."""

    def __init__(self, status: int, title: str, message: str, document_id: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.title = title
        self.message = message
        self.document_id = document_id


def add_document_page(app: FastAPI, assistants: AssistantSource, desk: QuestionDesk) -> None:
    """Add the page to `app`."""

    @app.head(DOCUMENT_PATH, include_in_schema=False)
    @app.get(DOCUMENT_PATH, include_in_schema=False)
    async def show_document(document_id: str, request: Request) -> HTMLResponse:
        def work() -> str:
            with assistants.borrow() as assistant:
                return render_document_html(_view(assistant, document_id, request.query_params))

        try:
            return HTMLResponse(await desk.run(work))
        except _Refusal as refusal:
            return _refusal_response(refusal)
        except RelnotesError as error:
            return _trouble_response(error)


def _view(assistant: Assistant, document_id: str, asked: QueryParams) -> DocumentView:
    index = assistant.index
    document = _find(index.documents, document_id)
    text = index.document_text(document.id)
    quote = _asked_range(asked, document, len(text))
    parts = split_parts(len(text), index.passage_spans(document.id))
    part = part_holding(parts, quote.start) if quote else _asked_part(asked, document, len(parts))
    return DocumentView(
        document=document,
        text=text,
        releases=index.document_releases(document.id),
        passages=index.document_passages(document.id, within=parts[part]),
        parts=parts,
        part=part,
        quote=quote,
        today=datetime.now(UTC).date(),
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
    )


def _asked_range(asked: QueryParams, document: DocumentSummary, length: int) -> Span | None:
    start, end = _number(asked, "start", document), _number(asked, "end", document)
    if start is None and end is None:
        return None
    if start is None or end is None or not start < end <= length:
        raise _Refusal(
            400,
            "No such place in the document",
            f"A place needs both `start` and `end`, the first before the second, and the end at most {length:,}, "
            "which is how many characters the document has. It may have been read anew since the link was made.",
            document.id,
        )
    return Span(start, end)


def _asked_part(asked: QueryParams, document: DocumentSummary, parts: int) -> int:
    part = _number(asked, "part", document)
    if part is not None and not 1 <= part <= parts:
        raise _Refusal(
            404, "No such part", f"The document has {parts} {'part' if parts == 1 else 'parts'}.", document.id
        )
    return (part or 1) - 1


def _number(asked: QueryParams, name: str, document: DocumentSummary) -> int | None:
    values = asked.getlist(name)
    if not values:
        return None
    if len(values) > 1 or not (values[0].isascii() and values[0].isdigit()) or len(values[0]) > _MAX_DIGITS:
        raise _Refusal(400, "No such place in the document", f"`{name}` must be one whole number.", document.id)
    return int(values[0])


def _refusal_response(refusal: _Refusal) -> HTMLResponse:
    back = (
        {}
        if refusal.document_id is None
        else {
            "link": document_address(refusal.document_id),
            "link_text": "Open the document from its beginning",
        }
    )
    return HTMLResponse(render_notice_html(refusal.title, refusal.message, **back), refusal.status)


def _trouble_response(error: RelnotesError) -> HTMLResponse:
    retry = {"Retry-After": str(RETRY_AFTER_S)}
    match error:
        case TooManyQuestionsError():
            return HTMLResponse(render_notice_html("Busy just now", str(error)), 503, headers=retry)
        case QuestionTimeoutError():
            return HTMLResponse(render_notice_html("It took too long", str(error)), 504, headers=retry)
        case IndexUnavailable():
            # The message names places on this machine: it is for the log.
            message = "No index can be served. Add release notes in the Library; the server's log says more."
            return HTMLResponse(render_notice_html("Nothing to show yet", message), 503, headers=retry)
        case _:
            raise error
