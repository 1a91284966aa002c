"""`verify_index` finds what was changed behind the index's back."""

import sqlite3
from pathlib import Path

import pytest
from small_corpus import STAMP, encoded, parsed

from corpus.errors import IndexCorrupt, IndexNotFound
from corpus.index.commit import commit_changes
from corpus.index.layout import DATABASE_NAME
from corpus.index.repair import verify_index
from corpus.index.row_checksums import CHECKSUM_TABLES, add_checksums, write_part_checksums


@pytest.fixture
def index(tmp_path: Path) -> Path:
    documents = (parsed("First line.\nSecond line.\n\nThird 😀.", source="a.md"), parsed("Page.", source="b.md"))
    commit_changes(tmp_path, model=STAMP, add=[encoded(one) for one in documents], fresh=False)
    return tmp_path


def tamper(index: Path, sql: str) -> None:
    connection = sqlite3.connect(index / DATABASE_NAME)
    with connection:
        assert connection.execute(sql).rowcount > 0
    connection.close()


def store(index: Path, sql: str) -> None:
    """Change what is stored, as a writer with a defect would: the checksums are of that."""
    tamper(index, sql)
    connection = sqlite3.connect(index / DATABASE_NAME)
    with connection:
        connection.execute("DELETE FROM document_checksums")
        connection.execute("DELETE FROM passage_checksums")
        for (document_id,) in connection.execute("SELECT id FROM documents").fetchall():
            add_checksums(connection, document_id)
        write_part_checksums(connection)
    connection.close()


def test_sound_index_has_no_faults(index: Path) -> None:
    assert verify_index(index) == ()


@pytest.mark.parametrize(
    ("sql", "faults"),
    [
        pytest.param(
            "UPDATE passages SET end = 99, items = '[[26,34,0,\"fixed\",0.5,0.1,0.1]]' WHERE id = 2",
            ["a.md:26-99: passage outside its document"],
            id="passage past the end",
        ),
        pytest.param(
            "UPDATE passages SET start = -1 WHERE id = 3", ["b.md:-1-5: passage outside its document"], id="before it"
        ),
        pytest.param(
            'UPDATE passages SET items = \'[[0,11,0,"fixed",0.5,0.1,0.1],[12,25,0,"fixed",0.5,0.1,0.1]]\' WHERE id = 1',
            ["a.md:0-24: items out of place"],
            id="item past its passage",
        ),
        pytest.param(
            'UPDATE passages SET items = \'[[12,24,0,"fixed",0.5,0.1,0.1],[0,11,0,"fixed",0.5,0.1,0.1]]\' WHERE id = 1',
            ["a.md:0-24: items out of place"],
            id="items out of order",
        ),
        pytest.param(
            'UPDATE passages SET items = \'[[0,12,0,"fixed",0.5,0.1,0.1],[11,24,0,"fixed",0.5,0.1,0.1]]\' WHERE id = 1',
            ["a.md:0-24: items out of place"],
            id="items overlap",
        ),
        pytest.param(
            "UPDATE passages SET items = '[[0,11,0,\"fixed\",0.5,0.1,0.1]]' WHERE id = 1",
            ["a.md:0-24: 2 vectors for 1 items"],
            id="item without its vector",
        ),
        pytest.param(
            "UPDATE passages SET vectors = substr(vectors, 1, 128) WHERE id = 1",
            ["a.md:0-24: 1 vectors for 2 items"],
            id="vector lost",
        ),
        pytest.param(
            "UPDATE documents SET text = substr(text, 1, 30) WHERE source = 'a.md'",
            ["a.md: text doesn't match its checksum"],
            id="text cut",
        ),
        pytest.param(
            "UPDATE releases SET end = 6 WHERE document_id = 2",
            ["b.md:0-6: release outside its document"],
            id="release",
        ),
        pytest.param(
            "UPDATE documents SET text = replace(text, 'Page', 'Rage') WHERE id = 2",
            ["b.md: text doesn't match its checksum"],
            id="text changed in place",
        ),
        pytest.param("UPDATE documents SET sha256 = '' WHERE id = 2", ["b.md: no fingerprint"], id="no fingerprint"),
        pytest.param(
            "UPDATE passages SET kind = 'gossip' WHERE id = 1",
            ["tables: a value can't be read (ValueError: 'gossip' is not a valid Kind)"],
            id="unknown kind",
        ),
        pytest.param(
            'UPDATE passages SET items = \'[[0,11,0,"fixed",0.5,0,0],["x",24,0,"fixed",0.5,0,0]]\' WHERE id = 1',
            ["tables: a value can't be read (ValueError: invalid literal for int() with base 10: 'x')"],
            id="offset that is no number",
        ),
    ],
)
def test_what_was_stored_wrong_is_found(index: Path, sql: str, faults: list[str]) -> None:
    store(index, sql)
    assert list(verify_index(index)) == faults


