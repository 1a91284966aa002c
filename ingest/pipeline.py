"""The story of ingest: sources to commit.

Only what changed is parsed and embedded again; what vanished from an ingested folder is removed; what fails stays as it
was and is reported. Nothing is visible to readers before the one commit at the end.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from corpus.embedding import Embedder
from corpus.errors import IndexUnavailable, RelnotesError, SourceError
from corpus.index_commit import EncodedDocument, commit_changes, fingerprint
from corpus.index_layout import write_lock
from corpus.index_store import IndexReader, stored_documents
from corpus.model import Authority, Document, ParsedDocument
from corpus.stored import DocumentSummary, ModelStamp
from corpus.versions import Version
from ingest.enrichment import embedded_text, lexical_tokens
from ingest.formats import parse_blocks
from ingest.identity import Hints, identify
from ingest.passages import Embed, split_passages
from ingest.releases import split_releases
from ingest.sources import FailedSource, SkippedSource, Source, list_sources, read_source

PIPELINE_VERSION = "1"
"""Counts changes to parsing and splitting: a document ingested by another version is ingested anew."""

_EMBED_BATCH = 4096


class IngestProgress(Protocol):
    """Hears how far ingest is."""

    def phase(self, name: str, total: int) -> None:
        """A phase begins: "Reading", "Embedding", "Writing"; `total` counts what `advance` will add up to."""

    def advance(self, count: int) -> None:
        """`count` more are done."""


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did; documents count once each."""

    added: int
    updated: int
    unchanged: int
    removed: int
    skipped: tuple[SkippedSource, ...]
    failed: tuple[FailedSource, ...]
    passages: int
    """Passages in the index afterwards."""
    seconds: float

    @property
    def succeeded(self) -> bool:
        """Whether at least one document was ingested or found unchanged."""
        return self.added + self.updated + self.unchanged > 0


def build_index(
    arguments: Sequence[str],
    *,
    index: Path,
    embedder: Embedder,
    product: str | None = None,
    version: str | None = None,
    authority: Authority | None = None,
    rebuild: bool = False,
    progress: IngestProgress,
) -> IngestReport:
    """Bring the index up to date with files and folders.

    `rebuild` forgets everything that was in the index before.

    Raises:
        UsageError: a path doesn't exist, a version is malformed or a `sources.toml` is wrong; nothing is changed.
        IndexBusy, IndexMismatch, IndexCorrupt: the index can't be written; nothing is changed.
    """
    started = time.perf_counter()
    flags = Hints(product=product, version=Version.parse(version) if version else None, authority=authority)
    stamp = ModelStamp(embedder.model_id, embedder.digest, embedder.dimensions)
    named = (list_sources(argument, flags=flags) for argument in arguments)
    # One folder under two spellings, or behind a link, is one root.
    listings = tuple({listing.root: listing for listing in named}.values())
    with write_lock(index):
        before_this = () if rebuild else stored_documents(index, model=stamp)
        known = {(one.root, one.source): one for one in before_this}
        sources = {(one.root, one.name): one for listing in listings for one in listing.sources}
        progress.phase("Reading", len(sources))
        parsed: list[ParsedDocument] = []
        failed = [one for listing in listings for one in listing.failed]
        replaced: list[int] = []
        unchanged = 0
        for key, source in sources.items():
            before = known.get(key)
            try:
                document = _parse_if_changed(source, before, embed=embedder.embed)
            except SourceError as error:
                failed.append(FailedSource(source.name, str(error)))
            else:
                unchanged += document is None
                if document is not None:
                    parsed.append(document)
                    replaced += [before.id] if before else []
            progress.advance(1)
        folders = {listing.root for listing in listings if listing.is_folder}
        listed = {*sources, *((listing.root, one.source) for listing in listings for one in listing.failed)}
        gone = [one.id for key, one in known.items() if one.root in folders and key not in listed]
        if parsed or gone or (rebuild and not failed):
            encoded = _encode(parsed, embedder=embedder, progress=progress)
            progress.phase("Writing", 1)
            manifest = commit_changes(index, model=stamp, remove=[*replaced, *gone], add=encoded, fresh=rebuild)
            passages = manifest.passages
            progress.advance(1)
        else:
            passages = _passages_left(index) if rebuild else sum(one.passages for one in known.values())
    return IngestReport(
        added=len(parsed) - len(replaced),
        updated=len(replaced),
        unchanged=unchanged,
        removed=len(gone),
        skipped=tuple(one for listing in listings for one in listing.skipped),
        failed=tuple(failed),
        passages=passages,
        seconds=time.perf_counter() - started,
    )


def _passages_left(index: Path) -> int:
    """How many passages a rebuild that came to nothing leaves; none where the old index can't be read either."""
    try:
        with IndexReader.open(index) as reader:
            return reader.manifest.passages
    except IndexUnavailable:
        return 0


def parse_document(source: Source, content: bytes, *, embed: Embed) -> ParsedDocument:
    """One document's bytes to its releases and passages.

    Raises:
        SourceError: it isn't a document, or has no text.
    """
    parsed = parse_blocks(source.name, content)
    if not parsed.text.strip():
        raise SourceError("has no text (a scan?); nothing to ingest")
    identity = identify(parsed, source=source.name, hints=source.hints)
    releases = split_releases(
        parsed, products=(identity.product, *identity.aliases), version=identity.version, day=identity.date
    )
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
            url=identity.url,
            text=parsed.text,
            sha256=_fingerprint(source, content),
            media_type=parsed.media_type,
        ),
        releases=releases,
        passages=split_passages(parsed, releases, title=identity.title, embed=embed),
    )


def _parse_if_changed(source: Source, before: DocumentSummary | None, *, embed: Embed) -> ParsedDocument | None:
    content = read_source(source)
    if before is not None and before.sha256 == _fingerprint(source, content):
        return None
    try:
        return parse_document(source, content, embed=embed)
    except RelnotesError:
        raise
    except Exception as error:  # whatever a markup parser trips over, the other documents go on
        raise SourceError(f"can't be parsed ({type(error).__name__}: {error}); please report it") from error


def _fingerprint(source: Source, content: bytes) -> str:
    return fingerprint(PIPELINE_VERSION, repr(source.hints), content)


def _encode(
    documents: Sequence[ParsedDocument], *, embedder: Embedder, progress: IngestProgress
) -> list[EncodedDocument]:
    """Embed every item of every document, in batches over documents, so that texts of like length meet."""
    texts = [
        embedded_text(one.document.text, item)
        for one in documents
        for passage in one.passages
        for item in passage.items
    ]
    progress.phase("Embedding", len(texts))
    vectors = np.empty((len(texts), embedder.dimensions), dtype=np.float32)
    for first in range(0, len(texts), _EMBED_BATCH):
        batch = texts[first : first + _EMBED_BATCH]
        vectors[first : first + len(batch)] = embedder.embed(batch, progress=progress.advance)
    encoded: list[EncodedDocument] = []
    row = 0
    for one in documents:
        matrices = []
        for passage in one.passages:
            matrices.append(vectors[row : row + len(passage.items)])
            row += len(passage.items)
        tokens = tuple(lexical_tokens(one.document, one.releases[passage.release], passage) for passage in one.passages)
        encoded.append(EncodedDocument(parsed=one, tokens=tokens, vectors=tuple(matrices)))
    return encoded
