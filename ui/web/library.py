"""Library: what is covered, the documents, adding to them, bringing them up to date and removing them."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from markupsafe import Markup

from corpus.catalogue import CatalogueProduct, stable_releases
from corpus.errors import IndexNotFound, IndexUnavailable, RelnotesError
from corpus.index.stored import DocumentSummary
from corpus.index.tables import TableReader
from corpus.model import Release
from corpus.version_gaps import find_version_gaps, name_gaps
from ui.http.guards import ADD_PATH, CANCEL_PATH, REMOVE_PATH, SYNC_PATH, UPLOAD_PATH, may
from ui.http.problems import busy_response, problem_response
from ui.http.tokens import TokenScope
from ui.library.changes import Library
from ui.library.ingest_desk import IngestJob, IngestOutcome
from ui.library.requests import read_hints
from ui.library.uploads import MAX_UPLOAD_BYTES, MAX_UPLOADS, Uploads, UploadTooManyError
from ui.rendering.words import product_version
from ui.settings import Settings
from ui.web.html import render
from ui.web.services import PageServices, read_form
from ui.web.shell import page_response, trouble_response

PATH, PROGRESS_PATH = "/library", "/library/progress"
_DONE_PATH = f"{PATH}?done"  # With what came of the last one, once it has ended.
_FIELDS = ("address", "product", "version", "authority")
_MAX_FORM_CHARACTERS, _MAX_GIVEN_CHARACTERS = 16_384, 2_048
_READ_ONLY = "You may read here, and change nothing: your token lacks the scope 'write'."
_NAMED = 20
_MAX_FILE_NAME_CHARACTERS = 1_024
_MAX_DIGITS = 18


@dataclass(frozen=True, slots=True)
class LibraryDocument:
    """A document with what its row shows; `is_uploaded` where people gave its file over the page."""

    document: DocumentSummary
    versions: str  # In words.
    newest: date | None  # The day of its newest release, or its own.
    is_uploaded: bool

    @property
    def read_at(self) -> datetime | None:
        return datetime.fromisoformat(self.document.synced_at) if self.document.synced_at else None


@dataclass(frozen=True, slots=True)
class LibraryView:
    products: tuple[CatalogueProduct, ...]
    documents: tuple[LibraryDocument, ...]
    today: date


def add_library_page(app: FastAPI, services: PageServices) -> None:
    library = services.library
    add_library_paths(app, library, services.settings)

    def granted(request: Request, needed: TokenScope) -> bool:
        return may(request.scope, needed, settings=services.settings)

    async def show(
        request: Request, *, refusal: str = "", status: int = 200, given: Mapping[str, str] | None = None
    ) -> HTMLResponse:
        try:
            shown = await services.run(lambda assistant: load_library_view(assistant.index, library.uploads))
        except IndexNotFound:
            shown = load_library_view(None, library.uploads)
        except RelnotesError as error:
            return trouble_response(request, "library", error)
        job = library.desk.latest
        outcome = job.state.outcome if job is not None and "done" in request.query_params else None
        body = render(
            "library",
            "page",
            may_add=granted(request, TokenScope.WRITE),
            coverage=render_coverage_table(shown),
            documents=render(
                "library", "documents", rows=shown.documents, may_remove=granted(request, TokenScope.ADMIN)
            ),
            progress=_progress(library.desk.running),
            outcome=_refusal(refusal) if refusal else outcome and render_outcome_html(outcome, shown),
            given={name: (given or {}).get(name, "")[:_MAX_GIVEN_CHARACTERS] for name in _FIELDS},
            most=MAX_UPLOADS,
            largest=MAX_UPLOAD_BYTES,
        )
        return page_response(request, "Library", "library", body, status=status)

    async def start(
        request: Request, begin: Callable[[], IngestJob], given: Mapping[str, str] | None = None
    ) -> Response:
        if not granted(request, TokenScope.WRITE):
            return await show(request, refusal=_READ_ONLY, status=403)
        try:
            begin()
        except RelnotesError as error:
            return await show(request, refusal=str(error), status=400, given=given)
        # It may be done before the browser is there.
        return RedirectResponse(_DONE_PATH, 303)

    @app.api_route(PATH, methods=["GET", "HEAD"], include_in_schema=False)
    async def show_page(request: Request) -> HTMLResponse:
        return await show(request)

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
            return await show(request, refusal=str(error), status=400)
        return await start(request, lambda: _begin(library, fields), fields)

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


def add_library_paths(app: FastAPI, library: Library, settings: Settings) -> None:
    """Add what the page's script asks for: taking in a file as the bare body of a request, and removing a document."""

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
        if len(names) != 1 or len(names[0]) > _MAX_FILE_NAME_CHARACTERS:
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


