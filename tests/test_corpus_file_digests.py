"""Remembered digests: an unchanged file isn't read again, a changed one is, and a bad memory costs time only."""

import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import corpus.file_digests
from corpus.file_digests import remembered_sha256

LONG_AGO_S = 3600


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "digests"


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    return write(tmp_path / "weights.bin", b"first")


@pytest.fixture
def now_is_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of this test have lain there for an hour."""
    monkeypatch.setattr(corpus.file_digests.time, "time_ns", lambda: int((time.time() + LONG_AGO_S) * 1e9))


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files whose bytes were hashed."""
    hashed: list[str] = []
    file_digest = hashlib.file_digest

    def watched(file: object, name: str) -> object:
        hashed.append(Path(file.name).name)
        return file_digest(file, name)

    monkeypatch.setattr(corpus.file_digests.hashlib, "file_digest", watched)
    return hashed


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_changed_or_replaced_file_is_read_again_even_with_size_and_time_put_back(
    weights: Path, memory: Path, now_is_later: None
) -> None:
    remembered_sha256(weights, memory=memory)
    then = weights.stat()
    write(weights, b"other")
    os.utime(weights, ns=(then.st_atime_ns, then.st_mtime_ns))
    assert remembered_sha256(weights, memory=memory) == sha256(b"other")
    write(weights.with_suffix(".new"), b"third").replace(weights)
    assert remembered_sha256(weights, memory=memory) == sha256(b"third")


def test_file_changed_just_now_is_not_remembered_for_it_could_change_within_the_same_tick(
    weights: Path, memory: Path, reads: list[str]
) -> None:
    remembered_sha256(weights, memory=memory)
    os.utime(weights, (0, 0))
    remembered_sha256(weights, memory=memory)
    assert reads == ["weights.bin"] * 2
    assert not memory.exists()


@pytest.mark.parametrize("damage", [lambda _: b"", lambda note: note[:-1], lambda note: b"\xff{" + note, bytes.upper])
def test_damaged_note_is_replaced(
    weights: Path, memory: Path, damage: Callable[[bytes], bytes], now_is_later: None, reads: list[str]
) -> None:
    remembered_sha256(weights, memory=memory)
    (note,) = memory.iterdir()
    note.write_bytes(damage(note.read_bytes()))
    assert [remembered_sha256(weights, memory=memory) for _ in range(2)] == [sha256(b"first")] * 2
    assert reads == ["weights.bin"] * 2
