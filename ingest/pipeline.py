"""Runs an ingest, from sources to one commit; until the commit, readers see nothing of it."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from corpus.cache_folder import cache_folder
from corpus.catalogue import ProductMention, check_product
from corpus.embedding import Embedder, open_bulk_embedder
from corpus.errors import IndexNotFound, IndexUnavailable, SourceError
from corpus.index.commit import EncodedDocument, commit_changes, fingerprint
from corpus.index.layout import write_lock
from corpus.index.repair import restore_derived
from corpus.index.source_records import SourceRecord, write_source_records
from corpus.index.stored import DocumentSummary
from corpus.index.tables import TableReader
from corpus.manifest import Manifest, ModelStamp
from corpus.model import Authority, Claim
from corpus.stores.choice import StoreChoice
from corpus.stores.milvus.generations import check_store
from corpus.versions import Version
from ingest.encoding import ChangedSource, encode_documents
from ingest.releases.identity import Hints
from ingest.report import (
    IngestProgress,
    IngestReport,
    SuspiciousSource,
    Unwatched,
    failure_covering,
    listing_failures,
    product_mention,
    report_intake,
    report_outcomes,
    with_rebuild_refused,
)
from ingest.sources.connectors import Connectors, ConnectorSettings
from ingest.sources.files import DocumentKey, FailedSource, Source, read_source
from ingest.sources.requests import Obtained, Request, SourceState, obtain_all, plan_requests
from ingest.time_limits import add_ended, load_ended

__all__ = ["PIPELINE_VERSION", "IngestProgress", "IngestReport", "build_index", "update_index"]

_logger = logging.getLogger(__name__)
PIPELINE_VERSION = "118"
"""Raised with each change to parsing, splitting or reading acts; documents of another version are ingested anew."""


def build_index(
    arguments: Sequence[str],
    *,
    index: str | Path,
    embedder: Embedder | None = None,
    product: str | None = None,
    version: str | None = None,
    authority: Authority | None = None,
    rebuild: bool = False,
    store: StoreChoice | None = None,
    connectors: Connectors | None = None,
    progress: IngestProgress | None = None,
) -> IngestReport:
    """Bring the index up to date with files, folders and remote sources; `connectors` fetches the remote ones.

    `embedder` is the built-in model by default. Documents that vanished from a folder are removed while the folder has
    any document: an empty folder (an unmounted share) is a failure and loses nothing. `rebuild` discards the index's
    content first; if that would lose a document that can't be read now, nothing is committed, and the failures say so.
    Missing or damaged derived files are made anew. `store` is searched from now on; None keeps the present one.

    Raises:
        UsageError: a path doesn't exist, a product, a version or a `sources.toml` is wrong; nothing is changed.
        ModelError: the built-in model is missing, altered or can't be loaded; nothing is changed.
        StoreUnavailable: the server of `store` can't be used; nothing is changed.
        IndexBusy, IndexMismatch, IndexCorrupt: the index can't be written; nothing is changed.
    """
    if product is not None:
        check_product(product)
    stated = None if version is None else Version.parse(version)
    flags = Hints(product=product, version=stated, authority=authority)
    return update_index(
        [Request(argument, flags) for argument in arguments],
        index=Path(index),
        embedder=embedder or open_bulk_embedder(cache_dir=cache_folder()),
        rebuild=rebuild,
        store=store,
        connectors=connectors,
        progress=progress or Unwatched(),
    )


def update_index(
    requests: Sequence[Request],
    *,
    index: Path,
    embedder: Embedder,
    rebuild: bool = False,
    prune: bool = False,
    store: StoreChoice | None = None,
    connectors: Connectors | None,
    progress: IngestProgress,
) -> IngestReport:
    """Bring the index up to date with sources that have flags of their own; see `build_index`.

    `prune` removes the documents of sources whose servers report them gone.

    Raises:
        UsageError, IndexBusy, IndexMismatch, IndexCorrupt, StoreUnavailable: as for `build_index`.
    """
    started = time.perf_counter()
    if store is not None:
        check_store(store)
    stamp = ModelStamp(embedder.model_id, embedder.digest, embedder.dimensions)
    connectors = connectors or Connectors(ConnectorSettings())
    plan = plan_requests(requests, connectors=connectors)
    with write_lock(index):
        indexed, old_records = _read_index(index, model=stamp, rebuild=rebuild)
        known = {} if rebuild else indexed
        if plan.wanted:
            progress.phase("Fetching", len(plan.wanted))
        obtained = obtain_all(
            plan,
            connectors=connectors,
            records=old_records,
            documents=Counter(root for root, _ in known),
            pipeline_version=PIPELINE_VERSION,
            advance=progress.advance,
        )
        failed: dict[DocumentKey, FailedSource] = {}
        all_sources = (source for result in obtained for source in result.listing.sources)
        sources = {source.key: _with_named_product(source, known.get(source.key)) for source in all_sources}
        before = frozenset() if rebuild else load_ended(index)
        changes = _read_changed(tuple(sources.values()), known=known, ended=before, failures=failed, progress=progress)
        encoded = encode_documents(changes, embedder=embedder, progress=progress)
        failed |= encoded.failures
        add_ended(index, encoded.ended)
        report, remove, records = _decide(
            obtained, sources, encoded.keys, failed, indexed=indexed, before=old_records, rebuild=rebuild, prune=prune
        )
        if remove or report.added or (rebuild and not report.failed):
            commit = partial(commit_changes, index, model=stamp, remove=remove, sources=records, fresh=rebuild)
            passages, misread, mentions = _write(partial(commit, store=store), encoded.documents, progress)
            products, unread = report_intake(mentions, index)
            report = replace(report, passages=passages, suspicious=(*unread, *misread), products=products)
        # After a rebuild that committed nothing, sources are fetched whole the next time.
        elif not rebuild and not restore_derived(index, store=store, sources=records):
            write_source_records(index, records)
    return replace(report, seconds=time.perf_counter() - started)


def _decide(
    obtained: Sequence[Obtained],
    sources: Collection[DocumentKey],
    encoded: Sequence[DocumentKey],
    failed: Mapping[DocumentKey, FailedSource],
    *,
    indexed: Mapping[DocumentKey, DocumentSummary],
    before: Mapping[str, SourceRecord],
    rebuild: bool,
    prune: bool,
) -> tuple[IngestReport, list[int], tuple[SourceRecord, ...]]:
    """Return the report, the ids of the documents to remove (replaced ones too), and the sources' new records."""
    listings = [source.listing for source in obtained]
    known = {} if rebuild else indexed
    failures = {**listing_failures(listings, indexed=indexed), **{key: failed[key] for key in sources if key in failed}}
    if rebuild and (losses := {over for key in indexed if (over := failure_covering(key, failures))}):
        failures |= {key: with_rebuild_refused(failures[key]) for key in losses}
        changed: Sequence[DocumentKey] = ()
    else:
        changed = encoded
    outcomes, records = report_outcomes(
        obtained,
        failures=failures,
        changed=Counter(root for root, _ in changed),
        known=known,
        before=before,
        prune=prune,
    )
    lost = {source.listing.root for source in obtained if prune and source.outcome is SourceState.GONE}
    folders = {listing.root for listing in listings if listing.is_folder and listing.sources}
    vanished = (key for key in known if key[0] in folders and key not in sources)
    gone = [known[key].id for key in vanished if failure_covering(key, failures) is None]
    gone += [document.id for key, document in known.items() if key[0] in lost]
    replaced = [known[key].id for key in changed if key in known]
    current = {listing.root for listing in listings if listing.is_current}
    report = IngestReport(
        added=len(changed) - len(replaced),
        updated=len(replaced),
        unchanged=len(sources) - len(encoded) - len(failed) + sum(root in current for root, _ in known),
        removed=len(gone),
        skipped=tuple(skipped for listing in listings for skipped in listing.skipped),
        failed=tuple(failure for (root, _), failure in failures.items() if root not in lost),
        passages=sum(document.passages for document in indexed.values()),
        seconds=0,
        sources=outcomes,
    )
    return report, [*replaced, *gone], records


