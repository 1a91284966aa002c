"""Library: the products covered, the documents, and a form to add more, for visitors from this machine only."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from corpus.catalogue import stable_releases
from corpus.errors import IndexNotFound, RelnotesError, UsageError
from corpus.index.tables import TableReader
from corpus.version_gaps import find_version_gaps, name_gaps
from ui.http.guards import ADD_PATH, MAX_FILES_BODY_BYTES
from ui.server.binding import is_loopback
from ui.web.html import render
from ui.web.products import newest_release_day
from ui.web.services import PageServices
from ui.web.shell import page_response, trouble_response

PATH, INGESTS_PATH = "/library", "/library/ingests"
_MOST_FILES, _MOST_FIELDS, _MOST_CHARACTERS = 50, 4, 4_096
_NAMED = ("source", "product")
_FORWARDED = {"forwarded", "via", "x-real-ip"}
_ELSEWHERE = "Documents are added on the machine that serves them alone: run `relnotes ingest SOURCE` there."


def add_library_page(app: FastAPI, services: PageServices) -> None:
    ingests = services.ingests

    def may_add(request: Request) -> bool:
        # Requests through a proxy on this machine have a loopback address too, but carry headers of forwarding.
        client = request.client.host if request.client else ""
        is_forwarded = any(name in _FORWARDED or name.startswith("x-forwarded-") for name in request.headers)
        return is_loopback(services.settings.host) and is_loopback(client) and not is_forwarded

    async def show(
        request: Request, *, refusal: str = "", status: int = 200, given: Mapping[str, str] | None = None
    ) -> HTMLResponse:
        try:
            coverage, documents = await services.run(lambda assistant: _render_tables(assistant.index))
        except IndexNotFound:
            coverage, documents = render("library", "coverage", rows=(), documents=0, today=None), Markup("")
        except RelnotesError as error:
            return trouble_response(request, "library", error)
        body = render(
            "library",
            "page",
            may_add=may_add(request),
            coverage=coverage,
            documents=documents,
            ingest=render("library", "ingest", ingest=ingests.last),
            refusal=refusal,
            given=given or {"source": "", "product": request.query_params.get("product", "")[:_MOST_CHARACTERS]},
            largest=MAX_FILES_BODY_BYTES,
        )
        return page_response(request, "Library", "library", body, status=status)

    @app.api_route(PATH, methods=["GET", "HEAD"], include_in_schema=False)
    async def show_page(request: Request) -> HTMLResponse:
        return await show(request)

    @app.get(INGESTS_PATH, include_in_schema=False)
    async def show_ingests() -> HTMLResponse:
        """Show the running ingest or the outcome of the last one; the script polls it."""
        return HTMLResponse(render("library", "ingest", ingest=ingests.last))

    @app.post(ADD_PATH, include_in_schema=False)
    async def add(request: Request) -> Response:
        """Begin to ingest uploaded files, or a source by its name, and lead back; else show the reason."""
        if not may_add(request):
            return await show(request, refusal=_ELSEWHERE, status=403)
        try:
            async with request.form(max_files=_MOST_FILES, max_fields=_MOST_FIELDS) as sent:
                uploads = [value for value in sent.getlist("files") if isinstance(value, UploadFile) and value.filename]
                files = [(value.filename or "", await value.read()) for value in uploads]
                fields = {name: str(sent.get(name, "")).strip()[:_MOST_CHARACTERS] for name in _NAMED}
        except HTTPException:
            return await show(request, refusal=f"Choose {_MOST_FILES} files at most.", status=400)

        try:
            if bool(files) == bool(fields["source"]):
                raise UsageError("Choose files, or name a source.")
            if files:
                await asyncio.to_thread(ingests.add_files, files, fields["product"])
            else:
                ingests.add_source(**fields)
        except RelnotesError as error:
            return await show(request, refusal=str(error), status=400, given=fields)
        except OSError as error:
            return await show(request, refusal=f"The files can't be kept ({error.strerror}).", status=507)
        return RedirectResponse(f"{PATH}#rn-ingests", 303)


def _render_tables(index: TableReader) -> tuple[Markup, Markup]:
    """Render two tables: the products with their newest stable release and version gaps; the documents with their
    versions, the day of the newest release (or the document's own) and the day of the last sync."""
    covered = []
    for product in index.products:
        gaps = find_version_gaps(release.version for release in product.releases)
        covered.append((product, name_gaps(gaps), next(iter(stable_releases(product.releases)), None)))
    rows = []
    for document in index.documents:
        releases = index.document_releases(document.id)
        read_at = datetime.fromisoformat(document.synced_at).date() if document.synced_at else None
        labels = [str(version) for version in sorted({release.version for release in releases if release.version})]
        versions = "–".join(dict.fromkeys((*labels[:1], *labels[-1:]))) or document.version or ""
        rows.append((document, versions, newest_release_day(index, document), read_at))
    coverage = render("library", "coverage", rows=covered, documents=len(rows), today=datetime.now(UTC).date())
    return coverage, render("library", "documents", rows=rows)
