"""`env:` and `env:PATH`: what is installed in a Python environment, with the changelogs that it brought along."""

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
    """Changelogs that were installed, cited as `env:folder#name`: where the folder lies isn't published."""
    missing: tuple[str, ...]
    """Sources (`pypi:name`) of the distributions that brought none."""


def read_environment(argument: str) -> Environment:
    """Read the environment that `argument` names: by its folder, its python, or the folder that its packages lie in.

    Raises:
        UsageError: there is none.
    """
    place = argument.removeprefix(SCHEME).strip()
    uri = shown = SCHEME
    folders = sys.path
    if place:
        given = Path(place).expanduser()
        # A virtual environment's python is a link to another one's.
        home = (given.absolute().parent.parent if given.is_file() else given).resolve()
        uri, shown = f"{SCHEME}{home}", f"{SCHEME}{home.name}"
        patterns = ("lib/python*/site-packages", "lib64/python*/site-packages", "Lib/site-packages")
        folders = list(dict.fromkeys(str(folder.resolve()) for pattern in patterns for folder in home.glob(pattern)))
        if any(home.glob("*.dist-info")):
            folders = [str(home)]
    if not folders:
        raise UsageError(f"No Python environment at {place!r}: it has no site-packages. Give its folder, or env:.")
    installed: dict[str, Distribution] = {}
    for distribution in distributions(path=folders):
        if name := distribution.metadata["Name"] if distribution.metadata else None:
            # The first on the path is the one that is imported.
            installed.setdefault(canonicalize_name(name), distribution)
    documents: list[FetchedDocument] = []
    missing: list[str] = []
    for name, distribution in sorted(installed.items()):
        if notes := choose_notes(list(_installed_notes(distribution))):
            url = changelog_link(distribution.metadata.get_all("Project-URL") or [])
            found = as_documents(notes, uri=f"{shown}#{name}", product=name, url=url)
            documents += (replace(log, source=log.source.replace(f"#{name}#", f"#{name}/")) for log in found)
        else:
            missing.append(f"pypi:{name}")
    return Environment(uri, tuple(documents), tuple(missing))


def _installed_notes(distribution: Distribution) -> Iterator[Member]:
    """The release notes among a distribution's installed files; none that lies elsewhere than beside it."""
    home = Path(str(distribution.locate_file(""))).resolve()
    for file in distribution.files or ():
        path = PurePosixPath(str(file)).as_posix()
        # Below the package or its metadata: a wheel's own files.
        if not is_notes_path(path):
            continue
        place = Path(str(distribution.locate_file(file)))
        try:
            kind = place.lstat()
            is_plain = stat.S_ISREG(kind.st_mode) and kind.st_size <= MAX_FILE_BYTES
            if is_plain and place.resolve().is_relative_to(home):
                yield Member(path, place.read_bytes())
        except OSError:
            continue
