"""How a database is opened, the write lock, and what the errors of the disk are told as."""

import os
import sqlite3
from pathlib import Path

import pytest

from corpus.errors import IndexBusy, IndexUnavailable
from corpus.index.layout import SCHEMA, connect, write_lock


@pytest.fixture
def database(tmp_path: Path) -> sqlite3.Connection:
    connection = connect(tmp_path, create=True)
    connection.executescript(SCHEMA)
    return connection


def test_second_writer_is_told_to_wait(tmp_path: Path) -> None:
    with write_lock(tmp_path):
        with pytest.raises(IndexBusy, match="Wait until it is done") as caught:
            write_lock(tmp_path)
        assert "\n" not in str(caught.value)
    with write_lock(tmp_path):
        pass


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        pytest.param("synchronous", 2, id="what is committed is on the disk"),
        pytest.param("trusted_schema", 0, id="no function runs that a schema asks for"),
    ],
)
def test_an_index_is_opened_with(tmp_path: Path, database: sqlite3.Connection, pragma: str, value: int) -> None:
    for connection in (database, connect(tmp_path)):
        assert connection.execute(f"PRAGMA {pragma}").fetchone() == (value,)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_folder_without_permission_is_refused_in_one_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(IndexUnavailable, match="permissions"):
        write_lock(tmp_path)
    with pytest.raises(IndexUnavailable, match="permissions"):
        connect(tmp_path, create=True)
