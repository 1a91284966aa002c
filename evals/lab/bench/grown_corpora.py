"""Large indexes of realistic release notes: documents parsed once, and altered copies of them as further products."""

import json
import random
import shutil
import time
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.cache_folder import cache_folder
from corpus.embedding import CachedEmbedder, Embedder, VectorCache, open_embedder
from corpus.index.commit import EncodedDocument, commit_changes, fingerprint
from corpus.index.layout import FORMAT_VERSION, write_lock
from corpus.index.reader import IndexReader
from corpus.index.stored import DocumentSummary, ModelStamp, StoredPassage
from corpus.model import Document, ParsedDocument, Passage, Span
from corpus.versions import Version
from evals.lab.bench.altered_copies import DocumentCopier
from evals.suites import CORPORA, require_suites
from ingest.passages.enrichment import embedded_text, lexical_tokens
from ingest.pipeline import PIPELINE_VERSION, IngestProgress, build_index
from ingest.progress import BarProgress

_COPIES_VERSION = "1"
"""Counts changes to what is grown: an index grown by another version is grown anew."""
_READ_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Grown:
    """A grown index and the same passages for other libraries; `seconds` is what growing took, when it was grown."""

    folder: Path
    passages: int
    seconds: float

    @property
    def index(self) -> Path:
        """The index."""
        return self.folder / "index"

    @property
    def texts(self) -> Path:
        """A JSON string a line, one line a passage."""
        return self.folder / "texts.jsonl"

    @property
    def vectors(self) -> Path:
        """Plain float32 of shape (lines of `texts`, dimensions), rows of length 1."""
        return self.folder / "vectors.f32"


def sizes_option(parser: ArgumentParser, default: Sequence[int]) -> None:
    """Let a trial be told over how many passages it runs."""
    numbers = ",".join(map(str, default))
    parser.add_argument("--sizes", type=_sizes, default=tuple(default), help=f"numbers of passages (default {numbers})")


def _sizes(written: str) -> tuple[int, ...]:
    return tuple(sorted(int(size.replace("_", "")) for size in written.split(",")))


def grown_corpora(passages: int) -> Grown:
    """The index of `passages` passages over ../shared/corpora.

    Raises:
        RelnotesError: ../shared is absent.
    """
    require_suites([CORPORA], purpose="The benchmark")
    with BarProgress() as progress:
        embedder = open_embedder(cache_dir=cache_folder())
        return open_grown(CORPORA.documents, embedder, passages=passages, progress=progress)


def open_grown(documents: Path, embedder: Embedder, *, passages: int, progress: IngestProgress) -> Grown:
    """The index of `passages` passages over a folder's documents and copies of them, kept in the cache folder.

    A second call with the same documents and number finds what the first has grown. Raises as `build_index` does.
    """
    bench = cache_folder() / "bench"
    base = bench / "base"
    original = CachedEmbedder(embedder, VectorCache(cache_folder()))
    build_index([str(documents)], index=base, embedder=original, progress=progress)
    folder = bench / f"grown-{passages}"
    stamp = _stamp(base, documents, passages)
    try:
        kept = json.loads((folder / "grown.json").read_text("utf-8"))
        if kept.pop("stamp") == stamp:
            return Grown(folder, **kept)
    except (OSError, ValueError, AttributeError):
        pass
    return grow(load_originals(base, original), folder, embedder, passages=passages, stamp=stamp, progress=progress)


def _stamp(base: Path, documents: Path, passages: int) -> str:
    """What a grown index depends on."""
    with IndexReader.open(base) as reader:
        sums = sorted(
            document.sha256 for document in reader.documents if document.root.startswith(str(documents.resolve()))
        )
    return fingerprint(_COPIES_VERSION, PIPELINE_VERSION, str(FORMAT_VERSION), str(passages), *sums)


