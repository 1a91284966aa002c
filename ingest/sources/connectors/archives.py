"""Archives (tar, zip) opened in memory, within limits; nothing is ever written to the disk.

Links, devices and names that lead out of the archive are passed over; archives inside archives stay closed.

Raises of every function: SourceError, where an archive is damaged, encrypted, of no kind that is read, or unfolds past
the limits.
"""

import io
import lzma
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import IO

from corpus.errors import SourceError
from ingest.sources.compression import LimitedReader, unfolding
from ingest.sources.connectors.tar_headers import BoundedTarInfo
from ingest.sources.container_kinds import is_archive_name, is_tar, is_zip
from ingest.sources.files import MAX_FILE_BYTES

MAX_ARCHIVE_BYTES = 128 * 1024 * 1024
MAX_UNFOLDED_BYTES = 512 * 1024 * 1024
MAX_MEMBERS = 100_000
_MAX_WANTED_BYTES = 64 * 1024 * 1024
_MAX_RATIO = 100
_FREE_OF_RATIO = 16 * 1024 * 1024
"""Below this, an archive may unfold as it likes."""
_ENCRYPTED = 0x1
_ZIP_ENTRY = b"PK\x01\x02"
_SHOWN_CHARACTERS = 100
_DAMAGE = (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, zlib.error, lzma.LZMAError, ValueError,
           RuntimeError, OverflowError)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Member:
    """A regular file of an archive."""

    path: str
    """With forward slashes."""
    content: bytes


class PassedOver(StrEnum):
    """Why something in an archive is none of its files."""

    LINK = "a link or a device"
    OUTSIDE = "a name that leads out of it or can't be written"
    ARCHIVE = "an archive, which stays closed"
    TOO_LARGE = "a file over the limit of 32 MiB"


@dataclass(frozen=True, slots=True)
class Survey:
    """What an archive holds, without its content."""

    paths: tuple[str, ...]
    """Of its regular files, in its order."""
    passed_over: tuple[tuple[PassedOver, int, str], ...]
    """Each reason that occurs, how often, and the first name, as Python's `ascii()` writes its first 100 characters."""


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    size: int
    """As stated."""
    is_file: bool
    is_folder: bool
    is_encrypted: bool
    open: Callable[[], IO[bytes] | None]


def survey_archive(content: bytes) -> Survey:
    """What an archive holds."""
    paths: list[str] = []
    passed_over: Counter[PassedOver] = Counter()
    firsts: dict[PassedOver, str] = {}
    with _reporting_damage():
        for entry in _entries(content):
            if entry.is_folder:
                continue
            path = _inner_path(entry.name)
            reason = _reason_to_pass(entry, path, archive_bytes=len(content))
            if path is not None and is_archive_name(path):
                reason = reason or PassedOver.ARCHIVE
            if path is not None and reason is None:
                paths.append(path)
            elif reason is not None:
                passed_over[reason] += 1
                firsts.setdefault(reason, ascii(entry.name[:_SHOWN_CHARACTERS]))
    told = ((reason, passed_over[reason], firsts[reason]) for reason in PassedOver if passed_over[reason])
    return Survey(tuple(paths), tuple(told))


def read_members(content: bytes, *, wanted: Callable[[str], bool]) -> tuple[Member, ...]:
    """The files of an archive whose path is `wanted`, in its order; those over 32 MiB are left out.

    Paths are below the one folder that everything wanted lies in.
    """
    found = read_files(content, wanted=lambda path: wanted(path.partition("/")[2] or path))
    folders = {member.path.partition("/")[0] for member in found}
    if len(folders) == 1 and all("/" in member.path for member in found):
        return tuple(Member(member.path.partition("/")[2], member.content) for member in found)
    return found


def read_files(content: bytes, *, wanted: Callable[[str], bool]) -> tuple[Member, ...]:
    """The files of an archive whose whole path is `wanted`, in its order; those over 32 MiB are left out."""
    with _reporting_damage():
        return tuple(_read(content, wanted))


