"""What a connector is asked and what it gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from corpus.errors import SourceError
from ingest.releases.identity import Hints
from ingest.sources.web import WebSettings


class SourceGone(SourceError):
    """The source is there no more: its server says so."""


class NoNotes(SourceError):
    """The source is there but holds no release notes; `state` tells the next time whether it is still the same."""

    def __init__(self, message: str, *, state: str) -> None:
        super().__init__(message)
        self.state = state


@dataclass(frozen=True, slots=True)
class ConnectorSettings:
    """What connectors may know of the user's surroundings."""

    web: WebSettings = field(default_factory=WebSettings)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Handed to the ordinary clients of the registries (pip, npm), which find their own settings in it."""
    github_api_url: str = "https://api.github.com"
    github_token: str = field(default="", repr=False)
    """Empty: GitHub is asked without one, which it answers less often."""


@dataclass(frozen=True, slots=True)
class FetchedDocument:
    """One document as it was fetched."""

    source: str
    """What citations call it: its URI."""
    place: str
    """Its path where it was found, which tells of format and version."""
    home: str
    """What that path is relative to: names the product where nothing else does."""
    content: bytes
    hints: Hints


@dataclass(frozen=True, slots=True)
class Fetched:
    """All that a source holds now; at least one document."""

    documents: tuple[FetchedDocument, ...]
    state: str = ""
    """Given back the next time, to tell whether anything changed; empty where that can't be told."""
    note: str = ""
    """What the user should know of it, in one line without a full stop."""
    is_whole: bool = True
    """Whether what the index has of the source beyond this is there no more; a feed tells the newest only."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Nothing changed since `state` was given."""

    state: str


class Connector(Protocol):
    """Fetches the sources of one kind; threads share it."""

    def name(self, argument: str) -> str:
        """The one spelling of a source's URI, by which the index knows it.

        Raises:
            UsageError: it isn't one of this kind, or malformed.
        """

    def fetch(self, uri: str, *, state: str) -> Fetched | Unchanged:
        """What the source of `name` holds; `state` is that of the last fetch, empty where all is wanted.

        Raises:
            SourceGone: its server says that there is nothing (any more).
            NoNotes: it holds no release notes.
            SourceError: it can't be had.
        """
