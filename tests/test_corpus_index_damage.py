"""What damage and an unwilling disk leave usable: tables without derived files, reading without writing."""

import hashlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from small_corpus import STAMP, commit, parsed, read_everything, tamper

from corpus.errors import IndexCorrupt, IndexUnavailable
from corpus.file_digests import MEMORY_NAME, remember_sha256
from corpus.index.commit import remove_documents
from corpus.index.layout import DATABASE_NAME, connect, newest_manifest, write_lock
from corpus.index.reader import IndexReader
from corpus.index.repair import restore_derived, verify_index
from corpus.index.tables import TableReader

REPOSITORY = Path(__file__).parents[1]


@pytest.fixture
def index(tmp_path: Path) -> Path:
    path = tmp_path / "index"
    commit(path, parsed("Old words here.\n\nMore of them.", source="a.md"), parsed("Another page.", source="b.md"))
    return path


# --- stored values


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE documents SET authority = 'boss'", "'boss' is not a valid Authority"),
        ("UPDATE documents SET aliases = '[1]'", "list of strings, got '[1]'"),
        ("UPDATE documents SET aliases = '[1, \"' || hex(zeroblob(9999)) || '\"]'", "list of strings, got "),
        ("UPDATE documents SET date = 'soon'", "'soon'"),
        ("UPDATE releases SET version = ''", "version"),
        ("UPDATE releases SET date = '2024-02-30'", "day is out of range"),
        ("UPDATE passages SET kind = 'gossip'", "'gossip' is not a valid Kind"),
        ("UPDATE passages SET items = '[[1]]'", "TypeError: Item.of_stored() missing"),
        ("UPDATE passages SET items = '[[0,16,0,\"gossip\",0.5,0.1,0.1]]'", "'gossip' is not a valid Act"),
        ("UPDATE passages SET document_id = 77", "KeyError: 77"),
    ],
    ids=lambda value: value.partition(" SET ")[2],
)
def test_value_that_was_never_stored_is_damage_in_one_line(index: Path, sql: str, words: str) -> None:
    tamper(index, sql)
    with pytest.raises(IndexCorrupt) as caught:
        read_everything(index)
    message = str(caught.value)
    assert words in message
    assert "\n" not in message
    assert len(message) < 1000
    assert message.endswith("rebuild it with `relnotes ingest --rebuild SOURCE...`.")


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("UPDATE passages SET start = 'first'", id="words for a number"),
        pytest.param("UPDATE documents SET text = x'00ff'", id="bytes for a text"),
        pytest.param("UPDATE passages SET vectors = 'none'", id="text for bytes"),
    ],
)
def test_tables_take_no_value_of_another_type(index: Path, sql: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="cannot store"):
        tamper(index, sql)


def test_changed_text_is_never_shown(index: Path) -> None:
    tamper(index, "UPDATE documents SET text = replace(text, 'Old', 'New') WHERE source = 'a.md'")
    with TableReader.open(index) as reader:
        changed, whole = (document.id for document in reader.documents)
        with pytest.raises(IndexCorrupt, match=f"text of document {changed} doesn't match its checksum"):
            reader.document_text(changed)
        assert reader.document_text(whole) == "Another page."


@pytest.mark.parametrize("generation", ["many", "-1", ""])
def test_rebuild_takes_no_notice_of_a_garbled_manifest(index: Path, generation: str) -> None:
    tamper(index, f"UPDATE manifest SET value = '{generation}' WHERE key = 'generation'")
    assert commit(index, parsed("Words."), fresh=True).generation == 1


# --- tables that somebody else made

