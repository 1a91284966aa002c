"""Any file of an index damaged in any way: it is found or harmless, never answered from, and repaired or left alone."""

import random
from pathlib import Path

import pytest
from damaged_index import MISSED, judge
from fault_place import put, read_state, write_notes
from file_damage import KINDS, choose_file, damage_file
from small_corpus import HashedEmbedder, remember_sha256
from ui_small_index import ingest

from corpus.file_digests import MEMORY_NAME, remembered_sha256
from corpus.index.layout import DATABASE_NAME, LOCK_NAME

DAMAGES = 30


def damage(chance: random.Random, index: Path) -> tuple[str, bool]:
    """Damage a file; which and how, and whether its times tell. One derived file in five keeps its digest, as on a disk
    that returns other bytes than it was given."""
    files = sorted(path for path in index.rglob("*") if path.is_file() and path.name != LOCK_NAME)
    database, memory = index / DATABASE_NAME, index / MEMORY_NAME
    file = choose_file(chance, files, database=database)
    digest = remembered_sha256(file, memory=memory)
    done = damage_file(chance, file, files, index=index)
    is_noticed = file in (database, memory) or not file.exists() or chance.random() >= 0.2
    if not is_noticed:
        remember_sha256(file, digest, memory=memory)
    return f"{done.file}, {done.kind} at {done.at}", is_noticed


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
        judged = judge(index, before, ask=is_noticed)
        assert judged.faults == (), where
        assert judged.found != MISSED, where


@pytest.mark.parametrize("kind", KINDS)
def test_a_damage_alters_the_file_that_it_names(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, other = tmp_path / "file", tmp_path / "other"
    file.write_bytes(bytes(range(1, 201)))
    other.write_bytes(b"other")
    chance = random.Random(1)
    monkeypatch.setattr(chance, "choices", lambda *_: [kind])
    told = damage_file(chance, file, [other], index=tmp_path)
    assert (told.kind, told.file) == (kind, "file")
    assert not file.exists() or file.read_bytes() != bytes(range(1, 201))
