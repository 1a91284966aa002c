"""What people asked: nothing is kept unasked, and what is kept is for its owner alone."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from forked_relnotes import ForkedRelnotes
from small_corpus import STAMP, HashedEmbedder
from ui_small_index import ingest, write_documents
from warm_server import running_serve

from corpus.index.reader import IndexReader
from ui.settings import load_server_settings


def test_by_default_no_question_is_kept() -> None:
    assert load_server_settings().log_questions is False


@pytest.fixture
def generous() -> Iterator[None]:
    """An umask that leaves everything to everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(*folders: Path) -> list[str]:
    """What in the folders, they themselves included, has a mode beyond 0700; links have none of their own."""
    paths = [path for folder in folders for path in (folder, *folder.rglob("*")) if not path.is_symlink()]
    assert len(paths) > len(folders)
    return [f"{path} {path.stat().st_mode:o}" for path in paths if path.stat().st_mode & 0o077]


@pytest.mark.usefixtures("generous")
@pytest.mark.parametrize("is_there", [False, True], ids=["in a new folder", "in one that others may read"])
def test_an_index_that_a_program_makes_is_for_its_owner_alone(tmp_path: Path, is_there: bool) -> None:
    index = tmp_path / "index"
    if is_there:
        index.mkdir()
    ingest(write_documents(tmp_path / "documents"), index=index, embedder=HashedEmbedder())
    # While it is read, SQLite's files lie beside the database.
    with IndexReader.open(index, model=STAMP):
        modes = {path.name: path.stat().st_mode & 0o077 for path in index.iterdir()}
    assert {"relnotes.sqlite", "relnotes.sqlite-wal", "write.lock"} <= modes.keys()
    # What lies in a folder of 0700 is closed with it.
    assert set(modes.values()) == {0}, modes
    assert is_there or index.stat().st_mode & 0o077 == 0


@pytest.mark.slow
@pytest.mark.usefixtures("generous")
def test_all_that_commands_and_a_server_write_is_for_their_owner_alone(tmp_path: Path) -> None:
    index, cache = tmp_path / "index", tmp_path / "cache"
    cache.mkdir(mode=0o700)
    with ForkedRelnotes(tmp_path) as relnotes:
        assert relnotes.run("ingest", write_documents(tmp_path / "documents"), "--index", index).status == 0
    with running_serve(index, RELNOTES_CACHE_DIR=str(cache)):
        assert open_to_others(index, cache) == []
