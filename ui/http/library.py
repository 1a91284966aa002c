"""What the page's Library needs beyond Gradio: taking in a file as the bare body of a request, and removing a document.

Both are the page's own, and no part of the API.
"""

import asyncio

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from corpus.errors import IndexUnavailable, UsageError
from ui.http.guards import REMOVE_PATH, UPLOAD_PATH
from ui.http.problems import busy_response, problem_response
from ui.library.changes import Library
from ui.library.uploads import UploadTooManyError

_MAX_NAME_CHARACTERS = 1_024
_MAX_DIGITS = 18


def add_library_paths(app: FastAPI, library: Library) -> None:
    """Add both to `app`; `ui.http.guards.needed_scope` says who may use them."""

    @app.post(UPLOAD_PATH, include_in_schema=False)
    async def take_in(request: Request) -> JSONResponse:
        names = request.query_params.getlist("name")
        if len(names) != 1 or len(names[0]) > _MAX_NAME_CHARACTERS:
            return problem_response(400, "Send one file, with its name as `name`.")
        content = await request.body()
        try:
            key = await asyncio.to_thread(library.uploads.take_in, names[0], content)
        except UploadTooManyError as error:
            return busy_response(str(error))
        except UsageError as error:
            return problem_response(400, str(error))
        except OSError as error:
            return problem_response(507, f"The server can't keep the file ({error.strerror}).")
        return JSONResponse({"upload": key}, status_code=201)

    @app.post(f"{REMOVE_PATH}{{document_id}}/remove", include_in_schema=False)
    async def remove(document_id: str) -> JSONResponse:
        if not (document_id.isascii() and document_id.isdigit()) or len(document_id) > _MAX_DIGITS:
            return problem_response(404, "There is no such document.")
        try:
            source = await asyncio.to_thread(library.remove, int(document_id))
        except UsageError as error:
            return problem_response(404, str(error))
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
