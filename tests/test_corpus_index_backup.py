"""A backup is whole, whatever is written while it is made; a plain copy is whole or is known not to be."""

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_corpus import HashedEmbedder
from typer.testing import CliRunner
from ui_small_index import ingest

from corpus.errors import IndexUnavailable, RelnotesError, UsageError
from corpus.index.backup import back_up
from corpus.index.layout import connect, read_manifest
from corpus.index.repair import verify_index
from ui.cli.app import app


def write(folder: Path, state: int) -> Path:
    folder.mkdir(exist_ok=True)
    for number in range(6):
        releases = "".join(f"## 1.{minor}.0 (2024-01-01)\n\n- Lid {minor} turned {state}.\n\n" for minor in range(20))
        (folder / f"p{number}.md").write_text(f"# P{number}\n\n{releases}")
    return folder


def generation(index: Path) -> int:
    connection = connect(index)
    try:
        return read_manifest(connection, index).generation
    finally:
        connection.close()


@pytest.fixture
def index(tmp_path: Path) -> Path:
    ingest(write(tmp_path / "notes", 0), index=tmp_path / "index", embedder=HashedEmbedder())
    return tmp_path / "index"


@pytest.fixture
def changing(index: Path, tmp_path: Path) -> Iterator[Path]:
    """The index while one ingest follows the other, with a reader that keeps its log from being swept."""
    over, states = threading.Event(), iter(range(1, 10_000))
    faults: list[BaseException] = []

    def work() -> None:
        try:
            while not over.is_set():
                ingest(write(tmp_path / "notes", next(states)), index=index, embedder=HashedEmbedder())
        except BaseException as error:
            faults.append(error)

    reader = connect(index)
    thread = threading.Thread(target=work)
    thread.start()
    yield index
    over.set()
    thread.join()
    reader.close()
    assert not faults


@pytest.mark.slow
def test_a_backup_made_during_ingests_is_whole_every_time(changing: Path, tmp_path: Path) -> None:
    states = set()
    for number in range(25):
        copy = tmp_path / f"copy-{number}"
        states.add(back_up(changing, copy).generation)
        assert verify_index(copy) == ()
        shutil.rmtree(copy)
    assert len(states) > 1


def test_a_backup_holds_all_that_people_gave_and_nothing_of_those_at_work(index: Path, tmp_path: Path) -> None:
    (index / "uploads" / "lid").mkdir(parents=True)
    (index / "uploads" / "lid" / "a.md").write_text("# A")
    (index / "uploads" / ".incoming").mkdir()
    (index / "vectors-0000000000000000.faiss").write_text("of another state")
    (index / "slack").mkdir()
    database = sqlite3.connect(index / "slack" / "requests.sqlite", isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("CREATE TABLE requests (id)")
    database.execute("INSERT INTO requests VALUES (7)")
    back_up(index, tmp_path / "copy")
    assert verify_index(tmp_path / "copy") == ()
    assert (tmp_path / "copy").stat().st_mode & 0o077 == 0
    assert (tmp_path / "copy" / "uploads" / "lid" / "a.md").read_text() == "# A"
    copied = sqlite3.connect(tmp_path / "copy" / "slack" / "requests.sqlite")
    assert copied.execute("SELECT id FROM requests").fetchall() == [(7,)]
    names = {path.name for path in (tmp_path / "copy").rglob("*")}
    assert not names & {"write.lock", ".incoming", "relnotes.sqlite-wal", "vectors-0000000000000000.faiss"}
    copied.close()
    database.close()


def test_what_is_restored_is_asked_and_ingested_into_like_the_old_one(index: Path, tmp_path: Path) -> None:
    before = generation(index)
    back_up(index, tmp_path / "copy")
    shutil.rmtree(index)
    shutil.move(tmp_path / "copy", index)
    assert (generation(index), verify_index(index)) == (before, ())
    report = ingest(tmp_path / "notes", index=index, embedder=HashedEmbedder())
    assert (report.unchanged, report.failed) == (6, ())


def test_a_backup_overwrites_nothing_and_leaves_nothing_half(index: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    for wrong in (tmp_path / "there", index / "inside"):
        with pytest.raises(UsageError):
            back_up(index, wrong)
    with pytest.raises(IndexUnavailable):
        back_up(tmp_path / "none", tmp_path / "copy")
    (tmp_path / "file").write_text("")
    with pytest.raises(RelnotesError):
        back_up(index, tmp_path / "file" / "copy")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "index", "notes", "there"]


@pytest.mark.parametrize("is_missing", [True, False], ids=["missing", "damaged"])
def test_a_derived_file_that_is_not_whole_is_not_copied(index: Path, tmp_path: Path, is_missing: bool) -> None:
    vectors = next(index.glob("vectors-*"))
    if is_missing:
        vectors.unlink()
    else:
        vectors.write_bytes(vectors.read_bytes()[::-1])
    back_up(index, tmp_path / "copy")
    assert not [*(tmp_path / "copy").glob("vectors-*")]
    ingest(tmp_path / "notes", index=tmp_path / "copy", embedder=HashedEmbedder())
    assert verify_index(tmp_path / "copy") == ()


def test_the_command_says_what_it_copied(index: Path, tmp_path: Path) -> None:
    said = CliRunner().invoke(app, ["backup", str(tmp_path / "copy"), "--index", str(index)])
    assert said.exit_code == 0, said.output
    assert said.output.startswith("6 documents, ")
