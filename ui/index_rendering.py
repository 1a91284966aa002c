"""The index for a terminal: documents, coverage, and what an ingest did."""

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from corpus.ages import time_since
from ui.index_json import StatusBody
from ui.rendering import printable, product_version

if TYPE_CHECKING:
    from corpus.stored import DocumentSummary
    from ingest.pipeline import IngestReport

_COUNTS = ("id", "releases", "passages", "documents")


def render_documents(documents: "tuple[DocumentSummary, ...]") -> RenderableType:
    """The documents as a table, with their roots where there are several; says how to add some where there are none."""
    if not documents:
        return Text("The index holds no documents. Add some with `relnotes ingest SOURCE`.")
    # With one root its path would only repeat itself on every line.
    several_roots = len({document.root for document in documents}) > 1
    now = datetime.now(UTC)
    columns = ("id", "product", "date", "authority", "passages", "synced", "source")
    table = _table(*columns, *(["from"] if several_roots else []))
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
        table.add_row(*_cells(*row))
    return table


def render_document(document: "DocumentSummary") -> RenderableType:
    """What is known about one document, a fact a line."""
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
    return _facts(facts)


def render_status(status: StatusBody) -> RenderableType:
    """The state of an index, and a table of the products it covers."""
    facts: dict[str, object] = {
        "index": status.index,
        "model": f"{status.model} ({status.dimensions} dimensions, {status.model_digest[:12]})",
        "generation": f"{status.generation}, updated {status.updated}",
        "documents": status.documents,
        "releases": status.releases,
        "passages": status.passages,
    }
    if status.faults is not None:
        facts["verified"] = f"{len(status.faults)} faults" if status.faults else "sound"
    now = datetime.now(UTC)
    table = _table("product", "releases", "versions", "dates", "documents", "passages", "synced")
    for product in status.products:
        dates = f"{product.first_date} … {product.last_date}" if product.first_date else ""
        versions = f"{product.oldest} … {product.newest}" if product.releases > 1 else product.newest or ""
        synced = time_since(product.synced_at, now=now) if product.synced_at else ""
        cells = (product.name, product.releases, versions, dates, product.documents, product.passages, synced)
        table.add_row(*_cells(*cells))
    faults = [Text(printable(f"fault: {fault}"), style="red") for fault in status.faults or ()]
    gone = [
        Text(
            printable(f"gone since {one.gone_since}: {one.source} ({one.documents} documents are kept)"), style="yellow"
        )
        for one in status.sources
        if one.gone_since
    ]
    return Group(_facts(facts), *faults, *gone, Text(""), table)


def render_report(report: "IngestReport") -> RenderableType:
    """What an ingest did: a line of counts, then what was left out and why."""
    counts = (
        f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged, {report.removed} removed; "
        f"the index has {report.passages} passages; {report.seconds:.1f} s"
    )
    skipped = [Text(printable(f"skipped {left.source}: {left.reason}"), style="dim") for left in report.skipped]
    failed = [Text(printable(f"failed  {left.source}: {left.error}"), style="red") for left in report.failed]
    doubted = [Text(printable(f"check   {one.source}: {one.reason}"), style="yellow") for one in report.suspicious]
    noted = [
        Text(printable(f"note    {one.source}: {one.note}"), style="yellow")
        for one in report.sources
        if one.note and one.state in ("read", "unchanged")
    ]
    return Group(Text(counts), *skipped, *noted, *doubted, *failed)


def render_sync(report: "IngestReport", *, now: datetime) -> RenderableType:
    """A line a source, in the form that logs are searched in, then a line of counts."""
    lines = []
    for one in report.sources:
        note = f" note={json.dumps(one.note, ensure_ascii=False)}" if one.note else ""
        line = (
            f"{now.isoformat(timespec='seconds')} source={_logged(one.source)} state={one.state} "
            f"documents={one.documents} changed={one.changed}{note}"
        )
        lines.append(Text(printable(line), style="red" if one.state in ("failed", "gone") else ""))
    counts = (
        f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged, {report.removed} removed; "
        f"the index has {report.passages} passages; {report.seconds:.1f} s"
    )
    return Group(*lines, Text(counts))


def _logged(source: str) -> str:
    return json.dumps(source, ensure_ascii=False) if any(sign in source for sign in ' "=') else source


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        justify: JustifyMethod = "right" if column in _COUNTS else "left"
        table.add_column(column, justify=justify, overflow="fold", no_wrap=column in (*_COUNTS, "date", "authority"))
    return table


def _facts(facts: dict[str, object]) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    for name, fact in facts.items():
        grid.add_row(Text(name, style="bold"), Text(printable(str(fact))))
    return grid


def _cells(*values: object) -> list[Text]:
    return [Text(printable(str(value))) for value in values]
