"""The files derived from an index's tables, which rank what those hold.

    vectors-<digest>.faiss   the vectors of items (`vector_index`); where they are many, a folder without `.faiss`
    lexical-<digest>/        BM25 over passages (`lexical_index`)
    terms-<digest>/          terms, for a server in place of both (`milvus.term_table`)
    columns-<digest>/        what filters look at (`passage_columns`)

All are built whole at a commit, named by their content's SHA-256 and checked against it when they are opened. They
hold nothing that the tables don't.
"""

import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from corpus.file_digests import MEMORY_NAME, file_sha256, remember_sha256, remembered_sha256
from corpus.index.faults import derived_corrupt
from corpus.index.layout import DATABASE_NAME

_TICK_S = 0.02
"""Times of files are counted in ticks of at most 10 ms."""
_PREFIXES = ("vectors-", "lexical-", "terms-", "columns-", "tmp-")

_NAME = re.compile(r"[a-z]+-[0-9a-f]{16}(?:\.faiss)?")

Opened = TypeVar("Opened")


@dataclass(frozen=True, slots=True)
class DerivedFile:
    """A derived file or folder: its name inside the index and the digest of its content."""

    name: str
    sha256: str
    parts: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """Of one just written: the path of each of its files inside the index, and its digest."""


def write_derived(index: Path, write: Callable[[Path], None], *, prefix: str, suffix: str = "") -> DerivedFile:
    """Have `write` make a file (or fill a folder, where `suffix` is empty), and give it its lasting name.

    Raises:
        OSError: the disk doesn't take it.
    """
    with tempfile.TemporaryDirectory(dir=index, prefix="tmp-") as folder:
        draft = Path(folder) / "draft"
        # Not changed afterwards: there are file systems that don't take that.
        if suffix:
            draft.touch(mode=0o600)
        else:
            draft.mkdir(mode=0o700)
        write(draft)
        _settle([*_files(draft), draft])
        digests = {path.name: file_sha256(path) for path in _files(draft)}
        digest = _digest(draft, digests)
        target = index / f"{prefix}-{digest[:16]}{suffix}"
        if target.exists() and _content_digest(target) != digest:
            shutil.rmtree(target) if target.is_dir() else target.unlink()
        if not target.exists():
            draft.replace(target)
            _settle([index])
    parts = ((str(one.relative_to(index)), digests.get(one.name, digest)) for one in _files(target))
    return DerivedFile(target.name, digest, tuple(parts))


def remember_derived(index: Path, files: Sequence[DerivedFile]) -> None:
    """Remember the digests of files just written, so that whoever opens them next needn't read them for that."""
    # Whoever changes a file from now on changes its time as well: the system's clock has ticked.
    time.sleep(_TICK_S)
    for name, digest in (part for file in files for part in file.parts):
        remember_sha256(index / name, digest, memory=index / MEMORY_NAME)


def open_derived(index: Path, file: DerivedFile, read: Callable[[Path], Opened]) -> Opened:
    """What `read` makes of a derived file or folder, whose content is the one that was written.

    A file that nothing has touched since its digest was taken isn't read for it again (`file_digests`).

    Raises:
        IndexCorrupt: it is missing, altered or unreadable.
    """
    path = index / file.name
    memory = index / MEMORY_NAME
    try:
        if not _NAME.fullmatch(file.name):
            raise derived_corrupt(index, f"its manifest names {file.name[:80]!r} as a derived file")
        if not path.exists():
            raise derived_corrupt(index, f"{file.name} is missing")
        if not all(stat.S_ISREG(one.lstat().st_mode) for one in _files(path)):
            raise derived_corrupt(index, f"{file.name} holds more than plain files")
        found = _digest(path, {one.name: remembered_sha256(one, memory=memory) for one in _files(path)})
        if found != file.sha256:
            raise derived_corrupt(index, f"{file.name} doesn't match its checksum")
        return read(path)
    except (OSError, ValueError, TypeError, EOFError, OverflowError, MemoryError) as error:
        reason = getattr(error, "strerror", None) or "its content isn't what was written"
        raise derived_corrupt(index, f"{file.name} can't be read ({reason})") from error
    except RuntimeError as error:
        raise derived_corrupt(index, f"{file.name} can't be read by FAISS") from error


def check_derived(index: Path, file: DerivedFile) -> str | None:
    """What is wrong with a derived file that is read whole; None where nothing is."""
    try:
        intact = _content_digest(index / file.name) == file.sha256
    except OSError as error:
        return f"{file.name} can't be read ({error.strerror})"
    return None if intact else f"{file.name} doesn't match its checksum"


def sweep(index: Path, *, keep: Sequence[str]) -> None:
    """Remove derived files that no manifest names any more, drafts of writers that died, and databases set aside."""
    sweep_drafts(index, keep=keep)
    for path in index.glob(f"{DATABASE_NAME}.damaged*"):
        path.unlink(missing_ok=True)


def unnamed_files(index: Path, *, keep: Sequence[str]) -> tuple[str, ...]:
    """The names of derived files that no manifest names, and of drafts of writers that died."""
    return tuple(
        sorted(path.name for path in index.iterdir() if path.name not in keep and path.name.startswith(_PREFIXES))
    )


def sweep_drafts(index: Path, *, keep: Sequence[str]) -> None:
    """Remove derived files that no manifest names, and drafts of writers that died."""
    for name in unnamed_files(index, keep=keep):
        remove_derived(index / name)


def remove_derived(path: Path) -> None:
    """Remove a derived file or folder, where it is there."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _files(path: Path) -> list[Path]:
    # What file managers and network shares leave about is none of ours.
    return sorted(one for one in path.iterdir() if one.name[0] not in ".@") if path.is_dir() else [path]


def _digest(path: Path, digests: dict[str, str]) -> str:
    """Of a file its SHA-256, of a folder that of its files' names and digests."""
    if not path.is_dir():
        return next(iter(digests.values()))
    lines = "".join(f"{name}\t{digests[name]}\n" for name in sorted(digests))
    return hashlib.sha256(lines.encode()).hexdigest()


def _content_digest(path: Path) -> str:
    return _digest(path, {one.name: file_sha256(one) for one in _files(path)})


def _settle(paths: Sequence[Path]) -> None:
    """Have the disk hold what the manifest is about to promise."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
