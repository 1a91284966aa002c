"""A disk that fills up, and one that may not be written to: `python -m evals.lab.reliability.disk [--rooms N] [--seed
N]`.

The index lies on a small disk in memory, which is filled until so much room is left as was chosen by chance; then a
command runs. It either gets through, and the new index answers, or ends in one line with what to do, and the old one
does, or there is none still. Once there is room the next run gets through. Where no disk can be mounted, a limit on the
size of files stands in.
"""

import argparse
import logging
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from corpus.errors import IndexNotFound
from evals.command import run_command
from evals.lab.reliability.fault_place import IndexState, is_sound, litter, put, read_state, write_notes
from evals.lab.reliability.forked_cli import Ended, ForkedCli
from evals.lab.reliability.trials import CountTable, Trial, TrialClock, keep_trial

_NOBODY = 65534
_LIMITS_KIB = 600
_OUTCOMES = ("refused, old state", "got through")
_FIRST = "full disk, no index before"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trial and keep its counts; status 1 where something must not be."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.reliability.disk", description=__doc__)
    parser.add_argument("--rooms", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    trial, faults = run_trial(rooms=given.rooms, seed=given.seed)
    keep_trial("disk", trial)
    sys.stderr.write("".join(f"{fault}\n" for fault in faults))
    return int(bool(faults))


def run_trial(*, rooms: int, seed: int) -> tuple[Trial, tuple[str, ...]]:
    """Try so many times; returns the counts, and a line for each thing that must not be."""
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    clock = TrialClock.start()
    chance = random.Random(seed)  # noqa: S311 - repeated by its seed
    counts: Counter[tuple[str, str]] = Counter()
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="relnotes-disk-") as folder, ForkedCli(Path(folder)) as cli:
        os.chmod(folder, 0o755)  # noqa: PTH101, S103 - another user runs a command in there
        with _small_disk(Path(folder) / "disk") as is_mounted:
            trial = _DiskTrial(Path(folder), cli)
            ways = ("full disk", _FIRST, "limit on files") if is_mounted else ("limit on files",)
            for number in range(rooms):
                way = ways[number % len(ways)]
                outcome, found = trial.squeeze(way, kib=chance.randrange(_LIMITS_KIB))
                counts[way, outcome] += 1
                faults += found
            if os.geteuid() == 0:
                outcome, found = trial.forbid()
                counts["no leave to write", outcome] += 1
                faults += found
    return _told(clock, rooms, seed, counts, faults), tuple(faults)


class _DiskTrial:
    """An index on the small disk, its notes and its copy beside it."""

    def __init__(self, root: Path, cli: ForkedCli) -> None:
        self._cli = cli
        self._notes, self._index, self._before = root / "notes", root / "disk" / "index", root / "before"
        self._ingest: list[str | Path] = ["ingest", self._notes, "--index", self._index]
        write_notes(self._notes, changed=False)
        if (ended := cli.run(self._ingest)).status:
            raise ValueError(ended.err)
        put(self._index, self._before)
        self._old = read_state(self._index)
        write_notes(self._notes, changed=True)
        cli.run(self._ingest)
        self._new = read_state(self._index)

    def squeeze(self, way: str, *, kib: int) -> tuple[str, list[str]]:
        """Ingest with so much room; returns the outcome, and a line for each thing that must not be."""
        put(self._before, self._index)
        if way == _FIRST:
            shutil.rmtree(self._index)
        if way != "limit on files":
            with _filled(self._index.parent, room=1024 * kib):
                ended = self._cli.run(self._ingest)
        else:
            ended = self._cli.run(self._ingest, room=1024 * kib)
        return self._judge(ended, f"{way}, {kib} KiB", old=None if way == _FIRST else self._old)

    def forbid(self) -> tuple[str, list[str]]:
        """Ingest as a user who may read the index and write nothing."""
        put(self._before, self._index)
        for path in (*self._index.rglob("*"), self._index):
            path.chmod(0o755 if path.is_dir() else 0o644)
        return self._judge(self._cli.run(self._ingest, user=_NOBODY), "no leave to write", old=self._old)

    def _judge(self, ended: Ended, where: str, *, old: IndexState | None) -> tuple[str, list[str]]:
        faults = []
        lines = ended.err.strip().splitlines()
        if ended.status not in (0, 1):
            faults.append(f"ended with status {ended.status}: {ended.err}")
        if ended.status == 1 and not (len(lines) == 1 and "free space" in lines[0]):
            faults.append(f"not one line that says what to do: {ended.err!r}")
        state: IndexState | None = None
        try:
            state = read_state(self._index)
            if not is_sound(self._index):
                faults.append("left an index that isn't sound")
        except IndexNotFound:
            pass
        except Exception as error:
            faults.append(f"left an index that isn't read: {error}")
        if state != (old if ended.status else self._new):
            faults.append(f"said status {ended.status}, and left another state")
        again = self._cli.run(self._ingest)
        if again.status or read_state(self._index) != self._new or litter(self._index):
            faults.append(f"with room, the next run ends with {again.status}: {again.err} {litter(self._index)}")
        return _OUTCOMES[ended.status == 0], [f"{where}: {fault}" for fault in faults]


@contextmanager
def _small_disk(place: Path) -> Iterator[bool]:
    """A disk of 8 MiB at `place` for a `with` block; False where there may be none, and `place` is a folder."""
    place.mkdir()
    mount = shutil.which("mount")
    command = [mount or "", "-t", "tmpfs", "-o", "size=8m", "relnotes", str(place)]
    is_mounted = mount is not None and subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["umount", str(place)], check=False)  # noqa: S603, S607


@contextmanager
def _filled(disk: Path, *, room: int) -> Iterator[None]:
    """A disk with no more than `room` bytes left for a `with` block."""
    told = os.statvfs(disk)
    filling = disk / "filling"
    filling.write_bytes(bytes(max(0, told.f_bavail * told.f_frsize - room)))
    try:
        yield
    finally:
        filling.unlink()


def _told(clock: TrialClock, rooms: int, seed: int, counts: Counter[tuple[str, str]], faults: Sequence[str]) -> Trial:
    ways = sorted({way for way, _ in counts})
    tried = sum(counts.values())
    missing = {"full disk", _FIRST, "no leave to write"} - set(ways)
    return clock.finish(
        "Disks without room or leave to write",
        command=f"python -m evals.lab.reliability.disk --rooms {rooms} --seed {seed}",
        seed=seed,
        summary=[
            ("ingests on a full disk, under a limit on files, without leave to write", "≥ 50", str(tried), tried >= 50),
            (
                "not one clear line, another state than was said, or a next run that fails",
                "0",
                str(len(faults)),
                not faults,
            ),
        ],
        tables=[
            CountTable(
                ("disk", *_OUTCOMES), tuple((way, *(str(counts[way, one]) for one in _OUTCOMES)) for way in ways)
            )
        ],
        notes=[
            *([f"Not tried here, for it needs root: {', '.join(sorted(missing))}."] if missing else []),
        ],
    )


if __name__ == "__main__":
    run_command(main)
