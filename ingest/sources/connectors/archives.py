"""Archives (tar, zip) opened in memory, within limits; nothing is ever written to the disk.

Links, devices and names that lead out of the archive are passed over; archives inside archives stay closed.
"""

import io
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, BinaryIO, Self

from corpus.errors import SourceError
from ingest.sources.container_kinds import DAMAGE, holds_tar, is_archive_name, is_compressed, is_zip, unfolding
from ingest.sources.files import MAX_FILE_BYTES

MAX_ARCHIVE_BYTES = 128 * 1024 * 1024
MAX_UNFOLDED_BYTES = 512 * 1024 * 1024
MAX_MEMBERS = 100_000
_TOO_MANY = f"holds more than {MAX_MEMBERS:,} files"
_MAX_WANTED_BYTES = 64 * 1024 * 1024
_MAX_RATIO = 100
_FREE_OF_RATIO = 16 * 1024 * 1024
"""Below this, an archive may unfold as it likes."""
_PIECE_BYTES = 1024 * 1024
_MAX_HEADER_BYTES = 16 * 1024
_MAX_HEADER_SQUARES = 10**9
"""Of the lengths of all extended headers of an archive, in square bytes."""
_EXTENDED = frozenset(
    {tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK}
)
_ZIP_ENTRY = b"PK\x01\x02"
_SHOWN_CHARACTERS = 100
_DAMAGE = (*DAMAGE, tarfile.TarError, zipfile.BadZipFile, OverflowError)


@dataclass(frozen=True, slots=True)
class Member:
    """A regular file of an archive."""

    path: str
    """With forward slashes."""
    content: bytes


class Archive:
    """A tar or zip in memory; paths are below the one folder that all its files lie in, where there is one."""

    def __init__(self, content: bytes) -> None:
        """Look at what it holds, without its content.

        Raises:
            SourceError: it is damaged, of no kind that is read, or unfolds past the limits.
        """
        self._content = content
        paths: list[str] = []
        left_out: dict[str, list[str]] = {}
        with _reporting_damage():
            for path, reason, entry in _entries(content):
                if reason:
                    left_out.setdefault(reason, []).append(ascii(entry.name[:_SHOWN_CHARACTERS]))
                else:
                    paths.append(path)
        self.top = _common_folder(paths)
        """The folder that all files lie in; empty where there is none."""
        self.paths = tuple(map(self._below, paths))
        """Of its regular files, in its order."""
        self.passed_over = tuple(
            f"holds {reason} ({names[0]})"
            if len(names) == 1
            else f"holds {len(names):,} times {reason} (the first: {names[0]})"
            for reason, names in left_out.items()
        )
        """What isn't among its files, a line for each reason."""

    def read(self, wanted: Callable[[str], bool]) -> tuple[Member, ...]:
        """The files whose path is `wanted`, in its order; those over 32 MiB are left out.

        Raises:
            SourceError: what is wanted is damaged, encrypted, or too much.
        """
        members = _read(self._content, lambda path: wanted(self._below(path)))
        return tuple(Member(self._below(member.path), member.content) for member in members)

    def _below(self, path: str) -> str:
        return path.removeprefix(f"{self.top}/") if self.top else path


def read_package(content: bytes, wanted: Callable[[str], bool]) -> tuple[Member, ...]:
    """The files of a package's archive whose path below its first folder is `wanted`, unfolded once; those over 32 MiB
    are left out.

    Their paths are below the one folder that they lie in, whatever lies beside it.

    Raises:
        SourceError: as of an `Archive`.
    """
    members = _read(content, lambda path: wanted(path.partition("/")[2] or path))
    top = _common_folder([member.path for member in members])
    return tuple(Member(member.path.removeprefix(f"{top}/"), member.content) for member in members)


def _common_folder(paths: Sequence[str]) -> str:
    """The folder that all lie in; empty where there is none."""
    tops = {path.partition("/")[0] for path in paths}
    return tops.pop() if len(tops) == 1 and all("/" in path for path in paths) else ""


def _read(content: bytes, wanted: Callable[[str], bool]) -> list[Member]:
    """The files whose whole path is `wanted`."""
    found: list[Member] = []
    taken = 0
    with _reporting_damage():
        for path, reason, entry in _entries(content):
            if reason or not wanted(path):
                continue
            with entry.open() as file:
                # What is stated may be less than what comes.
                data = file.read(MAX_FILE_BYTES + 1)
            taken += len(data)
            if taken > _MAX_WANTED_BYTES:
                raise _too_much(f"holds more than {_MAX_WANTED_BYTES // 2**20} MiB of notes")
            if len(data) <= MAX_FILE_BYTES:
                found.append(Member(path, data))
    return found


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    size: int
    """As stated."""
    is_file: bool
    is_folder: bool
    open: Callable[[], IO[bytes]]


@contextmanager
def _reporting_damage() -> Iterator[None]:
    try:
        yield
    except SourceError:
        raise
    except NotImplementedError as error:
        raise SourceError("is packed in a way that isn't read; pack it anew as a plain zip or tar.gz") from error
    except RuntimeError as error:  # which the library raises where it lacks a password
        raise SourceError("is an encrypted archive; unpack it with its password and give that folder") from error
    except _DAMAGE as error:
        raise SourceError(f"is a damaged archive ({type(error).__name__}); try again, or give its files") from error