def _begin(library: Library, fields: Mapping[str, str]) -> IngestJob:
    """Begin to add what a form names: uploaded files by their keys, or what is at an address."""
    try:
        keys = json.loads(fields.get("uploaded", "") or "[]")
    except (ValueError, RecursionError):
        keys = []
    # What isn't a list of keys is none.
    keys = [key for key in keys if isinstance(key, str)][:MAX_UPLOADS] if isinstance(keys, list) else []
    address = fields.get("address", "").strip()
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


def _refusal(message: str) -> Markup:
    return render("library", "note", message=message, role="alert")


def _progress(running: IngestJob | None) -> Markup:
    return render("library", "progress", state=running.state) if running is not None else Markup("")


def load_library_view(index: TableReader | None, uploads: Uploads) -> LibraryView:
    """What there is in `index`; nothing where there is none yet."""
    today = datetime.now(UTC).date()
    if index is None:
        return LibraryView((), (), today)
    documents = []
    for document in index.documents:
        releases = index.document_releases(document.id)
        newest = max((release.date for release in releases if release.date), default=document.date)
        versions = document_versions(releases, document.version)
        documents.append(LibraryDocument(document, versions, newest, uploads.holds(document.root)))
    return LibraryView(index.products, tuple(documents), today)


def document_versions(releases: Sequence[Release], version: str | None) -> str:
    """What versions a document has, in words; `version` is the one that the document itself is about."""
    labels = [str(known) for known in sorted({release.version for release in releases if release.version})]
    if not labels:
        return version or ""
    return labels[0] if len(labels) == 1 else f"{labels[0]}–{labels[-1]}"


def render_coverage_table(view: LibraryView) -> Markup:
    """A row for each product: how much there is, from when to when, how old, and what is missing."""
    rows = []
    for product in view.products:
        gaps = find_version_gaps(release.version for release in product.releases)
        rows.append((product, name_gaps(gaps), next(iter(stable_releases(product.releases)), None)))
    return render("library", "coverage", rows=rows, documents=len(view.documents), today=view.today)


def render_outcome_html(outcome: IngestOutcome, view: LibraryView) -> Markup:
    """What came of adding, what can be asked now, and why what was left out was; `view` is the index after."""
    if outcome.is_cancelled:
        return render("library", "note", message=outcome.error, role="status")
    if outcome.error:
        return _refusal(outcome.error)
    report = outcome.report
    lines = [("Not added", refused.source, refused.error) for refused in outcome.refused]
    if report is not None:
        lines += [("Couldn't be read", failed.source, failed.error) for failed in report.failed]
        lines += [("Have a look at it", odd.source, odd.reason) for odd in report.suspicious]
        lines += [("Left out", skipped.source, skipped.reason) for skipped in report.skipped]
    return render(
        "library",
        "outcome",
        report=report,
        view=view,
        added=list(_added(outcome, view)),
        lines=lines,
        is_well=report is not None and report.succeeded and not outcome.refused,
        most=_NAMED,
    )


def _added(outcome: IngestOutcome, view: LibraryView) -> Iterator[tuple[str, str, list[DocumentSummary]]]:
    """By product, what was given this time, whether it had been here before or not, with a question to ask now."""
    given = {source.source for source in outcome.report.sources if source.documents} if outcome.report else set()
    by_product: dict[str, list[LibraryDocument]] = {}
    for shown in view.documents:
        is_given = shown.document.source in outcome.kept if shown.is_uploaded else shown.document.root in given
        if is_given:
            by_product.setdefault(shown.document.product, []).append(shown)
    known = {product.name: stable_releases(product.releases) for product in view.products}
    newest = {name: releases[0].version.label for name, releases in known.items() if releases}
    for product, documents in by_product.items():
        versions = documents[0].versions if len(documents) == 1 else ""
        question = f"What is new in {product_version(product, newest.get(product))}?"
        yield product_version(product, versions), question, [shown.document for shown in documents]
