"""Documents of the training set: out of pinned source archives, each checked by its SHA-256."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from notes_server import NotesServer
from package_server import PackageIndex, tar_gz, zipped

from corpus.errors import SourceError, UsageError
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


@pytest.mark.slow
def test_files_of_the_pinned_version_come_byte_for_byte(index: PackageIndex, tmp_path: Path) -> None:
    assert fetch_source(GIZMO, tmp_path, archives=archives(index)) == ()
    assert {path.name: path.read_bytes() for path in (tmp_path / "gizmo").iterdir()} == {
        "CHANGES.rst": LOG,
        "1.0.md": OLD,
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "failure"),
    [
        (pinned("9.9"), "gizmo: gizmo 9.9: the index that pip is set to has no source archive of gizmo 9.9"),
        (pinned("4.0"), "gizmo: gizmo 4.0: the index that pip is set to has no source archive of gizmo 4.0"),
        (pinned("2.0", NotesFile("NEWS", sealed(LOG))), "gizmo: gizmo 2.0: NEWS: isn't in the source archive"),
        (pinned("3.0", NotesFile("CHANGES.rst", sealed(LOG))),
         "gizmo: gizmo 3.0: CHANGES.rst: has another SHA-256 than sources.toml states"),
    ],
    ids=["no such version", "a wheel only", "no such file", "another file"],
)  # fmt: skip
def test_what_fails_is_one_line_and_writes_nothing(
    source: Archive, failure: str, index: PackageIndex, tmp_path: Path
) -> None:
    assert fetch_source(source, tmp_path, archives=archives(index)) == (failure,)
    assert list(tmp_path.iterdir()) == []


def test_committed_sources_name_each_file_of_a_project_once() -> None:
    sources = load_sources()
    paths = [f"{source.project}/{file.name}" for source in sources for file in source.files]
    assert len(paths) == len(set(paths))
    assert len({source.project for source in sources}) == len(sources) == 23


@pytest.mark.parametrize(
    "written",
    [
        '[[source]]\nproject = "a"\n',
        '[[source]]\nproject = "a"\npackage = "a"\nversion = "1"\nfiles = [{ member = "../x", sha256 = "0" }]\n',
        "[[source]",
    ],
    ids=["keys lack", "no hash", "not TOML"],
)
def test_malformed_sources_are_wrong_usage(written: str, tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text(written)
    with pytest.raises(UsageError, match=r"sources\.toml"):
        load_sources(tmp_path / "sources.toml")


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
