"""Where the fetched documents come from: the pinned source archives of sources.toml."""

import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from corpus.errors import UsageError
from evals.question_set import line_faults

SOURCES = Path(__file__).with_name("sources.toml")


@dataclass(frozen=True, slots=True)
class NotesFile:
    """A file of a source archive: its path below the archive's one folder, and the SHA-256 (hex) of its content."""

    member: str
    sha256: str

    @property
    def name(self) -> str:
        """What it is called in its project's folder."""
        return PurePosixPath(self.member).name


@dataclass(frozen=True, slots=True)
class Archive:
    """The source archive that a project's documents are taken from."""

    project: str
    package: str
    version: str
    files: tuple[NotesFile, ...]


def load_sources(path: Path = SOURCES) -> tuple[Archive, ...]:
    """Read the list of sources, in its order.

    Raises:
        UsageError: the file can't be read or has faults.
    """
    try:
        listed = _Sources.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        raise UsageError(
            f"The sources {str(path)!r} have faults, correct them: {'; '.join(line_faults(error))}"
        ) from error
    except (OSError, ValueError) as error:
        raise UsageError(f"Cannot read the sources {str(path)!r}: {error}.") from error
    return tuple(
        Archive(one.project, one.package, one.version, tuple(NotesFile(file.member, file.sha256) for file in one.files))
        for one in listed.source
    )


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _File(_Strict):
    member: str = Field(pattern=r"^[\w.-]+(/[\w.-]+)*$")
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class _Source(_Strict):
    @model_validator(mode="after")
    def _names_are_apart(self) -> "_Source":
        names = [PurePosixPath(file.member).name for file in self.files]
        if len(set(names)) < len(names) or ".." in names:
            raise ValueError(f"{self.project}: two members have one name, or one has none")
        return self

    project: str = Field(pattern=r"^[a-z0-9-]+$")
    package: str = Field(min_length=1)
    version: str = Field(min_length=1)
    files: list[_File] = Field(min_length=1)


class _Sources(_Strict):
    source: list[_Source]
