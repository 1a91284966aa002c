"""Where release notes live beside files and folders: one module a kind of source, one way to fetch any of them."""

import re
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol

from corpus.errors import SourceError, UsageError
from ingest.sources.files import FetchedDocument
from ingest.sources.web import WebSettings

_SCHEME = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*):.*", re.IGNORECASE | re.DOTALL)
_CLASSES = {"https": "Page", "http": "Page", "github": "Github", "pypi": "Pypi", "npm": "Npm"}
"""`PageConnector` in the module `page`, and so on."""
_OTHERS = frozenset({"ftp", "file", "git", "ssh", "gitlab", "svn", "hg"})


class SourceGone(SourceError):
    """The source is there no more: its server says so."""


@dataclass(frozen=True, slots=True)
class ConnectorSettings:
    """What connectors may know of the user's surroundings."""

    web: WebSettings = field(default_factory=WebSettings)
    github_api_url: str = "https://api.github.com"
    github_token: str = field(default="", repr=False)
    """Empty: GitHub is asked without one, which it answers less often."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """All that a source holds now."""

    documents: tuple[FetchedDocument, ...]
    """Without any, the source is there but holds no release notes, and `note` says so."""
    state: str = ""  # Given back the next time, to tell whether anything changed; empty where that can't be told.
    note: str = ""  # What the user should know of it, in one line without a full stop.
    is_whole: bool = True
    """Whether what the index has of the source beyond this is there no more; a feed tells the newest only."""


class Connector(Protocol):
    """Fetches the sources of one kind; threads share it."""

    def name(self, argument: str) -> str:
        """Return the one spelling of a source's URI, by which the index knows it.

        Raises:
            UsageError: it isn't one of this kind, or malformed.
        """

    def fetch(self, uri: str, *, state: str) -> Fetched | None:
        """Return what the source of `name` holds; None where nothing changed since `state`, that of the last fetch.

        Raises:
            SourceGone: its server says that there is nothing (any more).
            SourceError: it can't be had.
        """


class Connectors:
    """Every connector, each imported and opened when its first source is named; threads may share it."""

    def __init__(self, settings: ConnectorSettings) -> None:
        self._settings = settings
        self._opened: dict[str, Connector] = {}

    def name(self, argument: str) -> str | None:
        """Return the URI of the source that an argument names, in its one spelling; None for the path of a file.

        Raises:
            UsageError: it names a source that can't be one.
        """
        match = _SCHEME.fullmatch(argument)
        scheme = match["scheme"].lower() if match else ""
        if scheme in _CLASSES:
            return self._connector(scheme).name(argument)
        if scheme in _OTHERS:
            known = ", ".join(f"{name}:" for name in _CLASSES)
            raise UsageError(
                f"Cannot ingest {argument!r}: {scheme}: is no kind of source (known are {known}); download the notes "
                "and give the file or folder."
            )
        return None

    def fetch(self, uri: str, *, state: str) -> Fetched | None:
        """Return what the source of `name` holds now; see `Connector.fetch`."""
        return self._connector(uri.partition(":")[0]).fetch(uri, state=state)

    def _connector(self, scheme: str) -> Connector:
        kind = _CLASSES[scheme]
        if kind not in self._opened:
            opened = getattr(import_module(f"{__name__}.{kind.lower()}"), f"{kind}Connector")(self._settings)
            # Two threads at once both use the connector that was first.
            self._opened.setdefault(kind, opened)
        return self._opened[kind]
