"""The harnesses that hurt an index, in short: real processes killed, files damaged, disks filled."""

import random
from pathlib import Path

import pytest

from evals.lab.reliability import disk, faults, flips, held
from evals.lab.reliability.damage import KINDS, damage_file
from evals.lab.reliability.system_calls import can_trace
from evals.lab.reliability.trials import Trial

pytestmark = pytest.mark.slow


def counted(trial: Trial, column: str, table: int = 0) -> int:
    """The sum of a column of one of a trial's tables."""
    place = trial.tables[table].header.index(column)
    return sum(int(row[place]) for row in trial.tables[table].rows)


@pytest.mark.skipif(not can_trace(), reason="needs strace, and leave to trace")
def test_a_writer_killed_at_any_system_call_leaves_the_old_index_or_the_new_one() -> None:
    trial, found = faults.run_trial(kills=8, seed=20)
    assert found == ()
    assert counted(trial, "kills") == counted(trial, "old") + counted(trial, "new") >= 8
    assert counted(trial, "kills", 1) == counted(trial, "kills")


def test_each_damage_is_found_or_harmless_and_never_answered_with() -> None:
    trial, found = flips.run_trial(flips=30, seed=21)
    assert found == ()
    assert counted(trial, "damaged") == counted(trial, "found") + counted(trial, "harmless") == 30
    assert counted(trial, "found") > 10


def test_a_file_damaged_under_a_server_is_never_answered_from_and_never_ends_it() -> None:
    trial, found = held.run_trial(damages=12, seed=23)
    assert found == ()
    assert counted(trial, "damaged") == counted(trial, "as before") + counted(trial, "refused") == 12
    assert counted(trial, "served again after a repair") >= 2


def test_a_disk_without_room_is_one_clear_line_and_the_old_index_or_the_new_one() -> None:
    trial, found = disk.run_trial(rooms=4, seed=22)
    assert found == ()
    assert counted(trial, "refused, old state") >= 1


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
