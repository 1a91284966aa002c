"""The story of ingest: what is added, what is left alone, what is removed, and what a failure costs."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from small_corpus import HashedEmbedder
from ui_small_index import Silence

import ingest.encoding
import ingest.pipeline
from corpus.index.reader import IndexReader
from corpus.index.repair import verify_index
from corpus.index.stored import DocumentSummary
from ingest.passages.splitting import embedded_text
from ingest.pipeline import IngestReport, build_index


class Workplace:
    """A folder of notes, an index beside it, and one embedder."""

    def __init__(self, root: Path) -> None:
        self.notes = root / "notes"
        self.index = root / "index"
        self.embedder = HashedEmbedder()
        self.write("alpha/1.0.md", "# Alpha 1.0\n\nAdded support for widgets that turn.\n")
        self.write("beta/2.0.md", "# Beta 2.0\n\n- Removed the old gadget.\n- Fixed the lever.\n")
        self.write("plain.txt", "Gamma 3.1 is out. It makes sprockets faster.\n")

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.notes / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def ingest(self, *arguments: Path | str, rebuild: bool = False) -> IngestReport:
        self.embedder.embedded.clear()
        return build_index(
            [str(argument) for argument in arguments or (self.notes,)],
            index=self.index,
            embedder=self.embedder,
            rebuild=rebuild,
            progress=Silence(),
        )

    def documents(self) -> dict[str, DocumentSummary]:
        with IndexReader.open(self.index) as reader:
            return {one.source: one for one in reader.documents}

    def text(self, source: str) -> str:
        with IndexReader.open(self.index) as reader:
            return next(reader.document_text(one.id) for one in reader.documents if one.source == source)


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    return Workplace(tmp_path)


def counts(report: IngestReport) -> tuple[int, int, int, int]:
    return report.added, report.updated, report.unchanged, report.removed


def test_first_ingest_adds_everything(place: Workplace) -> None:
    report = place.ingest()
    assert counts(report) == (3, 0, 0, 0)
    assert report.succeeded
    assert (report.skipped, report.failed) == ((), ())
    assert sorted(place.documents()) == ["alpha/1.0.md", "beta/2.0.md", "plain.txt"]
    assert report.passages == sum(one.passages for one in place.documents().values()) > 0
    assert place.documents()["alpha/1.0.md"].version == "1.0"
    assert verify_index(place.index) == ()


@pytest.mark.parametrize("batch", [1, 2, 4096])
def test_each_vector_is_its_items_however_many_texts_are_embedded_at_once(
    place: Workplace, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(ingest.encoding, "_EMBED_BATCH", batch)
    place.ingest()
    with IndexReader.open(place.index) as reader:
        texts = [
            embedded_text(reader.document_text(passage.document.id), item)
            for passage in reader.load_passages(range(len(reader.passages.ids)))
            for item in passage.items
        ]
        stored = reader.store.vectors.searched.reconstruct_n(0, len(texts))
    assert len(set(texts)) == len(texts) > 3
    np.testing.assert_array_equal(stored, HashedEmbedder().embed(texts))


def test_second_ingest_embeds_and_parses_nothing(place: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    first = place.ingest()
    # The tables learn when the folder was last found unchanged; nothing derived from them is written anew.
    aside = ("write.lock", "relnotes.sqlite")
    before = {path.name: path.stat().st_mtime_ns for path in place.index.iterdir() if path.name not in aside}

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("parsed again")

    monkeypatch.setattr(ingest.encoding, "parse_blocks", refuse)
    report = place.ingest()
    assert counts(report) == (0, 0, 3, 0)
    assert report.failed == ()
    assert report.passages == first.passages
    assert place.embedder.embedded == []
    assert {path.name: path.stat().st_mtime_ns for path in place.index.iterdir() if path.name not in aside} == before
    with IndexReader.open(place.index) as reader:
        assert reader.manifest.generation == 1


def test_only_what_changed_is_embedded(place: Workplace) -> None:
    place.ingest()
    place.write("beta/2.0.md", "# Beta 2.0\n\n- Removed the spring.\n")
    place.write("new.md", "# Delta 4.0\n\nAdded a crank.\n")
    (place.notes / "plain.txt").unlink()
    report = place.ingest()
    assert counts(report) == (1, 1, 1, 1)
    assert not any("widget" in text for text in place.embedder.embedded)
    assert any("spring" in text for text in place.embedder.embedded)
    assert place.text("beta/2.0.md").endswith("spring.\n")
    assert sorted(place.documents()) == ["alpha/1.0.md", "beta/2.0.md", "new.md"]
    with IndexReader.open(place.index) as reader:
        assert reader.lexical.document_frequency("gadget") == reader.lexical.document_frequency("sprocket") == 0
    assert verify_index(place.index) == ()


def test_document_that_fails_now_keeps_its_old_state(place: Workplace) -> None:
    place.ingest()
    old = place.text("alpha/1.0.md")
    place.write("alpha/1.0.md", b"\x00\x01\x02\xff" * 500)
    place.write("beta/2.0.md", "# Beta 2.0\n\nNothing left.\n")
    report = place.ingest()
    assert counts(report) == (0, 1, 1, 0)
    assert [one.source for one in report.failed] == ["alpha/1.0.md"]
    assert place.text("alpha/1.0.md") == old
    assert verify_index(place.index) == ()


def make_unreadable(path: Path) -> None:
    path.write_text("# Notes 1.0\n\nWords.\n")
    path.chmod(0)


BAD_FILES: list[tuple[str, Callable[[Path], object]]] = [
    ("binary", lambda path: path.write_bytes(bytes(range(256)) * 40)),
    ("empty", lambda path: path.touch()),
    ("link out of the folder", lambda path: path.symlink_to(Path(__file__))),
    pytest.param(
        "no permission", make_unreadable, marks=pytest.mark.skipif(os.geteuid() == 0, reason="root reads all")
    ),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("name", "make"), BAD_FILES)
def test_bad_file_is_reported_and_stops_no_other(place: Workplace, name: str, make: Callable[[Path], object]) -> None:
    make(place.notes / "bad.md")
    report = place.ingest()
    assert counts(report) == (3, 0, 0, 0)
    (failure,) = report.failed
    assert failure.source == "bad.md"
    assert 10 < len(failure.error) < 300
    assert "\n" not in failure.error
    assert "bad.md" not in place.documents()


def test_two_roots_with_one_relative_path_are_two_documents(place: Workplace, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "alpha").mkdir(parents=True)
    (other / "alpha" / "1.0.md").write_text("# Alpha 1.0\n\nAnother telling of it.\n")
    assert counts(place.ingest(place.notes, other)) == (4, 0, 0, 0)
    with IndexReader.open(place.index) as reader:
        assert [one.source for one in reader.documents].count("alpha/1.0.md") == 2
    (other / "alpha" / "1.0.md").unlink()
    (other / "2.0.md").write_text("# Alpha 2.0\n\nMore.\n")
    assert counts(place.ingest(other)) == (1, 0, 0, 1)
    assert sorted(place.documents()) == ["2.0.md", "alpha/1.0.md", "beta/2.0.md", "plain.txt"]
    assert counts(place.ingest()) == (0, 0, 3, 0)
    # A single file is a root that removes nothing.
    (tmp_path / "single.md").write_text("# Single 1.0\n\nOne file.\n")
    assert counts(place.ingest(tmp_path / "single.md")) == (1, 0, 0, 0)
    assert counts(place.ingest(tmp_path / "single.md")) == (0, 0, 1, 0)
    assert len(place.documents()) == 5


def test_damaged_vectors_are_made_anew_by_the_next_ingest(place: Workplace) -> None:
    place.ingest()
    (path,) = place.index.glob("*.faiss")
    path.write_bytes(b"nothing of an index " * 100)
    assert counts(place.ingest()) == (0, 0, 3, 0)
    assert place.embedder.embedded == []
    assert verify_index(place.index) == ()


@pytest.mark.parametrize("damaged", [False, True], ids=["sound", "damaged vectors"])
def test_rebuild_that_would_lose_a_document_is_not_committed(place: Workplace, damaged: bool) -> None:
    passages = place.ingest().passages
    old = place.text("alpha/1.0.md")
    for path in place.index.glob("*.faiss") if damaged else ():
        path.write_bytes(b"nothing")
    place.write("alpha/1.0.md", b"\x00\x01\x02\xff" * 500)
    place.write("beta/2.0.md", "# Beta 2.0\n\nNothing left.\n")
    report = place.ingest(rebuild=True)
    assert (counts(report), report.succeeded, report.passages) == ((0, 0, 0, 0), False, passages)
    (failure,) = report.failed
    assert failure.source == "alpha/1.0.md"
    assert "not rebuilt, for the index holds it" in failure.error
    assert "relnotes docs remove" in failure.error
    (place.notes / "alpha/1.0.md").unlink()
    if not damaged:
        assert place.text("alpha/1.0.md") == old
    # Nor does a failure that loses nothing keep it from being rebuilt.
    place.write("bad.md", "")
    report = place.ingest(rebuild=True)
    assert counts(report) == (2, 0, 0, 0)
    assert [(one.source, "not rebuilt" in one.error) for one in report.failed] == [("bad.md", False)]


def test_nothing_readable_makes_no_index_and_a_rebuild_of_it_keeps_the_old_one(
    place: Workplace, tmp_path: Path
) -> None:
    (tmp_path / "empty.md").touch()
    (tmp_path / "empty").mkdir()
    report = place.ingest(tmp_path / "empty.md", tmp_path / "empty")
    assert (report.succeeded, report.passages) == (False, 0)
    assert [path.name for path in place.index.iterdir()] in ([], ["write.lock"])
    assert {one.source for one in report.failed} == {"empty.md", str(tmp_path / "empty")}
    assert any("holds no document; give a folder with release notes" in one.error for one in report.failed)
    passages = place.ingest().passages
    report = place.ingest(tmp_path / "empty.md", rebuild=True)
    assert not report.succeeded
    assert report.passages == passages
    assert len(place.documents()) == 3


@pytest.mark.parametrize("rebuild", [False, True], ids=["ingest", "rebuild"])
@pytest.mark.parametrize("left", [(), ("data.csv", "sources.toml")], ids=["nothing left", "no document left"])
def test_folder_emptied_of_documents_loses_none(place: Workplace, left: tuple[str, ...], rebuild: bool) -> None:
    other = place.write("../other/a.md", "# Other 1.0\n\nWords.\n")
    passages = place.ingest().passages
    for name in place.documents():
        (place.notes / name).unlink()
    for name in left:
        place.write(name, "")
    report = place.ingest(place.notes, rebuild=rebuild)
    assert (counts(report), report.passages) == ((0, 0, 0, 0), passages)
    assert not report.succeeded
    (failure,) = report.failed
    assert failure.source == str(place.notes)
    assert "holds no document; nothing was removed (use `relnotes docs remove`" in failure.error
    assert len(place.documents()) == 3
    # Nor does one of which nothing can be listed.
    link = place.notes / "plain.txt"
    link.symlink_to(place.write("../elsewhere.txt", "Gamma 3.1 is out."))
    assert counts(place.ingest(rebuild=rebuild)) == (0, 0, 0, 0)
    assert len(place.documents()) == 3
    link.unlink()
    assert counts(place.ingest(place.notes, other)) == (1, 0, 0, 0)
    place.write("plain.txt", "Gamma 3.1 is out. It makes sprockets faster.\n")
    assert counts(place.ingest()) == (0, 0, 1, 2)


def test_folder_inside_that_cannot_be_listed_loses_nothing(place: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    place.ingest()
    real = os.scandir

    def refuse(path: str | Path) -> object:
        if Path(path).name == "alpha":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    report = place.ingest()
    assert counts(report) == (0, 0, 2, 0)
    assert [(one.source, one.error) for one in report.failed] == [("alpha", "can't be read (Permission denied)")]
    assert len(place.documents()) == 3


def test_nothing_is_written_outside_the_index(
    place: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    for name in ("home", "tmp", "cwd"):
        (elsewhere / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(elsewhere / "home"))
    monkeypatch.setenv("TMPDIR", str(elsewhere / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.chdir(elsewhere / "cwd")

    def state() -> dict[str, tuple[int, int]]:
        outside = (path for path in tmp_path.rglob("*") if place.index not in (path, *path.parents))
        return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in outside if path != tmp_path}

    before = state()
    place.ingest()
    place.ingest(rebuild=True)
    assert state() == before
