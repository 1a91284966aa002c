"""Opens a package's archive (tar, zip) in memory, within limits; nothing is written to the disk.

Links, devices, files over 32 MiB, and names that lead out of the archive or can't be written are left out.
"""

import io
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import IO, BinaryIO, NamedTuple, Self

from corpus.errors import SourceError
from ingest.sources.container_kinds import DAMAGE, is_compressed, is_tar, is_zip, open_unfolded
from ingest.sources.files import MAX_FILE_BYTES

MAX_ARCHIVE_BYTES = 128 * 1024 * 1024
MAX_UNFOLDED_BYTES = 512 * 1024 * 1024
MAX_MEMBERS = 100_000
_TOO_LARGE = f"unfolds to more than {MAX_UNFOLDED_BYTES // 2**20} MiB"
_TOO_MANY = f"holds more than {MAX_MEMBERS:,} files"
_MAX_WANTED_BYTES = 64 * 1024 * 1024
_PIECE_BYTES = 1024 * 1024
_MAX_HEADER_BYTES = 16 * 1024
_MAX_HEADER_SQUARES = 10**9  # Sum over an archive's extended headers of the squares of their bytes.
_EXTENDED = frozenset(
    {tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK}
)
_ZIP_ENTRY = b"PK\x01\x02"
# The library raises RuntimeError if it lacks a password or a method.
_DAMAGE = (*DAMAGE, tarfile.TarError, zipfile.BadZipFile, OverflowError, RuntimeError)


class Member(NamedTuple):
    """A regular file of an archive."""

    path: str  # With forward slashes.
    content: bytes


def read_package(content: bytes, wanted: Callable[[str], bool]) -> tuple[Member, ...]:
    """Return the files of a package's archive whose path below its first folder is `wanted`, without too large ones.

    If all are below one folder, their paths are relative to it, even if the archive has other files.

    Raises:
        SourceError: it is damaged, encrypted, of an unknown kind, or unfolds past the limits.
    """
    if len(content) > MAX_ARCHIVE_BYTES:
        raise SourceError(f"is an archive over the limit of {MAX_ARCHIVE_BYTES // 2**20} MiB")
    members: list[Member] = []
    total = 0
    try:
        for path, opened in _files(content):
            if not wanted(path.partition("/")[2] or path):
                continue
            with opened() as file:
                # The file may be longer than its stated size.
                data = file.read(MAX_FILE_BYTES + 1)
            if len(data) <= MAX_FILE_BYTES:
                members.append(Member(path, data))
            total += len(data)
            if total > _MAX_WANTED_BYTES:
                raise _too_much(f"holds more than {_MAX_WANTED_BYTES // 2**20} MiB of notes")
    except _DAMAGE as error:
        raise SourceError(f"is a damaged archive ({type(error).__name__}); try again, or give its files") from error
    tops = {member.path.partition("/")[0] for member in members}
    top = f"{tops.pop()}/" if len(tops) == 1 and all("/" in member.path for member in members) else ""
    return tuple(Member(member.path.removeprefix(top), member.content) for member in members)


def _files(content: bytes) -> Iterator[tuple[str, Callable[[], IO[bytes]]]]:
    """Yield the safe path of each regular file that states at most 32 MiB, and a function that opens it."""
    entries = _zip_entries(content) if is_zip(content) else _tar_entries(content)
    for number, (name, size, opened) in enumerate(entries, start=1):
        if number > MAX_MEMBERS:
            raise _too_much(_TOO_MANY)
        if size <= MAX_FILE_BYTES and (path := _inner_path(name)):
            yield path, opened


def _inner_path(name: str) -> str:
    """Return a member's path; empty if it leads out of the archive or can't be written."""
    path = PurePosixPath(name.replace("\\", "/"))
    parts = [part for part in path.parts if part != "."]
    if path.is_absolute() or ".." in parts or not parts or ":" in parts[0]:
        return ""
    joined = "/".join(parts)
    return joined if joined.isprintable() and joined.encode(errors="ignore").decode() == joined else ""


_Entry = tuple[str, int, Callable[[], IO[bytes]]]
"""The name (empty if it isn't a regular file), the stated size, and a function that opens it."""


def _tar_entries(content: bytes) -> Iterator[_Entry]:
    if not is_compressed(content) and not is_tar(content):
        raise SourceError("is no archive of a kind that is read (tar, tar.gz, tar.bz2, tar.xz, zip)")
    stream = _LimitedReader(open_unfolded(content))
    with tarfile.open(fileobj=stream, mode="r|", errorlevel=1, tarinfo=_BoundedTarInfo) as archive:
        while (info := archive.next()) is not None:
            # The library would read on for the stated size, even past the end of the file.
            if archive.offset > MAX_UNFOLDED_BYTES:
                raise _too_much(_TOO_LARGE)
            # The library keeps every member that it has seen.
            archive.members.clear()  # type: ignore[attr-defined]
            yield info.name if info.isreg() else "", info.size, lambda info=info: archive.extractfile(info)  # type: ignore[misc]


def _zip_entries(content: bytes) -> Iterator[_Entry]:
    # The library builds objects for all entries before it returns the first.
    if content.count(_ZIP_ENTRY) > MAX_MEMBERS:
        raise _too_much(_TOO_MANY)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for info in archive.infolist():
            # is_dir() fails for an empty name.
            is_file = not info.filename.endswith("/") and (info.external_attr >> 28) != 0o12
            yield info.filename if is_file else "", info.file_size, lambda info=info: archive.open(info)  # type: ignore[misc]


class _LimitedReader(io.RawIOBase):
    """Reads a stream, and raises when more than the limit has come."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._seen = 0

    def read(self, size: int = -1, /) -> bytes:
        piece = self._source.read(min(size, _PIECE_BYTES) if size >= 0 else _PIECE_BYTES)
        self._seen += len(piece)
        if self._seen > MAX_UNFOLDED_BYTES:
            raise _too_much(_TOO_LARGE)
        return piece


class _BoundedTarInfo(tarfile.TarInfo):
    """A member of a tar; refuses extended headers that are longer than any program writes.

    Python's reader takes quadratic time over an extended header (CVE-2024-6232, mended in 3.11.10 only), and keeps all
    of a long name. Real headers have some hundred bytes, for paths and times.
    """

    def _proc_member(self, tarfile_: tarfile.TarFile) -> Self:
        if self.type in _EXTENDED:
            squares = getattr(tarfile_, "_squares_seen", 0) + self.size * self.size
            tarfile_._squares_seen = squares  # type: ignore[attr-defined]
            if self.size > _MAX_HEADER_BYTES or squares > _MAX_HEADER_SQUARES:
                raise tarfile.ReadError("extended headers are too long")
        member: Self = super()._proc_member(tarfile_)  # type: ignore[misc]
        return member


def _too_much(what: str) -> SourceError:
    return SourceError(f"is an archive that {what}; give its notes as a file")
