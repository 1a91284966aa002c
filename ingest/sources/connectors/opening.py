"""Which connector a source goes to, told by how its name begins.

A connector is imported when its first source is named: whoever ingests files needs none of them.
"""

import re
import threading

from corpus.errors import UsageError
from ingest.sources.connectors.model import Connector, ConnectorSettings, Fetched, Unchanged

_SCHEME = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*):(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_KNOWN = ("https", "http", "github", "pypi", "npm")
_OTHERS = frozenset({"ftp", "file", "git", "ssh", "gitlab", "svn", "hg"})


class Connectors:
    """Every connector, each opened once; threads may share it."""

    def __init__(self, settings: ConnectorSettings) -> None:
        self._settings = settings
        self._opened: dict[str, Connector] = {}
        self._lock = threading.Lock()

    def name(self, argument: str) -> str | None:
        """The URI of the source that an argument names, in its one spelling; None for the path of a file.

        Raises:
            UsageError: it names a source that can't be one.
        """
        match = _SCHEME.fullmatch(argument)
        if match is None:
            return None
        scheme = match["scheme"].lower()
        if scheme in _KNOWN:
            return self._connector(scheme).name(argument)
        if scheme in _OTHERS:
            known = ", ".join(f"{name}:" for name in _KNOWN)
            raise UsageError(
                f"Cannot ingest {argument!r}: {scheme}: is no kind of source (known are {known}); download the notes "
                "and give the file or folder."
            )
        return None

    def fetch(self, uri: str, *, state: str) -> Fetched | Unchanged:
        """What a source holds now; `uri` is one of `name`.

        Raises:
            SourceGone: its server says that there is nothing (any more).
            NoNotes: it holds no release notes.
            SourceError: it can't be had.
        """
        return self._connector(uri.partition(":")[0]).fetch(uri, state=state)

    def _connector(self, scheme: str) -> Connector:
        kind = "https" if scheme == "http" else scheme
        with self._lock:
            if kind not in self._opened:
                self._opened[kind] = _open(kind, self._settings)
            return self._opened[kind]


def _open(kind: str, settings: ConnectorSettings) -> Connector:
    if kind == "github":
        from ingest.sources.connectors.github import GithubConnector

        return GithubConnector(settings)
    if kind == "pypi":
        from ingest.sources.connectors.pypi import PypiConnector

        return PypiConnector(settings)
    if kind == "npm":
        from ingest.sources.connectors.npm import NpmConnector

        return NpmConnector(settings)
    from ingest.sources.connectors.page import PageConnector

    return PageConnector(settings)