def _read_index(
    index: Path, *, model: ModelStamp, rebuild: bool
) -> tuple[dict[DocumentKey, DocumentSummary], dict[str, SourceRecord]]:
    """Return the documents in the index, and the record of each root.

    Both are empty without an index. For a rebuild, records are empty, and so are documents if unreadable.
    """
    try:
        with TableReader.open(index, model=None if rebuild else model) as tables:
            records = () if rebuild else tables.source_records
            indexed = {(document.root, document.source): document for document in tables.documents}
            return indexed, {record.root: record for record in records}
    except IndexUnavailable as error:
        if rebuild or isinstance(error, IndexNotFound):
            return {}, {}
        raise


def _with_named_product(source: Source, before: DocumentSummary | None) -> Source:
    """Return a source; a lone file keeps the product that the user once named for it, until another is named."""
    if before is None or source.is_stated or before.speaker.claim is not Claim.NAMED or str(source.path) != source.root:
        return source
    return replace(source, hints=replace(source.hints, product=before.product), is_stated=True)


def _read_changed(
    sources: Sequence[Source],
    *,
    known: Mapping[DocumentKey, DocumentSummary],
    ended: Collection[str],
    failures: dict[DocumentKey, FailedSource],
    progress: IngestProgress,
) -> Iterator[ChangedSource]:
    """Yield the documents that are new or changed, each read only when it is asked for.

    Those that can't be read go into `failures`, and so do those whose fingerprint is in `ended`.
    """
    progress.phase("Reading", len(sources))
    for source in sources:
        key = source.key
        try:
            content = read_source(source)
        except SourceError as error:
            failures[key] = FailedSource(source.name, str(error))
        except Exception as error:  # unpacking may raise anything; the other documents go on
            problem = f"can't be read ({type(error).__name__}: {error}); please report it"
            failures[key] = FailedSource(source.name, problem)
        else:
            sha256 = fingerprint(PIPELINE_VERSION, repr(source.hints), content)
            if sha256 in ended:
                problem = "wasn't read: it took too long before and hasn't changed; what was known of it stays"
                failures[key] = FailedSource(source.name, f"{problem} (`--rebuild` reads it again)")
            elif key not in known or known[key].sha256 != sha256:
                yield ChangedSource(source, content, sha256)
        # Only now is the yielded document done.
        progress.advance(1)


def _write(
    commit: Callable[..., Manifest], documents: Iterator[EncodedDocument], progress: IngestProgress
) -> tuple[int, tuple[SuspiciousSource, ...], dict[DocumentKey, ProductMention]]:
    """Commit the documents; return how many passages the index has now, the suspicious documents, and the products."""
    mentions: dict[DocumentKey, ProductMention] = {}
    suspicious: list[SuspiciousSource] = []

    def noting() -> Iterator[EncodedDocument]:
        # Noted while they pass into the index, because nothing else has them all.
        for document in documents:
            identity = document.parsed.document
            mentions[identity.root, identity.source] = product_mention(document.parsed)
            suspicious.extend(SuspiciousSource(identity.source, fault) for fault in document.faults)
            _logger.debug("Writing %s", identity.source)
            yield document
            # Freed before the next one is made.
            del document, identity

    def begin_commit() -> None:
        progress.advance(1)
        progress.phase("Committing", 1)

    progress.phase("Writing", 1)
    manifest = commit(add=noting(), before_commit=begin_commit)
    progress.advance(1)
    return manifest.passages, tuple(suspicious), mentions
