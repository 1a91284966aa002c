"""A backup is whole, whatever is written while it is made."""

import shutil
import sqlite3
import threading
from pathlib import Path

import pytest
from small_corpus import commit, parsed, read_everything
from typer.testing import CliRunner

from corpus.errors import UsageError
from corpus.index.backup import back_up
from corpus.index.layout import write_lock
from corpus.index.repair import verify_index
from ui.cli.app import app


@pytest.fixture
def index(tmp_path: Path) -> Path:
    with write_lock(tmp_path / "index"):
        commit(tmp_path / "index", *(parsed(f"Lid {one} turned.", source=f"{one}.md") for one in range(6)))
    return tmp_path / "index"


@pytest.mark.slow
def test_a_backup_made_during_commits_is_whole_every_time(index: Path, tmp_path: Path) -> None:
    over = threading.Event()

    def work() -> None:
        for state in range(10_000):
            if over.is_set():
                return
            commit(index, *(parsed(f"Lid {one}, state {state}.", source=f"{one}.md") for one in range(6)), fresh=True)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for number in range(10):
            back_up(index, tmp_path / f"{number}")
            assert verify_index(tmp_path / f"{number}") == ()
            assert len({text.partition(",")[2] for text in read_everything(tmp_path / f"{number}")}) == 1
    finally:
        over.set()
        thread.join()


def test_a_backup_holds_all_that_people_gave_and_is_asked_in_the_place_of_the_old(index: Path, tmp_path: Path) -> None:
    (index / "uploads" / ".incoming").mkdir(parents=True)
    (index / "uploads" / "a.md").write_text("# A")
    next(index.glob("vectors-*")).write_bytes(b"damaged")
    (index / "slack").mkdir()
    database = sqlite3.connect(index / "slack" / "requests.sqlite", isolation_level=None)
    database.executescript("PRAGMA journal_mode = WAL; CREATE TABLE requests (id); INSERT INTO requests VALUES (7)")
    said = CliRunner().invoke(app, ["backup", str(tmp_path / "copy"), "--index", str(index)])
    assert (said.exit_code, said.output[:13]) == (0, "6 documents, ")
    database.close()
    shutil.rmtree(index)
    shutil.move(tmp_path / "copy", index)
    assert (len(read_everything(index)), verify_index(index)) == (6, ())
    assert index.stat().st_mode & 0o077 == 0
    assert [path.name for path in (index / "uploads").iterdir()] == ["a.md"]
    assert sqlite3.connect(index / "slack" / "requests.sqlite").execute("SELECT * FROM requests").fetchall() == [(7,)]


def test_an_index_is_not_backed_up_into_itself(index: Path) -> None:
    with pytest.raises(UsageError, match="inside the index"):
        back_up(index, index / "copy")
