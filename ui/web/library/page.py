"""Library: what is covered, and adding to it, bringing it up to date and removing."""

import json
from collections.abc import Callable, Mapping

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from corpus.errors import IndexNotFound, RelnotesError
from ui.http.guards import ADD_PATH, CANCEL_PATH, SYNC_PATH, may
from ui.http.tokens import TokenScope
from ui.library.ingest_desk import IngestJob
from ui.library.requests import read_hints
from ui.library.uploads import MAX_UPLOAD_BYTES, MAX_UPLOADS
from ui.web.html import render
from ui.web.library.library_html import (
    LibraryView,
    load_library_view,
    render_coverage_table,
    render_document_table,
    render_outcome_html,
    render_progress_html,
    render_refusal_html,
)
from ui.web.services import PageServices, read_form
from ui.web.shell import page_response, trouble_response

PATH, PROGRESS_PATH = "/library", "/library/progress"
_DONE_PATH = f"{PATH}?done"
"""With what came of the last one, once it has ended."""
_FIELDS = ("address", "product", "version", "authority")
_MAX_FORM_CHARACTERS, _MAX_GIVEN_CHARACTERS = 16_384, 2_048


def add_library_page(app: FastAPI, services: PageServices) -> None:
    """Add the page, and what its forms and its script ask for, to `app`."""
    library = services.library

    def granted(request: Request, needed: TokenScope) -> bool:
        return may(request.scope, needed, settings=services.settings)

    async def view() -> LibraryView:
        try:
            return await services.run(lambda assistant: load_library_view(assistant.index, library.uploads))
        except IndexNotFound:
            return load_library_view(None, library.uploads)

    async def page(
        request: Request, *, refusal: str = "", status: int = 200, given: Mapping[str, str] | None = None
    ) -> HTMLResponse:
        try:
            shown = await view()
        except RelnotesError as error:
            return trouble_response(request, "library", error)
        job = library.desk.latest
        outcome = job.state.outcome if job is not None and "done" in request.query_params else None
        body = render(
            "library",
            "page",
            may_add=granted(request, TokenScope.WRITE),
            coverage=render_coverage_table(shown),
            documents=render_document_table(shown, may_remove=granted(request, TokenScope.ADMIN)),
            progress=_progress(library.desk.running),
            outcome=render_refusal_html(refusal) if refusal else outcome and render_outcome_html(outcome, shown),
            given={name: (given or {}).get(name, "")[:_MAX_GIVEN_CHARACTERS] for name in _FIELDS},
            most=MAX_UPLOADS,
            largest=MAX_UPLOAD_BYTES,
        )
        return page_response(request, "Library", "library", body, status=status)

    async def start(
        request: Request, begin: Callable[[], IngestJob], given: Mapping[str, str] | None = None
    ) -> Response:
        if not granted(request, TokenScope.WRITE):
            return await page(request, refusal=_READ_ONLY, status=403)
        try:
            begin()
        except RelnotesError as error:
            return await page(request, refusal=str(error), status=400, given=given)
        # It may be done before the browser is there.
        return RedirectResponse(_DONE_PATH, 303)

    @app.api_route(PATH, methods=["GET", "HEAD"], include_in_schema=False)
    async def show_page(request: Request) -> HTMLResponse:
        return await page(request)

    @app.get(PROGRESS_PATH, include_in_schema=False)
    async def show_progress() -> HTMLResponse:
        """What is being added; empty where nothing is any more."""
        return HTMLResponse(_progress(library.desk.running))

    @app.post(ADD_PATH, include_in_schema=False)
    async def add(request: Request) -> Response:
        """Files that were uploaded before, or what is at an address."""
        try:
            fields = (await read_form(request)).fields
        except RelnotesError as error:
            return await page(request, refusal=str(error), status=400)
        keys, address = _keys(fields.get("uploaded", "")), fields.get("address", "").strip()

        def begin() -> IngestJob:
            try:
                if sum(map(len, fields.values())) > _MAX_FORM_CHARACTERS:
                    raise RelnotesError("That is more than fits here. Shorten what you wrote.")
                hints = read_hints(*(fields.get(name, "") for name in ("product", "version", "authority")))
                if not (keys or address):
                    raise RelnotesError("Choose files or write an address first.")
                if address and keys:
                    raise RelnotesError("Add either the files or the address now, and the other after it.")
                return library.add_files(keys, hints) if keys else library.add_address(address, hints)
            except RelnotesError as error:
                # The browser doesn't hold them any more either: they would only keep the places of others.
                again = " Choose the files again." if library.uploads.discard(keys) else ""
                raise RelnotesError(f"{error}{again}") from None

        return await start(request, begin, fields)

    @app.post(SYNC_PATH, include_in_schema=False)
    async def sync(request: Request) -> Response:
        """Every uploaded file and address again."""
        return await start(request, library.sync)

    @app.post(CANCEL_PATH, include_in_schema=False)
    async def call_off(request: Request) -> Response:
        running = library.desk.running
        if running is not None and granted(request, TokenScope.WRITE):
            running.cancel()
        return RedirectResponse(_DONE_PATH, 303)


_READ_ONLY = "You may read here, and change nothing: your token lacks the scope 'write'."


def _progress(running: IngestJob | None) -> Markup:
    return render_progress_html(running.state) if running is not None else Markup("")


def _keys(uploaded: str) -> tuple[str, ...]:
    """The keys of the files that the browser sent before; what isn't a list of them is none."""
    try:
        keys = json.loads(uploaded or "[]")
    except (ValueError, RecursionError):
        return ()
    return tuple(key for key in keys if isinstance(key, str))[:MAX_UPLOADS] if isinstance(keys, list) else ()
