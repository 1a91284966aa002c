"""A document that takes too long is ended: a line of the report, whatever it was; the others go on."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from connector_place import ConnectorPlace
from package_server import PackageIndex, tar_gz
from small_corpus import HashedEmbedder

import ingest.encoding
from corpus.children import Worker
from corpus.index.reader import IndexReader
from ingest.pipeline import IngestReport, build_index


class Folder:
    """Twenty documents and an index of them."""

    def __init__(self, root: Path) -> None:
        self.notes, self.index = root / "notes", root / "index"
        self.notes.mkdir()
        for number in range(20):
            self.write(number, f"Added lever {number}.")

    def write(self, number: int, entry: str) -> None:
        (self.notes / f"gizmo{number:02}.md").write_text(f"# Gizmo{number:02}\n\n## 1.{number}\n\n- {entry}\n")

    def ingest(self, *, rebuild: bool = False) -> IngestReport:
        return build_index([str(self.notes)], index=self.index, embedder=HashedEmbedder(), rebuild=rebuild)

    def text(self, number: int) -> str:
        with IndexReader.open(self.index) as reader:
            named = [one.id for one in reader.documents if one.source == f"gizmo{number:02}.md"]
            return "".join(map(reader.document_text, named))


@pytest.fixture(params=["read_structure", "settle_acts"], ids=["in its structure", "in its entries"])
def hanging(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Words over which a step of reading never returns from a pattern."""
    step = getattr(ingest.encoding, request.param)

    def hang(*arguments: object) -> object:
        if "hang here" in str(arguments):
            re.match(r"(?:a+)+$", "a" * 60 + "b")
        return step(*arguments)

    monkeypatch.setattr(ingest.encoding, request.param, hang)
    monkeypatch.setattr(ingest.encoding, "Worker", Worker)
    monkeypatch.setattr("ingest.time_limits._S", 1.0)
    return "hang here"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """One of twenty documents."""
    return Folder(tmp_path)


def test_a_document_that_hangs_among_twenty_is_one_line(folder: Folder, hanging: str) -> None:
    folder.ingest()
    before = folder.text(7)
    for number in range(20):
        folder.write(number, f"Removed lever {number}.")
    folder.write(7, hanging)
    report = folder.ingest()
    assert (report.updated, report.unchanged) == (19, 0)
    (failed,) = report.failed
    assert (failed.source, failed.error) == (
        "gizmo07.md",
        "reading took longer than 1 s; what was known of it stays",
    )
    assert (folder.text(7), folder.text(8)) == (before, "# Gizmo08\n\n## 1.8\n\n- Removed lever 8.\n")


def test_it_is_read_again_when_it_has_changed(folder: Folder, hanging: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write(7, hanging)
    assert folder.ingest().added == 19
    # What isn't read again isn't ended again, however long it may be read.
    monkeypatch.setattr("ingest.time_limits._S", 600.0)
    report = folder.ingest()
    (failed,) = report.failed
    assert (report.unchanged, failed.source) == (19, "gizmo07.md")
    assert failed.error == (
        "wasn't read: it took too long before and hasn't changed; what was known of it stays "
        "(`--rebuild` reads it again)"
    )
    folder.write(7, "Added lever 7.")
    report = folder.ingest()
    assert (report.added, report.failed) == (1, ())


def test_a_limit_grows_with_the_document() -> None:
    assert ingest.encoding.limit_s(b"x" * 1_000_000) == 50


# --- the same of what `sync` fetches


@pytest.fixture
def place(tmp_path: Path) -> Iterator[ConnectorPlace]:
    """One whose `npm` never ends, and whose package index is on a local server."""
    npm = tmp_path / "tools" / "npm"
    npm.parent.mkdir()
    npm.write_text("#!/bin/sh\nwhile :; do :; done\n")
    npm.chmod(0o755)
    with ConnectorPlace(tmp_path) as made:
        made.environment = {
            "PATH": f"{npm.parent}{os.pathsep}{os.environ['PATH']}",
            "PIP_INDEX_URL": made.server.url("/simple"),
            "PIP_CONFIG_FILE": os.devnull,
        }
        yield made


def test_an_archive_whose_notes_hang_is_one_line_and_the_other_packages_are_read(
    place: ConnectorPlace, hanging: str
) -> None:
    index = PackageIndex(place.server)
    for name in ("gizmo", "widget", "gadget"):
        entry = hanging if name == "widget" else "Removed the lever."
        log = f"# Changelog\n\n## 2.0.0\n\n- {entry}\n" + "- And so on.\n" * 200
        index.put(name, f"{name}-2.0.0.tar.gz", tar_gz({f"{name}-2.0.0/CHANGELOG.md": log}))
    report = place.ingest("pypi:gizmo", "pypi:widget", "pypi:gadget")
    (failed,) = report.failed
    assert failed.error == "reading took longer than 1 s; what was known of it stays"
    assert sorted(document.product for document in place.documents()) == ["gadget", "gizmo"]


def test_a_child_that_never_ends_is_one_line_and_the_other_sources_are_read(
    place: ConnectorPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.sources.connectors.registry_clients._SECONDS", 1)
    notes = place.root / "gizmo.md"
    notes.write_text("# Gizmo\n\n## 2.0.0\n\n- Removed the lever.\n")
    report = place.ingest("npm:widget", notes)
    (failed,) = report.failed
    assert (failed.source, failed.error) == ("npm:widget", "npm took longer than 1 s; try again later")
    assert [document.source for document in place.documents()] == ["gizmo.md"]
