"""The index for a terminal: its documents, what it covers, and how old each source is."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from corpus.ages import time_since
from corpus.version_gaps import name_gaps
from ui.rendering.words import counted, printable, product_version

if TYPE_CHECKING:
    from corpus.index.stored import DocumentSummary
    from ui.contract.index import StatusBody

_COUNTS = ("id", "releases", "passages", "documents", "value", "typical", "points", "", "search", "ranked")
_UNFOLDED = (*_COUNTS, "date", "authority", "when", "verdict", "status")
_SOURCES = 10  # Sources shown, those with the oldest sync first.


def table(*columns: str) -> Table:
    """Return an empty table with these columns; columns of numbers are aligned right."""
    empty = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        justify: Literal["left", "right"] = "right" if column in _COUNTS else "left"
        empty.add_column(column, justify=justify, overflow="fold", no_wrap=column in _UNFOLDED)
    return empty


def cells(*values: object) -> list[Text]:
    """Return a row of a table with the values as plain text, control characters replaced."""
    return [Text(printable(str(value))) for value in values]


def render_documents(documents: "tuple[DocumentSummary, ...]") -> RenderableType:
    """Render the documents as a table in their order, with roots if there are several; without any, how to add some."""
    if not documents:
        return Text("The index holds no documents. Add some with `relnotes ingest SOURCE`.")
    # A single root would only repeat its path on every line.
    several_roots = len({document.root for document in documents}) > 1
    now = datetime.now(UTC)
    columns = ("id", "product", "date", "authority", "passages", "synced", "source")
    rows = table(*columns, *(["from"] if several_roots else []))
    for document in documents:
        row = (
            document.id,
            product_version(document.product, document.version),
            document.date or "",
            document.authority.value,
            document.passages,
            time_since(document.synced_at, now=now) if document.synced_at else "",
            document.source,
            *([document.root] if several_roots else []),
        )
        rows.add_row(*cells(*row))
    return rows


def render_document(document: "DocumentSummary") -> RenderableType:
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
    return _facts_grid(facts)


def render_status(status: "StatusBody") -> RenderableType:
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
    parts = [_facts_grid(facts)]
    parts += [Text(printable(f"fault: {fault}"), style="red") for fault in status.faults or ()]
    if status.faults:
        step = "`relnotes ingest SOURCE` derives damaged files anew; damaged tables are put back from a backup, or made"
        parts.append(Text(f"{step} with `relnotes ingest --rebuild SOURCE...`."))
    for source in status.sources:
        if source.gone_since:
            count = counted(source.documents, "document")
            parts.append(Text(printable(f"gone since {source.gone_since}: {source.source} ({count} kept)"), "yellow"))
    now = datetime.now(UTC)
    coverage = table("product", "releases", "versions", "dates", "no notes for", "documents", "passages", "synced")
    for product in status.products:
        dates = f"{product.first_date} … {product.last_date}" if product.first_date else ""
        versions = f"{product.oldest} … {product.newest}" if product.releases > 1 else product.newest or ""
        synced = time_since(product.synced_at, now=now) if product.synced_at else ""
        about = (product.name, product.releases, versions, dates, name_gaps(product.gaps))
        coverage.add_row(*cells(*about, product.documents, product.passages, synced))
    parts.append(coverage)
    oldest_first = sorted(status.sources, key=lambda source: source.synced_at)
    if oldest_first:
        ages = table("source", "documents", "synced")
        for source in oldest_first[:_SOURCES]:
            ages.add_row(*cells(source.source, source.documents, time_since(source.synced_at, now=now)))
        parts.append(ages)
    if len(oldest_first) > _SOURCES:
        since = time_since(oldest_first[_SOURCES].synced_at, now=now)
        left = len(oldest_first) - _SOURCES
        parts.append(Text(f"and {left} more, synced {since} or later; --json lists all of them", "dim"))
    return Group(*parts)


def _facts_grid(facts: dict[str, object]) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    for name, fact in facts.items():
        grid.add_row(Text(name, style="bold"), Text(printable(str(fact))))
    return grid
