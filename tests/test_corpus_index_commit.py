"""How an index changes: all of a commit or nothing of it, whenever the writer dies."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from case_files import read_rows
from small_corpus import STAMP, HashedEmbedder, commit, encoded, parsed

from corpus.errors import IndexBusy, IndexMismatch, IndexNotFound, IndexUnavailable
from corpus.index.commit import commit_changes, remove_documents
from corpus.index.derived import manifest_files
from corpus.index.layout import DATABASE_NAME, FORMAT_VERSION, connect, write_lock
from corpus.index.reader import IndexReader
from corpus.index.repair import verify_index
from corpus.index.source_records import read_source_records
from corpus.manifest import ModelStamp
from corpus.stores.protocol import PassageFilter

TESTS = Path(__file__).parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join((str(TESTS), str(TESTS.parent)))}
SECRET = "Quixotic zephyrs vexed the marmalade parser."


@pytest.fixture
def index(tmp_path: Path) -> Path:
    path = tmp_path / "index"
    commit(
        path,
        parsed(f"{SECRET}\n\nMore of it.", source="secret.md", product="Odd", aliases=("oddity",)),
        parsed("Plain page.", source="plain.md", product="Plain"),
        parsed("Another odd page.", source="odd2.md", product="oddity"),
    )
    return path


def sources(index: Path) -> list[str]:
    with IndexReader.open(index, model=STAMP) as reader:
        return sorted(one.source for one in reader.documents)


def id_of(index: Path, source: str) -> int:
    with IndexReader.open(index) as reader:
        return next(one.id for one in reader.documents if one.source == source)


def bytes_on_disk(index: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(index.rglob("*")) if path.is_file())


def test_removed_document_leaves_no_trace(index: Path) -> None:
    assert SECRET.encode() in bytes_on_disk(index)
    assert remove_documents(index, ids=[id_of(index, "secret.md")]) == 1
    assert sources(index) == ["odd2.md", "plain.md"]
    with IndexReader.open(index) as reader:
        assert reader.lexical.document_frequency("marmalad") == 0
        assert not len(reader.store.lexical_scores({"marmalad": 1, "zephyr": 1}, PassageFilter()).positions)
        cosines, _ = reader.store.vectors.searched.search(HashedEmbedder().embed([SECRET]), 5)
        assert cosines[0, 0] < 0.9
        assert len(reader.passages.ids) == reader.store.vectors.searched.ntotal == 2
    left = bytes_on_disk(index)
    assert SECRET.encode() not in left
    assert b"marmalad" not in left
    assert HashedEmbedder().embed([SECRET]).tobytes() not in left


def test_a_writer_does_not_wait_for_a_reader(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect_for_ever(path: Path, *, create: bool = False) -> sqlite3.Connection:
        connection = connect(path, create=create)
        connection.execute(f"PRAGMA busy_timeout = {2**31 - 1}")
        return connection

    monkeypatch.setattr("corpus.index.commit.connect", connect_for_ever)
    secret = id_of(index, "secret.md")
    # The reader goes before the pool waits for a writer that waits for it.
    with ThreadPoolExecutor(1) as pool, IndexReader.open(index):
        assert pool.submit(remove_documents, index, ids=[secret]).result(60) == 1


@pytest.mark.parametrize("fresh", [False, True], ids=["updated", "fresh"])
def test_what_is_written_anew_leaves_nothing_of_its_old_text(index: Path, fresh: bool) -> None:
    changed = parsed("Sober words.", source="secret.md", product="Odd")
    manifest = commit(index, changed, remove=[] if fresh else [id_of(index, "secret.md")], fresh=fresh)
    assert (manifest.generation, manifest.documents) == (2, 1 if fresh else 3)
    assert sources(index) == (["secret.md"] if fresh else ["odd2.md", "plain.md", "secret.md"])
    assert b"marmalad" not in bytes_on_disk(index)


@pytest.mark.parametrize("name", ["other", STAMP.model_id], ids=["another name", "other weights of the same name"])
def test_fresh_takes_another_model(index: Path, name: str) -> None:
    other = ModelStamp(name, "f" * 64, STAMP.dimensions)
    with pytest.raises(IndexMismatch, match="--rebuild"):
        commit_changes(index, model=other, add=[encoded(parsed("Words."))], fresh=False)
    assert verify_index(index) == ()
    assert commit_changes(index, model=other, add=[encoded(parsed("Words."))], fresh=True).model_digest == other.digest


def test_removal_from_no_index_makes_none_and_beside_another_writer_is_refused(index: Path) -> None:
    with pytest.raises(IndexNotFound):
        remove_documents(index.parent / "nowhere", every=True)
    assert list(index.parent.iterdir()) == [index]
    with write_lock(index), pytest.raises(IndexBusy):
        remove_documents(index, every=True)
    assert len(sources(index)) == 3


def test_the_disk_holds_what_a_commit_names_before_it_names_it(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settled: list[tuple[int, set[str]]] = []

    def note(descriptor: int) -> None:
        settled.append((os.fstat(descriptor).st_ino, {path.name for path in index.iterdir()}))

    monkeypatch.setattr(os, "fsync", note)
    at_the_end: list[tuple[int, set[str]]] = []
    with write_lock(index):
        manifest = commit_changes(
            index,
            model=STAMP,
            add=[encoded(parsed("New words.", source="new.md"))],
            fresh=False,
            before_commit=lambda: at_the_end.extend(settled),
        )
    files = [index / file for file in manifest_files(manifest)]
    assert len(files) == 3
    for path in files:
        # The parts of a folder, the folder, and last of all its name in the index.
        for part in (path, *path.glob("*")):
            assert part.stat().st_ino in {number for number, _ in at_the_end}, part
        assert any(number == index.stat().st_ino and path.name in names for number, names in at_the_end)


def full(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def call_off() -> None:
    raise KeyboardInterrupt


def test_refused_write_leaves_the_old_state(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpus.index.deriving.write_derived", full)
    with pytest.raises(IndexUnavailable, match=r"No space left on device.*free space") as caught:
        remove_documents(index, every=True)
    assert "\n" not in str(caught.value)
    assert len(sources(index)) == 3
    assert verify_index(index) == ()
    monkeypatch.undo()
    with pytest.raises(KeyboardInterrupt), write_lock(index):
        commit_changes(index, model=STAMP, remove=[1], add=[], fresh=False, before_commit=call_off)
    assert len(sources(index)) == 3


_PRELUDE = """
import json, os, signal, sys, traceback
from pathlib import Path
import corpus.index.derived as derived
import corpus.index.deriving as deriving
import corpus.index.commit as commit
from corpus.index.reader import IndexReader
from small_corpus import STAMP, encoded, parsed

