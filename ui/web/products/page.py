"""`/p/PRODUCT` and `/p/PRODUCT/VERSION`: what the notes hold of a product, or of one of its releases."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from corpus.catalogue import CatalogueProduct, CatalogueRelease, stable_releases
from corpus.errors import NotIndexed
from corpus.index.reader import IndexReader
from corpus.index.stored import DocumentSummary, StoredPassage
from corpus.model import Item, Kind, Span
from corpus.versions import Version
from retrieval.assistant import Assistant
from retrieval.drafting import Draft, Statement, verify_quotes
from retrieval.model import Citation, Status
from retrieval.products.known import find_product
from retrieval.quoting.quotes import Quote
from ui.question_limits import MAX_FILTER_CHARACTERS
from ui.web.html import render
from ui.web.products.timeline import release_counts, render_timeline
from ui.web.services import PageServices
from ui.web.shell import Notice, show_page
from ui.web.source import reads_around

_GROUPS = {
    Kind.BREAKING: ("Breaking", "break"),
    Kind.REMOVAL: ("Removed", "break"),
    Kind.SECURITY: ("Security", "sec"),
    Kind.FEATURE: ("New", "new"),
    Kind.PERFORMANCE: ("Faster", "new"),
    Kind.DEPRECATION: ("Deprecated", "dep"),
    Kind.FIX: ("Fixed", "fix"),
    Kind.OTHER: ("Other", "fix"),
}
_SHOWN_GROUPS, _OF_EACH = 4, 4
"""Of a product's newest release on its page."""
_MOST = 40
"""Entries of one release on its page; all stand in its source."""
_NEAR_CHARACTERS = 80
"""What such a page shows around each: it has many."""
_RANGES, _SOURCES = 3, 12


@dataclass(frozen=True, slots=True)
class EntryGroup:
    """Entries of one kind: those that are shown, and how many there are."""

    word: str
    tone: str
    citations: tuple[Citation, ...]
    total: int


def add_product_pages(app: FastAPI, services: PageServices) -> None:
    """Add both to `app`."""

    @app.api_route("/p/{place:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def show(request: Request, place: str) -> HTMLResponse:
        def work(assistant: Assistant) -> tuple[str, Markup]:
            try:
                return _page(assistant, *_read(assistant, place))
            except NotIndexed as error:
                message = str(error).partition(" `relnotes")[0]
                link = ("/library", "What is in the library")
                raise Notice("Not in the library", message, 404, link=link) from None

        return await show_page(request, "library", services, work)


def _read(assistant: Assistant, place: str) -> tuple[CatalogueProduct, CatalogueRelease | None]:
    """The product that an address names, and its release if any; names of products may have slashes.

    Raises:
        NotIndexed: there is none.
    """
    products = assistant.catalogue()
    name, slash, label = place.rpartition("/")
    if not slash or any(product.is_called(place) for product in products):
        return find_product(products, place[:MAX_FILTER_CHARACTERS]), None
    product = find_product(products, name[:MAX_FILTER_CHARACTERS])
    return product, _find_release(product, label[:MAX_FILTER_CHARACTERS])


def _page(assistant: Assistant, product: CatalogueProduct, asked: CatalogueRelease | None) -> tuple[str, Markup]:
    index = assistant.index
    out = stable_releases(product.releases)
    release = asked or next(iter(out), None)
    version = release.version if release else None
    entries = _entries(index, product, version) if version else []
    groups = _groups(index, entries, is_whole=asked is not None)
    body = render(
        "products",
        "product",
        product=product,
        newest=out[0].version.label if out else "",
        release=release,
        timeline=render_timeline(product.name, release_counts(index, product), shown={version}),
        groups=groups,
        more=len(entries) - sum(len(group.citations) for group in groups),
        sources=list(_sources(index, product, release)),
        ranges=list(_ranges(tuple(one.version for one in out), asked.version if asked else None)),
        around=reads_around(index, width=_NEAR_CHARACTERS) if asked else reads_around(index),
        all=asked is not None,
    )
    return f"{product.name} {version.label}" if asked and version else product.name, body


def _find_release(product: CatalogueProduct, label: str) -> CatalogueRelease:
    wanted = Version.try_parse(label)
    found = next((release for release in product.releases if release.version == wanted), None)
    if found is None:
        raise NotIndexed(f"The notes hold no {product.name} {label!r}.")
    return found


def _sources(
    index: IndexReader, product: CatalogueProduct, release: CatalogueRelease | None
) -> Iterator[tuple[DocumentSummary, Span | None]]:
    """The documents that hold a release, each with where; or some of the product's, where it has none."""
    documents = index.documents_of(product.name)
    holding = [document for document in documents if release and document.source in release.sources]
    for document in holding[:_SOURCES] or documents[:_RANGES]:
        yield document, _heading(index, document, release.version) if release else None


def _heading(index: IndexReader, document: DocumentSummary, version: Version) -> Span | None:
    """The first line of a release in a document."""
    span = next((found.span for found in index.document_releases(document.id) if found.version == version), None)
    line = span.slice(index.document_text(document.id)).partition("\n")[0].rstrip() if span else ""
    return Span(span.start, span.start + len(line)) if span and line else None


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


def _entries(index: IndexReader, product: CatalogueProduct, version: Version) -> list[tuple[StoredPassage, Item]]:
    """The entries of a release, the most important first."""
    passages = index.load_passages(index.release_positions(product.name, version))
    found = [(passage, item) for passage in passages for item in passage.items if not item.retracted]
    return sorted(found, key=lambda entry: -entry[1].headline)


def _groups(index: IndexReader, entries: Sequence[tuple[StoredPassage, Item]], *, is_whole: bool) -> list[EntryGroup]:
    """The entries by kind as verified citations: all that there is room for, or the first of the first kinds."""
    by_kind = {kind: [entry for entry in entries if entry[0].kind is kind] for kind in _GROUPS}
    shown = [kind for kind, found in by_kind.items() if found][: None if is_whole else _SHOWN_GROUPS]
    groups = [by_kind[kind] for kind in shown]
    # What is first in its group comes before what is second in any other: a long group leaves the others their room.
    ranked = sorted((rank, place) for place, found in enumerate(groups) for rank in range(len(found)))
    room = Counter(place for _, place in ranked[:_MOST])
    chosen = [found[: room[place] if is_whole else _OF_EACH] for place, found in enumerate(groups)]
    quotes = [Quote(passage=passage, core=item.span, span=item.span) for found in chosen for passage, item in found]
    draft = Draft(Status.ANSWERED, "", tuple(Statement("", (quote,)) for quote in quotes))
    proven = [(statement.quotes[0].passage.kind, citation) for statement, (citation,) in verify_quotes(draft, index)]
    return [
        EntryGroup(*_GROUPS[kind], tuple(citation for found, citation in proven if found is kind), len(by_kind[kind]))
        for kind in shown
    ]
