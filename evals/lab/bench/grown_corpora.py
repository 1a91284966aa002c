"""Large indexes of realistic release notes: documents parsed once, and altered copies of them as further products."""

import json
import random
import shutil
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import BinaryIO, TextIO

import numpy as np

from corpus.cache_folder import cache_folder
from corpus.embedding import CachedEmbedder, Embedder, VectorCache, open_embedder
from corpus.errors import SourceError
from corpus.index.commit import EncodedDocument, commit_changes, fingerprint
from corpus.index.layout import FORMAT_VERSION, write_lock
from corpus.manifest import ModelStamp
from evals.lab.bench.altered_copies import DocumentCopier
from evals.suites import CORPORA, require_suites
from ingest.encoding import ChangedSource, OneProcess
from ingest.pipeline import PIPELINE_VERSION, IngestProgress
from ingest.progress import BarProgress
from ingest.releases.identity import Hints
from ingest.sources.files import list_sources, read_source

_COPIES_VERSION = "1"
"""Counts changes to what is grown: an index grown by another version is grown anew."""


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
    """The index of `passages` passages over ../shared/corpora and copies of it, kept in the cache folder.

    A second call with the same documents and number finds what the first has grown.

    Raises:
        RelnotesError: ../shared is absent, or a document can't be parsed.
    """
    require_suites([CORPORA], purpose="The benchmark")
    folder = cache_folder() / "bench" / f"grown-{passages}"
    sources = read_sources(CORPORA.documents)
    sums = sorted(source.sha256 for source in sources)
    stamp = fingerprint(_COPIES_VERSION, PIPELINE_VERSION, str(FORMAT_VERSION), str(passages), *sums)
    try:
        kept = json.loads((folder / "grown.json").read_text("utf-8"))
        if kept.pop("stamp") == stamp:
            return Grown(folder, **kept)
    except (OSError, ValueError, AttributeError):
        pass
    with BarProgress() as progress:
        embedder = open_embedder(cache_dir=cache_folder())
        cached = CachedEmbedder(embedder, VectorCache(cache_folder()))
        originals = encode_sources(sources, cached, progress=progress)
        return grow(originals, folder, embedder, passages=passages, stamp=stamp, progress=progress)


def read_sources(documents: Path) -> tuple[ChangedSource, ...]:
    """Every document of a folder with its content.

    Raises:
        SourceError: one can't be read.
    """
    contents = ((source, read_source(source)) for source in list_sources(str(documents), flags=Hints()).sources)
    return tuple(ChangedSource(source, content, None, sha256(content).hexdigest()) for source, content in contents)


def encode_sources(
    sources: Sequence[ChangedSource], embedder: Embedder, *, progress: IngestProgress
) -> tuple[EncodedDocument, ...]:
    """The documents as an ingest would store them.

    Raises:
        SourceError: one can't be parsed.
    """

    def counted() -> Iterator[ChangedSource]:
        progress.phase("Parsing", len(sources))
        for source in sources:
            yield source
            progress.advance(1)

    encoded = OneProcess().encode(counted(), index=Path(), embedder=embedder, progress=progress)
    for failure in encoded.failures.values():
        raise SourceError(f"{failure.source} {failure.error}")
    return tuple(encoded.documents)


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
    model = ModelStamp(embedder.model_id, embedder.digest, embedder.dimensions)
    with write_lock(grown.index), grown.texts.open("w", encoding="utf-8") as texts, grown.vectors.open("wb") as vectors:
        documents = _noted(grown_documents(originals, passages), texts, vectors, progress)
        commit_changes(grown.index, model=model, add=documents, fresh=True)
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
            parsed = replace(document.parsed, passages=document.parsed.passages[:kept])
            yield EncodedDocument(parsed, document.tokens[:kept], document.vectors[:kept])


def _noted(
    documents: Iterable[EncodedDocument], texts: TextIO, vectors: BinaryIO, progress: IngestProgress
) -> Iterator[EncodedDocument]:
    """The same documents; of what passes, each passage's text and the mean of its items' vectors are written."""
    for document in documents:
        progress.advance(len(document.parsed.passages))
        text = document.parsed.document.text
        for passage, matrix in zip(document.parsed.passages, document.vectors, strict=True):
            if len(matrix):
                texts.write(json.dumps(" ".join(passage.span.slice(text).split())) + "\n")
                mean = matrix.mean(axis=0)
                vectors.write((mean / np.linalg.norm(mean)).astype(np.float32).tobytes())
        yield document