def _read(content: bytes, wanted: Callable[[str], bool]) -> Iterator[Member]:
    taken = 0
    for entry in _entries(content):
        path = None if entry.is_folder else _inner_path(entry.name)
        if path is None or _reason_to_pass(entry, path, archive_bytes=len(content)) or not wanted(path):
            continue
        if entry.is_encrypted:
            raise SourceError("is an encrypted archive; unpack it with its password and give that folder")
        file = entry.open()
        if file is None:
            continue
        with file:
            # What is stated may be less than what comes.
            data = file.read(MAX_FILE_BYTES + 1)
        taken += len(data)
        if taken > _MAX_WANTED_BYTES:
            raise _too_much(f"holds more than {_MAX_WANTED_BYTES // 2**20} MiB of notes")
        if len(data) <= MAX_FILE_BYTES:
            yield Member(path, data)


def _reason_to_pass(entry: _Entry, path: str | None, *, archive_bytes: int) -> PassedOver | None:
    if path is None:
        return PassedOver.OUTSIDE
    if not entry.is_file:
        return PassedOver.LINK
    is_too_large = entry.size > min(MAX_FILE_BYTES, max(_FREE_OF_RATIO, _MAX_RATIO * archive_bytes))
    return PassedOver.TOO_LARGE if is_too_large else None


@contextmanager
def _reporting_damage() -> Iterator[None]:
    try:
        yield
    except SourceError:
        raise
    except NotImplementedError as error:
        raise SourceError("is packed in a way that isn't read; pack it anew as a plain zip or tar.gz") from error
    except _DAMAGE as error:
        raise SourceError(f"is a damaged archive ({type(error).__name__}); try again, or give its files") from error


def _entries(content: bytes) -> Iterator[_Entry]:
    if len(content) > MAX_ARCHIVE_BYTES:
        raise SourceError(f"is an archive over the limit of {MAX_ARCHIVE_BYTES // 2**20} MiB")
    entries = _zip_entries(content) if is_zip(content) else _tar_entries(content)
    for number, entry in enumerate(entries, start=1):
        if number > MAX_MEMBERS:
            raise _too_many()
        yield entry


def _tar_entries(content: bytes) -> Iterator[_Entry]:
    if not is_tar(content):
        raise SourceError("is no archive of a kind that is read (tar, tar.gz, tar.bz2, tar.xz, zip)")
    limit = min(MAX_UNFOLDED_BYTES, max(_FREE_OF_RATIO, _MAX_RATIO * len(content)))
    stream = LimitedReader(unfolding(content), limit)
    with tarfile.open(fileobj=stream, mode="r|", errorlevel=1, tarinfo=BoundedTarInfo) as archive:
        while (info := archive.next()) is not None:
            # What is stated would be read on for, past the end of what is there.
            if archive.offset > limit:
                raise stream.too_much
            # The library keeps each one that was seen.
            archive.members.clear()  # type: ignore[attr-defined]
            yield _Entry(
                info.name,
                info.size,
                is_file=info.isreg(),
                is_folder=info.isdir(),
                is_encrypted=False,
                open=lambda info=info: archive.extractfile(info),  # type: ignore[misc]
            )


def _zip_entries(content: bytes) -> Iterator[_Entry]:
    # The library makes something of each before it gives the first.
    if content.count(_ZIP_ENTRY) > MAX_MEMBERS:
        raise _too_many()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for info in archive.infolist():
            yield _Entry(
                info.filename,
                info.file_size,
                is_file=(info.external_attr >> 28) != 0o12,
                is_folder=info.filename.endswith("/"),  # is_dir() trips over an empty name
                is_encrypted=bool(info.flag_bits & _ENCRYPTED),
                open=lambda info=info: archive.open(info),  # type: ignore[misc]
            )


def _too_many() -> SourceError:
    return _too_much(f"holds more than {MAX_MEMBERS:,} files")


def _too_much(what: str) -> SourceError:
    return SourceError(f"is an archive that {what}; unpack what you need of it and give that folder")


def _inner_path(name: str) -> str | None:
    """A member's path, or None where it leads out of the archive or can't be written."""
    path = PurePosixPath(name.replace("\\", "/"))
    parts = [part for part in path.parts if part != "."]
    if path.is_absolute() or ".." in parts or not parts or ":" in parts[0]:
        return None
    joined = "/".join(parts)
    is_plain = joined.isprintable() and joined.encode(errors="ignore").decode() == joined
    return joined if is_plain else None
