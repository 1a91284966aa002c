"""The manifest, the write lock, and what the errors of the disk are told as."""

import os
import re
import sqlite3
from pathlib import Path

import pytest

from corpus.errors import IndexBusy, IndexCorrupt, IndexMismatch, IndexUnavailable
from corpus.index.faults import unavailable
from corpus.index.layout import FORMAT_VERSION, SCHEMA, connect, read_manifest, write_lock, write_manifest
from corpus.manifest import Manifest

MANIFEST = Manifest(
    format_version=FORMAT_VERSION,
    model_id="model",
    model_digest="d" * 64,
    dimensions=384,
    generation=7,
    documents=2,
    passages=30,
    items=400,
    vectors_file="v.faiss",
    vectors_sha256="a" * 64,
    vectors_method="flat, float32",
    vectors_recall=0.9931,
    lexical_folder="lexical",
    lexical_sha256="b" * 64,
    columns_folder="columns",
    columns_sha256="c" * 64,
    store="milvus://localhost:19530",
    store_generation="relnotes_0123456789ab_g7_01234567",
    created="2025",
    updated="2026",
)


@pytest.fixture
def database(tmp_path: Path) -> sqlite3.Connection:
    connection = connect(tmp_path, create=True)
    connection.executescript(SCHEMA)
    return connection


def test_a_manifest_that_was_altered_is_refused(tmp_path: Path, database: sqlite3.Connection) -> None:
    for sql in ("DELETE FROM manifest WHERE key = 'dimensions'", "UPDATE manifest SET value = '1' WHERE key = 'items'"):
        write_manifest(database, MANIFEST)
        database.execute(sql)
        with pytest.raises(IndexCorrupt, match="its manifest isn't what was stored"):
            read_manifest(database, tmp_path)


@pytest.mark.parametrize(
    ("found", "advice"),
    [
        *(
            (
                later,
                "A newer relnotes made it: install that one again, or rebuild it with `relnotes ingest",
            )
            for later in ("10", "9" * 5_000)
        ),
        *((earlier, "Rebuild it with `relnotes ingest --rebuild SOURCE") for earlier in "1234567"),
        ("0", "Rebuild it with `relnotes ingest --rebuild SOURCE"),
        ("none", "Rebuild it with `relnotes ingest --rebuild SOURCE"),
    ],
)
def test_format_is_judged_before_the_rest_of_the_manifest(
    tmp_path: Path, database: sqlite3.Connection, found: str, advice: str
) -> None:
    database.execute("INSERT INTO manifest VALUES ('format_version', ?)", (found,))
    with pytest.raises(
        IndexMismatch, match=re.escape(f"it has format {found[:40]}, this relnotes reads {FORMAT_VERSION}. {advice}")
    ):
        read_manifest(database, tmp_path)


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


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (sqlite3.SQLITE_CORRUPT, IndexCorrupt),
        (sqlite3.SQLITE_NOTADB, IndexCorrupt),
        (sqlite3.SQLITE_ERROR, IndexCorrupt),
        (sqlite3.SQLITE_BUSY, IndexBusy),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, IndexBusy),
        (sqlite3.SQLITE_FULL, IndexUnavailable),
        (sqlite3.SQLITE_IOERR_WRITE, IndexUnavailable),
        (sqlite3.SQLITE_READONLY, IndexUnavailable),
    ],
)
def test_only_damage_is_called_damage(code: int, error: type[IndexUnavailable]) -> None:
    refusal = sqlite3.OperationalError("the reason")
    refusal.sqlite_errorcode = code
    told = unavailable(Path("x"), refusal)
    assert type(told) is error
    assert "\n" not in str(told)
