"""Package archives (tar, zip) opened in memory, within limits; nothing is ever written to the disk.

Links, devices and names that lead out of the archive are passed over; archives inside archives stay closed.

Raises of every function: SourceError, where an archive is damaged, of no kind that is read, or unfolds past the limits.
"""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import BinaryIO

from corpus.errors import SourceError
from ingest.sources import MAX_FILE_BYTES

MAX_ARCHIVE_BYTES = 128 * 1024 * 1024
MAX_UNFOLDED_BYTES = 512 * 1024 * 1024
MAX_MEMBERS = 100_000
_MAX_WANTED_BYTES = 64 * 1024 * 1024
_MAX_RATIO = 100
_FREE_OF_RATIO = 16 * 1024 * 1024
"""Below this, an archive may unfold as it likes."""
_DAMAGE = (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, zlib.error, lzma.LZMAError, ValueError,
           NotImplementedError, RuntimeError, OverflowError)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Member:
    """A regular file of an archive."""

    path: str
    """With forward slashes; without the one folder that everything lies in."""
    content: bytes


def read_members(content: bytes, *, wanted: Callable[[str], bool]) -> tuple[Member, ...]:
    """The files of an archive whose path is `wanted`, in its order; those over 32 MiB are left out."""
    if len(content) > MAX_ARCHIVE_BYTES:
        raise SourceError(f"is an archive over the limit of {MAX_ARCHIVE_BYTES // 2**20} MiB")
    is_zip = content.startswith(b"PK")
    try:
        found = list(_zip_members(content, wanted) if is_zip else _tar_members(content, wanted))
    except SourceError:
        raise
    except _DAMAGE as error:
        raise SourceError(f"is a damaged archive ({type(error).__name__}); try again, or give its files") from error
    folders = {member.path.partition("/")[0] for member in found}
    if len(folders) == 1 and all("/" in member.path for member in found):
        return tuple(Member(member.path.partition("/")[2], member.content) for member in found)
    return tuple(found)


def _tar_members(content: bytes, wanted: Callable[[str], bool]) -> Iterator[Member]:
    limit = min(MAX_UNFOLDED_BYTES, max(_FREE_OF_RATIO, _MAX_RATIO * len(content)))
    stream = _LimitedReader(_unfolding(content), limit)
    taken = 0
    with tarfile.open(fileobj=stream, mode="r|", errorlevel=1) as archive:
        seen = 0
        while (info := archive.next()) is not None:
            # The library keeps each one that was seen.
            archive.members.clear()  # type: ignore[attr-defined]
            seen += 1
            if seen > MAX_MEMBERS:
                raise _too_much(f"holds more than {MAX_MEMBERS:,} files")
            path = _inner_path(info.name)
            if path is None or not info.isreg() or info.size > MAX_FILE_BYTES or not wanted(_below_top(path)):
                continue
            file = archive.extractfile(info)
            if file is not None:
                data = file.read(MAX_FILE_BYTES)
                taken += len(data)
                _check_taken(taken)
                yield Member(path, data)


def _zip_members(content: bytes, wanted: Callable[[str], bool]) -> Iterator[Member]:
    taken = 0
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        if len(entries) > MAX_MEMBERS:
            raise _too_much(f"holds more than {MAX_MEMBERS:,} files")
        for info in entries:
            path = _inner_path(info.filename)
            is_link = (info.external_attr >> 28) == 0o12
            if path is None or info.is_dir() or is_link or not wanted(_below_top(path)):
                continue
            if info.file_size > MAX_FILE_BYTES or info.file_size > max(_FREE_OF_RATIO, _MAX_RATIO * len(content)):
                continue
            with archive.open(info) as file:
                # What is stated may be less than what comes.
                data = file.read(MAX_FILE_BYTES + 1)
            taken += len(data)
            _check_taken(taken)
            if len(data) <= MAX_FILE_BYTES:
                yield Member(path, data)


def _check_taken(taken: int) -> None:
    if taken > _MAX_WANTED_BYTES:
        raise _too_much(f"holds more than {_MAX_WANTED_BYTES // 2**20} MiB of notes")


def _too_much(what: str) -> SourceError:
    return SourceError(f"is an archive that {what}; unpack what you need of it and give that folder")


def _unfolding(content: bytes) -> BinaryIO:
    raw = io.BytesIO(content)
    if content.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]
    if content.startswith(b"BZh"):
        return bz2.BZ2File(raw)  # type: ignore[return-value]
    if content.startswith(b"\xfd7zXZ"):
        return lzma.LZMAFile(raw)  # type: ignore[return-value]
    if content[257:262] == b"ustar":
        return raw
    raise SourceError("is no archive of a kind that is read (tar, tar.gz, tar.bz2, tar.xz, zip)")


class _LimitedReader(io.RawIOBase):
    """Reads until more came than is allowed."""

    def __init__(self, source: BinaryIO, limit: int) -> None:
        self._source = source
        self._limit = limit
        self._seen = 0

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        piece = self._source.read(min(size, 1024 * 1024) if size >= 0 else 1024 * 1024)
        self._seen += len(piece)
        if self._seen > self._limit:
            raise _too_much(f"unfolds to more than {self._limit // 2**20} MiB")
        return piece


def _inner_path(name: str) -> str | None:
    """A member's path, or None where it leads out of the archive or can't be written."""
    path = PurePosixPath(name.replace("\\", "/"))
    parts = [part for part in path.parts if part != "."]
    if path.is_absolute() or ".." in parts or not parts or ":" in parts[0]:
        return None
    joined = "/".join(parts)
    is_plain = joined.isprintable() and joined.encode(errors="ignore").decode() == joined
    return joined if is_plain else None


def _below_top(path: str) -> str:
    return path.partition("/")[2] or path
