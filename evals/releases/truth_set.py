"""Reads labels of releases and passages, which language models made from the raw files, and validates them."""

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
    """The kind of release that the notes name."""

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
    """None for changes that aren't released yet."""
    date: date | None
    kind: ReleaseKind
    heading: Place | None
    """None if only the file's name identifies the release."""
    first: Place
    last: Place

    @model_validator(mode="before")
    @classmethod
    def _ranges_are_of_its_file(cls, line: Any) -> Any:
        return with_path(line, "heading", "first", "last")


@dataclass(frozen=True, slots=True)
class TruePassage:
    """A passage, and the version whose notes it belongs to; None if it belongs to none."""

    place: Place
    version: _ReadVersion

    @model_validator(mode="before")
    @classmethod
    def _line_is_its_place(cls, line: Any) -> Any:
        return {"place": line, **line} if isinstance(line, dict) else line


parse_release = line_parser(TrueRelease)
parse_passage = line_parser(TruePassage)


def load_truth() -> tuple[tuple[TrueRelease, ...], tuple[TruePassage, ...]]:
    """Load all labelled releases and passages.

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