VIEW = "CREATE VIEW {0} AS SELECT 'format_version' AS key, '6' AS value"
FOREIGN_TABLES = [
    pytest.param(f"DROP TABLE manifest; {VIEW.format('manifest')}", id="a view for the manifest"),
    pytest.param(f"DROP TABLE sources; {VIEW.format('sources')}", id="a view for a table"),
    pytest.param(f"DROP INDEX releases_by_document; {VIEW.format('releases_by_document')}", id="a view for an index"),
    pytest.param("CREATE TABLE more (words TEXT)", id="a table more"),
    pytest.param("CREATE TRIGGER more AFTER DELETE ON documents BEGIN SELECT 1; END", id="a trigger"),
    pytest.param("ALTER TABLE passages ADD COLUMN more TEXT AS (hex(tokens))", id="a column that is worked out"),
]


@pytest.mark.parametrize("sql", FOREIGN_TABLES)
def test_tables_that_somebody_else_made_are_refused_unread(index: Path, sql: str) -> None:
    """One that is a view may never end."""
    connection = sqlite3.connect(index / DATABASE_NAME)
    connection.executescript(sql)
    connection.close()
    for use in (connect, newest_manifest, TableReader.open, IndexReader.open):
        with pytest.raises(IndexCorrupt, match=r"tables aren't as relnotes makes them.*rebuild it with `relnotes"):
            use(index)
    commit(index, parsed("New words."), fresh=True)
    assert read_everything(index) == ["New words."]
    assert verify_index(index) == ()


def test_tables_that_somebody_else_made_are_refused_unread_where_nothing_can_be_written(index: Path) -> None:
    connection = sqlite3.connect(index / DATABASE_NAME)
    connection.execute("CREATE TABLE more (words TEXT)")
    connection.close()
    forbid_shared_memory(index)
    with pytest.raises(IndexCorrupt, match="tables aren't as relnotes makes them"):
        connect(index)


# --- derived files


def cut_file(index: Path, pattern: str) -> None:
    (path,) = index.glob(pattern)
    path.write_bytes(path.read_bytes()[:-9])


def remove_file(index: Path, pattern: str) -> None:
    (path,) = index.glob(pattern)
    path.unlink()


def forget_a_vector(index: Path) -> None:
    tamper(index, "UPDATE manifest SET value = '2' WHERE key = 'items'")


DERIVED_DAMAGE = [
    pytest.param(lambda index: remove_file(index, "*.faiss"), id="vectors gone"),
    pytest.param(lambda index: cut_file(index, "lexical-*/terms.npy"), id="lexical cut"),
    pytest.param(forget_a_vector, id="another count"),
]


@pytest.mark.parametrize("damage", DERIVED_DAMAGE)
def test_damaged_derived_files_leave_the_tables_readable_and_are_restored_from_them(
    index: Path, damage: Callable[[Path], None]
) -> None:
    before = read_everything(index)
    damage(index)
    with TableReader.open(index, model=STAMP) as reader:
        assert [document.source for document in reader.documents] == ["a.md", "b.md"]
        assert reader.document_text(reader.documents[1].id) == "Another page."
        assert [product.name for product in reader.products] == ["demo"]
    with pytest.raises(IndexCorrupt, match=r"Run `relnotes ingest SOURCE` with any") as caught:
        IndexReader.open(index)
    assert "\n" not in str(caught.value)
    with write_lock(index):
        assert restore_derived(index)
    assert read_everything(index) == before
    assert verify_index(index) == ()
    with write_lock(index):
        assert not restore_derived(index)


@pytest.mark.parametrize("damage", DERIVED_DAMAGE)
def test_any_change_restores_derived_files(index: Path, damage: Callable[[Path], None]) -> None:
    damage(index)
    assert remove_documents(index, product="demo") == 2
    commit(index, parsed("New page.", source="c.md"))
    assert read_everything(index) == ["New page."]
    assert verify_index(index) == ()