def grow(
    originals: Sequence[EncodedDocument],
    folder: Path,
    embedder: Embedder,
    *,
    passages: int,
    stamp: str,
    progress: IngestProgress,
) -> Grown:
    """Write an index of exactly `passages` passages, and what lies beside it, in place of what `folder` held.

    Raises:
        IndexUnavailable: the disk doesn't take it.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    grown = Grown(folder, passages, 0.0)
    started = time.perf_counter()
    progress.phase(f"Growing to {passages:,} passages", passages)
    documents = grown_documents(originals, passages)
    model = ModelStamp(embedder.model_id, embedder.digest, embedder.dimensions)
    with write_lock(grown.index), _Beside(grown) as beside:
        counted = _telling(beside.noting(documents), progress)
        commit_changes(grown.index, model=model, add=counted, fresh=True)
    grown = replace(grown, seconds=time.perf_counter() - started)
    record = {key: value for key, value in asdict(grown).items() if key != "folder"} | {"stamp": stamp}
    (folder / "grown.json").write_text(json.dumps(record), "utf-8")
    return grown


def grown_documents(originals: Sequence[EncodedDocument], passages: int) -> Iterator[EncodedDocument]:
    """The originals in a fixed mixed order, then copy after copy, until there are `passages` passages.

    The last document ends where they are reached. Needs an original with a passage.
    """
    mixed = sorted(originals, key=lambda one: one.parsed.document.source)
    random.Random(7).shuffle(mixed)  # noqa: S311 - an order, not a secret
    copier = DocumentCopier(mixed)
    left = passages
    for number in count():
        for position, original in enumerate(mixed):
            if left <= 0:
                return
            document = copier.copy(position, number) if number else original
            kept = min(left, len(document.parsed.passages))
            left -= kept
            yield _first_passages(document, kept)


def _first_passages(document: EncodedDocument, kept: int) -> EncodedDocument:
    parsed = replace(document.parsed, passages=document.parsed.passages[:kept])
    return EncodedDocument(parsed, document.tokens[:kept], document.vectors[:kept])


def load_originals(index: Path, embedder: Embedder) -> tuple[EncodedDocument, ...]:
    """Every document of an index as it was before it was stored; `embedder` should have its vectors in a cache."""
    with IndexReader.open(index) as reader:
        passages: dict[int, list[StoredPassage]] = defaultdict(list)
        total = len(reader.passages.ids)
        for first in range(0, total, _READ_AT_ONCE):
            for passage in reader.load_passages(range(first, min(first + _READ_AT_ONCE, total))):
                passages[passage.document.id].append(passage)
        return tuple(_original(reader, document, passages[document.id], embedder) for document in reader.documents)


def _original(
    reader: IndexReader, summary: DocumentSummary, stored: Sequence[StoredPassage], embedder: Embedder
) -> EncodedDocument:
    text = reader.document_text(summary.id)
    document = Document(
        root=summary.root, source=summary.source, title=summary.title, product=summary.product,
        aliases=summary.aliases, version=Version.parse(summary.version) if summary.version else None,
        date=summary.date, authority=summary.authority, url=summary.url, text=text, sha256=summary.sha256,
        media_type=summary.media_type,
    )  # fmt: skip
    releases = reader.document_releases(summary.id)
    spans = [release.span for release in releases]
    passages = tuple(
        Passage(
            one.span, _position(spans, one.span), one.heading, one.kind, one.items, one.symbols, one.references,
            one.versions, one.boilerplate,
        )
        for one in stored
    )  # fmt: skip
    vectors = embedder.embed([embedded_text(text, item) for passage in passages for item in passage.items])
    ends = np.cumsum([len(passage.items) for passage in passages])[:-1].tolist()
    return EncodedDocument(
        parsed=ParsedDocument(document, releases, passages),
        tokens=tuple(lexical_tokens(document, releases[passage.release], passage) for passage in passages),
        vectors=tuple(np.split(vectors, ends)) if passages else (),
    )


def _position(releases: Sequence[Span], passage: Span) -> int:
    """The release that a passage lies in: the smallest that holds it."""
    holding = [place for place, span in enumerate(releases) if span.holds(passage)]
    return min(holding, key=lambda place: len(releases[place]))


def _telling(documents: Iterable[EncodedDocument], progress: IngestProgress) -> Iterator[EncodedDocument]:
    for document in documents:
        progress.advance(len(document.parsed.passages))
        yield document


class _Beside:
    """Writes the passages for other libraries while documents go by; a `with` block ends the files."""

    def __init__(self, grown: Grown) -> None:
        self._texts = grown.texts.open("w", encoding="utf-8")
        self._vectors = grown.vectors.open("wb")

    def __enter__(self) -> "_Beside":
        return self

    def __exit__(self, *details: object) -> None:
        self._texts.close()
        self._vectors.close()

    def noting(self, documents: Iterable[EncodedDocument]) -> Iterator[EncodedDocument]:
        """The same documents; what passes is written."""
        for document in documents:
            text = document.parsed.document.text
            for passage, vectors in zip(document.parsed.passages, document.vectors, strict=True):
                if len(vectors):
                    self._texts.write(json.dumps(" ".join(passage.span.slice(text).split())) + "\n")
                    self._vectors.write(_mean(vectors).tobytes())
            yield document


def _mean(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    mean = vectors.mean(axis=0)
    normalised: NDArray[np.float32] = (mean / np.linalg.norm(mean)).astype(np.float32)
    return normalised
