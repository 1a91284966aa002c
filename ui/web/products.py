"""`/p/PRODUCT` and `/p/PRODUCT/VERSION`: the entries of a product or a release, and a timeline of its releases."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from weakref import WeakKeyDictionary

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from corpus.catalogue import CatalogueProduct, CatalogueRelease, stable_releases
from corpus.errors import NotIndexed
from corpus.index.reader import IndexReader
from corpus.index.stored import DocumentSummary
from corpus.index.tables import TableReader
from corpus.model import Kind, Span
from corpus.versions import Version
from retrieval.assistant import Assistant
from retrieval.model import Citation
from retrieval.products.known import find_product
from retrieval.quoting.composing import cite_quotes
from retrieval.upgrades.citing import quote_entry
from retrieval.upgrades.released_changes import read_changes, read_releases
from ui.question_lengths import MAX_FILTER_CHARACTERS
from ui.web.html import render
from ui.web.services import PageServices
from ui.web.shell import Notice, show_page
from ui.web.source import OF_MANY_CHARACTERS, reads_around

_KINDS = "breaking removal security feature performance deprecation fix other"  # In the order of display.
_MAX_GROUPS, _MAX_GROUP_ENTRIES = 4, 4  # Limits of a product's page, which shows its newest release.
_MAX_RELEASE_ENTRIES = 40  # Limit of a release's page, shared by its kinds; its source has all entries.
_NEAR_CHARACTERS = 80  # Shown around each quote on a release's page, which has many.
_RANGES, _SOURCES = 3, 12
_BARS, _BARS_BEFORE = 24, 2  # Bars of a timeline, and those of them before a range.


@dataclass(frozen=True, slots=True)
class ReleaseCounts:
    """Numbers of entries in the notes of one release: all, breaking changes and removals, and security fixes."""

    version: Version
    date: date | None
    entries: int
    breaking: int
    security: int


_COUNTS: WeakKeyDictionary[IndexReader, dict[str, tuple[ReleaseCounts, ...]]] = WeakKeyDictionary()


def add_product_pages(app: FastAPI, services: PageServices) -> None:
    async def show(request: Request) -> HTMLResponse:
        def work(assistant: Assistant) -> tuple[str, Markup]:
            try:
                return _render_page(
                    assistant.index, *_find_release(assistant.catalogue(), request.path_params["place"])
                )
            except NotIndexed as error:
                message = str(error).partition(" `relnotes")[0]
                raise Notice("Not in the library", message, 404, link=("/library", "See all products")) from None

        return await show_page(request, "library", services, work)

    app.add_route("/p/{place:path}", show)


def _find_release(products: Sequence[CatalogueProduct], place: str) -> tuple[CatalogueProduct, CatalogueRelease | None]:
    """Return an address's product and release (None if it names none), or raise NotIndexed. Names may have slashes."""
    name, slash, label = place.rpartition("/")
    if not slash or any(product.is_called(place) for product in products):
        return find_product(products, place[:MAX_FILTER_CHARACTERS]), None
    product, label = find_product(products, name[:MAX_FILTER_CHARACTERS]), label[:MAX_FILTER_CHARACTERS]
    version = Version.try_parse(label)
    release = next((release for release in product.releases if release.version == version), None)
    if release is None:
        raise NotIndexed(f"The notes hold no {product.name} {label!r}.")
    return product, release


def _render_page(index: IndexReader, product: CatalogueProduct, chosen: CatalogueRelease | None) -> tuple[str, Markup]:
    stable = stable_releases(product.releases)
    release = chosen or next(iter(stable), None)
    version = release.version if release else None
    groups, more = _group_entries(index, product, version, is_whole=chosen is not None) if version else ([], 0)
    body = render(
        "products",
        "product",
        product=product,
        newest=stable[0].version.label if stable else "",
        release=release,
        timeline=render_timeline(product.name, release_counts(index, product), shown=[version]),
        groups=groups,
        more=more,
        sources=list(_release_sources(index, product, release)),
        ranges=_upgrade_ranges([release.version for release in stable], chosen.version if chosen else None),
        around=reads_around(index, width=_NEAR_CHARACTERS if chosen else OF_MANY_CHARACTERS),
        all=chosen is not None,
    )
    return f"{product.name} {version.label}" if chosen and version else product.name, body


def newest_release_day(index: TableReader, document: DocumentSummary) -> date | None:
    """Return the day of a document's newest stable release by version, else of its newest pre-release, else its own."""
    releases = (
        release
        for product in index.products_named((document.product,))
        for release in (*stable_releases(product.releases), *product.releases)
        if document.source in release.sources
    )
    return next((release.date for release in releases), None) or document.date


