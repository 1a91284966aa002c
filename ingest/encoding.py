"""Encodes changed documents: parses and embeds them, and reads the acts of their items.

All but embedding runs in a process that is ended when one document takes too long.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from itertools import islice
from pathlib import PurePath
from threading import Event
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from corpus.acts import act_terms, importance_terms, read_act_terms, read_importance
from corpus.children import Worker
from corpus.embedding import Embedder
from corpus.errors import SourceError
from corpus.index.commit import EncodedDocument
from corpus.model import Document, ParsedDocument, Release
from corpus.source_words import item_words
from ingest.blocks import ParsedText
from ingest.entries.reading import with_entries
from ingest.formats import parse_blocks
from ingest.passages.settling import settle_acts
from ingest.passages.splitting import embedded_text, lexical_tokens, split_passages
from ingest.releases.identity import Identity, identify
from ingest.releases.splitting import find_release_headings, split_releases
from ingest.releases.subjects import name_by_place, read_own_name, read_place_name
from ingest.releases.vouched_lines import with_vouched_lines
from ingest.report import IngestProgress, find_suspicions
from ingest.sources.files import DocumentKey, FailedSource, Source
from ingest.sources.speaking import speaker_of
from ingest.time_limits import CLOCK_S_PER_S, limit_s

_EMBED_BATCH = 1024
"""Texts per call: enough for a runtime to fill its batches with texts of similar length, without padding."""
_LISTEN_S = 0.1
_LEAST_S = 0.01  # What is left at least of a limit that wasn't passed.
_Result = TypeVar("_Result")
Vectors = NDArray[np.float32]


class ChangedSource(NamedTuple):
    """A new or changed document, with everything that parsing needs."""

    source: Source
    content: bytes
    sha256: str  # Hex digest of everything that the indexed form depends on.


class EncodedSources(NamedTuple):
    """The results for the changed documents; each has either its key here or its failure."""

    keys: tuple[DocumentKey, ...]  # Those of the encoded documents, in the order given.
    failures: Mapping[DocumentKey, FailedSource]
    ended: tuple[str, ...]  # The fingerprints of those that took too long.
    documents: Iterator[EncodedDocument]
    """One per key, in the same order, made lazily; iterate only once."""


class _ReadDocument(NamedTuple):
    """A document with the acts and entries of its items, each passage's tokens, and what looks wrong in it."""

    parsed: ParsedDocument
    tokens: tuple[str, ...]
    faults: tuple[str, ...]


def encode_documents(
    changed: Iterable[ChangedSource], *, embedder: Embedder, progress: IngestProgress
) -> EncodedSources:
    """Parse one document after another, while the items of earlier ones are embedded; then read what each item says.

    `changed` reads each document when it is asked for it, and has its own phase of `progress`. A document that can't be
    parsed, or takes too long, is among the failures and stops no other.

    Raises:
        ModelError, ClusterError: the model can't be used.
    """
    parsed: dict[DocumentKey, ParsedDocument] = {}
    with Worker() as worker, ItemEmbedding(embedder) as embedding:
        reading = _TimedReading(worker)
        for change in changed:
            key = change.source.key
            reading.begin(change)
            if document := reading.run(key, parse_document, change):
                parsed[key] = document
                embedding.add(document)
        progress.phase("Embedding", embedding.items)
        vectors = embedding.finish(progress.advance)
        progress.phase("Labelling", len(parsed))
        encoded: dict[DocumentKey, tuple[_ReadDocument, Vectors]] = {}
        row = 0
        for key in tuple(parsed):
            # Freed when it is read, so that no two forms of all documents are in memory.
            document = parsed.pop(key)
            rows = vectors[row : row + sum(len(passage.items) for passage in document.passages)]
            row += len(rows)
            if (read := reading.run(key, _read_items, document, rows, embedder.digest)) is not None:
                encoded[key] = read, rows
            progress.advance(1)
    return EncodedSources(
        tuple(encoded), reading.failures, tuple(reading.ended), _join_vectors(deque(encoded.values()))
    )


