"""Where files of a git work tree stand on their host for good: pinned to the commit that holds the very same bytes.

Asks git about local objects only; nothing is fetched, and a repository that git mistrusts has no addresses.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from corpus.git import GitError, run_git
from corpus.repository_links import file_of_remote

_TIMEOUT_SECONDS = 20


@dataclass(frozen=True, slots=True)
class _WorkTree:
    """One checkout: its published commit, and git's name of the content of each file there."""

    root: Path
    remote: str
    commit: str
    blobs: dict[str, str]


class WorkTrees:
    """The checkouts that ingested files lie in; each is asked once."""

    def __init__(self) -> None:
        self._known: dict[Path, _WorkTree | None] = {}

    def permalink(self, file: Path, content: bytes) -> str | None:
        """Return the lasting address of a file whose bytes are `content`.

        None outside a work tree, where the commit isn't known to be on the remote, the remote's host isn't known, or
        the bytes aren't those of the commit: a link must lead to what is quoted.
        """
        folder = file.parent
        if folder not in self._known:
            self._known[folder] = self._open(folder)
        tree = self._known[folder]
        if tree is None:
            return None
        path = file.relative_to(tree.root).as_posix()
        if tree.blobs.get(path) != _blob_name(content, like=tree.commit):
            return None
        place = file_of_remote(tree.remote, commit=tree.commit, path=path)
        return place.permalink() if place else None

    def _open(self, folder: Path) -> _WorkTree | None:
        top, _, commit = _git(folder, "rev-parse", "--show-toplevel", "HEAD").strip().partition("\n")
        root = Path(top).resolve()
        shared = next((tree for tree in self._known.values() if tree and tree.root == root), None)
        if shared is not None or not commit or not folder.is_relative_to(root):
            return shared
        remote = _git(folder, "config", "--get", "remote.origin.url")
        published = _git(folder, "for-each-ref", "--contains", commit, "--count=1", "refs/remotes")
        heads = (entry.partition("\t") for entry in _git(root, "ls-tree", "-r", "-z", commit).split("\0") if entry)
        blobs = {path: head.split(" ")[2] for head, _, path in heads}
        return _WorkTree(root, remote, commit, blobs) if remote and published else None


def _blob_name(content: bytes, *, like: str) -> str:
    """Git's name of a file's content, in the hash that the repository's commits are named by.

    Source: Pro Git, chapter 10.2, "Git Objects".
    """
    named = b"blob %d\0%b" % (len(content), content)
    if len(like) == hashlib.sha256().digest_size * 2:
        return hashlib.sha256(named).hexdigest()
    return hashlib.sha1(named, usedforsecurity=False).hexdigest()


def _git(folder: Path, *arguments: str) -> str:
    """Return what git prints; nothing where it isn't installed, fails or takes too long."""
    try:
        printed = run_git(arguments, folder, seconds=_TIMEOUT_SECONDS)
    except GitError:
        return ""
    return printed.decode(errors="surrogateescape")
