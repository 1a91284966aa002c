"""The index for a terminal: its documents, what it covers, and how old each source is."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from corpus.ages import time_since
from corpus.version_gaps import name_gaps
from ui.rendering.words import counted, product_version

if TYPE_CHECKING:
    from corpus.index.stored import DocumentSummary
    from ui.contract.index import ProductBody, StatusBody

_SOURCES = 10  # Sources shown, those with the oldest sync first.


def line_of(*facts: object) -> str:
    """Return the facts that there are on one line."""
    return "  ".join(str(fact) for fact in facts if fact)


def synced_words(moment: str | None) -> str:
    """Return "synced 3 hours ago"; "" for None."""
    return f"synced {time_since(moment, now=datetime.now(UTC))}" if moment else ""


def render_documents(documents: "tuple[DocumentSummary, ...]") -> str:
    """Render the documents, a line each, with roots if there are several; without any, how to add some."""
    if not documents:
        return "The index holds no documents. Add some with `relnotes ingest SOURCE`."
    # A single root would only repeat its path on every line.
    several_roots = len({document.root for document in documents}) > 1
    return "\n".join(
        line_of(
            document.id,
            product_version(document.product, document.version),
            document.date,
            document.authority.value,
            counted(document.passages, "passage"),
            synced_words(document.synced_at),
            document.source,
            f"from {document.root}" if several_roots else "",
        )
        for document in documents
    )


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
    parts += ["", *map(_product_line, status.products), ""]
    oldest_first = sorted(status.sources, key=lambda source: source.synced_at)
    parts += (
        line_of(source.source, counted(source.documents, "document"), synced_words(source.synced_at))
        for source in oldest_first[:_SOURCES]
    )
    if len(oldest_first) > _SOURCES:
        parts.append(f"and {len(oldest_first) - _SOURCES} more; --json lists all of them")
    return "\n".join(parts).rstrip()


def _product_line(product: "ProductBody") -> str:
    return line_of(
        product.name,
        counted(product.releases, "release"),
        f"{product.oldest} … {product.newest}" if product.releases > 1 else product.newest,
        f"{product.first_date} … {product.last_date}" if product.first_date else "",
        f"no notes for {name_gaps(product.gaps)}" if product.gaps else "",
        counted(product.documents, "document"),
        counted(product.passages, "passage"),
        synced_words(product.synced_at),
    )


def _facts_text(facts: dict[str, object]) -> str:
    return "\n".join(f"{name}: {fact}" for name, fact in facts.items())
