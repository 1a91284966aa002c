"""What was changed behind an index's back is found and never answered from; what is derived is made anew."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from small_corpus import STAMP, commit, parsed, read_everything, tamper

from corpus.errors import IndexCorrupt, IndexUnavailable
from corpus.index.commit import remove_documents
from corpus.index.layout import DATABASE_NAME, connect, newest_manifest, write_lock
from corpus.index.reader import IndexReader
from corpus.index.repair import restore_derived, verify_index
from corpus.index.tables import TableReader

REPOSITORY = Path(__file__).parents[1]
TEXTS = ["Old words here.\n\nMore of them.", "Another page."]


@pytest.fixture
def index(tmp_path: Path) -> Path:
    path = tmp_path / "index"
    with write_lock(path):  # its file stays
        commit(path, *(parsed(text, source=source) for text, source in zip(TEXTS, ("a.md", "b.md"), strict=True)))
    return path


def restore(index: Path) -> bool:
    with write_lock(index):
        return restore_derived(index)


# --- tables


def test_what_the_database_alone_can_tell_is_told(index: Path) -> None:
    path = index / DATABASE_NAME
    sound = path.read_bytes()
    # The form of the file that its header states, and a name in what finds a document by its name.
    for at in (18, sound.rindex(b"/notesa.md") + 6):
        path.write_bytes(sound[:at] + b"\x7a" + sound[at + 1 :])
        assert [fault.partition(":")[0] for fault in verify_index(index)[:1]] == ["database"], at


def test_a_passage_that_was_stored_outside_its_document_is_found(index: Path) -> None:
    longer = parsed("Words.\n\nMore words.", source="e.md")
    commit(index, replace(longer, document=parsed("W.", source="e.md").document))
    assert verify_index(index) == ("e.md:0-6: outside its document", "e.md:8-19: outside its document")


VIEW = "CREATE VIEW {0} AS SELECT 'format_version' AS key, '6' AS value"


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param(f"DROP TABLE manifest; {VIEW.format('manifest')}", id="a view for the manifest"),
        pytest.param(f"DROP TABLE sources; {VIEW.format('sources')}", id="a view for a table"),
        pytest.param("CREATE TABLE more (words TEXT)", id="a table more"),
        pytest.param("CREATE TRIGGER more AFTER DELETE ON documents BEGIN SELECT 1; END", id="a trigger"),
        pytest.param("ALTER TABLE passages ADD COLUMN more TEXT AS (hex(tokens))", id="a column that is worked out"),
    ],
)
def test_tables_that_somebody_else_made_are_refused_unread(index: Path, sql: str) -> None:
    """One that is a view may never end."""
    connection = sqlite3.connect(index / DATABASE_NAME)
    connection.executescript(sql)
    connection.close()
    for use in (connect, newest_manifest, TableReader.open, IndexReader.open, restore):
        with pytest.raises(IndexCorrupt, match=r"tables aren't as relnotes makes them.*rebuild it with `relnotes"):
            use(index)
    commit(index, parsed("New words."), fresh=True)
    assert read_everything(index) == ["New words."]
    assert verify_index(index) == ()


# --- derived files


def cut_file(index: Path, pattern: str) -> None:
    (path,) = index.glob(pattern)
    path.write_bytes(path.read_bytes()[:-9])


def replace_by_a_folder(index: Path, pattern: str) -> None:
    (path,) = index.glob(pattern)
    path.unlink()
    path.mkdir()
    (path / "planted").write_text("text")


DERIVED_DAMAGE = [
    pytest.param(lambda index: next(index.glob("*.faiss")).unlink(), id="vectors gone"),
    pytest.param(lambda index: replace_by_a_folder(index, "*.faiss"), id="a folder for them"),
    pytest.param(lambda index: cut_file(index, "lexical-*/terms.npy"), id="lexical cut"),
]


@pytest.mark.parametrize("damage", DERIVED_DAMAGE)
def test_damaged_derived_files_leave_the_tables_readable_and_are_restored_from_them(
    index: Path, damage: Callable[[Path], None]
) -> None:
    damage(index)
    with TableReader.open(index, model=STAMP) as reader:
        assert [reader.document_text(document.id) for document in reader.documents] == TEXTS
        assert [product.name for product in reader.products] == ["demo"]
    for use in (IndexReader.open, verify_index):
        with pytest.raises(IndexCorrupt, match=r"Run `relnotes ingest SOURCE` with any") as caught:
            use(index)
        assert "\n" not in str(caught.value)
    assert restore(index)
    assert read_everything(index) == TEXTS
    assert verify_index(index) == ()
    assert not restore(index)
    damage(index)
    assert remove_documents(index, product="demo") == 2
    commit(index, parsed("New page.", source="c.md"))
    assert read_everything(index) == ["New page."]


@pytest.mark.parametrize("pattern", ["*.faiss", "lexical-*/weights.npy", "columns-*/ids.npy"])
def test_a_turned_bit_is_found_and_made_anew_as_it_was(index: Path, pattern: str) -> None:
    (path,) = index.glob(pattern)
    sound = path.read_bytes()
    path.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
    assert verify_index(index) == (f"{path.relative_to(index).parts[0]} doesn't match its checksum",)
    assert restore(index)
    assert path.read_bytes() == sound
    assert verify_index(index) == ()


# --- a disk that takes nothing


def forbid_shared_memory(index: Path) -> None:
    """What a read-only folder does to SQLite, for root too: the file beside the database can't be made."""
    (index / f"{DATABASE_NAME}-shm").symlink_to(index / "nowhere" / "file")


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


def test_changed_text_is_found_and_never_shown(index: Path) -> None:
    tamper(index, "UPDATE documents SET text = replace(text, 'Old', 'New') WHERE source = 'a.md'")
    assert verify_index(index) == ("a.md: text doesn't match its checksum",)
    with TableReader.open(index) as reader:
        with pytest.raises(IndexCorrupt, match="text of document 1 doesn't match its checksum"):
            reader.document_text(1)
        assert reader.document_text(2) == TEXTS[1]


@pytest.mark.parametrize(
    "sql",
    [
        *(f"UPDATE manifest SET value = '{value}' WHERE key = 'generation'" for value in ("many", "-1", "")),
        "UPDATE manifest SET value = '1' WHERE key = 'items'",
        "DELETE FROM manifest WHERE key = 'dimensions'",
    ],
)
def test_an_altered_manifest_is_refused_and_rebuilt(index: Path, sql: str) -> None:
    tamper(index, sql)
    for use in (verify_index, restore, lambda index: commit(index, parsed("Words."))):
        with pytest.raises(IndexCorrupt, match=r"manifest isn't what was stored\. .*--rebuild"):
            use(index)
    assert commit(index, parsed("Words."), fresh=True).generation == (1 if "generation" in sql else 2)
    assert verify_index(index) == ()
