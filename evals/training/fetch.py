"""Bring the documents that ../shared lacks: `python -m evals.training.fetch [FOLDER]`."""

import argparse
import hashlib
import os
import sys
from pathlib import Path

from corpus.errors import SourceError
from evals.command import run_command
from evals.training.sources import Archive, NotesFile, fetched_folder, load_sources
from ingest.sources.connectors import ConnectorSettings
from ingest.sources.connectors.pypi import PypiConnector
from ingest.sources.web import WebSettings


def fetch_source(source: Archive, folder: Path, *, archives: PypiConnector) -> tuple[str, ...]:
    """Bring a source's files to `folder`/PROJECT; asks for nothing where all of them are right already.

    A file is written only when its SHA-256 is the one that is stated. What failed is told, a line each, and never
    raised.
    """
    target = folder / source.project
    lacking = [file for file in source.files if not _is_right(target / file.name, file)]
    if not lacking:
        return ()
    pinned = f"{source.project}: {source.package} {source.version}"
    try:
        members = archives.read_source_files(source.package, source.version, [file.member for file in lacking])
    except (SourceError, OSError) as error:
        return (f"{pinned}: {error}",)
    content_of = {member.path: member.content for member in members}
    faults = ((file, _write(file, content_of.get(file.member), target)) for file in lacking)
    return tuple(f"{pinned}: {file.member}: {fault}" for file, fault in faults if fault)


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


def main() -> int:
    """Fetch every source; 1 where something failed, each failure in one line on standard error.

    Raises:
        UsageError: sources.toml has faults.
    """
    parser = argparse.ArgumentParser(description="Bring the documents that training questions are about.")
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help="default: in the cache folder")
    folder = parser.parse_args().folder or fetched_folder()
    archives = PypiConnector(ConnectorSettings(WebSettings(environment=os.environ)))
    failed = False
    for source in load_sources():
        failures = fetch_source(source, folder, archives=archives)
        failed |= bool(failures)
        sys.stdout.write(f"{source.project} {source.version}\n")
        sys.stdout.flush()
        sys.stderr.writelines(f"FAILED {failure}\n" for failure in failures)
    sys.stdout.write(f"documents in {folder}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    run_command(main)