def test_nothing_is_restored_where_there_is_no_index(tmp_path: Path) -> None:
    assert not restore_derived(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_damaged_tables_are_not_restored(index: Path) -> None:
    (index / DATABASE_NAME).write_bytes(b"text " * 999)
    with pytest.raises(IndexCorrupt, match="not a database"):
        restore_derived(index)


@pytest.mark.parametrize("column", ["tokens", "vectors"])
def test_nothing_is_derived_from_damaged_rows(index: Path, column: str) -> None:
    tamper(index, f"UPDATE passages SET {column} = (SELECT {column} FROM passages ORDER BY id DESC) WHERE id = 1")
    with IndexReader.open(index, model=STAMP) as reader:
        before = reader.manifest
    with pytest.raises(IndexCorrupt, match=f"{column} aren't what was stored"):
        commit(index, parsed("New words.", source="c.md"))
    with IndexReader.open(index, model=STAMP) as reader:
        assert reader.manifest == before


@pytest.mark.parametrize("table", ["document_checksums", "passage_checksums"])
def test_a_row_without_its_checksum_is_damage(index: Path, table: str) -> None:
    tamper(index, f"DELETE FROM {table} WHERE {table.removesuffix('_checksums')}_id = 1")
    with pytest.raises(IndexCorrupt, match="isn't what was stored"):
        read_everything(index)


def test_a_layout_that_is_no_text_any_more_is_damage_in_one_line(index: Path) -> None:
    """SQLite quotes it in its message, which Python can't read then."""
    content = (index / DATABASE_NAME).read_bytes()
    at = content.index(b"document_id INTEGER NOT NULL REFERENCES")
    (index / DATABASE_NAME).write_bytes(content[:at] + b"\xea\x28" + content[at + 2 :])
    with pytest.raises(IndexCorrupt, match=r"is damaged: .*--rebuild") as caught:
        IndexReader.open(index)
    assert "\n" not in str(caught.value)


def test_a_garbled_header_of_a_column_is_found_where_its_times_show_nothing(index: Path) -> None:
    (path,) = index.glob("columns-*/kind_codes.npy")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    content = path.read_bytes()
    for letter in (b"(", b"'", b"\\", b"\x00", b"\xff"):
        path.write_bytes(content[:123] + letter + content[124:])
        remember_sha256(path, digest, memory=index / MEMORY_NAME)
        with pytest.raises(IndexCorrupt, match="relnotes ingest SOURCE"):
            IndexReader.open(index)


# --- a disk that takes nothing


def forbid_shared_memory(index: Path) -> None:
    """What a read-only folder does to SQLite, for root too: the file beside the database can't be made."""
    (index / f"{DATABASE_NAME}-shm").symlink_to(index / "nowhere" / "file")


def test_index_that_cannot_be_written_beside_is_read_and_not_written(index: Path) -> None:
    forbid_shared_memory(index)
    assert read_everything(index) == ["Old words here.\n\nMore of them.", "Another page."]
    assert verify_index(index) == ()
    with pytest.raises(IndexUnavailable, match=r"Cannot use index.*free space"):
        remove_documents(index, every=True)
    assert len(read_everything(index)) == 2


def test_state_left_in_the_log_is_not_passed_over(index: Path) -> None:
    """The database alone would be an older state; serving it would be silently wrong."""
    connection = connect(index)
    connection.execute("UPDATE documents SET title = 'Newer'")
    log = (index / f"{DATABASE_NAME}-wal").read_bytes()
    connection.close()
    (index / f"{DATABASE_NAME}-wal").write_bytes(log)
    forbid_shared_memory(index)
    with pytest.raises(IndexUnavailable, match="Cannot use index"):
        IndexReader.open(index)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_read_only_folder_is_read(index: Path) -> None:
    for path in (*index.rglob("*"), index):
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        assert len(read_everything(index)) == 2
        assert verify_index(index) == ()
    finally:
        index.chmod(0o700)


def test_full_disk_stops_no_reader(index: Path) -> None:
    """A process that may not write a single byte to a file stands in for the disk."""
    program = """
import resource, sys
from pathlib import Path
from corpus.index.repair import restore_derived
from corpus.index.reader import IndexReader
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
with IndexReader.open(Path(sys.argv[1])) as reader:
    print([reader.document_text(one.id) for one in reader.documents][1], len(reader.load_passages(range(3))))
"""
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program, str(index)], env=environment, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("Another page. 3\n", "")
