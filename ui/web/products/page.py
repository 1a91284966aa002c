"""`/p/PRODUCT` and `/p/PRODUCT/VERSION`: what the notes hold of a product, or of one of its releases."""

from collections.abc import Iterator
from itertools import islice

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from corpus.catalogue import CatalogueProduct, stable_releases
from corpus.errors import NotIndexed, RelnotesError
from corpus.model import Kind
from corpus.stores.protocol import PassageFilter
from corpus.versions import Version
from retrieval.assistant import Assistant
from retrieval.drafting import Draft, Statement, verify_quotes
from retrieval.model import Citation, Status
from retrieval.quoting.quotes import Quote
from retrieval.upgrades.bounds import find_product
from ui.question_limits import MAX_FILTER_CHARACTERS
from ui.web.html import render
from ui.web.products.timeline import release_counts, render_timeline
from ui.web.services import PageServices
from ui.web.shell import notice_response, page_response, trouble_response
from ui.web.surroundings import reads_around

_GROUPS = {
    "Breaking": ("break", (Kind.BREAKING,)),
    "Removed": ("break", (Kind.REMOVAL,)),
    "Security": ("sec", (Kind.SECURITY,)),
    "New": ("new", (Kind.FEATURE,)),
    "Faster": ("new", (Kind.PERFORMANCE,)),
    "Deprecated": ("dep", (Kind.DEPRECATION,)),
    "Fixed": ("fix", (Kind.FIX,)),
    "Other": ("fix", (Kind.OTHER,)),
}
_OF_EACH, _MOST = 4, 200
"""Entries of each group on a product's page, and of one release in all."""
_RANGES = 3


def add_product_pages(app: FastAPI, services: PageServices) -> None:
    """Add both to `app`."""

    @app.head("/p/{product}", include_in_schema=False)
    @app.get("/p/{product}", include_in_schema=False)
    async def show_product(request: Request, product: str) -> HTMLResponse:
        return await _show(request, services, product, None)

    @app.head("/p/{product}/{version}", include_in_schema=False)
    @app.get("/p/{product}/{version}", include_in_schema=False)
    async def show_release(request: Request, product: str, version: str) -> HTMLResponse:
        return await _show(request, services, product, version)


async def _show(request: Request, services: PageServices, product: str, version: str | None) -> HTMLResponse:
    try:
        title, body = await services.ask(lambda assistant: _page(assistant, product, version))
    except NotIndexed as error:
        message = str(error).partition(" `relnotes")[0]
        link = ("/library", "What is in the library")
        return notice_response(request, "library", "Not in the library", message, status=404, link=link)
    except RelnotesError as error:
        return trouble_response(request, "library", error)
    return page_response(request, title, "library", body)


def _page(assistant: Assistant, name: str, label: str | None) -> tuple[str, Markup]:
    product = find_product(assistant.catalogue(), name[:MAX_FILTER_CHARACTERS])
    out = tuple(release.version for release in stable_releases(product.releases)) or tuple(
        release.version for release in product.releases
    )
    version = _find_version(product, label) if label is not None else next(iter(out), None)
    entries = list(_entries(assistant, product, version)) if version is not None else []
    groups = [
        (word, tone, tuple(citation for kind, citation in entries if kind in kinds))
        for word, (tone, kinds) in _GROUPS.items()
    ]
    groups = [group for group in groups if group[2]]
    shown = groups if label is not None else [(word, tone, found[:_OF_EACH]) for word, tone, found in groups[:4]]
    sources = {place for release in product.releases if release.version == version for place in release.sources}
    documents = [document for document in assistant.index.documents if document.product == product.name]
    body = render(
        "products",
        "product",
        product=product,
        version=version.label if version else "",
        timeline=render_timeline(product.name, release_counts(assistant.index, product), shown=version),
        groups=shown,
        more=len(entries) - sum(len(found) for _, _, found in shown),
        sources=[document for document in documents if document.source in sources] or documents[:_RANGES],
        ranges=list(_ranges(out, version if label is not None else None)),
        around=reads_around(assistant.index),
        all=label is not None,
    )
    return f"{product.name} {version.label}" if label is not None and version else product.name, body


def _find_version(product: CatalogueProduct, label: str) -> Version:
    wanted = Version.try_parse(label[:MAX_FILTER_CHARACTERS])
    found = next((release.version for release in product.releases if release.version == wanted), None)
    if found is None:
        raise NotIndexed(f"The notes hold no {product.name} {label[:MAX_FILTER_CHARACTERS]!r}.")
    return found


def _ranges(out: tuple[Version, ...], version: Version | None) -> Iterator[tuple[str, str]]:
    """Upgrades to offer: to the newest from the last release of older series, or to `version` from the one before."""
    if version is not None:
        before = next((earlier for earlier in out if earlier < version), None)
        yield from [(before.label, version.label)] if before else []
        return
    older = [earlier for earlier in out if earlier.series != out[0].series]
    # The last of each series, which is what whoever is on it has by now.
    for series in islice(dict.fromkeys(earlier.series for earlier in older), _RANGES):
        yield next(earlier for earlier in older if earlier.series == series).label, out[0].label


def _entries(assistant: Assistant, product: CatalogueProduct, version: Version) -> Iterator[tuple[Kind, Citation]]:
    """The entries of a release as verified citations, the most important of each kind first."""
    index = assistant.index
    table = index.passages
    codes = tuple(code for code, known in enumerate(table.distinct_versions) if known == version)
    positions = PassageFilter(index.product_places((product.name,)), codes).positions(table)
    passages = [passage for passage in index.load_passages(positions.tolist()) if not passage.boilerplate]
    found = [(item.headline, passage, item) for passage in passages for item in passage.items if not item.retracted]
    found.sort(key=lambda one: -one[0])
    quotes = [Quote(passage=passage, core=item.span, span=item.span) for _, passage, item in found[:_MOST]]
    draft = Draft(Status.ANSWERED, "", tuple(Statement("", (quote,)) for quote in quotes))
    for statement, (citation,) in verify_quotes(draft, index):
        yield statement.quotes[0].passage.kind, citation
