"""`verify_index` finds what was changed behind an index's back; `restore_derived` makes anew what is derived."""

import sqlite3
from pathlib import Path

import pytest
from case_files import Case, read_cases
from small_corpus import commit, parsed, tamper

from corpus.errors import IndexCorrupt, IndexNotFound
from corpus.file_digests import MEMORY_NAME, file_sha256, remember_sha256
from corpus.index import repair
from corpus.index.derived import DerivedFile
from corpus.index.layout import DATABASE_NAME, write_lock
from corpus.index.reader import IndexReader
from corpus.index.repair import restore_derived, verify_index
from corpus.index.row_checksums import add_checksums, write_part_checksums
from corpus.index.source_records import SourceRecord, read_source_records, write_source_records
from corpus.index.tables import TableReader
from corpus.manifest import Manifest
from corpus.stores import vector_index


@pytest.fixture
def index(tmp_path: Path) -> Path:
    documents = (parsed("First line.\nSecond line.\n\nThird 😀.", source="a.md"), parsed("Page.", source="b.md"))
    with write_lock(tmp_path):  # its file stays
        commit(tmp_path, *documents)
    return tmp_path


# --- what is found


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


@pytest.mark.parametrize("case", read_cases("stored-wrong"), ids=lambda case: case.name)
def test_what_was_stored_wrong_is_found(index: Path, case: Case) -> None:
    store(index, case.text)
    assert list(verify_index(index)) == case.gives


def test_a_commit_meanwhile_is_no_fault(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = repair.check_derived
    commits: list[Manifest] = []

    def commit_and_check(path: Path, file: DerivedFile) -> str | None:
        if not commits:
            commits.append(commit(index, parsed("Meanwhile.", source="c.md")))
        return check(path, file)

    monkeypatch.setattr(repair, "check_derived", commit_and_check)
    assert verify_index(index) == ()
    assert commits


def test_a_text_that_the_database_cannot_read_is_not_told_as_changed(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(reader: TableReader, _document_id: int) -> str:
        reader.read(lambda connection: connection.execute("SELECT load_extension('none')"))
        return ""

    monkeypatch.setattr(TableReader, "document_text", fail)
    (fault,) = verify_index(index)
    assert fault == "tables: a value can't be read (OperationalError: not authorized)"


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("UPDATE documents SET title = 'Other' WHERE id = 2", "b.md: its document or releases aren't what was stored"),
        ("UPDATE releases SET yanked = 1 WHERE id = 2", "b.md: its document or releases aren't what was stored"),
        ("DELETE FROM document_checksums WHERE document_id = 2", "b.md: its document or releases aren't"),
        ("UPDATE passages SET kind = 'fix' WHERE id = 3", "b.md:0-5: facts aren't what was stored"),
        ("UPDATE passages SET tokens = 'rage' WHERE id = 3", "b.md:0-5: tokens aren't what was stored"),
        ("UPDATE passages SET vectors = zeroblob(128) WHERE id = 3", "b.md:0-5: vectors aren't what was stored"),
        ("UPDATE manifest SET value = 'long ago' WHERE key = 'created'", "the manifest isn't what was stored"),
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
        for table in ("checksums", "document_checksums", "passage_checksums"):
            connection.execute(f"DROP TABLE {table}")
    connection.close()
    with pytest.raises(IndexCorrupt, match="its tables aren't as relnotes makes them"):
        verify_index(index)
    with pytest.raises(IndexCorrupt, match="its tables aren't as relnotes makes them"):
        commit(index, parsed("Words.", source="c.md"))


def test_garbled_database_gives_a_line_for_each_fault_that_can_be_read(tmp_path: Path) -> None:
    commit(tmp_path, *(parsed("word " * 300 + f"{number}.", source=f"{number}.md") for number in range(40)))
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


# --- what is made whole


def restore(index: Path) -> bool:
    with write_lock(index):
        return restore_derived(index)


@pytest.mark.parametrize("pattern", ["*.faiss", "lexical-*/weights.npy", "columns-*/ids.npy"])
def test_a_damaged_file_that_looks_as_before_is_found_and_made_anew_as_it_was(index: Path, pattern: str) -> None:
    (path,) = index.glob(pattern)
    sound, digest = path.read_bytes(), file_sha256(path)
    path.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
    remember_sha256(path, digest, memory=index / MEMORY_NAME)
    name = path.relative_to(index).parts[0]
    assert f"{name} doesn't match its checksum" in verify_index(index)
    assert restore(index)
    assert path.read_bytes() == sound
    assert verify_index(index) == ()


@pytest.fixture
def large_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An index whose vectors are too many for one file, by the bound that it was written with."""
    monkeypatch.setattr(vector_index, "FLAT_ROWS", 100)
    lines = "\n\n".join(f"Line {number} tells of thing{number}." for number in range(400))
    commit(tmp_path, parsed(lines, source="a.md"))
    return tmp_path


@pytest.mark.parametrize("part", ["codes.faiss", "rows.npy"])
def test_each_file_of_many_vectors_is_checked_and_made_anew(large_index: Path, part: str) -> None:
    (path,) = large_index.glob(f"vectors-*/{part}")
    sound = path.read_bytes()
    path.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
    with pytest.raises(IndexCorrupt, match="doesn't match its checksum"):
        IndexReader.open(large_index)
    assert restore(large_index)
    assert path.read_bytes() == sound
    assert verify_index(large_index) == ()


def test_vectors_kept_as_an_earlier_relnotes_kept_so_many_are_derived_anew(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_index, "FLAT_ROWS", 2)
    with pytest.raises(IndexCorrupt, match=r"as an earlier relnotes kept so many\. Run `relnotes ingest SOURCE`"):
        IndexReader.open(index)


def test_an_index_that_grows_and_shrinks_changes_how_its_vectors_are_kept(
    large_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not list(large_index.glob("vectors-*.faiss"))
    monkeypatch.setattr(vector_index, "FLAT_ROWS", 1_000)
    assert restore(large_index)
    assert len(list(large_index.glob("vectors-*.faiss"))) == 1
    assert verify_index(large_index) == ()


def test_what_is_remembered_of_sources_is_forgotten_where_it_is_damaged(index: Path) -> None:
    record = SourceRecord("/notes", "", "", 2, "2026-01-01T00:00:00+00:00")
    with write_lock(index):
        write_source_records(index, [record])
    assert verify_index(index) == ()
    tamper(index, "UPDATE sources SET synced_at = '2027-01-01T00:00:00+00:00'")
    assert verify_index(index) == ("what is remembered of sources isn't what was stored",)
    with IndexReader.open(index) as reader:
        assert reader.source_records == ()
    commit(index)
    assert verify_index(index) == ()
    connection = sqlite3.connect(index / DATABASE_NAME)
    assert read_source_records(connection) == ()
    connection.close()


def test_a_missing_index_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(IndexNotFound):
        verify_index(tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []


def test_what_a_died_writer_left_is_swept_by_the_next_ingest_even_if_it_has_nothing_to_do(index: Path) -> None:
    (index / "tmp-file-digests.json.abc").write_text("{")
    (index / "columns-0123456789abcdef").mkdir()
    assert not restore(index)
    assert not [*index.glob("tmp-*"), *index.glob("columns-0123456789abcdef")]
