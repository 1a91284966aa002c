"""Fetches release notes from remote sources: one module per kind of source, one way to fetch any of them."""

import re
from dataclasses import dataclass, field
from importlib import import_module
from typing import NamedTuple, Protocol

from corpus.errors import SourceError, UsageError
from ingest.sources.files import FetchedDocument
from ingest.sources.web import WebSettings

_SCHEME = re.compile(r"(?is)(?P<scheme>[a-z][a-z0-9+.-]*):.*")
_CLASSES = {"https": "Page", "http": "Page", "github": "Github", "pypi": "Pypi", "npm": "Npm"}
"""The prefix of the class, and its module: `PageConnector` in `page`, and so on."""
_UNSUPPORTED = frozenset({"ftp", "file", "git", "ssh", "gitlab", "svn", "hg"})


class SourceGone(SourceError):
    """The source doesn't exist any more, by its server's answer."""


@dataclass(frozen=True, slots=True)
class ConnectorSettings:
    """What connectors may know about the user's environment."""

    web: WebSettings = field(default_factory=WebSettings)
    github_api_url: str = "https://api.github.com"
    github_token: str = field(default="", repr=False)
    """Empty: without a token, which GitHub limits to fewer requests."""


class Fetched(NamedTuple):
    """All that a source has now."""

    documents: tuple[FetchedDocument, ...]
    """If empty, the source exists but has no release notes, as `note` says."""
    state: str = ""  # Passed to the next fetch, to detect changes; empty if they can't be detected.
    note: str = ""  # A hint for the user, in one line without a full stop.


class Connector(Protocol):
    """Fetches the sources of one kind; threads share it."""

    def name(self, argument: str) -> str:
        """Return the canonical URI of a source, which is its name in the index.

        Raises:
            UsageError: it isn't one of this kind, or malformed.
        """

    def fetch(self, uri: str, *, state: str) -> Fetched | None:
        """Fetch the documents of the source `uri`; return None if none changed since `state`, that of its last fetch.

        Raises:
            SourceGone: its server answers that there is nothing (any more).
            SourceError: it can't be fetched.
        """


class Connectors:
    """All connectors, each imported and opened when its first source is named; threads may share it."""

    def __init__(self, settings: ConnectorSettings) -> None:
        self._settings = settings
        self._opened: dict[str, Connector] = {}

    def name(self, argument: str) -> str | None:
        """Return the canonical URI of the source that an argument names; None for a file's path.

        Raises:
            UsageError: it names a source that can't be one.
        """
        match = _SCHEME.fullmatch(argument)
        scheme = match["scheme"].lower() if match else ""
        if scheme in _CLASSES:
            return self._connector(scheme).name(argument)
        if scheme in _UNSUPPORTED:
            known = ", ".join(f"{name}:" for name in _CLASSES)
            raise UsageError(
                f"Cannot ingest {argument!r}: {scheme}: is no kind of source (known are {known}); download the notes "
                "and give the file or folder."
            )
        return None

    def fetch(self, uri: str, *, state: str) -> Fetched | None:
        """Fetch the source `uri` by its kind's connector; see `Connector.fetch`."""
        return self._connector(uri.partition(":")[0]).fetch(uri, state=state)

    def _connector(self, scheme: str) -> Connector:
        kind = _CLASSES[scheme]
        if kind not in self._opened:
            opened = getattr(import_module(f"{__name__}.{kind.lower()}"), f"{kind}Connector")(self._settings)
            # Of two threads at once, both use the first one's connector.
            self._opened.setdefault(kind, opened)
        return self._opened[kind]
