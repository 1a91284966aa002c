"""Addresses of files in source repositories: permanent if pinned to a commit, changing on a branch.

Source: each host's documentation of permanent links to the lines of a file.
"""

import re
from dataclasses import dataclass
from enum import Enum
from urllib.parse import urlsplit

_COMMIT = r"[0-9a-f]{40}(?:[0-9a-f]{24})?"
_REF = rf"(?P<ref>{_COMMIT}|refs/(?:heads|tags)/[^/]+|[^/]+)"
_PROJECT = r"/(?P<project>[^/]+/[^/]+)"
_PATH = r"/(?P<path>.+)"
_MAYBE_PATH = r"(?:/(?P<path>.*))?"
_VIEW = "(?:blob|raw|blame|tree|edit|commits)"


class RepositoryHost(Enum):
    """How a host writes a file's address: path before the commit, mark of lines, switch to the source view."""

    GITHUB = "/blob/", "/tree/", "#L", "-L", "?plain=1"
    GITLAB = "/-/blob/", "/-/tree/", "#L", "-", "?plain=1"
    GITEA = "/src/commit/", "/src/commit/", "#L", "-L", "?display=source"
    BITBUCKET = "/src/", "/src/", "#lines-", ":", ""

    def __init__(self, folder: str, top: str, line: str, to_line: str, as_source: str) -> None:
        self.folder = folder
        self.top = top
        self.line = line
        self.to_line = to_line
        self.as_source = as_source


_HOST_NAMES = {host.name.lower(): host for host in RepositoryHost} | dict.fromkeys(
    ("codeberg", "forgejo"), RepositoryHost.GITEA
)
_GITHUB_LAYOUT = re.compile(rf"{_PROJECT}/{_VIEW}/{_REF}{_MAYBE_PATH}")
_LAYOUTS = {
    RepositoryHost.GITLAB: re.compile(rf"/(?P<project>.+?)/-/{_VIEW}/{_REF}{_MAYBE_PATH}"),
    RepositoryHost.GITHUB: re.compile(rf"{_PROJECT}/{_VIEW}/{_REF}{_PATH}"),
    RepositoryHost.GITEA: re.compile(
        rf"{_PROJECT}/(?:src|raw|blame|commits)/(?:commit/(?P<ref>{_COMMIT})|(?:branch|tag)/[^/]+){_MAYBE_PATH}"
    ),
}
_BITBUCKET_LAYOUT = re.compile(rf"{_PROJECT}/(?:src|raw|annotate)/{_REF}{_MAYBE_PATH}")
_GITHUB_MIRRORS = {
    **dict.fromkeys(("raw.githubusercontent.com", "raw.github.com"), re.compile(rf"{_PROJECT}/{_REF}{_PATH}")),
    "cdn.jsdelivr.net": re.compile(rf"/gh/(?P<project>[^/]+/[^/@]+)(?:@{_REF})?{_PATH}"),
}
_PAGES = (".github.io", ".gitlab.io")
_QUERY_VIEW = re.compile(r"/(?:tree|plain|log|blame|about)(?:/|\Z)")
_AT_COMMIT = re.compile(rf"(?:\A|[&;])(?:id|hb)={_COMMIT}(?:\Z|[&;])")
_AT_BRANCH = re.compile(r"(?:\A|[&;])(?P<name>hb?)=")


@dataclass(frozen=True, slots=True)
class RepositoryFile:
    """A file at a commit, or at a branch or tag that may move (`commit` is None then)."""

    host: RepositoryHost | None  # None if its form of permanent addresses is unknown.
    home: str  # The project's address: scheme, host and path, without a final slash.
    commit: str | None
    path: str  # Percent-encoded, relative to the repository's root; empty for the root itself.

    def permalink(self, *, lines: tuple[int, int] | None = None, is_rendered: bool = False) -> str | None:
        """Return the permanent address; None without a commit.

        `lines` are the first and last line to point at, from 1; `is_rendered` means that the host shows such a file as
        a formatted page, so that only its source view has lines.
        """
        if self.commit is None or self.host is None:
            return None
        if not self.path:
            return f"{self.home}{self.host.top}{self.commit}"
        address = f"{self.home}{self.host.folder}{self.commit}/{self.path}"
        if lines is None:
            return address
        first, last = lines
        end = "" if first == last else f"{self.host.to_line}{last}"
        return f"{address}{self.host.as_source if is_rendered else ''}{self.host.line}{first}{end}"


def parse_repository_link(url: str) -> RepositoryFile | None:
    """Parse the address of a file or folder in a source repository; return None for any other page."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host:
        return None
    path = re.sub("/{2,}", "/", parts.path)
    if host in _GITHUB_MIRRORS:
        return _file_of_match(RepositoryHost.GITHUB, "https://github.com", _GITHUB_MIRRORS[host].fullmatch(path))
    server = f"{parts.scheme}://{host}{f':{port}' if port else ''}"
    if host == "bitbucket.org":
        return _file_of_match(RepositoryHost.BITBUCKET, server, _BITBUCKET_LAYOUT.fullmatch(path))
    if _host_of(host) is RepositoryHost.GITHUB and (match := _GITHUB_LAYOUT.fullmatch(path)):
        return _file_of_match(RepositoryHost.GITHUB, server, match)
    files = (_file_of_match(layout, server, pattern.fullmatch(path)) for layout, pattern in _LAYOUTS.items())
    if file := next(filter(None, files), None):
        return file
    # cgit and gitweb name the branch in the query; their addresses at a commit are permanent already.
    branch = _AT_BRANCH.search(parts.query)
    if branch is None or _AT_COMMIT.search(parts.query):
        return None
    is_file_view = branch["name"] == "hb" or _QUERY_VIEW.search(parts.path)
    return RepositoryFile(None, server, None, parts.path.lstrip("/")) if is_file_view else None


def _host_of(host: str) -> RepositoryHost | None:
    """Return the layout that a label of the host's name shows (`github.com`, `my-gitea.example`); None for published
    pages (`o.github.io`)."""
    if host.endswith(_PAGES):
        return None
    return next((_HOST_NAMES[label] for label in re.split(r"[.-]", host) if label in _HOST_NAMES), None)


def _file_of_match(host: RepositoryHost, server: str, match: re.Match[str] | None) -> RepositoryFile | None:
    if match is None:
        return None
    ref = match["ref"] or ""
    commit = ref if re.fullmatch(_COMMIT, ref) else None
    return RepositoryFile(host, f"{server}/{match['project']}", commit, match["path"] or "")
