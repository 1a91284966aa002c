"""The documents of the index over HTTP."""

from dataclasses import asdict
from typing import Annotated

from fastapi import FastAPI, HTTPException, Path
from pydantic import WithJsonSchema

from ui.contract.index import PublicDocumentListBody, PublicDocumentTextBody
from ui.http.problems import problem_responses
from ui.server.assistant_source import AssistantSource
from ui.server.question_desk import QuestionDesk

_READ_PROBLEMS = problem_responses(401, 403, 503, 504)


# Whatever isn't the number of a document is a place where there is none, "+1" and "1.0" among them.
DocumentNumber = Annotated[
    str, Path(description="The `id` in /v1/documents"), WithJsonSchema({"type": "integer", "minimum": 1})
]


def add_documents(app: FastAPI, assistants: AssistantSource, desk: QuestionDesk) -> None:
    """Add `/v1/documents` and what is below it."""

    @app.head("/v1/documents", include_in_schema=False)
    @app.get("/v1/documents", tags=["documents"], responses=_READ_PROBLEMS)
    async def list_documents() -> PublicDocumentListBody:
        """List the documents in the index, by product and source."""

        def work() -> PublicDocumentListBody:
            with assistants.borrow() as assistant:
                return PublicDocumentListBody.model_validate({"documents": assistant.index.documents})

        return await desk.run(work)

    @app.head("/v1/documents/{document_id}", include_in_schema=False)
    @app.get(
        "/v1/documents/{document_id}",
        tags=["documents"],
        responses={**_READ_PROBLEMS, **problem_responses(404)},
    )
    async def show_document(document_id: DocumentNumber) -> PublicDocumentTextBody:
        """Return one document with the text that offsets count in."""

        def work() -> PublicDocumentTextBody | None:
            with assistants.borrow() as assistant:
                for summary in assistant.index.documents:
                    if str(summary.id) == document_id:
                        text = assistant.index.document_text(summary.id)
                        return PublicDocumentTextBody(**asdict(summary), text=text)
            return None

        if (found := await desk.run(work)) is None:
            raise HTTPException(404, f"There is no document {document_id!r} in the index. /v1/documents lists them.")
        return found
