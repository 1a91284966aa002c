"""Any file of an index damaged in any way: it is found or harmless, never answered from, and repaired or left alone."""

import pickle
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from fault_place import State, put, read_answers, read_state, write_notes
from small_corpus import HashedEmbedder
from ui_small_index import ingest

from corpus.errors import IndexNotFound, IndexUnavailable
from corpus.file_digests import MEMORY_NAME, remember_sha256, remembered_sha256
from corpus.index.layout import DATABASE_NAME, LOCK_NAME
from corpus.index.repair import repair_index, verify_index

DAMAGES = 20
KINDS = ("a bit", "a byte", "a block of zeros", "cut short", "emptied", "another file's content", "a pickle", "removed")
_SHARES = (50, 25, 5, 6, 3, 4, 4, 3)
_HEADER = 4096
_BLOCK = 64


def damage_file(chance: random.Random, file: Path, others: Sequence[Path]) -> str:
    """Damage `file`, so that its bytes are others than before; says how."""
    before = file.read_bytes()
    while True:
        kind = chance.choices(KINDS, _SHARES)[0]
        # The first page of a database is a small part of it, and says what all of it is.
        reach = _HEADER if chance.random() < 0.2 else len(before)
        at = chance.randrange(min(reach, len(before))) if before else 0
        after = _altered(chance, kind, before, at, others)
        if after != before:
            break
    if after is None:
        file.unlink()
    else:
        file.write_bytes(after)
    return f"{kind} at {at}"


def _altered(chance: random.Random, kind: str, before: bytes, at: int, others: Sequence[Path]) -> bytes | None:
    if kind == "removed":
        return None
    if kind == "emptied" or not before:
        return b""
    if kind == "cut short":
        return before[:at]
    if kind == "another file's content":
        return chance.choice(others).read_bytes()
    if kind == "a pickle":
        return pickle.dumps({"of": "another program"})
    if kind == "a block of zeros":
        return before[:at] + bytes(min(_BLOCK, len(before) - at)) + before[at + _BLOCK :]
    altered = before[at] ^ (1 << chance.randrange(8)) if kind == "a bit" else chance.randrange(256)
    return before[:at] + bytes((altered,)) + before[at + 1 :]


def damage(chance: random.Random, index: Path) -> tuple[str, bool]:
    """Damage a file; which and how, and whether its times show it.

    One derived file in five keeps its digest, as on a disk that returns other bytes than it was given.
    """
    files = sorted(path for path in index.rglob("*") if path.is_file() and path.name != LOCK_NAME)
    database, memory = index / DATABASE_NAME, index / MEMORY_NAME
    file = database if chance.random() < 0.5 else chance.choice([path for path in files if path != database])
    digest = remembered_sha256(file, memory=memory)
    done = damage_file(chance, file, files)
    is_noticed = file in (database, memory) or not file.exists() or chance.random() >= 0.2
    if not is_noticed:
        remember_sha256(file, digest, memory=memory)
    return f"{file.relative_to(index)}, {done}", is_noticed


FOUND, HARMLESS, MISSED = "found", "harmless", "missed"
REMEDIES = ("relnotes repair", "relnotes ingest")


def faults_of(index: Path, before: State, *, ask: bool) -> list[str]:
    """Ask a damaged index, verify it and repair it, and compare each with the state that it was in."""
    faults: list[str] = []
    if ask:
        check_answers(index, before, faults)
    check_repair(index, before, _found(index, before, faults), faults)
    return faults


def check_answers(index: Path, before: State, faults: list[str]) -> None:
    """It answers as before, or says that it can't be served and what to do."""
    try:
        if read_answers(index) != before.answers:
            faults.append("answers otherwise, without a word")
    except IndexUnavailable as error:
        if not any(remedy in str(error) for remedy in REMEDIES) or "\n" in str(error):
            faults.append(f"refuses without a remedy: {error}")
    except Exception as error:
        faults.append(f"asked, it trips: {type(error).__name__}: {error}")


def _found(index: Path, before: State, faults: list[str]) -> str:
    """`FOUND` by `verify_index`; `HARMLESS`: nothing that is read is another than before; or `MISSED`."""
    try:
        if verify_index(index):
            return FOUND
    except IndexUnavailable:
        return FOUND
    except Exception as error:
        faults.append(f"verified, it trips: {type(error).__name__}: {error}")
        return MISSED
    if read_state(index) == before:
        return HARMLESS
    faults.append("status --verify finds nothing, and something is another than before")
    return MISSED


def check_repair(index: Path, before: State, found: str, faults: list[str]) -> None:
    """It is repaired to what it was, or the repair says what is damaged and changes nothing."""
    database = index / DATABASE_NAME
    held = {path: path.read_bytes() for path in index.rglob("*") if _is_kept(path)}
    try:
        repair_index(index)
    except IndexNotFound:
        return
    except IndexUnavailable as error:
        if found == HARMLESS:
            faults.append(f"can't be repaired, though nothing is damaged: {error}")
        if not any(remedy in str(error) for remedy in REMEDIES):
            faults.append(f"can't be repaired, without a remedy: {error}")
        now = {path: path.read_bytes() for path in index.rglob("*") if _is_kept(path)}
        if {path for path in held | now if held.get(path) != now.get(path)} - {database}:
            faults.append("a repair that refused has changed something")
        return
    except Exception as error:
        faults.append(f"repaired, it trips: {type(error).__name__}: {error}")
        return
    if verify_index(index) != () or read_state(index) != before:
        faults.append("a repair has made another index of it")


def _is_kept(path: Path) -> bool:
    """Whether it is a file that a repair makes: not SQLite's own beside the database, which come and go."""
    return path.is_file() and not path.name.startswith((f"{DATABASE_NAME}-", "write.lock", "file-digests"))


@pytest.mark.slow
def test_each_damage_is_found_or_harmless_and_never_answered_with(tmp_path: Path) -> None:
    chance = random.Random(21)
    sound, index = tmp_path / "sound", tmp_path / "index"
    write_notes(tmp_path / "notes", changed=False)
    ingest(tmp_path / "notes", index=sound, embedder=HashedEmbedder())
    before = read_state(sound)
    for _ in range(DAMAGES):
        put(sound, index)
        where, is_noticed = damage(chance, index)
        assert faults_of(index, before, ask=is_noticed) == [], where
