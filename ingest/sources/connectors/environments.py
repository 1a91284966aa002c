"""`env:` and `env:PATH`: what is installed in a Python environment, the running one or another.

Changelogs that a distribution brought along are read from its own files; every other distribution is one of PyPI.
"""

import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.metadata import Distribution, distributions
from pathlib import Path, PurePosixPath

from packaging.utils import canonicalize_name

from corpus.errors import UsageError
from ingest.sources.connectors.archives import Member
from ingest.sources.connectors.changelog_files import as_documents, changelog_link, choose_notes, is_notes_path
from ingest.sources.files import MAX_FILE_BYTES, FetchedDocument

SCHEME = "env:"


@dataclass(frozen=True, slots=True)
class Environment:
    """What is installed there."""

    uri: str
    """With the whole path, by which the index knows it."""
    documents: tuple[FetchedDocument, ...]
    """Changelogs that were installed, cited as `env:folder#name`: where the folder lies is nobody's business."""
    missing: tuple[str, ...]
    """Sources (`pypi:name`) of the distributions that brought none."""


def read_environment(argument: str) -> Environment:
    """Read the environment that `argument` names.

    Raises:
        UsageError: there is none.
    """
    place = argument.removeprefix(SCHEME).strip()
    home = Path(place).expanduser().resolve() if place else None
    uri, shown = (f"{SCHEME}{home}", f"{SCHEME}{home.name}") if home else (SCHEME, SCHEME)
    folders = _site_packages(Path(place).expanduser()) if place else sys.path
    if not folders:
        raise UsageError(
            f"No Python environment at {place!r}: it has no site-packages. Give the folder of one, or env:."
        )
    installed: dict[str, Distribution] = {}
    for distribution in distributions(path=list(map(str, folders))):
        if name := distribution.metadata["Name"] if distribution.metadata else None:
            # The first on the path is the one that is imported.
            installed.setdefault(canonicalize_name(name), distribution)
    documents: list[FetchedDocument] = []
    missing: list[str] = []
    for name, distribution in sorted(installed.items()):
        if notes := choose_notes(list(_installed_notes(distribution))):
            found = as_documents(notes, uri=f"{shown}#{name}", product=name, url=_changelog_url(distribution))
            documents += (replace(one, source=one.source.replace(f"#{name}#", f"#{name}/")) for one in found)
        else:
            missing.append(f"pypi:{name}")
    return Environment(uri, tuple(documents), tuple(missing))


def _site_packages(place: Path) -> list[Path]:
    """The folders of an environment that hold what is installed; `place` is it, its python, or such a folder itself."""
    if place.is_file():
        place = place.parent.parent
    if any(place.glob("*.dist-info")):
        return [place]
    patterns = ("lib/python*/site-packages", "lib64/python*/site-packages", "Lib/site-packages")
    found = {folder.resolve(): folder for pattern in patterns for folder in sorted(place.glob(pattern))}
    return list(found)


def _installed_notes(distribution: Distribution) -> Iterator[Member]:
    """The release notes among a distribution's installed files; none that lies elsewhere than beside it."""
    home = Path(str(distribution.locate_file(""))).resolve()
    for file in distribution.files or ():
        path = PurePosixPath(str(file))
        # Below the package or its metadata: a wheel's own files.
        if not is_notes_path(path.as_posix()):
            continue
        place = Path(str(distribution.locate_file(file)))
        try:
            kind = place.lstat()
            if not stat.S_ISREG(kind.st_mode) or kind.st_size > MAX_FILE_BYTES:
                continue
            if place.resolve().is_relative_to(home):
                yield Member(path.as_posix(), place.read_bytes())
        except OSError:
            continue


def _changelog_url(distribution: Distribution) -> str | None:
    return changelog_link(distribution.metadata.get_all("Project-URL") or [])