def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)

def after(module, name, times=1):
    real, calls = getattr(module, name), []
    def call(*args, **kwargs):
        result = real(*args, **kwargs)
        calls.append(name)
        if len(calls) == times:
            die()
        return result
    setattr(module, name, call)

def write(index, text):
    add = [encoded(parsed(f"{text} {n}.", source=f"new{n}.md")) for n in range(20)]
    with commit.write_lock(index), IndexReader.open(index) as reader:
        remove = [one.id for one in reader.documents]
    with commit.write_lock(index):
        commit.commit_changes(index, model=STAMP, remove=remove, add=add, fresh=False)

"""
_FORKER = """
for line in sys.stdin:
    index, program = json.loads(line)
    child = os.fork()
    if child == 0:
        try:
            print(os.getpid(), flush=True)
            exec(program, {**globals(), "index": Path(index)})
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Writers:
    """Processes that write to an index, one after the other, forked from one that has its imports behind it."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", _PRELUDE + _FORKER]
        pipe = subprocess.PIPE
        self._forker = subprocess.Popen(command, env=ENVIRONMENT, stdin=pipe, stdout=pipe, text=True)

    def start(self, index: Path, program: str) -> int:
        """Begin a program that knows `index`; its process."""
        assert self._forker.stdin is not None
        self._forker.stdin.write(json.dumps([str(index), program]) + "\n")
        self._forker.stdin.flush()
        return int(self.line())

    def line(self) -> str:
        """The next line that a program prints; after all of them, its exit status, or minus the signal."""
        assert self._forker.stdout is not None
        return self._forker.stdout.readline().strip()

    def kill(self, index: Path, program: str) -> None:
        """Run a program that must end by being killed."""
        self.start(index, program)
        assert int(self.line()) == -signal.SIGKILL

    def close(self) -> None:
        self._forker.communicate()


@pytest.fixture(scope="module")
def writers() -> Iterator[Writers]:
    with contextlib.closing(Writers()) as writers:
        yield writers


@pytest.mark.parametrize(("death", "committed"), read_rows("corpus-killed-writer-leaves-a-whole-index"))
def test_killed_writer_leaves_a_whole_index(index: Path, writers: Writers, death: str, committed: bool) -> None:
    writers.kill(index, f"{death}\nwrite(index, 'Words of page')\n")
    expected = sorted(f"new{n}.md" for n in range(20)) if committed else ["odd2.md", "plain.md", "secret.md"]
    assert sources(index) == expected
    assert verify_index(index) == ()
    garbage = {path.name for path in index.iterdir()}
    with write_lock(index):
        commit(index, parsed("Last page.", source="last.md"))
    assert sources(index) == sorted([*expected, "last.md"])
    assert verify_index(index) == ()
    left = {path.name for path in index.iterdir()}
    with IndexReader.open(index) as reader:
        named = {reader.manifest.vectors_file, reader.manifest.lexical_folder, reader.manifest.columns_folder}
    assert left == {DATABASE_NAME, "write.lock", *named}, f"was {garbage}"


def test_killed_first_writer_leaves_no_index(tmp_path: Path, writers: Writers) -> None:
    add = "commit.commit_changes(index, model=STAMP, add=[encoded(parsed('x'))], fresh=False)"
    writers.kill(tmp_path, f"deriving.write_derived = die\n{add}\n")
    with pytest.raises(IndexNotFound):
        IndexReader.open(tmp_path)
    commit_changes(tmp_path, model=STAMP, add=[encoded(parsed("Words."))], fresh=False)
    assert verify_index(tmp_path) == ()


@pytest.mark.slow
def test_commit_of_40_000_items_stays_under_300_mib(tmp_path: Path) -> None:
    program = """
