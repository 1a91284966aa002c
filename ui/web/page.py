"""The site: adds every page, each in the shell of `ui.web.shell`, to the application."""

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from corpus.errors import RelnotesError
from ui.http.problems import on_http_error, on_relnotes_error
from ui.web.ask.endpoints import add_ask_page
from ui.web.document import add_document_page
from ui.web.html import render
from ui.web.library import add_library_page
from ui.web.products import add_product_pages
from ui.web.review import add_review_page
from ui.web.services import PageServices
from ui.web.shell import Notice, add_assets, page_response, trouble_response
from ui.web.upgrade import add_upgrade_page


def mount_page(app: FastAPI, services: PageServices) -> None:
    add_assets(app)
    add_ask_page(app, services)
    add_upgrade_page(app, services)
    add_review_page(app, services)
    add_library_page(app, services)
    add_product_pages(app, services)
    add_document_page(app, services)
    app.add_exception_handler(HTTPException, _on_http_error)

    async def show_api(request: Request) -> HTMLResponse:
        """Show `/openapi.json` as a page for people."""
        return page_response(request, "HTTP API", "", render("shell", "api", paths=app.openapi()["paths"]))

    app.add_route("/api", show_api)


async def refusal(request: Request, error: RelnotesError) -> Response:
    """Return the response to a request that wasn't answered: a page for a browser, else problem details."""
    if "text/html" in request.headers.get("accept", ""):
        return trouble_response(request, "", error)
    return await on_relnotes_error(request, error)


async def _on_http_error(request: Request, error: Exception) -> Response:
    """Return a page for a browser's 404, and problem details for every other error or client."""
    wants_html = "text/html" in request.headers.get("accept", "")
    if wants_html and isinstance(error, HTTPException) and error.status_code == 404:
        return trouble_response(request, "", Notice("Page not found", f"There is nothing at {request.url.path}.", 404))
    return await on_http_error(request, error)
