"""Addresses of files in source repositories: pinned to a commit they last, on a branch they drift.

Knows the layouts of GitHub, GitLab, Gitea (Forgejo, Codeberg) and Bitbucket. An address in none of them is an ordinary
page.

Source: each host's documentation of permanent links to the lines of a file.
"""

import re
from dataclasses import dataclass
from enum import Enum
from urllib.parse import quote as percent_encode
from urllib.parse import urlsplit

_COMMIT = r"[0-9a-f]{40}(?:[0-9a-f]{24})?"
_REF = rf"(?P<ref>{_COMMIT}|refs/(?:heads|tags)/[^/]+|[^/]+)"
_PROJECT = r"/(?P<project>[^/]+/[^/]+)"
_PATH = r"/(?P<path>.+)"
_VIEW = "(?:blob|raw|blame|tree|edit)"


class RepositoryHost(Enum):
    """How a host writes the address of a file: the part before the commit, the lines, the switch to the source."""

    GITHUB = "/blob/", "#L", "-L", "?plain=1"
    GITLAB = "/-/blob/", "#L", "-", "?plain=1"
    GITEA = "/src/commit/", "#L", "-L", "?display=source"
    BITBUCKET = "/src/", "#lines-", ":", ""

    def __init__(self, folder: str, line: str, to_line: str, as_source: str) -> None:
        self.folder = folder
        self.line = line
        self.to_line = to_line
        self.as_source = as_source


_HOST_NAMES = {
    "github": RepositoryHost.GITHUB,
    "gitlab": RepositoryHost.GITLAB,
    "bitbucket": RepositoryHost.BITBUCKET,
    "codeberg": RepositoryHost.GITEA,
    "gitea": RepositoryHost.GITEA,
    "forgejo": RepositoryHost.GITEA,
}
_LAYOUTS = {
    RepositoryHost.GITLAB: re.compile(rf"/(?P<project>.+?)/-/{_VIEW}/{_REF}{_PATH}"),
    RepositoryHost.GITHUB: re.compile(rf"{_PROJECT}/{_VIEW}/{_REF}{_PATH}"),
    RepositoryHost.GITEA: re.compile(
        rf"{_PROJECT}/(?:src|raw)/(?:commit/(?P<ref>{_COMMIT})|(?:branch|tag)/[^/]+){_PATH}"
    ),
}
_BITBUCKET_HOST, _BITBUCKET_LAYOUT = "bitbucket.org", re.compile(rf"{_PROJECT}/(?:src|raw)/{_REF}{_PATH}")
_RAW_GITHUB_HOST, _RAW_GITHUB_LAYOUT = "raw.githubusercontent.com", re.compile(rf"{_PROJECT}/{_REF}{_PATH}")
_REMOTE = re.compile(
    r"(?:(?:https?|ssh|git)://(?:[^/@\s]*@)?(?P<host>[\w.-]+)(?::\d+)?/|(?:[\w.-]+@)(?P<scp_host>[\w.-]+):/?)"
    r"(?P<project>[^\s?#]+?)(?:\.git)?/?"
)


@dataclass(frozen=True, slots=True)
class RepositoryFile:
    """A file at a commit, or at a branch or tag that may move (`commit` is None)."""

    host: RepositoryHost
    home: str
    """The project's address: scheme, host and path, without a final slash."""
    commit: str | None
    path: str
    """Percent-encoded, relative to the repository's root."""

    def permalink(self, *, lines: tuple[int, int] | None = None, is_rendered: bool = False) -> str | None:
        """The address that lasts; None without a commit.

        `lines` are the first and last one, from 1, to point at; `is_rendered` says that the host shows such a file as a
        formatted page, where lines can only be pointed at in its source.
        """
        if self.commit is None:
            return None
        address = f"{self.home}{self.host.folder}{self.commit}/{self.path}"
        if lines is None:
            return address
        first, last = lines
        end = "" if first == last else f"{self.host.to_line}{last}"
        return f"{address}{self.host.as_source if is_rendered else ''}{self.host.line}{first}{end}"


def parse_repository_link(url: str) -> RepositoryFile | None:
    """The file or folder of a source repository that an address names; None for any other page."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host:
        return None
    if host == _RAW_GITHUB_HOST:
        return _file(RepositoryHost.GITHUB, "https://github.com", _RAW_GITHUB_LAYOUT.fullmatch(parts.path))
    server = f"{parts.scheme}://{host}{f':{port}' if port else ''}"
    if host == _BITBUCKET_HOST:
        return _file(RepositoryHost.BITBUCKET, server, _BITBUCKET_LAYOUT.fullmatch(parts.path))
    found = (_file(layout, server, pattern.fullmatch(parts.path)) for layout, pattern in _LAYOUTS.items())
    return next((file for file in found if file is not None), None)


def file_of_remote(remote: str, *, commit: str, path: str) -> RepositoryFile | None:
    """The file `path` (not encoded) at `commit` of the repository that a git remote's URL names.

    Credentials in the URL are left out. None where the remote isn't on a host whose layout its name tells.
    """
    match = _REMOTE.fullmatch(remote.strip())
    if match is None:
        return None
    host = (match["host"] or match["scp_host"]).casefold()
    layout = next((layout for name, layout in _HOST_NAMES.items() if name in host), None)
    if layout is None:
        return None
    return RepositoryFile(layout, f"https://{host}/{match['project']}", commit, percent_encode(path))


def _file(host: RepositoryHost, server: str, match: re.Match[str] | None) -> RepositoryFile | None:
    if match is None:
        return None
    ref = match["ref"] or ""
    commit = ref if re.fullmatch(_COMMIT, ref) else None
    return RepositoryFile(host, f"{server}/{match['project']}", commit, match["path"])