import numpy as np, resource
from corpus.index.commit import EncodedDocument
from corpus.index.reader import ModelStamp
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before, add = peak(), []
for n in range(200):
    pages = ("\\n".join(f"Word {n} of {p} and {i}." for i in range(5)) for p in range(40))
    document = parsed("\\n\\n".join(pages), source=f"{n}")
    rows = np.random.default_rng(n).standard_normal((200, 384)).astype(np.float32)
    tokens = tuple(" ".join(f"token{(7 * n + p * t) % 30000}" for t in range(120)) for p in range(40))
    add.append(EncodedDocument(document, tokens, tuple(rows[5 * p : 5 * p + 5] for p in range(40))))
manifest = commit.commit_changes(Path(sys.argv[1]), model=ModelStamp("m", "d", 384), add=add, fresh=False)
print(manifest.items, round(peak() - before))
"""
    command = [sys.executable, "-c", _PRELUDE + program, str(tmp_path)]
    done = subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.PIPE, check=True)
    items, mib = map(int, done.stdout.split())
    assert items == 40_000
    assert mib < 300


@pytest.mark.parametrize(
    ("form", "changes", "advice"),
    [
        pytest.param("7", "", "Rebuild", id="earlier"),
        pytest.param("6", "DROP TABLE sources; CREATE VIEW sources AS SELECT * FROM a", "Rebuild", id="said to be"),
        pytest.param("99", "CREATE TABLE more (id INTEGER)", "A newer relnotes made it", id="newer"),
        pytest.param("9" * 5_000, "", "A newer relnotes made it", id="far newer"),
        pytest.param("none", "DELETE FROM manifest WHERE key <> 'format_version'", "Rebuild", id="no number"),
    ],
)
def test_an_index_of_another_format_is_refused_until_it_is_rebuilt(
    index: Path, form: str, changes: str, advice: str
) -> None:
    connection = connect(index)
    connection.execute("UPDATE manifest SET value = ? WHERE key = 'format_version'", (form,))
    connection.executescript(changes)
    connection.close()
    said = f"has format {form[:40]}, this relnotes reads {FORMAT_VERSION}. {advice}.*`relnotes ingest --rebuild SOURCE"
    with pytest.raises(IndexMismatch, match=said):
        IndexReader.open(index)
    with contextlib.closing(connect(index)) as connection:
        assert read_source_records(connection) == ()
    with write_lock(index):
        with pytest.raises(IndexMismatch, match=said):
            commit_changes(index, model=STAMP, fresh=False)
        commit(index, parsed("New words."), fresh=True)
    assert verify_index(index) == ()
    with IndexReader.open(index) as reader:
        assert reader.manifest.format_version == FORMAT_VERSION
        assert len(reader.documents) == 1
