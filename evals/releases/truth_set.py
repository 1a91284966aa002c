"""Releases and passages as language models read them in the raw files: JSON lines in, checked values out."""

from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, PlainValidator, model_validator
from pydantic.dataclasses import dataclass

from corpus.versions import Version
from evals.labelled_places import Place, line_parser, load_labels, with_path

_FOLDER = Path(__file__).parent
_ReadVersion = Annotated[Version | None, PlainValidator(lambda text: None if text is None else Version.parse(text))]


class ReleaseKind(StrEnum):
    """What sort of release the notes call it."""

    FINAL = "final"
    CANDIDATE = "candidate"
    BETA = "beta"
    ALPHA = "alpha"
    DEV = "dev"
    UNRELEASED = "unreleased"
    YANKED = "yanked"


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class TrueRelease:
    """A release as a careful reader finds it: its heading, and the first and the last of its entries."""

    path: str
    version: _ReadVersion
    """None for changes that aren't released under any version yet."""
    date: date | None
    kind: ReleaseKind
    heading: Place | None
    """None where only the file's name says which release it is."""
    first: Place
    last: Place

    @model_validator(mode="before")
    @classmethod
    def _ranges_are_of_its_file(cls, line: Any) -> Any:
        return with_path(line, "heading", "first", "last")


@dataclass(frozen=True, slots=True)
class TruePassage:
    """A passage, and the version whose notes it belongs to; None where it belongs to none."""

    place: Place
    version: _ReadVersion

    @model_validator(mode="before")
    @classmethod
    def _line_is_its_place(cls, line: Any) -> Any:
        return {"place": line, **line} if isinstance(line, dict) else line


parse_release = line_parser(TrueRelease)
parse_passage = line_parser(TruePassage)


def load_truth() -> tuple[tuple[TrueRelease, ...], tuple[TruePassage, ...]]:
    """Every hand-checked release and passage.

    Raises:
        UsageError: a file of them has faults; all of them are listed by line.
    """
    return (
        tuple(
            release
            for file in sorted(_FOLDER.glob("truth/*.jsonl"))
            for release in load_labels(file, parse_release, name="labelled releases")
        ),
        tuple(
            passage
            for file in sorted(_FOLDER.glob("passages-*.jsonl"))
            for passage in load_labels(file, parse_passage, name="labelled passages")
        ),
    )
