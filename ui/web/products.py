"""`/p/PRODUCT` and `/p/PRODUCT/VERSION`: what the notes hold of a product or a release; its releases as a picture."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
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
from corpus.version_gaps import find_version_gaps
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

_KINDS = "breaking removal security feature performance deprecation fix other"  # In the order in which they are shown.
_SHOWN_GROUPS, _OF_EACH = 4, 4  # Of a product's newest release on its page.
_MOST = 40  # Entries of one release on its page; all stand in its source.
_NEAR_CHARACTERS = 80  # What such a page shows around each: it has many.
_RANGES, _SOURCES = 3, 12
_BARS, _BEFORE = 24, 2  # What has room on a page, and what of it stands before a range.


@dataclass(frozen=True, slots=True)
class ReleaseCounts:
    """What the notes of one release hold: all entries, and those of them that break something or mend a hole."""

    version: Version
    date: date | None
    entries: int
    breaking: int
    security: int


_COUNTS: WeakKeyDictionary[IndexReader, dict[str, tuple[ReleaseCounts, ...]]] = WeakKeyDictionary()


def add_product_pages(app: FastAPI, services: PageServices) -> None:
    @app.api_route("/p/{place:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def show(request: Request, place: str) -> HTMLResponse:
        def work(assistant: Assistant) -> tuple[str, Markup]:
            try:
                return _page(assistant.index, *_find(assistant.catalogue(), place))
            except NotIndexed as error:
                message = str(error).partition(" `relnotes")[0]
                link = ("/library", "See all products")
                raise Notice("Not in the library", message, 404, link=link) from None

        return await show_page(request, "library", services, work)


def _find(products: Sequence[CatalogueProduct], place: str) -> tuple[CatalogueProduct, CatalogueRelease | None]:
    """Find the product that an address names, and its release if any; names of products may have slashes."""
    name, slash, label = place.rpartition("/")
    if not slash or any(product.is_called(place) for product in products):
        return find_product(products, place[:MAX_FILTER_CHARACTERS]), None
    product, label = find_product(products, name[:MAX_FILTER_CHARACTERS]), label[:MAX_FILTER_CHARACTERS]
    wanted = Version.try_parse(label)
    release = next((release for release in product.releases if release.version == wanted), None)
    if release is None:
        raise NotIndexed(f"The notes hold no {product.name} {label!r}.")
    return product, release


def _page(index: IndexReader, product: CatalogueProduct, asked: CatalogueRelease | None) -> tuple[str, Markup]:
    out = stable_releases(product.releases)
    release = asked or next(iter(out), None)
    version = release.version if release else None
    groups, more = _groups(index, product, version, is_whole=asked is not None) if version else ([], 0)
    body = render(
        "products",
        "product",
        product=product,
        newest=out[0].version.label if out else "",
        release=release,
        timeline=render_timeline(product.name, release_counts(index, product), shown=[version]),
        groups=groups,
        more=more,
        sources=list(_sources(index, product, release)),
        ranges=_ranges([one.version for one in out], asked.version if asked else None),
        around=reads_around(index, width=_NEAR_CHARACTERS if asked else OF_MANY_CHARACTERS),
        all=asked is not None,
    )
    return f"{product.name} {version.label}" if asked and version else product.name, body


def newest_held(index: TableReader, document: DocumentSummary) -> date | None:
    """Return the day of the newest release that a document holds, by version, before those that aren't stable; its own
    where it holds none."""
    held = (
        release
        for product in index.products_named((document.product,))
        for release in (*stable_releases(product.releases), *product.releases)
        if document.source in release.sources
    )
    return next((release.date for release in held), document.date)


def _sources(
    index: IndexReader, product: CatalogueProduct, release: CatalogueRelease | None
) -> Iterator[tuple[DocumentSummary, Span | None]]:
    """The documents that hold a release, each with the first line of it; or some of the product's, without one."""
    documents = index.documents_of(product.name)
    holding = [document for document in documents if release and document.source in release.sources]
    for document in holding[:_SOURCES] or documents[:_RANGES]:
        releases = index.document_releases(document.id) if release else ()
        span = next((found.span for found in releases if release and found.version == release.version), None)
        line = span.slice(index.document_text(document.id)).partition("\n")[0].rstrip() if span else ""
        yield document, Span(span.start, span.start + len(line)) if span and line else None


