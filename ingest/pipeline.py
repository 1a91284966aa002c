"""The story of ingest: sources to commit.

Only what changed is parsed and embedded again; what vanished from an ingested folder is removed; what fails stays as it
was and is reported. Nothing is visible to readers before the one commit at the end.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.embedding import Embedder
from corpus.errors import IndexUnavailable, RelnotesError, SourceError
from corpus.index_commit import EncodedDocument, commit_changes, fingerprint, restore_derived
from corpus.index_layout import write_lock
from corpus.index_store import stored_documents
from corpus.index_tables import TableReader
from corpus.milvus.generations import check_store
from corpus.model import Authority, Document, ParsedDocument
from corpus.repository_links import parse_repository_link
from corpus.store_choice import StoreChoice
from corpus.stored import DocumentSummary, ModelStamp
from corpus.versions import Version
from ingest.connectors import Connectors, ConnectorSettings
from ingest.enrichment import embedded_text, lexical_tokens
from ingest.failures import DocumentKey, failure_over, listing_failures, refusing_rebuild
from ingest.fetching import SourceState, fetch_all
from ingest.identity import Hints
from ingest.intake import tell_intake
from ingest.outcomes import remember_sources, stored_source_records, tell_outcomes
from ingest.passages import Embed, split_passages
from ingest.report import IngestProgress, IngestReport
from ingest.requests import Request, plan_requests
from ingest.sources import FailedSource, Source, SourceListing, read_source
from ingest.structure import read_structure
from ingest.suspicions import suspect
from ingest.work_trees import WorkTrees

__all__ = ["PIPELINE_VERSION", "IngestProgress", "IngestReport", "build_index", "parse_document", "update_index"]

PIPELINE_VERSION = "11"
"""Counts changes to parsing and splitting: a document ingested by another version is ingested anew."""

_EMBED_BATCH = 4096


def build_index(
    arguments: Sequence[str],
    *,
    index: Path,
    embedder: Embedder,
    product: str | None = None,
    version: str | None = None,
    authority: Authority | None = None,
    rebuild: bool = False,
    store: StoreChoice | None = None,
    connectors: Connectors | None = None,
    progress: IngestProgress,
) -> IngestReport:
    """Bring the index up to date with files, folders and sources elsewhere; `connectors` fetches those.

    What vanished from a folder is removed as long as the folder holds a document at all: an empty one (a share that
    isn't there) is a failure and loses nothing. `rebuild` forgets everything that was in the index before; where that
    would lose a document that can't be read now, nothing is committed, and the failures say so. Derived files that are
    missing or damaged are made anew. `store` is what shall search the index from now on; None: what searches it now.

    Raises:
        UsageError: a path doesn't exist, a version is malformed or a `sources.toml` is wrong; nothing is changed.
        StoreUnavailable: the server that shall search the index can't be used; nothing is changed.
        IndexBusy, IndexMismatch, IndexCorrupt: the index can't be written; nothing is changed.
    """
    flags = Hints(product=product, version=Version.parse(version) if version else None, authority=authority)
    return update_index(
        [Request(argument, flags) for argument in arguments],
        index=index,
        embedder=embedder,
        rebuild=rebuild,
        store=store,
        connectors=connectors,
        progress=progress,
    )


def update_index(
    requests: Sequence[Request],
    *,
    index: Path,
    embedder: Embedder,
    rebuild: bool = False,
    prune: bool = False,
    store: StoreChoice | None = None,
    connectors: Connectors | None = None,
    progress: IngestProgress,
) -> IngestReport:
    """Bring the index up to date with sources that differ in what the user says of them; see `build_index`.

    `prune` removes the documents of sources whose servers say that there is nothing any more.

    Raises:
        UsageError, IndexBusy, IndexMismatch, IndexCorrupt, StoreUnavailable: as for `build_index`.
    """
    started = time.perf_counter()
    if store is not None:
        check_store(store)
    connectors = connectors or Connectors(ConnectorSettings())
    stamp = ModelStamp(embedder.model_id, embedder.digest, embedder.dimensions)
    plan = plan_requests(requests, connectors=connectors)
    with write_lock(index):
        stored = _documents_left(index) if rebuild else stored_documents(index, model=stamp)
        held = {(one.root, one.source): one for one in stored}
        known = {} if rebuild else held
        if plan.wanted:
            progress.phase("Fetching", len(plan.wanted))
        obtained = fetch_all(
            plan.wanted,
            connectors=connectors,
            records={} if rebuild else stored_source_records(index),
            documents=Counter(root for root, _ in known),
            pipeline_version=PIPELINE_VERSION,
            advance=progress.advance,
        )
        listings = (*plan.listings, *(one.listing for one in obtained))
        reading = _read_sources(listings, known=known, embed=embedder.embed, progress=progress)
        failures = {**listing_failures(listings, held=held), **reading.failures}
        folders = {listing.root for listing in listings if listing.is_folder and listing.sources}
        vanished = (key for key in known if key[0] in folders and key not in reading.seen)
        gone = [known[key].id for key in vanished if failure_over(key, failures) is None]
        lost = {one.listing.root for one in obtained if prune and one.outcome is SourceState.GONE}
        gone += [one.id for key, one in known.items() if key[0] in lost]
        if rebuild and (losses := {over for key in held if (over := failure_over(key, failures))}):
            failures |= {key: refusing_rebuild(failures[key]) for key in losses}
            reading = replace(reading, parsed=())
        if reading.parsed or gone or (rebuild and not failures):
            vectors = _embed_items(reading.parsed, embedder=embedder, progress=progress)
            progress.phase("Writing", 1)
            encoded = _encode(reading.parsed, vectors=vectors)
            # Let go here, so that they are gone by the time the derived files are made.
            del vectors
            remove = [*reading.replaced, *gone]
            manifest = commit_changes(index, model=stamp, remove=remove, add=encoded, fresh=rebuild, store=store)
            passages = manifest.passages
            progress.advance(1)
        else:
            if not rebuild:
                restore_derived(index, store=store)
            passages = sum(one.passages for one in stored)
        remember_sources(index, plan.listings, obtained, failures=failures, known=known)
    current = {one.listing.root for one in obtained if one.listing.is_current}
    return IngestReport(
        added=len(reading.parsed) - len(reading.replaced),
        updated=len(reading.replaced),
        unchanged=reading.unchanged + sum(root in current for root, _ in known),
        removed=len(gone),
        skipped=tuple(one for listing in listings for one in listing.skipped),
        failed=tuple(one for (root, _), one in failures.items() if root not in lost),
        passages=passages,
        seconds=time.perf_counter() - started,
        suspicious=tuple(doubt for one in reading.parsed for doubt in suspect(one)),
        sources=tell_outcomes(
            plan.listings, obtained, failures=failures, parsed=reading.parsed, known=known, prune=prune
        ),
        products=tell_intake(reading.parsed, index),
    )


def _documents_left(index: Path) -> tuple[DocumentSummary, ...]:
    """The documents that a rebuild would replace; none where the old index can't be read."""
    try:
        with TableReader.open(index) as tables:
            return tables.documents
    except IndexUnavailable:
        return ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """What reading all sources gave; keys are (root, source)."""

    seen: frozenset[DocumentKey]
    parsed: tuple[ParsedDocument, ...]
    replaced: tuple[int, ...]
    """Ids of the documents that those of `parsed` replace."""
    unchanged: int
    failures: Mapping[DocumentKey, FailedSource]


def _read_sources(
    listings: Sequence[SourceListing],
    *,
    known: Mapping[DocumentKey, DocumentSummary],
    embed: Embed,
    progress: IngestProgress,
) -> _Reading:
    """Read and parse every source that differs from what is known of it."""
    sources = {(one.root, one.name): one for listing in listings for one in listing.sources}
    progress.phase("Reading", len(sources))
    parsed: list[ParsedDocument] = []
    replaced: list[int] = []
    failures: dict[DocumentKey, FailedSource] = {}
    work_trees = WorkTrees()
    for key, source in sources.items():
        before = known.get(key)
        try:
            document = _parse_if_changed(source, before, work_trees=work_trees, embed=embed)
        except SourceError as error:
            failures[key] = FailedSource(source.name, str(error))
        else:
            if document is not None:
                parsed.append(document)
                replaced += [before.id] if before else []
        progress.advance(1)
    unchanged = len(sources) - len(parsed) - len(failures)
    return _Reading(frozenset(sources), tuple(parsed), tuple(replaced), unchanged, failures)


def parse_document(source: Source, content: bytes, *, permalink: str | None, embed: Embed) -> ParsedDocument:
    """One document's bytes to its releases and passages; `permalink` is its place in a source repository.

    Raises:
        SourceError: it isn't a document, or has no text.
    """
    structure = read_structure(source, content)
    parsed, identity = structure.parsed, structure.identity
    return ParsedDocument(
        document=Document(
            root=source.root,
            source=source.name,
            title=identity.title,
            product=identity.product,
            aliases=identity.aliases,
            version=identity.version,
            date=identity.date,
            authority=identity.authority,
            url=_lasting(identity.url, permalink),
            text=parsed.text,
            sha256=_fingerprint(source, content),
            media_type=parsed.media_type,
        ),
        releases=structure.releases,
        passages=split_passages(parsed, structure.releases, title=identity.title, embed=embed),
    )


def _lasting(url: str | None, permalink: str | None) -> str | None:
    """The told address, unless it is one of the repository's branches and the commit is known."""
    drifts = url is not None and (file := parse_repository_link(url)) is not None and file.commit is None
    return permalink or url if drifts or url is None else url


def _parse_if_changed(
    source: Source, before: DocumentSummary | None, *, work_trees: WorkTrees, embed: Embed
) -> ParsedDocument | None:
    content = read_source(source)
    if before is not None and before.sha256 == _fingerprint(source, content):
        return None
    try:
        permalink = work_trees.permalink(source.path, content) if source.path else None
        return parse_document(source, content, permalink=permalink, embed=embed)
    except RelnotesError:
        raise
    except Exception as error:  # whatever a markup parser trips over, the other documents go on
        raise SourceError(f"can't be parsed ({type(error).__name__}: {error}); please report it") from error


def _fingerprint(source: Source, content: bytes) -> str:
    return fingerprint(PIPELINE_VERSION, repr(source.hints), content)


def _embed_items(
    documents: Sequence[ParsedDocument], *, embedder: Embedder, progress: IngestProgress
) -> NDArray[np.float32]:
    """Embed every item of every document, rows in their order.

    Longest first over all documents: texts of like length fill a batch without padding, what takes most memory
    comes at once, and the time that is left is never told too short.
    """
    texts = [
        embedded_text(one.document.text, item)
        for one in documents
        for passage in one.passages
        for item in passage.items
    ]
    progress.phase("Embedding", len(texts))
    vectors = np.empty((len(texts), embedder.dimensions), dtype=np.float32)
    order = sorted(range(len(texts)), key=lambda row: len(texts[row]), reverse=True)
    for first in range(0, len(order), _EMBED_BATCH):
        rows = order[first : first + _EMBED_BATCH]
        vectors[rows] = embedder.embed([texts[row] for row in rows], progress=progress.advance)
    return vectors


def _encode(documents: Sequence[ParsedDocument], *, vectors: NDArray[np.float32]) -> Iterator[EncodedDocument]:
    """Give each document its lexical tokens and its rows of `vectors`, one when it is asked for."""
    row = 0
    for one in documents:
        matrices = []
        for passage in one.passages:
            matrices.append(vectors[row : row + len(passage.items)])
            row += len(passage.items)
        tokens = tuple(lexical_tokens(one.document, one.releases[passage.release], passage) for passage in one.passages)
        yield EncodedDocument(parsed=one, tokens=tokens, vectors=tuple(matrices))
