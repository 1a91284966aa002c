"""An index copied file by file while another process ingested: some files of one state, some of the next.

An ingest makes one whole state of it, or it is found to be damaged: never an index that mixes states.
"""

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from small_corpus import STAMP, encoded, parsed

from corpus.errors import IndexUnavailable
from corpus.index.commit import commit_changes
from corpus.index.layout import DATABASE_NAME, connect, write_lock
from corpus.index.reader import IndexReader
from corpus.index.repair import restore_derived, verify_index

LOG = f"{DATABASE_NAME}-wal"
DOCUMENTS = 12
SEED, TRIED = 10, 40
FIRST, SECOND, THIRD = STATES = (1, 2, 3)


@dataclass(frozen=True)
class Moments:
    """What lay on the disk: the database and the log as each state had been written, and the derived files of each."""

    databases: dict[int, Path]
    logs: dict[int, Path]
    derived: dict[int, Path]
    texts: dict[int, list[str]]


def texts(index: Path) -> list[str]:
    with IndexReader.open(index) as reader:
        return [reader.document_text(one.id) for one in reader.documents]


def write(index: Path, state: int) -> None:
    """Commit a state in which every document, or every other one, has another text than before."""
    changed = [number for number in range(DOCUMENTS) if state == FIRST or number % 2 == state % 2]
    with write_lock(index):
        connection = connect(index, create=True)
        held = {} if state == FIRST else dict(connection.execute("SELECT source, id FROM documents"))
        connection.close()
        commit_changes(
            index,
            model=STAMP,
            remove=[held[f"{number}.md"] for number in changed if held],
            add=[
                encoded(parsed(f"Text {number} of state {state}. {'word ' * 700}", source=f"{number}.md"))
                for number in changed
            ],
            fresh=False,
        )


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> Moments:
    made = tmp_path_factory.mktemp("moments")
    index = made / "index"
    found = Moments({}, {}, {}, {})
    for state in STATES:
        if state == FIRST:
            write(index, state)
        else:
            # A reader of the state before keeps what is committed in the log, as a server does.
            reader = connect(index)
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM documents").fetchone()
            write(index, state)
            found.logs[state] = Path(shutil.copy(index / LOG, made / f"log-{state}"))
            reader.close()
        connection = connect(index)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        found.databases[state] = Path(shutil.copy(index / DATABASE_NAME, made / f"database-{state}"))
        found.derived[state] = made / f"derived-{state}"
        shutil.copytree(index, found.derived[state], ignore=shutil.ignore_patterns(f"{DATABASE_NAME}*", "write.lock"))
        found.texts[state] = texts(index)
    assert len({tuple(one) for one in found.texts.values()}) == len(STATES)
    return found


def torn_copies(moments: Moments, index: Path) -> Iterator[str]:
    """Make `index` some of the 200 mixtures in turn; says which."""
    whole = {f"database {state}": path.read_bytes() for state, path in moments.databases.items()}
    pages = {
        f"database of pages of {one} and {other}": _spliced(whole[f"database {one}"], whole[f"database {other}"])
        for one, other in ((FIRST, SECOND), (SECOND, FIRST), (FIRST, THIRD), (SECOND, THIRD), (THIRD, SECOND))
    }
    logs = {"no log": b""} | {f"log of {state}": path.read_bytes() for state, path in moments.logs.items()}
    logs |= {f"half a {name}": log[: len(log) // 2] for name, log in logs.items() if log}
    derived = [(state,) for state in STATES] + [(FIRST, SECOND), ()]
    mixtures = list(product((whole | pages).items(), logs.items(), derived))
    for (name, database), (log_name, log), states in random.Random(SEED).sample(mixtures, TRIED):
        shutil.rmtree(index, ignore_errors=True)
        index.mkdir()
        (index / DATABASE_NAME).write_bytes(database)
        if log:
            (index / LOG).write_bytes(log)
        for state in states:
            shutil.copytree(moments.derived[state], index, dirs_exist_ok=True)
        yield f"{name}, {log_name}, derived of {states}"


def _spliced(first: bytes, second: bytes) -> bytes:
    """A file that was copied while the second took the place of the first."""
    middle = min(len(first), len(second)) // 2 // 4096 * 4096
    return first[:middle] + second[middle:]


def refusal_of(index: Path) -> str:
    """What is said of an index that can't be made whole; empty where it is."""
    try:
        with write_lock(index):
            restore_derived(index)
        return "; ".join(verify_index(index))
    except IndexUnavailable as error:
        return str(error)


def test_a_torn_copy_is_made_one_state_or_found_damaged(moments: Moments, tmp_path: Path) -> None:
    index = tmp_path / "index"
    ended: Counter[str] = Counter()
    for name in torn_copies(moments, index):
        if refusal_of(index):
            ended["refused"] += 1
            continue
        assert verify_index(index) == (), name
        assert texts(index) in moments.texts.values(), name
        ended["repaired"] += 1
    assert ended["repaired"] > TRIED // 4
    assert ended["refused"] > TRIED // 4