def _ranges(out: Sequence[Version], version: Version | None) -> list[tuple[str, str]]:
    """Upgrades to offer: to the newest from the last release of older series, or to `version` from the one before."""
    if version is not None:
        return [(earlier.label, version.label) for earlier in out if earlier < version][:1]
    # The last of each series, which is what whoever is on it has by now.
    last: dict[object, Version] = {}
    for earlier in out:
        last.setdefault(earlier.series, earlier)
    return [(earlier.label, out[0].label) for earlier in list(last.values())[1 : _RANGES + 1]]


def _groups(
    index: IndexReader, product: CatalogueProduct, version: Version, *, is_whole: bool
) -> tuple[list[tuple[Kind, list[Citation], int]], int]:
    """The entries of a release by kind, the most important first, as many as have room; and how many are left out."""
    reading = read_changes(index, product, lambda one: version in (one, one.base))
    entries = sorted(reading.counted(), key=lambda counted: -counted[0].first.headline)
    by_kind = {kind: [entry for entry, own in entries if own is kind] for kind in map(Kind, _KINDS.split())}
    shown = [kind for kind, found in by_kind.items() if found][: None if is_whole else _SHOWN_GROUPS]
    # What is first in its group comes before what is second in any other: a long group leaves the others their room.
    ranked = sorted((rank, place) for place, kind in enumerate(shown) for rank in range(len(by_kind[kind])))
    room = Counter(place for _, place in ranked[:_MOST])
    chosen = [by_kind[kind][: room[place] if is_whole else _OF_EACH] for place, kind in enumerate(shown)]
    picked = [(kind, entry) for kind, found in zip(shown, chosen, strict=True) for entry in found]
    cited = cite_quotes([quote_entry(entry, index) for _, entry in picked], index)
    proven = [(kind, citation) for (kind, _), citation in zip(picked, cited, strict=True) if citation]
    groups = [(kind, [citation for found, citation in proven if found is kind], len(by_kind[kind])) for kind in shown]
    return groups, len(entries) - len(proven)


def release_counts(index: IndexReader, product: CatalogueProduct) -> tuple[ReleaseCounts, ...]:
    """Return the counts of each release of a product with its pre-releases, oldest first, as its page has them; nothing
    of a release without entries. They are worked out once for each state of an index."""
    kept = _COUNTS.setdefault(index, {})
    if product.name not in kept:
        kinds = {version: Counter(kind for _, kind in one.counted()) for version, one in read_releases(index, product)}
        counted = ((release, kinds.get(release.version)) for release in product.releases[::-1])
        kept[product.name] = tuple(
            ReleaseCounts(
                release.version,
                release.date,
                found.total(),
                found[Kind.BREAKING] + found[Kind.REMOVAL],
                found[Kind.SECURITY],
            )
            for release, found in counted
            if found
        )
    return kept[product.name]


def render_timeline(product: str, counts: Sequence[ReleaseCounts], *, shown: Sequence[Version | None]) -> Markup:
    """Render the releases as bars that lead to their pages, with the table behind them: those around the one `shown`,
    or, of the two ends of a range, that with the two before it."""
    ends = sorted(version for version in shown if version is not None)
    bars = [one for one in counts if one.version in ends or not one.version.is_prerelease] or list(counts)
    inside = [n for n, one in enumerate(bars) if ends and ends[0] <= one.version <= ends[-1]] or [len(bars)]
    is_range = len(ends) > 1
    last = inside[-1] + 1 if is_range else max(inside[-1] + _BARS // 2, _BARS)
    bars = bars[max(0, min(last, len(bars)) - _BARS, inside[0] - _BEFORE if is_range else 0) : last]
    gaps = [(Version.parse(gap.first), str(gap)) for gap in find_version_gaps(one.version for one in counts)]
    slots: list[ReleaseCounts | str] = list(bars[:1])
    for before, one in pairwise(bars):
        slots += [*(label for gap, label in gaps if before.version < gap < one.version), one]
    held = [
        n for n, one in enumerate(slots) if ends and not isinstance(one, str) and ends[0] <= one.version <= ends[-1]
    ]
    band = range(held[0], held[-1] + 1) if held else range(0)
    return render("products", "timeline", product=product, slots=slots, counts=counts[::-1], band=band)
