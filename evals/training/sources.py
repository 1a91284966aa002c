"""The training questions as suites: over the documents of ../shared, and over those of the pinned source archives of
sources.toml."""

import tomllib
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from pydantic.dataclasses import dataclass

from corpus.cache_folder import cache_folder
from corpus.errors import UsageError
from evals.labelled_places import Filled, line_faults
from evals.suites import CORPORA, Suite
from evals.training.training_set import QUESTIONS

SOURCES = Path(__file__).with_name("sources.toml")
_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True, config=_STRICT)
class NotesFile:
    """A file of a source archive: its path below the archive's one folder, and the SHA-256 (hex) of its content."""

    member: Annotated[str, Field(pattern=r"^[\w.-]+(/[\w.-]+)*$")]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]

    @property
    def name(self) -> str:
        """What it is called in its project's folder."""
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
    """Where documents are fetched to, if nothing else is said: in the cache."""
    return cache_folder() / "training" / "documents"


def fetched_suite(documents: Path | None = None) -> Suite:
    """The questions about the projects of sources.toml, whose documents were fetched to a folder; none: the cache's."""
    projects = tuple(source.project for source in load_sources())
    return Suite("training-fetched", QUESTIONS, documents or fetched_folder(), projects)
