"""The Library as HTML: what is covered, the documents, how far adding is and what came of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from markupsafe import Markup

from corpus.catalogue import CatalogueProduct, stable_releases
from corpus.index.stored import DocumentSummary
from corpus.index.tables import TableReader
from corpus.model import Release
from corpus.version_gaps import find_version_gaps, name_gaps
from ui.library.ingest_desk import IngestOutcome, IngestState
from ui.library.uploads import Uploads
from ui.rendering.words import counted, product_version
from ui.web.html import render

if TYPE_CHECKING:
    from ingest.pipeline import IngestReport

_NAMED = 20
_DOING = {
    "Starting": "Getting ready",
    "Checking": "Looking at the files",
    "Embedding": "Making it searchable",
    "Writing": "Saving",
    "Committing": "Saving",
}
"""The phases of an ingest that don't explain themselves."""


@dataclass(frozen=True, slots=True)
class LibraryDocument:
    """A document with what its row shows; `is_uploaded` where people gave its file over the page."""

    document: DocumentSummary
    versions: str
    """In words."""
    newest: date | None
    """The day of its newest release, or its own."""
    is_uploaded: bool

    @property
    def read_at(self) -> datetime | None:
        """When it was ingested."""
        return datetime.fromisoformat(self.document.synced_at) if self.document.synced_at else None


@dataclass(frozen=True, slots=True)
class LibraryView:
    """What the page shows of an index."""

    products: tuple[CatalogueProduct, ...]
    documents: tuple[LibraryDocument, ...]
    today: date


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
    rows = [
        (
            product,
            name_gaps(find_version_gaps(release.version for release in product.releases)),
            next(iter(stable_releases(product.releases)), None),
        )
        for product in view.products
    ]
    return render("library", "coverage", rows=rows, documents=len(view.documents), today=view.today)


def render_document_table(view: LibraryView, *, may_remove: bool = True) -> Markup:
    """A row for each document, with its page and, for who `may_remove`, a button to; nothing where there is none."""
    return render("library", "documents", rows=view.documents, may_remove=may_remove)


def render_progress_html(state: IngestState) -> Markup:
    """A bar with what is being done; without a measure where that has none."""
    doing = "Cancelling" if state.is_cancelled else _DOING.get(state.phase, state.phase)
    return render("library", "progress", state=state, doing=doing)


def render_outcome_html(outcome: IngestOutcome, view: LibraryView) -> Markup:
    """What came of adding, what can be asked now, and why what was left out was; `view` is the index after."""
    if outcome.is_cancelled:
        return render("library", "note", message=outcome.error, role="status")
    if outcome.error:
        return render_refusal_html(outcome.error)
    report = outcome.report
    lines = [("Not added", refused.source, refused.error) for refused in outcome.refused]
    if report is not None:
        lines += [("Couldn't be read", failed.source, failed.error) for failed in report.failed]
        lines += [("Have a look at it", odd.source, odd.reason) for odd in report.suspicious]
        lines += [("Left out", skipped.source, skipped.reason) for skipped in report.skipped]
    return render(
        "library",
        "outcome",
        summary=_summary(report, view) if report else "Nothing was added.",
        added=list(_added(outcome, view)),
        lines=lines,
        is_well=report is not None and report.succeeded and not outcome.refused,
        most=_NAMED,
    )


def render_refusal_html(message: str) -> Markup:
    """Why something wasn't begun, or what stopped it."""
    return render("library", "note", message=message, role="alert")


def _summary(report: "IngestReport", view: LibraryView) -> str:
    done = [
        (word, counted(count, "document"))
        for word, count in (("Added", report.added), ("updated", report.updated), ("removed", report.removed))
        if count
    ]
    if not done:
        return "Nothing new: all of it is here already." if report.succeeded else "Nothing was added."
    told = ", ".join(f"{word} {count}" for word, count in done)
    holds = f"{counted(len(view.documents), 'document')} about {counted(len(view.products), 'product')}"
    return f"{told[0].upper()}{told[1:]}. The library has {holds} now."


def _added(outcome: IngestOutcome, view: LibraryView) -> Iterator[tuple[str, str, list[DocumentSummary]]]:
    """By product, what was given this time, whether it had been here before or not, with a question to ask now."""
    given = {source.source for source in outcome.report.sources if source.documents} if outcome.report else set()
    by_product: dict[str, list[LibraryDocument]] = {}
    for shown in view.documents:
        is_given = shown.document.source in outcome.kept if shown.is_uploaded else shown.document.root in given
        if is_given:
            by_product.setdefault(shown.document.product, []).append(shown)
    newest = {
        product.name: release.version.label
        for product in view.products
        for release in stable_releases(product.releases)[:1]
    }
    for product, documents in by_product.items():
        versions = documents[0].versions if len(documents) == 1 else ""
        question = f"What is new in {product_version(product, newest.get(product))}?"
        yield product_version(product, versions), question, [shown.document for shown in documents]
