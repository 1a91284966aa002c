"""Library: the products covered, and the documents."""

from datetime import UTC, datetime

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from corpus.catalogue import stable_releases
from corpus.errors import IndexNotFound, RelnotesError
from corpus.index.tables import TableReader
from corpus.version_gaps import find_version_gaps, name_gaps
from ui.web.html import render
from ui.web.products import newest_release_day
from ui.web.services import PageServices
from ui.web.shell import page_response, trouble_response


def add_library_page(app: FastAPI, services: PageServices) -> None:
    async def show_page(request: Request) -> HTMLResponse:
        try:
            coverage, documents = await services.run(lambda assistant: _render_tables(assistant.index))
        except IndexNotFound:
            coverage, documents = render("library", "coverage", rows=(), documents=0, today=None), Markup("")
        except RelnotesError as error:
            return trouble_response(request, "library", error)
        return page_response(
            request, "Library", "library", render("library", "page", coverage=coverage, documents=documents)
        )

    app.add_route("/library", show_page)


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