class _TimedReading:
    """Reads documents in a process of its own, each within one time limit for all steps of it."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._begun: dict[DocumentKey, tuple[str, float, float]] = {}
        self.failures: dict[DocumentKey, FailedSource] = {}
        self.ended: list[str] = []

    def begin(self, change: ChangedSource) -> None:
        """Begin a document with all of its time."""
        limit = limit_s(change.content)
        self._begun[change.source.key] = change.sha256, limit, limit

    def run(self, key: DocumentKey, read: Callable[..., _Result], *arguments: object) -> _Result | None:
        """Return the result of the next step of a document; None if that failed, or the document's time is over."""
        sha256, limit, left_s = self._begun[key]
        try:
            try:
                result, left_s = self._worker.call(read, *arguments, seconds=left_s * CLOCK_S_PER_S, processor_s=left_s)
            except ChildProcessError:  # gRPC ends forks of a process that has loaded it: read without a limit.
                result = read(*arguments)
        except SourceError as error:
            problem = str(error)
        except TimeoutError:
            problem = f"reading took longer than {limit:.0f} s; what was known of it stays"
            self.ended.append(sha256)
        else:
            self._begun[key] = sha256, limit, max(left_s, _LEAST_S)
            return result
        self.failures[key] = FailedSource(key[1], problem)
        return None


def parse_document(changed: ChangedSource) -> ParsedDocument:
    """Parse a document; it depends on nothing but its bytes and what `changed` states about it.

    Raises:
        SourceError: it isn't a document, has no text, or makes a parser fail.
    """
    source = changed.source
    try:
        parsed, identity, releases = read_structure(source, changed.content)
        _check_is_of_archive(source, releases)
        document = Document(
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
            sha256=changed.sha256,
            media_type=parsed.media_type,
            speaker=speaker_of(source, identity),
        )
        names = (identity.product, *identity.aliases)
        passages = split_passages(parsed, releases, title=identity.title, names=names)
    except SourceError:
        raise
    except Exception as error:  # a markup parser may raise anything; the other documents go on
        raise SourceError(f"can't be parsed ({type(error).__name__}: {error}); please report it") from error
    return ParsedDocument(document, releases, passages)


def _join_vectors(read: deque[tuple[_ReadDocument, Vectors]]) -> Iterator[EncodedDocument]:
    """Yield each document with its rows of vectors, by passage."""
    while read:
        document, rows = read.popleft()
        ends = np.cumsum([len(passage.items) for passage in document.parsed.passages])
        yield EncodedDocument(document.parsed, document.tokens, tuple(np.split(rows, ends)[:-1]), document.faults)


def _check_is_of_archive(source: Source, releases: Sequence[Release]) -> None:
    """Raise SourceError if the first or last final release of notes in a package's archive is above that archive's."""
    out = [each.version for each in releases if each.version and not each.pending and not each.version.day]
    final = [version for version in out if not version.is_prerelease]
    newest, archive = max((*final[:1], *final[-1:]), default=None), source.fetched.archive if source.fetched else None
    if newest and archive and newest > archive.base:
        raise SourceError(f"isn't the package's: it tells of {newest}, above the archive's {archive}")


def _read_items(parsed: ParsedDocument, vectors: Vectors, digest: str) -> _ReadDocument:
    """Read the acts and entries of a document's items, whose vectors are given as rows, and each passage's tokens."""
    faults: list[str] = []
    tokens = tuple(
        " ".join(lexical_tokens(parsed.document, parsed.releases[passage.release], passage))
        for passage in parsed.passages
    )
    try:
        parsed = with_entries(settle_acts(_with_acts(parsed, vectors, digest=digest)), vectors, digest=digest)
    except Exception as error:  # the document can still be searched, and the others go on
        faults.append(f"its entries can't be read ({type(error).__name__}: {error}); please report it")
    return _ReadDocument(parsed, tokens, (*faults, *find_suspicions(parsed)))