def test_offsets_count_code_points_not_bytes(index: Path) -> None:
    """The last passage ends in a character of four bytes: its end is the text's length in code points."""
    store(index, "UPDATE passages SET end = end + 1 WHERE id = 2")
    assert verify_index(index) == ("a.md:26-35: passage outside its document",)


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("UPDATE documents SET title = 'Other' WHERE id = 2", "b.md: its document or releases aren't what was stored"),
        ("UPDATE documents SET text_sha256 = '' WHERE id = 2", "b.md: its document or releases aren't what was stored"),
        ("UPDATE releases SET yanked = 1 WHERE id = 2", "b.md: its document or releases aren't what was stored"),
        ("UPDATE releases SET label = 'one' WHERE id = 2", "b.md: its document or releases aren't what was stored"),
        ("DELETE FROM document_checksums WHERE document_id = 2", "b.md: its document or releases aren't"),
        ("UPDATE passages SET kind = 'fix' WHERE id = 3", "b.md:0-5: facts aren't what was stored"),
        ("UPDATE passages SET boilerplate = 1 WHERE id = 3", "b.md:0-5: facts aren't what was stored"),
        ("UPDATE passages SET tokens = 'rage' WHERE id = 3", "b.md:0-5: tokens aren't what was stored"),
        ("UPDATE passages SET vectors = zeroblob(128) WHERE id = 3", "b.md:0-5: vectors aren't what was stored"),
        ("UPDATE passage_checksums SET tokens = 1 WHERE passage_id = 3", "b.md:0-5: tokens aren't what was stored"),
        ("UPDATE manifest SET value = 'long ago' WHERE key = 'created'", "the manifest isn't what was stored"),
        ("UPDATE manifest SET value = 'none' WHERE key = 'vectors_method'", "the manifest isn't what was stored"),
        (
            "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'documents'",
            "the counter of documents isn't what was stored",
        ),
        ("UPDATE checksums SET checksum = 1 WHERE part = 'sources'", "what is remembered of sources isn't what was"),
    ],
    ids=lambda value: value.partition(" SET ")[2] or value[:6],
)
def test_what_was_altered_since_it_was_stored_is_found(index: Path, sql: str, fault: str) -> None:
    tamper(index, sql)
    (found,) = verify_index(index)
    assert found.startswith(fault)


def test_an_index_whose_checksums_are_gone_is_damaged(index: Path) -> None:
    connection = sqlite3.connect(index / DATABASE_NAME)
    with connection:
        for table in CHECKSUM_TABLES:
            connection.execute(f"DROP TABLE {table}")
    connection.close()
    with pytest.raises(IndexCorrupt, match="no such table"):
        verify_index(index)
    with pytest.raises(IndexCorrupt, match="no such table"):
        commit_changes(index, model=STAMP, add=[encoded(parsed("Words.", source="c.md"))], fresh=False)


def test_garbled_database_gives_a_line_for_each_fault_that_can_be_read(tmp_path: Path) -> None:
    pages = [encoded(parsed("word " * 300 + f"{number}.", source=f"{number}.md")) for number in range(40)]
    commit_changes(tmp_path, model=STAMP, add=pages, fresh=False)
    data = bytearray((tmp_path / DATABASE_NAME).read_bytes())
    for page in range(20, len(data) // 4096):
        data[4096 * page + 8 : 4096 * page + 60] = b"\xff" * 52
    (tmp_path / DATABASE_NAME).write_bytes(data)
    faults = verify_index(tmp_path)
    assert faults
    assert all(fault.startswith("database: ") and "\n" not in fault for fault in faults)


def test_altered_file_is_not_even_opened(index: Path) -> None:
    (vectors,) = index.glob("*.faiss")
    vectors.write_bytes(vectors.read_bytes()[::-1])
    with pytest.raises(IndexCorrupt, match="checksum"):
        verify_index(index)


def test_no_index_is_no_fault_but_an_error(tmp_path: Path) -> None:
    with pytest.raises(IndexNotFound):
        verify_index(tmp_path)
