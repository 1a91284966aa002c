"""Writers killed at system calls chosen by chance: `python -m evals.lab.reliability.faults [--kills N] [--seed N]`.

Each run begins on the same index in its old state, is killed by `strace` as it makes the chosen call, and leaves the
old state or the new one: the same content, bit for bit, and the same answers. Then the next command is run, which must
succeed and leave nothing of the dead one behind.
"""

import argparse
import logging
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from corpus.errors import UsageError
from evals.command import run_command
from evals.lab.reliability.fault_backup import Backup
from evals.lab.reliability.fault_operations import COMMANDS, KillOutcome, Operation
from evals.lab.reliability.fault_upload import GivenFile
from evals.lab.reliability.forked_cli import ForkedCli
from evals.lab.reliability.system_calls import Call, can_trace
from evals.lab.reliability.trials import CountTable, Trial, TrialClock, keep_trial

_OPERATIONS: dict[str, type[Operation]] = {**dict.fromkeys(COMMANDS, Operation), "upload": GivenFile, "backup": Backup}
_SHARES = (24, 14, 8, 12, 12, 8, 11, 11)
"""Of `_OPERATIONS`, in a hundred kills."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trial and keep its counts; status 1 where something must not be."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.reliability.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=330)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if not can_trace():
        raise UsageError("Cannot kill at system calls: needs Linux, strace, and leave to trace. Install strace.")
    trial, faults = run_trial(kills=given.kills, seed=given.seed)
    keep_trial("faults", trial)
    sys.stderr.write("".join(f"{fault}\n" for fault in faults))
    return int(bool(faults))


def run_trial(*, kills: int, seed: int) -> tuple[Trial, tuple[str, ...]]:
    """Kill so many times; returns the counts, and a line for each thing that must not be."""
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    clock = TrialClock.start()
    chance = random.Random(seed)  # noqa: S311 - repeated by its seed
    by_operation: Counter[tuple[str, str]] = Counter()
    by_call: Counter[tuple[str, str]] = Counter()
    calls: dict[str, int] = {}
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="relnotes-faults-") as folder, ForkedCli(Path(folder)) as cli:
        for (name, kind), share in zip(_OPERATIONS.items(), _SHARES, strict=True):
            operation = kind(name, Path(folder), cli)
            calls[name] = len(operation.calls)
            for number in range(max(1, round(kills * share / 100))):
                # Every other one where the states change over, which is a small part of a run.
                call = chance.choice(operation.swap if number % 2 else operation.calls)
                outcome = operation.kill(call)
                _count(outcome, call, name, by_operation, by_call)
                faults += outcome.faults
    return _told(clock, kills, seed, by_operation, by_call, calls, faults), tuple(faults)


def _count(
    outcome: KillOutcome,
    call: Call,
    name: str,
    by_operation: Counter[tuple[str, str]],
    by_call: Counter[tuple[str, str]],
) -> None:
    for counts, key in ((by_operation, name), (by_call, call.name)):
        counts[key, "kills"] += 1
        counts[key, outcome.state] += 1
        counts[key, "faults"] += bool(outcome.faults)


def _told(
    clock: TrialClock,
    kills: int,
    seed: int,
    by_operation: Counter[tuple[str, str]],
    by_call: Counter[tuple[str, str]],
    calls: dict[str, int],
    faults: Sequence[str],
) -> Trial:
    killed = sum(by_operation[name, "kills"] for name in _OPERATIONS)
    neither = sum(by_operation[name, "neither"] for name in _OPERATIONS)
    columns = ("kills", "old", "new", "neither", "faults")
    names = sorted({name for name, _ in by_call})
    return clock.finish(
        "Writers killed at system calls",
        command=f"python -m evals.lab.reliability.faults --kills {kills} --seed {seed}",
        seed=seed,
        summary=[
            ("writers killed at a system call chosen by chance", "≥ 300", str(killed), killed >= 300),
            ("left neither the old state nor the new one", "0", str(neither), neither == 0),
            ("other faults: the next run, leftovers, checksums", "0", str(len(faults)), not faults),
        ],
        tables=[
            CountTable(
                ("command", "calls in a run", *columns),
                tuple(
                    (name, str(calls[name]), *(str(by_operation[name, column]) for column in columns))
                    for name in _OPERATIONS
                ),
                caption="By the command that was killed; half of the kills fall between the first derived file that "
                "gets its lasting name and the end.",
            ),
            CountTable(
                ("killed at", *columns),
                tuple((name, *(str(by_call[name, column]) for column in columns)) for name in names),
                caption="By the call that was about to be made.",
            ),
        ],
        notes=[
            "After each kill the index is opened, its content is compared bit for bit with the old and the new one, "
            "three questions are asked, and the next command must succeed, leave a sound index and nothing else. "
            "`repair` begins on an index with a damaged file and another writer's leftovers, so that old means that it "
            "still says so. `upload` is what a server does with a file that it was given over the page, in place of "
            "one that it keeps: that one or the new one is there whole afterwards, with what was said of it, and the "
            "next start clears the rest. Old and new of `backup` are no copy under the given name, and a whole one. A "
            "kill leaves what the process had written in the system's memory: a machine that loses power isn't tried.",
        ],
    )


if __name__ == "__main__":
    run_command(main)
