"""Any file of an index damaged in any way: a check finds it, what is derived is made anew, tables aren't read."""

import pickle
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from fault_place import State, put, read_answers, read_state, write_notes
from small_corpus import HashedEmbedder
from ui_small_index import ingest

from corpus.errors import IndexUnavailable
from corpus.index.layout import DATABASE_NAME, LOCK_NAME, write_lock
from corpus.index.repair import restore_derived, verify_index

DAMAGES = 20
Damage = Callable[[random.Random, bytes, int, Sequence[Path]], bytes | None]
_HEADER = 4096
_BLOCK = 64
KINDS: dict[str, tuple[int, Damage]] = {
    "a bit": (50, lambda by, was, at, _: was[:at] + bytes((was[at] ^ (1 << by.randrange(8)),)) + was[at + 1 :]),
    "a byte": (25, lambda by, was, at, _: was[:at] + bytes((by.randrange(256),)) + was[at + 1 :]),
    "a block of zeros": (5, lambda _, was, at, __: was[:at] + bytes(min(_BLOCK, len(was) - at)) + was[at + _BLOCK :]),
    "cut short": (6, lambda _, was, at, __: was[:at]),
    "emptied": (3, lambda *_: b""),
    "another file's content": (4, lambda by, _, __, others: by.choice(others).read_bytes()),
    "a pickle": (4, lambda *_: pickle.dumps({"of": "another program"})),
    "removed": (3, lambda *_: None),
}
"""How often each is done in a hundred, and what it leaves of a file's bytes at a place, given other files."""


def damage_file(chance: random.Random, file: Path, others: Sequence[Path]) -> str:
    """Damage `file`, so that its bytes are others than before; says how."""
    before = file.read_bytes()
    while True:
        kind = chance.choices([*KINDS], [often for often, _ in KINDS.values()])[0]
        # The first page of a database is a small part of it, and says what all of it is.
        reach = _HEADER if chance.random() < 0.2 else len(before)
        at = chance.randrange(min(reach, len(before))) if before else 0
        after = KINDS[kind][1](chance, before or b"\0", at, others)
        if after != before:
            break
    if after is None:
        file.unlink()
    else:
        file.write_bytes(after)
    return f"{kind} at {at}"


def damage(chance: random.Random, index: Path) -> tuple[str, bool]:
    """Damage a file; which and how, and whether it is a derived one, which nobody looks through before it is used."""
    files = sorted(path for path in index.rglob("*") if path.is_file() and path.name != LOCK_NAME)
    database = index / DATABASE_NAME
    file = database if chance.random() < 0.5 else chance.choice([path for path in files if path != database])
    return f"{file.relative_to(index)}, {damage_file(chance, file, files)}", file != database


def attempt(work: Callable[[], object]) -> tuple[Any, str]:
    """What comes of it, and what is said where the index can't be served."""
    try:
        return work(), ""
    except IndexUnavailable as error:
        return None, str(error)


def check_answers(index: Path, before: State) -> None:
    """It answers as before, or says in one line that it can't be served and what to do."""
    answers, refusal = attempt(lambda: read_answers(index))
    assert answers == before.answers or "relnotes ingest" in refusal
    assert "\n" not in refusal


def check_restored(index: Path, before: State, *, is_derived: bool) -> None:
    """What isn't found is harmless; of what is, the derived is made anew, and the rest says what to do."""
    faults, _ = attempt(lambda: verify_index(index))
    assert faults != () or read_state(index) == before
    with write_lock(index):
        _, refusal = attempt(lambda: restore_derived(index))
    assert not refusal or "relnotes ingest" in refusal
    faults, _ = attempt(lambda: verify_index(index))
    assert not is_derived or faults == ()
    assert faults != () or read_state(index) == before


@pytest.mark.slow
def test_each_damage_is_found_or_harmless_and_never_answered_with(tmp_path: Path) -> None:
    chance = random.Random(21)
    sound, index = tmp_path / "sound", tmp_path / "index"
    write_notes(tmp_path / "notes", changed=False)
    ingest(tmp_path / "notes", index=sound, embedder=HashedEmbedder())
    before = read_state(sound)
    for _ in range(DAMAGES):
        put(sound, index)
        where, is_derived = damage(chance, index)
        try:
            if not is_derived:
                check_answers(index, before)
            check_restored(index, before, is_derived=is_derived)
        except BaseException as error:
            error.add_note(where)
            raise
