"""Files damaged under a server that holds them open: `python -m evals.lab.reliability.held [--damages N] [--seed N]`.

Each damage is written into a file where it lies, as by a copy over it, or cuts it short, after the server has answered
from it. The next answer must be the one from before or a refusal that says what to do, and the server must live. Where
it refuses and a repair succeeds, it must answer again without being started anew.
"""

import argparse
import logging
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import IndexUnavailable
from corpus.index.layout import DATABASE_NAME, LOCK_NAME
from corpus.index.repair import repair_index
from evals.command import run_command
from evals.lab.reliability.damage import KINDS, Damage, choose_file, damage_file
from evals.lab.reliability.damaged_index import REMEDIES
from evals.lab.reliability.fault_place import put, write_notes
from evals.lab.reliability.flips import kind_of
from evals.lab.reliability.hashed_words import HashedWords
from evals.lab.reliability.held_index import ANSWERED, DIED, REFUSED, TRIPPED, HeldIndex
from evals.lab.reliability.trials import CountTable, Trial, TrialClock, keep_trial
from ingest.pipeline import build_index

_AS_BEFORE, _OTHERWISE = "as before", "otherwise"
_FATES = (_AS_BEFORE, REFUSED, _OTHERWISE, TRIPPED, DIED)
_SHARED = f"{DATABASE_NAME}-shm"
"""What SQLite maps itself, and rewrites as it goes: see docs/operations.md."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a server made of one damage."""

    damage: Damage
    fate: str
    faults: tuple[str, ...]
    is_served_again: bool = False
    """It refused, the index was repaired, and it answered as before."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trial and keep its counts; status 1 where something must not be."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.reliability.held", description=__doc__)
    parser.add_argument("--damages", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    trial, faults = run_trial(damages=given.damages, seed=given.seed)
    keep_trial("held", trial)
    sys.stderr.write("".join(f"{fault}\n" for fault in faults))
    return int(bool(faults))


def run_trial(*, damages: int, seed: int) -> tuple[Trial, tuple[str, ...]]:
    """Damage so many times; returns the counts, and a line for each thing that must not be."""
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    clock = TrialClock.start()
    chance = random.Random(seed)  # noqa: S311 - repeated by its seed
    with tempfile.TemporaryDirectory(prefix="relnotes-held-") as folder, HeldIndex(Path(folder)) as held:
        root = Path(folder)
        sound, index = root / "sound", root / "index"
        write_notes(root / "notes", changed=False)
        build_index([str(root / "notes")], index=sound, embedder=HashedWords())
        seen = []
        for _ in range(damages):
            put(sound, index)
            seen.append(_hurt(held, index, chance))
    return _told(clock, damages, seed, seen), tuple(fault for one in seen for fault in one.faults)


def _hurt(held: HeldIndex, index: Path, chance: random.Random) -> Held:
    before = held.open(index)
    files = sorted(path for path in index.rglob("*") if path.is_file() and path.name not in (LOCK_NAME, _SHARED))
    damage = damage_file(chance, choose_file(chance, files, database=index / DATABASE_NAME), files, index=index)
    now = held.ask_again()
    fate = (_AS_BEFORE if now == before else _OTHERWISE) if now[0] == ANSWERED else now[0]
    where = f"{damage.file}, {damage.kind} at {damage.at}"
    faults = [f"{where}: {fate}: {now[1][:300]}"] if fate in (_OTHERWISE, TRIPPED, DIED) else []
    if fate == REFUSED and not any(remedy in now[1] for remedy in REMEDIES):
        faults.append(f"{where}: refuses without a remedy: {now[1]}")
    is_served_again = False
    if fate == REFUSED and _is_repaired(index):
        is_served_again = held.ask_again() == before
        faults += [] if is_served_again else [f"{where}: repaired, it isn't answered from"]
    if fate != DIED:
        held.end()
    return Held(damage, fate, tuple(faults), is_served_again)


def _is_repaired(index: Path) -> bool:
    try:
        repair_index(index)
    except IndexUnavailable:
        return False
    return True


def _told(clock: TrialClock, damages: int, seed: int, seen: Sequence[Held]) -> Trial:
    fates = Counter(one.fate for one in seen)
    faults = sum(len(one.faults) for one in seen)
    wrong = fates[_OTHERWISE] + fates[TRIPPED]
    return clock.finish(
        "Files damaged under a running server",
        command=f"python -m evals.lab.reliability.held --damages {damages} --seed {seed}",
        seed=seed,
        summary=[
            ("damages to files that a server holds open", "≥ 200", str(len(seen)), len(seen) >= 200),
            ("answers other than before, or errors of no kind of ours", "0", str(wrong), not wrong),
            ("servers that died", "0", str(fates[DIED]), not fates[DIED]),
            ("other faults: remedies, answers after a repair", "0", str(faults), not faults),
        ],
        tables=[
            _table("file", [kind_of(one.damage.file) for one in seen], seen),
            _table("damage", [one.damage.kind for one in seen], seen, KINDS),
        ],
        notes=[
            "Between two questions, a file is written to where it lies, as a copy over it or an editor does it, cut "
            "short or removed. The file that SQLite itself maps (`relnotes.sqlite-shm`) is left out.",
        ],
    )


def _table(title: str, kinds: Sequence[str], seen: Sequence[Held], order: Sequence[str] | None = None) -> CountTable:
    rows = []
    for kind in order or sorted(set(kinds)):
        of_kind = [one for name, one in zip(kinds, seen, strict=True) if name == kind]
        fates = Counter(one.fate for one in of_kind)
        again = sum(one.is_served_again for one in of_kind)
        rows.append((kind, str(len(of_kind)), *(str(fates[fate]) for fate in _FATES), str(again)))
    return CountTable((title, "damaged", *_FATES, "served again after a repair"), tuple(rows))


if __name__ == "__main__":
    run_command(main)