def _release_sources(
    index: IndexReader, product: CatalogueProduct, release: CatalogueRelease | None
) -> Iterator[tuple[DocumentSummary, Span | None]]:
    """Yield the documents that contain a release, each with its first line; else some of the product's, with None."""
    documents = index.documents_of(product.name)
    with_release = [document for document in documents if release and document.source in release.sources]
    for document in with_release[:_SOURCES] or documents[:_RANGES]:
        releases = index.document_releases(document.id) if release else ()
        span = next((entry.span for entry in releases if release and entry.version == release.version), None)
        line = span.slice(index.document_text(document.id)).partition("\n")[0].rstrip() if span else ""
        yield document, Span(span.start, span.start + len(line)) if span and line else None


def _upgrade_ranges(versions: Sequence[Version], version: Version | None) -> list[tuple[str, str]]:
    """Return `(from, to)` of upgrades to offer: to `version` from the release before; or, without a version, to the
    newest of `versions`, newest first, from the last release of each older series."""
    if version is not None:
        return [(earlier.label, version.label) for earlier in versions if earlier < version][:1]
    # Users of a series mostly have its last release.
    last: dict[object, Version] = {}
    for earlier in versions:
        last.setdefault(earlier.series, earlier)
    return [(earlier.label, versions[0].label) for earlier in list(last.values())[1 : _RANGES + 1]]


def _group_entries(
    index: IndexReader, product: CatalogueProduct, version: Version, *, is_whole: bool
) -> tuple[list[tuple[Kind, list[Citation], int]], int]:
    """Return `(kind, citations, total)` of each kind shown, and the number of entries left out for want of room."""
    reading = read_changes(index, product, lambda noted: version in (noted, noted.base))
    entries = sorted(reading.counted(), key=lambda counted: -counted[0].first.headline)
    by_kind = {kind: [entry for entry, label in entries if label is kind] for kind in map(Kind, _KINDS.split())}
    kinds = [kind for kind, group in by_kind.items() if group][: None if is_whole else _MAX_GROUPS]
    room = _MAX_RELEASE_ENTRIES // max(1, len(kinds)) if is_whole else _MAX_GROUP_ENTRIES
    picked = [(kind, entry) for kind in kinds for entry in by_kind[kind][:room]]
    cited = cite_quotes([quote_entry(entry, index) for _, entry in picked], index)
    proven = [(kind, citation) for (kind, _), citation in zip(picked, cited, strict=True) if citation]
    groups = [(kind, [citation for label, citation in proven if label is kind], len(by_kind[kind])) for kind in kinds]
    return groups, len(entries) - len(proven)


def release_counts(index: IndexReader, product: CatalogueProduct) -> tuple[ReleaseCounts, ...]:
    """Return the counts of each release of a product, oldest first, pre-releases included; releases without entries
    are left out. Computed once for each state of an index."""
    by_product = _COUNTS.setdefault(index, {})
    if product.name not in by_product:
        kinds = {
            version: Counter(kind for _, kind in notes.counted()) for version, notes in read_releases(index, product)
        }
        releases = ((release, kinds.get(release.version)) for release in product.releases[::-1])
        by_product[product.name] = tuple(
            ReleaseCounts(
                release.version, release.date, n.total(), n[Kind.BREAKING] + n[Kind.REMOVAL], n[Kind.SECURITY]
            )
            for release, n in releases
            if n
        )
    return by_product[product.name]


def render_timeline(product: str, counts: Sequence[ReleaseCounts], *, shown: Sequence[Version | None]) -> Markup:
    """Render releases as bars that link to their pages, with a table of all: the bars around the one version `shown`,
    or, if it has the two ends of a range, the range with two bars before it."""
    ends = sorted(version for version in shown if version is not None)
    bars = [bar for bar in counts if bar.version in ends or not bar.version.is_prerelease] or list(counts)
    inside = [n for n, bar in enumerate(bars) if ends and ends[0] <= bar.version <= ends[-1]] or [len(bars)]
    is_range = len(ends) > 1
    last = inside[-1] + 1 if is_range else max(inside[-1] + _BARS // 2, _BARS)
    bars = bars[max(0, min(last, len(bars)) - _BARS, inside[0] - _BARS_BEFORE if is_range else 0) : last]
    band = [n for n, bar in enumerate(bars) if ends and ends[0] <= bar.version <= ends[-1]]
    return render("products", "timeline", product=product, bars=bars, counts=counts[::-1], band=band)
