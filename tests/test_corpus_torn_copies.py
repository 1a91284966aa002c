"""An index copied file by file while another process ingested: some files of one state, some of the next.

An ingest makes one whole state of it, or it is found to be damaged: never an index that mixes states.
"""

import random
import shutil
from itertools import product
from pathlib import Path

from small_corpus import STAMP, encoded, parsed, read_everything

from corpus.errors import IndexUnavailable
from corpus.index.commit import commit_changes
from corpus.index.layout import DATABASE_NAME, connect, write_lock
from corpus.index.repair import restore_derived, verify_index

DOCUMENTS, STATES = 12, (1, 2, 3)
SEED, TRIED = 10, 20


def write(index: Path, state: int) -> None:
    """Commit a state in which every document, or every other one, has another text than before."""
    names = [f"{number}.md" for number in range(DOCUMENTS) if state == 1 or number % 2 == state % 2]
    add = [encoded(parsed(f"Text {name} of state {state}. {'word ' * 700}", source=name)) for name in names]
    with write_lock(index):
        connection = connect(index, create=True)
        held = {} if state == 1 else dict(connection.execute("SELECT source, id FROM documents"))
        connection.close()
        commit_changes(index, model=STAMP, remove=[held[name] for name in names if held], add=add, fresh=False)


def _spliced(first: bytes, second: bytes) -> bytes:
    """A file that was copied while the second took the place of the first."""
    middle = min(len(first), len(second)) // 2 // 4096 * 4096
    return first[:middle] + second[middle:]


def mend(index: Path) -> bool:
    """Whether what an ingest makes of it is whole."""
    try:
        with write_lock(index):
            restore_derived(index)
        return verify_index(index) == ()
    except IndexUnavailable:
        return False


def test_a_torn_copy_is_made_one_state_or_found_damaged(tmp_path: Path) -> None:
    index, told = tmp_path / "index", []
    databases: list[bytes] = []
    logs: list[bytes] = [b""]
    for state in STATES:
        if state > 1:
            # A reader of the state before keeps what is committed in the log, as a server does.
            reader = connect(index)
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM documents").fetchone()
        write(index, state)
        if state > 1:
            log = (index / f"{DATABASE_NAME}-wal").read_bytes()
            logs += [log, log[: len(log) // 2]]
            reader.close()
        connection = connect(index)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        databases.append((index / DATABASE_NAME).read_bytes())
        others = shutil.ignore_patterns(f"{DATABASE_NAME}*", "write.lock")
        shutil.copytree(index, tmp_path / f"derived-{state}", ignore=others)
        told.append(read_everything(index))
    databases += [_spliced(databases[one], databases[other]) for one, other in ((0, 1), (1, 0), (0, 2), (1, 2), (2, 1))]
    mixtures = list(product(databases, logs, [*((state,) for state in STATES), (1, 2), ()]))
    whole = 0
    for database, log, states in random.Random(SEED).sample(mixtures, TRIED):
        shutil.rmtree(index)
        index.mkdir()
        (index / DATABASE_NAME).write_bytes(database)
        if log:
            (index / f"{DATABASE_NAME}-wal").write_bytes(log)
        for state in states:
            shutil.copytree(tmp_path / f"derived-{state}", index, dirs_exist_ok=True)
        if mend(index):
            assert read_everything(index) in told
            whole += 1
    assert TRIED // 4 < whole < TRIED - TRIED // 4
