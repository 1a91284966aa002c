"""Which connector a source goes to, told by how its name begins."""

import re

from corpus.errors import UsageError
from ingest.connectors.github import GithubConnector
from ingest.connectors.model import Connector, ConnectorSettings, Fetched, Unchanged
from ingest.connectors.npm import NpmConnector
from ingest.connectors.page import PageConnector
from ingest.connectors.pypi import PypiConnector
from ingest.web import WebClient

_SCHEME = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*):(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_OTHERS = frozenset({"ftp", "file", "git", "ssh", "gitlab", "svn", "hg"})


class Connectors:
    """Every connector, over one client of the network; threads may share it."""

    def __init__(self, settings: ConnectorSettings) -> None:
        client = WebClient(settings.web)
        page = PageConnector(client)
        self._by_scheme: dict[str, Connector] = {
            "https": page,
            "http": page,
            "github": GithubConnector(settings),
            "pypi": PypiConnector(settings),
            "npm": NpmConnector(settings),
        }

    def name(self, argument: str) -> str | None:
        """The URI of the source that an argument names, in its one spelling; None for the path of a file.

        Raises:
            UsageError: it names a source that can't be one.
        """
        match = _SCHEME.fullmatch(argument)
        if match is None:
            return None
        scheme = match["scheme"].lower()
        if scheme in self._by_scheme:
            return self._by_scheme[scheme].name(argument)
        if scheme in _OTHERS:
            known = ", ".join(f"{name}:" for name in self._by_scheme)
            raise UsageError(
                f"Cannot ingest {argument!r}: {scheme}: is no kind of source (known are {known}); download the notes "
                "and give the file or folder."
            )
        return None

    def fetch(self, uri: str, *, state: str) -> Fetched | Unchanged:
        """What a source holds now; `uri` is one of `name`.

        Raises:
            SourceGone: its server says that there is nothing (any more).
            SourceError: it can't be had, or holds no release notes.
        """
        return self._by_scheme[uri.partition(":")[0]].fetch(uri, state=state)
