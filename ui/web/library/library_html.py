"""The Library as HTML: what the index covers, its documents, how far an ingest is and what it did."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from corpus.ages import age_words
from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.index.stored import DocumentSummary
from corpus.index.tables import TableReader
from corpus.model import Release
from corpus.version_gaps import find_version_gaps, name_gaps
from ui.library.ingest_desk import IngestOutcome, IngestState
from ui.library.uploads import Uploads
from ui.rendering.words import product_version
from ui.web.html import render

if TYPE_CHECKING:
    from ingest.pipeline import IngestReport

_NAMED = 20


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
    """What the tab shows of an index."""

    products: tuple[CatalogueProduct, ...]
    documents: tuple[LibraryDocument, ...]
    today: date


def load_library_view(index: TableReader | None, uploads: Uploads) -> LibraryView:
    """What there is in `index`; nothing where there is none yet."""
    today = datetime.now(UTC).date()
    if index is None:
        return LibraryView((), (), today)
    documents = (
        (document, index.document_releases(document.id), uploads.holds(document.root)) for document in index.documents
    )
    return LibraryView(
        index.products,
        tuple(
            LibraryDocument(
                document,
                document_versions(releases, document.version),
                max((release.date for release in releases if release.date), default=document.date),
                is_uploaded,
            )
            for document, releases, is_uploaded in documents
        ),
        today,
    )


def document_versions(releases: Sequence[Release], version: str | None) -> str:
    """What versions a document has, in words; `version` is the one that the document itself is about."""
    labels = [str(known) for known in sorted({release.version for release in releases if release.version})]
    if not labels:
        return version or ""
    return labels[0] if len(labels) == 1 else f"{labels[0]}–{labels[-1]}"


def render_coverage_table(view: LibraryView) -> str:
    """A row for each product: how much there is, from when to when, how old, and what is missing."""
    rows = [
        (
            product,
            name_gaps(find_version_gaps(release.version for release in product.releases)),
            *(_aged(release, view.today) for release in (product.releases[-1:] + product.releases[:1] or (None, None))),
        )
        for product in view.products
    ]
    releases = sum(len(product.releases) for product in view.products)
    return render("library", "coverage", rows=rows, releases=releases, documents=len(view.documents))


def render_document_table(view: LibraryView, *, may_remove: bool = True) -> str:
    """A row for each document, with its page and, for who `may_remove`, a button to; nothing where there is none."""
    return render("library", "documents", rows=view.documents, may_remove=may_remove)


def render_progress_html(state: IngestState) -> str:
    """A bar with the phase; without a measure where the phase has none."""
    return render("library", "progress", state=state)


def render_outcome_html(outcome: IngestOutcome, view: LibraryView) -> str:
    """What came of an ingest, why what was left out was, and what uploads were taken for; `view` is the index after."""
    if outcome.is_cancelled:
        return render("library", "note", message=outcome.error, role="status")
    if outcome.error:
        return render_refusal_html(outcome.error)
    report = outcome.report
    lines = [("Not added", refused.source, refused.error) for refused in outcome.refused]
    if report is not None:
        lines += [("Failed", failed.source, failed.error) for failed in report.failed]
        lines += [("Check", odd.source, odd.reason) for odd in report.suspicious]
        lines += [("Skipped", skipped.source, skipped.reason) for skipped in report.skipped]
    kept = [
        (shown.document, product_version(shown.document.product, shown.versions))
        for shown in view.documents
        if shown.is_uploaded and shown.document.source in outcome.kept
    ]
    return render(
        "library",
        "outcome",
        summary=_summary(report) if report else "Nothing was added.",
        kept=kept,
        lines=lines,
        is_well=report is not None and report.succeeded and not outcome.refused,
        most=_NAMED,
    )


def render_refusal_html(message: str) -> str:
    """Why something wasn't begun, or what stopped it."""
    return render("library", "note", message=message, role="alert")


def _summary(report: "IngestReport") -> str:
    counts = {word: getattr(report, word) for word in ("added", "updated", "unchanged", "removed")}
    documents = ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "Nothing changed"
    return f"Documents: {documents}. The index has {report.passages:,} passages. It took {report.seconds:.1f} s."


def _aged(release: CatalogueRelease | None, today: date) -> tuple[CatalogueRelease, str] | None:
    if release is None:
        return None
    return release, age_words(release.date, today=today) if release.date else ""
