"""The index for a terminal: its documents, what it covers, and how old each source is."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from corpus.ages import time_since
from corpus.version_gaps import name_gaps
from ui.rendering.words import counted, product_version

if TYPE_CHECKING:
    from corpus.index.stored import DocumentSummary
    from ui.contract.index import ProductBody, StatusBody

_SOURCES = 10  # Sources shown, those with the oldest sync first.


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a line for the names of the columns and one for each row, the columns below one another."""
    lines = [columns, *([str(value) for value in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def render_documents(documents: "tuple[DocumentSummary, ...]") -> str:
    """Render the documents as a table in their order, with roots if there are several; without any, how to add some."""
    if not documents:
        return "The index holds no documents. Add some with `relnotes ingest SOURCE`."
    # A single root would only repeat its path on every line.
    several_roots = len({document.root for document in documents}) > 1
    now = datetime.now(UTC)
    columns = ["id", "product", "date", "authority", "passages", "synced", "source", *(["from"] * several_roots)]
    rows = (
        (
            document.id,
            product_version(document.product, document.version),
            document.date or "",
            document.authority.value,
            document.passages,
            time_since(document.synced_at, now=now) if document.synced_at else "",
            document.source,
            *([document.root] * several_roots),
        )
        for document in documents
    )
    return table(columns, rows)


def render_document(document: "DocumentSummary") -> str:
    """Render the metadata of one document, a line each."""
    facts = {
        "id": document.id,
        "title": document.title,
        "product": ", ".join((document.product, *document.aliases)),
        "version": document.version or "-",
        "date": document.date or "-",
        "authority": document.authority.value,
        "url": document.url or "-",
        "media type": document.media_type,
        "source": document.source,
        "ingested from": document.root,
        "synced": document.synced_at or "-",
        "releases": document.releases,
        "passages": document.passages,
    }
    return _facts_text(facts)


def render_status(status: "StatusBody") -> str:
    """Render the state of an index, the products it covers, and the ages of the `_SOURCES` sources synced first."""
    recall = f"{status.vectors_recall:.3f}" if status.vectors_recall else "not measured"
    facts: dict[str, object] = {
        "index": status.index,
        "model": f"{status.model} ({status.dimensions} dimensions, {status.model_digest[:12]})",
        "store": status.store,
        "vectors": f"{status.items:,}, {status.vectors_method}; recall@10 {recall}",
        "generation": f"{status.generation}, updated {status.updated}",
        "documents": status.documents,
        "releases": status.releases,
        "passages": status.passages,
    }
    if status.language_model is not None:
        facts["language model"] = status.language_model
    if status.faults is not None:
        facts["verified"] = counted(len(status.faults), "fault") if status.faults else "sound"
    parts = [_facts_text(facts), *(f"fault: {fault}" for fault in status.faults or ())]
    if status.faults:
        parts.append(
            "`relnotes ingest SOURCE` derives damaged files anew; damaged tables are put back from a backup, or made "
            "with `relnotes ingest --rebuild SOURCE...`."
        )
    for source in status.sources:
        if source.gone_since:
            count = counted(source.documents, "document")
            parts.append(f"gone since {source.gone_since}: {source.source} ({count} kept)")
    now = datetime.now(UTC)
    columns = ("product", "releases", "versions", "dates", "no notes for", "documents", "passages", "synced")
    parts += ["", table(columns, [_product_row(product, now) for product in status.products])]
    oldest_first = sorted(status.sources, key=lambda source: source.synced_at)
    if oldest_first:
        ages = [(s.source, s.documents, time_since(s.synced_at, now=now)) for s in oldest_first[:_SOURCES]]
        parts += ["", table(("source", "documents", "synced"), ages)]
    if len(oldest_first) > _SOURCES:
        since = time_since(oldest_first[_SOURCES].synced_at, now=now)
        left = len(oldest_first) - _SOURCES
        parts.append(f"and {left} more, synced {since} or later; --json lists all of them")
    return "\n".join(parts)


def _product_row(product: "ProductBody", now: datetime) -> Sequence[object]:
    dates = f"{product.first_date} … {product.last_date}" if product.first_date else ""
    versions = f"{product.oldest} … {product.newest}" if product.releases > 1 else product.newest or ""
    synced = time_since(product.synced_at, now=now) if product.synced_at else ""
    about = (product.name, product.releases, versions, dates, name_gaps(product.gaps))
    return (*about, product.documents, product.passages, synced)


def _facts_text(facts: dict[str, object]) -> str:
    return "\n".join(f"{name}: {fact}" for name, fact in facts.items())
