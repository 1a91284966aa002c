"""The files derived from an index's tables, with which passages are searched (`docs/operations.md` lists them).

All are built whole at a commit, and named by their content's SHA-256, which `check_derived` compares.
"""

import hashlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from corpus.errors import UsageError
from corpus.file_digests import file_sha256
from corpus.index.faults import derived_corrupt
from corpus.manifest import Manifest

DERIVED_PREFIXES = ("vectors-", "lexical-", "terms-", "columns-", "tmp-")
_NAMED_DIGITS = 16
_NAME = re.compile(r"[a-z]+-[0-9a-f]{16}(?:\.faiss)?")

Opened = TypeVar("Opened")


def manifest_files(manifest: Manifest) -> tuple[str, ...]:
    """Return the derived files that a manifest names; a server's collections aren't among them."""
    return tuple(filter(None, (manifest.vectors_file, manifest.lexical_folder, manifest.columns_folder)))


def write_derived(index: Path, write: Callable[[Path], None], *, prefix: str, suffix: str = "") -> str:
    """Make a file by `write` (or fill a folder, if `suffix` is empty), name it by its digest, and return the name.

    Raises:
        OSError: it can't be written.
    """
    with tempfile.TemporaryDirectory(dir=index, prefix="tmp-") as folder:
        draft = Path(folder) / "draft"
        # The mode isn't changed later, because some file systems don't allow that.
        if suffix:
            draft.touch(mode=0o600)
        else:
            draft.mkdir(mode=0o700)
        write(draft)
        _flush([*_files(draft), draft])
        digest = _digest(draft)
        target = index / f"{prefix}-{digest[:_NAMED_DIGITS]}{suffix}"
        if target.exists() and _digest(target) != digest:
            remove_derived(target)
        if not target.exists():
            draft.replace(target)
            _flush([index])
    return target.name


def open_derived(index: Path, file: str, read: Callable[[Path], Opened]) -> Opened:
    """Return the result of `read` for a derived file or folder.

    Raises:
        IndexCorrupt: it is missing or unreadable.
    """
    path = index / file
    try:
        if not _NAME.fullmatch(file):
            raise derived_corrupt(index, f"its manifest names {file[:80]!r} as a derived file")
        if not path.exists():
            raise derived_corrupt(index, f"{file} is missing")
        if not all(stat.S_ISREG(part.lstat().st_mode) for part in _files(path)):
            raise derived_corrupt(index, f"{file} holds more than plain files")
        return read(path)
    except (OSError, ValueError, TypeError, EOFError, OverflowError, MemoryError, UsageError) as error:
        reason = getattr(error, "strerror", None) or "its content isn't what was written"
        raise derived_corrupt(index, f"{file} can't be read ({reason})") from error
    except RuntimeError as error:
        raise derived_corrupt(index, f"{file} can't be read by FAISS") from error


def check_derived(index: Path, file: str) -> str | None:
    """Read a derived file whole and return its fault in one line; None if it is intact."""
    try:
        intact = _digest(index / file)[:_NAMED_DIGITS] in file
    except OSError as error:
        return f"{file} can't be read ({error.strerror})"
    return None if intact else f"{file} doesn't match its checksum"


def sweep(index: Path, *, keep: Sequence[str]) -> None:
    """Remove derived files that aren't named in `keep`, and drafts of writers that died."""
    for path in list(index.iterdir()):
        if path.name not in keep and path.name.startswith(DERIVED_PREFIXES):
            remove_derived(path)


def remove_derived(path: Path) -> None:
    """Remove a derived file or folder, if it exists."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _files(path: Path) -> list[Path]:
    # Skip files that file managers and network shares create.
    return sorted(part for part in path.iterdir() if part.name[0] not in ".@") if path.is_dir() else [path]


def _digest(path: Path) -> str:
    """Return the SHA-256 of a file; for a folder, that of its files' names and digests."""
    if not path.is_dir():
        return file_sha256(path)
    lines = "".join(f"{part.name}\t{file_sha256(part)}\n" for part in _files(path))
    return hashlib.sha256(lines.encode()).hexdigest()


def _flush(paths: Sequence[Path]) -> None:
    """Flush files to the disk before the manifest names them."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
