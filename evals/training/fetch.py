"""Download the documents that ../shared lacks: `python -m evals.training.fetch [FOLDER]`.

They are in the pinned source archives of sources.toml. Questions over ../shared and over these are two suites.
"""

import argparse
import hashlib
import os
import sys
import tomllib
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from pydantic.dataclasses import dataclass

from corpus.cache_folder import cache_folder
from corpus.errors import SourceError, UsageError
from evals.command import run_command
from evals.labelled_places import Filled, line_faults
from evals.suites import CORPORA, Suite
from evals.training.training_set import QUESTIONS
from ingest.sources.connectors import ConnectorSettings
from ingest.sources.connectors.pypi import PypiConnector
from ingest.sources.web import WebSettings

SOURCES = Path(__file__).with_name("sources.toml")
_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True, config=_STRICT)
class NotesFile:
    """A file of a source archive: its path below the archive's one folder, and the SHA-256 (hex) of its content."""

    member: Annotated[str, Field(pattern=r"^[\w.-]+(/[\w.-]+)*$")]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]

    @property
    def name(self) -> str:
        """The file's name in its project's folder."""
        return PurePosixPath(self.member).name


@dataclass(frozen=True, slots=True, config=_STRICT)
class Archive:
    """The source archive that a project's documents are taken from."""

    project: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    package: Filled
    version: Filled
    files: Annotated[tuple[NotesFile, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _names_are_apart(self) -> "Archive":
        names = [file.name for file in self.files]
        if len(set(names)) < len(names) or ".." in names:
            raise ValueError(f"{self.project}: two members have one name, or one has none")
        return self


_LISTED = TypeAdapter(dict[Literal["source"], tuple[Archive, ...]])


def load_sources(path: Path = SOURCES) -> tuple[Archive, ...]:
    """Read the list of sources, in its order.

    Raises:
        UsageError: the file can't be read or has faults.
    """
    try:
        return _LISTED.validate_python(tomllib.loads(path.read_text(encoding="utf-8")))["source"]
    except ValidationError as error:
        raise UsageError(
            f"The sources {str(path)!r} have faults, correct them: {'; '.join(line_faults(error))}"
        ) from error
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"Cannot read the sources {str(path)!r}: {error}.") from error


TRAINING_CORPORA = Suite(
    "training-corpora",
    QUESTIONS,
    CORPORA.documents,
    (
        "attrs", "cargo", "cpython", "curl", "django", "fastapi", "git", "httpx", "numpy", "pip", "pydantic", "pytest",
        "pytorch", "sqlalchemy", "sqlite-utils", "vite",
    ),
)  # fmt: skip


def fetched_folder() -> Path:
    """Return the default folder of fetched documents, in the cache."""
    return cache_folder() / "training" / "documents"


def fetched_suite(documents: Path | None = None) -> Suite:
    """Return the suite about the projects of sources.toml, with its documents in a folder (default: in the cache)."""
    projects = tuple(source.project for source in load_sources())
    return Suite("training-fetched", QUESTIONS, documents or fetched_folder(), projects)


def fetch_source(source: Archive, folder: Path, *, archives: PypiConnector) -> tuple[str, ...]:
    """Download a source's files to `folder`/PROJECT and return a line for each failure, raising none of them.

    A file is written only if its SHA-256 is the stated one; nothing is downloaded if all files are right already.
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
    """Write a file and return "", or the reason why it can't be written."""
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
    """Fetch every source; return 1 after failures, each of which is a line on standard error.

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