def _with_acts(parsed: ParsedDocument, vectors: Vectors, *, digest: str) -> ParsedDocument:
    """Return the document with each item's act and importance; items of quoted notes are unchanged."""
    text, media_type = parsed.document.text, parsed.document.media_type
    places = [(passage, number, item) for passage in parsed.passages for number, item in enumerate(passage.items)]
    terms = [act_terms(item_words(item, text, media_type), passage.heading) for passage, _, item in places]
    acts = read_act_terms(terms, vectors, digest=digest)
    importances = [
        importance_terms(words, passage.heading, passage.kind, number, act, sure)
        for words, (act, sure), (passage, number, _) in zip(terms, acts, places, strict=True)
    ]
    importance = read_importance(importances, vectors, digest=digest)
    items = (
        # Quoted notes of another project aren't about this one.
        item if passage.quoted else replace(item, act=act, certainty=sure, headline=news, breaking=breaks)
        for (passage, _, item), (act, sure), (news, breaks) in zip(places, acts, importance, strict=True)
    )
    passages = tuple(replace(passage, items=tuple(islice(items, len(passage.items)))) for passage in parsed.passages)
    return replace(parsed, passages=passages)


class ItemEmbedding:
    """Embeds documents' items in the background, added in any number of steps; a context manager."""

    def __init__(self, embedder: Embedder) -> None:
        """Prepare; nothing is computed before `add`."""
        self._embedder = embedder
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="embedding")
        self._waiting: list[str] = []
        self._batches: deque[Future[Vectors]] = deque()
        self._embedded = 0
        self._is_over = Event()
        self.items = 0
        """How many items all added documents have."""

    def __enter__(self) -> "ItemEmbedding":
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for the few texts that are in the model; drop those that are still waiting."""
        self._is_over.set()
        self._pool.shutdown(cancel_futures=True)

    def add(self, document: ParsedDocument) -> None:
        """Embed the document's items, in the order of its passages, after those added before."""
        text = document.document.text
        media_type = document.document.media_type
        texts = [embedded_text(text, item, media_type) for passage in document.passages for item in passage.items]
        self.items += len(texts)
        self._waiting += texts
        while len(self._waiting) >= _EMBED_BATCH:
            self._submit(self._waiting[:_EMBED_BATCH])
            del self._waiting[:_EMBED_BATCH]

    def finish(self, advance: Callable[[int], None]) -> Vectors:
        """Return the vectors of all items, as rows in the order added; call `advance` with each count newly done.

        Raises:
            ModelError: the model can't be used.
        """
        if self._waiting:
            self._submit(self._waiting)
        vectors = np.empty((self.items, self._embedder.dimensions), np.float32)
        row = reported = 0
        # Each batch is dropped when copied, so that all vectors are never in memory twice.
        while self._batches:
            batch = self._batches.popleft()
            is_done = False
            while not is_done:
                is_done = bool(wait([batch], timeout=_LISTEN_S).done)
                if more := self._embedded - reported:
                    advance(more)
                    reported += more
            computed = batch.result()
            vectors[row : row + len(computed)] = computed
            row += len(computed)
        return vectors

    def _submit(self, texts: list[str]) -> None:
        self._batches.append(self._pool.submit(self._embedder.embed, texts, progress=self._count_embedded))

    def _count_embedded(self, count: int) -> None:
        if self._is_over.is_set():
            raise CancelledError
        self._embedded += count


def read_structure(source: Source, content: bytes) -> tuple[ParsedText, Identity, tuple[Release, ...]]:
    """Return a document's parsed text, its identity, and its releases, which cover the text.

    Raises:
        SourceError: it isn't a document, or has no text.
    """
    place, home = source.name, source.root
    if source.fetched:
        place, home = source.fetched.place, source.fetched.home
    parsed = parse_blocks(place, content)
    by_file = read_place_name(PurePath(place).stem)
    is_lone = str(source.path) == source.root
    # Nobody named the folder that a lone file lies in.
    otherwise = (is_lone and not by_file and read_own_name(parsed.text)) or name_by_place(place, root=home)
    identity = identify(parsed, source=place, hints=source.hints, otherwise=otherwise)
    names = (identity.product, *identity.aliases)
    parsed = with_vouched_lines(parsed, find_release_headings(parsed, products=names), products=names)
    releases = split_releases(parsed, products=names, version=identity.version, day=identity.date)
    if source.hints.is_prerelease:
        releases = tuple(replace(release, pending=True) for release in releases)
    return parsed, identity, releases