def _entries(content: bytes) -> Iterator[tuple[str, str, _Entry]]:
    """The whole path of each entry that is no folder, why it is none of the files (empty where it is), and itself."""
    if len(content) > MAX_ARCHIVE_BYTES:
        raise SourceError(f"is an archive over the limit of {MAX_ARCHIVE_BYTES // 2**20} MiB")
    max_bytes = min(MAX_FILE_BYTES, max(_FREE_OF_RATIO, _MAX_RATIO * len(content)))
    entries = _zip_entries(content) if is_zip(content) else _tar_entries(content)
    for number, entry in enumerate(entries, start=1):
        if number > MAX_MEMBERS:
            raise _too_much(_TOO_MANY)
        if not entry.is_folder:
            path = _inner_path(entry.name)
            yield path, _reason_to_pass(entry, path, max_bytes=max_bytes), entry


def _reason_to_pass(entry: _Entry, path: str, *, max_bytes: int) -> str:
    if not path:
        return "a name that leads out of it or can't be written"
    if not entry.is_file:
        return "a link or a device"
    if entry.size > max_bytes:
        return "a file over the limit of 32 MiB"
    return "an archive, which stays closed" if is_archive_name(path) else ""


def _inner_path(name: str) -> str:
    """A member's path; empty where it leads out of the archive or can't be written."""
    path = PurePosixPath(name.replace("\\", "/"))
    parts = [part for part in path.parts if part != "."]
    if path.is_absolute() or ".." in parts or not parts or ":" in parts[0]:
        return ""
    joined = "/".join(parts)
    return joined if joined.isprintable() and joined.encode(errors="ignore").decode() == joined else ""


def _tar_entries(content: bytes) -> Iterator[_Entry]:
    if not is_compressed(content) and not holds_tar(content):
        raise SourceError("is no archive of a kind that is read (tar, tar.gz, tar.bz2, tar.xz, zip)")
    limit = min(MAX_UNFOLDED_BYTES, max(_FREE_OF_RATIO, _MAX_RATIO * len(content)))
    stream = _LimitedReader(unfolding(content), limit)
    with tarfile.open(fileobj=stream, mode="r|", errorlevel=1, tarinfo=_BoundedTarInfo) as archive:
        while (info := archive.next()) is not None:
            # What is stated would be read on for, past the end of what is there.
            if archive.offset > limit:
                raise _unfolds_past(limit)
            # The library keeps each one that was seen.
            archive.members.clear()  # type: ignore[attr-defined]
            yield _Entry(
                info.name,
                info.size,
                is_file=info.isreg(),
                is_folder=info.isdir(),
                open=lambda info=info: archive.extractfile(info),  # type: ignore[misc, arg-type]
            )


def _zip_entries(content: bytes) -> Iterator[_Entry]:
    # The library makes something of each before it gives the first.
    if content.count(_ZIP_ENTRY) > MAX_MEMBERS:
        raise _too_much(_TOO_MANY)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for info in archive.infolist():
            yield _Entry(
                info.filename,
                info.file_size,
                is_file=(info.external_attr >> 28) != 0o12,
                is_folder=info.filename.endswith("/"),  # is_dir() trips over an empty name
                open=lambda info=info: archive.open(info),  # type: ignore[misc]
            )


class _LimitedReader(io.RawIOBase):
    """Reads a stream until more came than is allowed."""

    def __init__(self, source: BinaryIO, limit: int) -> None:
        self._source = source
        self._limit = limit
        self._seen = 0

    def read(self, size: int = -1, /) -> bytes:
        piece = self._source.read(min(size, _PIECE_BYTES) if size >= 0 else _PIECE_BYTES)
        self._seen += len(piece)
        if self._seen > self._limit:
            raise _unfolds_past(self._limit)
        return piece


class _BoundedTarInfo(tarfile.TarInfo):
    """A member whose extended headers are refused where they are longer than any that a program writes.

    Python's reader takes a time that grows with the square of an extended header's length (CVE-2024-6232, mended in
    3.11.10 only), and keeps all of a long name. Real headers have some hundred bytes, for paths and times.
    """

    def _proc_member(self, tarfile_: tarfile.TarFile) -> Self:
        if self.type in _EXTENDED:
            squares = getattr(tarfile_, "_squares_seen", 0) + self.size * self.size
            tarfile_._squares_seen = squares  # type: ignore[attr-defined]
            if self.size > _MAX_HEADER_BYTES or squares > _MAX_HEADER_SQUARES:
                raise tarfile.ReadError("extended headers are too long")
        found: Self = super()._proc_member(tarfile_)  # type: ignore[misc]
        return found


def _unfolds_past(limit: int) -> SourceError:
    return _too_much(f"unfolds to more than {limit // 2**20} MiB")


def _too_much(what: str) -> SourceError:
    return SourceError(f"is an archive that {what}; unpack what you need of it and give that folder")
