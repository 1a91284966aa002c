"""The library as HTML: what the index covers of each product, and its documents.

Sorting and searching are the browser's (scripts/library.js), by the values in `data-` attributes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from corpus.ages import age_words
from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.index.stored import DocumentSummary
from corpus.version_gaps import find_version_gaps, name_gaps
from ui.web.escaping import escape
from ui.web.library.release_strip import render_strip, time_span
from ui.web.visible_text import visible_text


@dataclass(frozen=True, slots=True)
class LibraryView:
    """What the tab shows of an index; `uploaded` holds the ids of documents whose files people gave over the page."""

    products: tuple[CatalogueProduct, ...]
    documents: tuple[DocumentSummary, ...]
    versions: Mapping[int, str]
    """What versions each document has, in words."""
    dates: Mapping[int, date]
    """The day of each document's newest release, or of the document; undated ones lack."""
    uploaded: frozenset[int]
    today: date


def render_coverage_table(view: LibraryView) -> str:
    """A row for each product: how much there is, from when to when, how old, and what is missing."""
    if not view.products:
        return (
            '<p class="rn-empty">The index holds no documents yet. Add release notes below: files from your disk, or '
            "an address.</p>"
        )
    releases = [release for product in view.products for release in product.releases]
    span = time_span(releases, today=view.today)
    heads = ("Product", "Documents", "Releases", "Oldest", "Newest", "No notes for")
    labels = [_heading(name, is_count=name in ("Documents", "Releases")) for name in heads]
    strip = f'<th scope="col" class="rn-strip-head">{span[0].year} to {span[1].year}</th>'
    labels.insert(5, strip)
    rows = "".join(_product_row(product, span=span, today=view.today) for product in view.products)
    return (
        f'<p class="rn-count">{_counted(len(view.products), "product")}, {_counted(len(releases), "release")}, '
        f"{_counted(len(view.documents), 'document')}</p>"
        '<div class="rn-scroll" tabindex="0" role="region" aria-label="Coverage by product">'
        '<table class="rn-table rn-coverage-table"><caption class="rn-visually-hidden">Coverage by product</caption>'
        f"<thead><tr>{''.join(labels)}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def render_document_table(view: LibraryView, *, may_remove: bool = True) -> str:
    """A row for each document, with its page and, for who `may_remove`, a button to; nothing where there is none."""
    if not view.documents:
        return ""
    heads = ("Document", "Product", "Versions", "Date", "Authority", "Passages", "Ingested")
    labels = "".join(_heading(name, is_count=name == "Passages") for name in heads)
    rows = "".join(_document_row(document, view, may_remove=may_remove) for document in view.documents)
    removing = '<th scope="col"><span class="rn-visually-hidden">Remove</span></th>' if may_remove else ""
    return (
        '<label class="rn-search"><span>Search documents</span>'
        '<input type="search" data-filter-table="rn-documents" autocomplete="off" '
        'placeholder="Source, title, product, version, authority"></label>'
        '<p class="rn-count" role="status" data-count-of="rn-documents">'
        f"{_counted(len(view.documents), 'document')}</p>"
        '<div class="rn-scroll" tabindex="0" role="region" aria-label="Documents">'
        '<table class="rn-table" id="rn-documents"><caption class="rn-visually-hidden">Documents</caption>'
        f"<thead><tr>{labels}{removing}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def document_versions(releases: Sequence[str], version: str | None) -> str:
    """What versions a document has, in words: `releases` are the labels of its releases, lowest first."""
    if not releases:
        return version or ""
    return releases[0] if len(releases) == 1 else f"{releases[0]}–{releases[-1]}"


def _heading(name: str, *, is_count: bool = False) -> str:
    kind = ' class="rn-number"' if is_count else ""
    return f'<th scope="col" aria-sort="none"{kind}><button type="button" data-sort>{name}</button></th>'


def _product_row(product: CatalogueProduct, *, span: tuple[date, date], today: date) -> str:
    releases = product.releases
    newest, oldest = (releases[0], releases[-1]) if releases else (None, None)
    undated = sum(release.date is None for release in releases)
    gaps = find_version_gaps(release.version for release in releases)
    label = f"{len(releases) - undated} dated releases of {product.name}"
    strip = render_strip(releases, span=span, label=label)
    return (
        f'<tr><th scope="row">{visible_text(product.name)}</th>'
        f"{_number(product.documents)}{_number(len(releases))}"
        f"{_release_cell(oldest, today=today)}{_release_cell(newest, today=today)}"
        f"<td>{strip}</td>"
        f"<td>{escape(name_gaps(gaps))}</td></tr>"
    )


def _release_cell(release: CatalogueRelease | None, *, today: date) -> str:
    if release is None:
        return '<td data-value=""></td>'
    value = release.date.isoformat() if release.date else ""
    day = f"{_time(release.date)}</small><small>{age_words(release.date, today=today)}" if release.date else "undated"
    return f'<td data-value="{value}">{visible_text(release.version.label)}<small>{day}</small></td>'


def _document_row(document: DocumentSummary, view: LibraryView, *, may_remove: bool) -> str:
    time = datetime.fromisoformat(document.synced_at) if document.synced_at else None
    day = time.date() if time else None
    newest = view.dates.get(document.id)
    title = f"<small>{visible_text(document.title)}</small>" if document.title != document.source else ""
    name = escape(document.source)
    uploaded = " data-uploaded" if document.id in view.uploaded else ""
    removing = (
        f'<td><button type="button" class="rn-plain" data-remove="{document.id}" data-name="{name}"{uploaded} '
        f'aria-label="Remove {name}">Remove</button></td>'
    )
    return (
        f'<tr><th scope="row"><a href="/documents/{document.id}">{visible_text(document.source)}</a>{title}</th>'
        f"<td>{visible_text(document.product)}</td><td>{visible_text(view.versions.get(document.id, ''))}</td>"
        f'<td data-value="{newest or ""}">{_time(newest) if newest else ""}</td>'
        f"<td>{document.authority.value}</td>{_number(document.passages)}"
        f'<td data-value="{time.isoformat() if time else ""}">{_time(day) if day else ""}</td>'
        f"{removing if may_remove else ''}</tr>"
    )


def _number(count: int) -> str:
    return f'<td class="rn-number" data-value="{count}">{count:,}</td>'


def _time(day: date) -> str:
    return f'<time datetime="{day.isoformat()}">{day.isoformat()}</time>'


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
