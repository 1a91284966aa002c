"""Where files of a git work tree stand on their host for good: pinned to the commit that holds the very same bytes.

Asks git about local objects only; nothing is fetched, and a repository that git mistrusts has no addresses.
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from corpus.git import GitError, run_git, without_gits_own
from corpus.repository_links import file_of_remote

_TIMEOUT_SECONDS = 20


@dataclass(frozen=True, slots=True)
class _WorkTree:
    """One checkout: its published commit, and the digest of each file there."""

    root: Path
    remote: str
    commit: str
    digests: dict[str, str]
    """Path relative to `root`, with forward slashes, to git's object name."""


class WorkTrees:
    """The checkouts that ingested files lie in; each is asked once."""

    def __init__(self) -> None:
        self._known: dict[Path, _WorkTree | None] = {}

    def permalink(self, file: Path, content: bytes) -> str | None:
        """The lasting address of a file whose bytes are `content`.

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
        if tree.digests.get(path) != _object_name(content, like=tree.commit):
            return None
        place = file_of_remote(tree.remote, commit=tree.commit, path=path)
        return place.permalink() if place else None

    def _open(self, folder: Path) -> _WorkTree | None:
        found = _git(folder, "rev-parse", "--show-toplevel", "HEAD")
        if found is None:
            return None
        top, _, commit = found.strip().partition("\n")
        root = Path(top).resolve()
        shared = next((tree for tree in self._known.values() if tree and tree.root == root), None)
        if shared is not None or not folder.is_relative_to(root):
            return shared
        remote = _git(folder, "config", "--get", "remote.origin.url")
        published = _git(folder, "for-each-ref", "--contains", commit, "--count=1", "refs/remotes")
        listed = _git(root, "ls-tree", "-r", "-z", commit)
        if not remote or not published or listed is None:
            return None
        return _WorkTree(root, remote, commit, dict(_entries(listed)))


def _entries(listed: str) -> list[tuple[str, str]]:
    """Path and object name of each file of `git ls-tree -r -z`."""
    heads = (entry.partition("\t") for entry in listed.split("\0") if entry)
    return [(path, head.split(" ")[2]) for head, _, path in heads]


def _object_name(content: bytes, *, like: str) -> str:
    """Git's name of a file's content, in the hash that the repository's commits are named by.

    Source: Pro Git, chapter 10.2, "Git Objects".
    """
    header = b"blob %d\0" % len(content)
    if len(like) == hashlib.sha256().digest_size * 2:
        return hashlib.sha256(header + content).hexdigest()
    return hashlib.sha1(header + content, usedforsecurity=False).hexdigest()


def _git(folder: Path, *arguments: str) -> str | None:
    """What git prints; None where it isn't installed, fails or takes too long."""
    try:
        printed = run_git(arguments, folder, environment=without_gits_own(os.environ), seconds=_TIMEOUT_SECONDS)
    except GitError:
        return None
    return printed.decode(errors="surrogateescape")
