"""Documents of the training set: out of pinned source archives, each checked by its SHA-256."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from notes_server import NotesServer
from package_server import PackageIndex, tar_gz, zipped

from corpus.errors import SourceError
from evals.training.fetch import Archive, NotesFile, fetch_source, load_sources
from ingest.sources.connectors import ConnectorSettings
from ingest.sources.connectors.pypi import PypiConnector
from ingest.sources.web import WebSettings

LOG = b"Changelog\r\n=========\r\n"
OLD = b"Older news\n"


def sealed(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


GIZMO = Archive(
    "gizmo", "Gizmo", "2.0", (NotesFile("CHANGES.rst", sealed(LOG)), NotesFile("docs/news/1.0.md", sealed(OLD)))
)


@pytest.fixture
def index() -> Iterator[PackageIndex]:
    """An index with two versions of a package, each with a build script that mustn't run."""
    with NotesServer() as server:
        made = PackageIndex(server)
        for version, log in (("2.0", LOG), ("3.0", b"Newer")):
            top = f"gizmo-{version}"
            files = {f"{top}/CHANGES.rst": log, f"{top}/docs/news/1.0.md": OLD, f"{top}/setup.py": b"raise SystemExit"}
            made.put("gizmo", f"{top}.tar.gz", tar_gz(files))
        made.put("gizmo", "gizmo-4.0-py3-none-any.whl", zipped({"gizmo/CHANGES.rst": LOG}))
        yield made


def archives(index: PackageIndex) -> PypiConnector:
    pip = {"PATH": os.environ["PATH"], "HOME": os.devnull, "PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": index.url}
    return PypiConnector(ConnectorSettings(WebSettings(seconds=20, environment=pip)))


def pinned(version: str, *files: NotesFile) -> Archive:
    return Archive("gizmo", "gizmo", version, files or GIZMO.files)


def test_committed_sources_name_each_file_of_a_project_once() -> None:
    sources = load_sources()
    paths = [f"{source.project}/{file.name}" for source in sources for file in source.files]
    assert len(paths) == len(set(paths))
    assert len({source.project for source in sources}) == len(sources) == 23


@pytest.mark.slow
@pytest.mark.network
def test_a_committed_source_comes_from_the_index_that_pip_is_set_to(tmp_path: Path) -> None:
    source = next(one for one in load_sources() if one.project == "structlog")
    connector = PypiConnector(ConnectorSettings(WebSettings(environment=os.environ)))
    try:
        connector.fetch("pypi:structlog", state="")
    except SourceError as error:
        pytest.skip(f"the index that pip is set to can't be reached: {error}")
    assert fetch_source(source, tmp_path, archives=connector) == ()
