"""The files derived from an index's tables: FAISS over items, BM25 over passages.

Both are built whole at a commit, named by their content's SHA-256 and checked against it when loaded. They hold
nothing that the tables don't.
"""

import hashlib
import os
import shutil
import tempfile
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import bm25s
import faiss
import numpy as np
from numpy.typing import NDArray

from corpus.index_errors import derived_corrupt
from corpus.index_layout import DATABASE_NAME

LEXICAL_K1 = 1.2
LEXICAL_B = 0.75


@dataclass(frozen=True, slots=True)
class DerivedFile:
    """A derived file or folder: its name inside the index and the digest of its content (empty: nothing to index)."""

    name: str
    sha256: str


def write_vectors(index: Path, matrices: Iterable[NDArray[np.float32]], *, count: int, dimensions: int) -> DerivedFile:
    """Write a FAISS inner-product index over the rows of `matrices`, `count` in all, float32 and L2-normalised.

    Raises:
        OSError: the disk doesn't take it.
    """
    rows = faiss.IndexFlatIP(dimensions)
    # Once enlarged it keeps the room; growing as it fills would take up to three times as much.
    rows.codes.resize(4 * dimensions * count)
    rows.codes.resize(0)
    for matrix in matrices:
        rows.add(matrix)
    with tempfile.TemporaryDirectory(dir=index, prefix="tmp-") as folder:
        draft = Path(folder) / "vectors"
        _write_draft(rows, draft)
        _settle([draft])
        digest = _digest([draft])
        name = f"vectors-{digest[:16]}.faiss"
        draft.replace(index / name)
    return DerivedFile(name, digest)


def _write_draft(rows: faiss.IndexFlatIP, draft: Path) -> None:
    try:
        faiss.write_index(rows, str(draft))
    except RuntimeError as error:
        # The system's own words stand in the last brackets of FAISS's, after its source lines.
        _, _, reason = str(error).strip().rpartition("(")
        raise OSError(f"its vectors can't be written ({reason.rstrip(')') or 'unknown reason'})") from error


def load_vectors(index: Path, file: DerivedFile) -> faiss.IndexFlatIP:
    """Read a FAISS index and check its digest.

    Raises:
        IndexCorrupt: it is missing, altered or unreadable.
    """
    path = index / file.name
    _check_digest(index, file, [path])
    try:
        return faiss.read_index(str(path))
    except RuntimeError as error:
        raise derived_corrupt(index, f"{file.name} can't be read by FAISS") from error


class LexicalIndex:
    """BM25 (Lucene's variant; Kamphuis et al. 2020) over passages, in passage order."""

    def __init__(self, retriever: bm25s.BM25 | None, passages: int) -> None:
        self._retriever = retriever
        self._passages = passages

    @classmethod
    def from_tokens(cls, tokens: Iterable[Sequence[str]]) -> "LexicalIndex":
        """Index one sequence of tokens a passage; none at all gives an index that matches nothing."""
        vocabulary: dict[str, int] = {}
        # Arrays, because a list holds each number as an object of its own.
        ids = [array("i", [vocabulary.setdefault(token, len(vocabulary)) for token in passage]) for passage in tokens]
        if not vocabulary:
            return cls(None, len(ids))
        retriever = bm25s.BM25(method="lucene", k1=LEXICAL_K1, b=LEXICAL_B)
        retriever.index((ids, vocabulary), create_empty_token=False, show_progress=False)
        return cls(retriever, len(ids))

    @classmethod
    def load(cls, index: Path, file: DerivedFile, *, passages: int) -> "LexicalIndex":
        """Read a saved index and check its digest.

        Raises:
            IndexCorrupt: it is missing, altered or unreadable.
        """
        if not file.name:
            return cls(None, passages)
        folder = index / file.name
        if not folder.is_dir():
            raise derived_corrupt(index, f"{file.name} is missing")
        _check_digest(index, file, sorted(folder.iterdir()))
        return cls(bm25s.BM25.load(str(folder), show_progress=False), passages)

    def save(self, index: Path) -> DerivedFile:
        """Write the index into its own folder, atomically."""
        if self._retriever is None:
            return DerivedFile("", "")
        with tempfile.TemporaryDirectory(dir=index, prefix="tmp-") as folder:
            draft = Path(folder) / "lexical"
            self._retriever.save(str(draft), show_progress=False)
            files = sorted(draft.iterdir())
            _settle([*files, draft])
            digest = _digest(files)
            name = f"lexical-{digest[:16]}"
            target = index / name
            if target.exists() and _digest(sorted(target.iterdir())) != digest:
                shutil.rmtree(target)
            if not target.exists():
                draft.replace(target)
        return DerivedFile(name, digest)

    def scores(self, tokens: Sequence[str]) -> NDArray[np.float32]:
        """BM25 of every passage for `tokens`: shape (passages,), float32, 0 where nothing matches."""
        known = [token for token in tokens if self.document_frequency(token)]
        if self._retriever is None or not known:
            return np.zeros(self._passages, dtype=np.float32)
        scores: NDArray[np.float32] = self._retriever.get_scores(known)
        return scores

    def document_frequency(self, token: str) -> int:
        """How many passages hold `token`."""
        if self._retriever is None:
            return 0
        row = self._retriever.vocab_dict.get(token)
        if row is None:
            return 0
        starts = self._retriever.scores["indptr"]
        return int(starts[row + 1] - starts[row])


def sweep(index: Path, *, keep: Sequence[str]) -> None:
    """Remove derived files that no manifest names any more, drafts of writers that died, and databases set aside."""
    sweep_drafts(index, keep=keep)
    for path in index.glob(f"{DATABASE_NAME}.damaged*"):
        path.unlink(missing_ok=True)


def sweep_drafts(index: Path, *, keep: Sequence[str]) -> None:
    """Remove derived files that no manifest names, and drafts of writers that died."""
    for path in index.iterdir():
        if path.name in keep or not path.name.startswith(("vectors-", "lexical-", "tmp-")):
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _check_digest(index: Path, file: DerivedFile, paths: Sequence[Path]) -> None:
    try:
        found = _digest(paths)
    except FileNotFoundError as error:
        raise derived_corrupt(index, f"{file.name} is missing") from error
    except OSError as error:
        raise derived_corrupt(index, f"{file.name} can't be read ({error.strerror})") from error
    if found != file.sha256:
        raise derived_corrupt(index, f"{file.name} doesn't match its checksum")


def _settle(paths: Sequence[Path]) -> None:
    """Have the disk hold what the manifest is about to promise."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _digest(paths: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
