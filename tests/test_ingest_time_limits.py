"""A document that takes too long is ended: a line of the report, whatever it was; the others go on."""

import re
from pathlib import Path

import pytest
from small_corpus import HashedEmbedder

import ingest.encoding
from corpus.index.reader import IndexReader
from ingest.pipeline import IngestReport, build_index

_HANGING = "hang here"


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
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """One in which a step of reading never returns from a pattern over the words `_HANGING`."""
    step = getattr(ingest.encoding, request.param)

    def hang(*arguments: object) -> object:
        if _HANGING in str(arguments):
            re.match(r"(?:a+)+$", "a" * 60 + "b")
        return step(*arguments)

    monkeypatch.setattr(ingest.encoding, request.param, hang)
    monkeypatch.setattr("ingest.time_limits._S", 1.0)
    return Folder(tmp_path)


def test_a_document_that_hangs_among_twenty_is_one_line(folder: Folder) -> None:
    folder.ingest()
    before = folder.text(7)
    for number in range(20):
        folder.write(number, f"Removed lever {number}.")
    folder.write(7, _HANGING)
    report = folder.ingest()
    assert (report.updated, report.unchanged) == (19, 0)
    (failed,) = report.failed
    assert (failed.source, failed.error) == (
        "gizmo07.md",
        "reading took longer than 1 s; what was known of it stays",
    )
    assert (folder.text(7), folder.text(8)) == (before, "# Gizmo08\n\n## 1.8\n\n- Removed lever 8.\n")


def test_it_is_read_again_when_it_has_changed(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write(7, _HANGING)
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
