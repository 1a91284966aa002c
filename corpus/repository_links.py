"""Addresses of files on GitHub and GitLab: permanent if pinned to a commit, changing on a branch.

Source: GitHub's and GitLab's documentation of permanent links to the lines of a file.
"""

import re
from dataclasses import dataclass
from enum import Enum
from urllib.parse import urlsplit

_COMMIT = r"[0-9a-f]{40}(?:[0-9a-f]{24})?"
_REF_AND_PATH = rf"(?P<ref>{_COMMIT}|refs/(?:heads|tags)/[^/]+|[^/]+)/(?P<path>.+)"
_PROJECT = r"/(?P<project>[^/]+/[^/]+)"
_VIEW = "(?:blob|raw|blame|tree|edit|commits)"


class RepositoryHost(Enum):
    """How a host writes a file's address: path before the commit, and what is between two numbers of lines."""

    GITHUB = "/blob/", "-L"
    GITLAB = "/-/blob/", "-"

    def __init__(self, folder: str, to_line: str) -> None:
        self.folder = folder
        self.to_line = to_line


_LAYOUTS = {
    RepositoryHost.GITLAB: re.compile(rf"/(?P<project>.+?)/-/{_VIEW}/{_REF_AND_PATH}"),
    RepositoryHost.GITHUB: re.compile(rf"{_PROJECT}/{_VIEW}/{_REF_AND_PATH}"),
}
_RAW_HOSTS = ("raw.githubusercontent.com", "raw.github.com")
_RAW = re.compile(rf"{_PROJECT}/{_REF_AND_PATH}")


@dataclass(frozen=True, slots=True)
class RepositoryFile:
    """A file at a commit, or at a branch or tag that may move (`commit` is None then)."""

    host: RepositoryHost
    home: str  # The project's address: scheme, host and path, without a final slash.
    commit: str | None
    path: str  # Percent-encoded, relative to the repository's root.

    def permalink(self, *, lines: tuple[int, int] | None = None, is_rendered: bool = False) -> str | None:
        """Return the permanent address; None without a commit.

        `lines` are the first and last line to point at, from 1; `is_rendered` means that the host shows such a file as
        a formatted page, so that only its source view has lines.
        """
        if self.commit is None:
            return None
        address = f"{self.home}{self.host.folder}{self.commit}/{self.path}"
        if lines is None:
            return address
        first, last = lines
        end = "" if first == last else f"{self.host.to_line}{last}"
        return f"{address}{'?plain=1' if is_rendered else ''}#L{first}{end}"


def parse_repository_link(url: str) -> RepositoryFile | None:
    """Parse the address of a file or folder on GitHub or GitLab; return None for any other page."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host:
        return None
    path = re.sub("/{2,}", "/", parts.path)
    if host in _RAW_HOSTS:
        return _file_of_match(RepositoryHost.GITHUB, "https://github.com", _RAW.fullmatch(path))
    server = f"{parts.scheme}://{host}{f':{port}' if port else ''}"
    files = (_file_of_match(layout, server, pattern.fullmatch(path)) for layout, pattern in _LAYOUTS.items())
    return next(filter(None, files), None)


def _file_of_match(host: RepositoryHost, server: str, match: re.Match[str] | None) -> RepositoryFile | None:
    if match is None:
        return None
    commit = match["ref"] if re.fullmatch(_COMMIT, match["ref"]) else None
    return RepositoryFile(host, f"{server}/{match['project']}", commit, match["path"])
