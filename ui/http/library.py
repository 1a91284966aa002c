"""What the Library's script asks for: taking in a file as the bare body of a request, and removing a document.

Both are the page's own, and no part of the API.
"""

import asyncio

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from corpus.errors import IndexUnavailable
from ui.http.guards import REMOVE_PATH, UPLOAD_PATH, may
from ui.http.problems import busy_response, problem_response
from ui.http.tokens import TokenScope
from ui.library.changes import Library
from ui.library.uploads import UploadTooManyError
from ui.settings import Settings

_MAX_NAME_CHARACTERS = 1_024
_MAX_DIGITS = 18


def add_library_paths(app: FastAPI, library: Library, settings: Settings) -> None:
    """Add both to `app`."""

    def refusal(request: Request, needed: TokenScope) -> JSONResponse | None:
        # The guard asks by the path; this asks again where it is done, whatever the paths are called one day.
        if may(request.scope, needed, settings=settings):
            return None
        return problem_response(403, f"This token lacks the scope '{needed}'.")

    @app.post(UPLOAD_PATH, include_in_schema=False)
    async def take_in(request: Request) -> JSONResponse:
        if (refused := refusal(request, TokenScope.WRITE)) is not None:
            return refused
        names = request.query_params.getlist("name")
        if len(names) != 1 or len(names[0]) > _MAX_NAME_CHARACTERS:
            return problem_response(400, "Send one file, with its name as `name`.")
        content = await request.body()
        try:
            key = await asyncio.to_thread(library.uploads.take_in, names[0], content)
        except UploadTooManyError as error:
            return busy_response(str(error))
        except OSError as error:
            return problem_response(507, f"The server can't keep the file ({error.strerror}).")
        return JSONResponse({"upload": key}, status_code=201)

    @app.post(f"{REMOVE_PATH}{{document_id}}/remove", include_in_schema=False)
    async def remove(document_id: str, request: Request) -> JSONResponse:
        if (refused := refusal(request, TokenScope.ADMIN)) is not None:
            return refused
        if not (document_id.isascii() and document_id.isdigit()) or len(document_id) > _MAX_DIGITS:
            return problem_response(404, "There is no such document.")
        try:
            source = await asyncio.to_thread(library.remove, int(document_id))
        except IndexUnavailable:
            return busy_response(
                "Something is being added at the moment, or the library can't be changed. Try again when that is done."
            )
        except OSError as error:
            message = (
                f"Answers no longer quote it, but its file can't be removed ({error.strerror}), and bringing the "
                "library up to date would bring it back. Ask whoever runs the server to remove the file."
            )
            return problem_response(507, message)
        return JSONResponse({"removed": source})
