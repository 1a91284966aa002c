"""Every file of an index damaged: `python -m evals.lab.reliability.flips [--flips N] [--seed N]`.

Each damage is of one file of a sound index. Then the index is asked, verified and repaired: what is damaged must be
found or be provably harmless, an answer must be the one from before or a refusal that says what to do, and a repair
must bring back the very same index or say that the tables are damaged, and change nothing.
"""

import argparse
import logging
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from corpus.file_digests import MEMORY_NAME, remember_sha256, remembered_sha256
from corpus.index.layout import DATABASE_NAME, LOCK_NAME
from evals.command import run_command
from evals.lab.reliability.damage import KINDS, Damage, choose_file, damage_file
from evals.lab.reliability.damaged_index import FOUND, HARMLESS, MISSED, IndexJudgement, judge
from evals.lab.reliability.fault_place import put, read_state, write_notes
from evals.lab.reliability.hashed_words import HashedWords
from evals.lab.reliability.trials import CountTable, Trial, TrialClock, keep_trial
from ingest.pipeline import build_index

_UNNOTICED = 0.2
"""The share of derived files that are damaged without a trace in their times: a disk that returns other bytes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trial and keep its counts; status 1 where something must not be."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.reliability.flips", description=__doc__)
    parser.add_argument("--flips", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    trial, faults = run_trial(flips=given.flips, seed=given.seed)
    keep_trial("flips", trial)
    sys.stderr.write("".join(f"{fault}\n" for fault in faults))
    return int(bool(faults))


def run_trial(*, flips: int, seed: int) -> tuple[Trial, tuple[str, ...]]:
    """Damage so many times; returns the counts, and a line for each thing that must not be."""
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    clock = TrialClock.start()
    chance = random.Random(seed)  # noqa: S311 - repeated by its seed
    seen: list[tuple[Damage, IndexJudgement]] = []
    with tempfile.TemporaryDirectory(prefix="relnotes-flips-") as folder:
        root = Path(folder)
        sound, index = root / "sound", root / "index"
        write_notes(root / "notes", changed=False)
        build_index([str(root / "notes")], index=sound, embedder=HashedWords())
        before = read_state(sound)
        for _ in range(flips):
            put(sound, index)
            damage, is_noticed = _damage(chance, index)
            seen.append((damage, judge(index, before, ask=is_noticed)))
    faults = tuple(
        f"{damage.file}, {damage.kind} at {damage.at}: {fault}" for damage, one in seen for fault in one.faults
    )
    return _told(clock, flips, seed, seen, faults), faults


def _damage(chance: random.Random, index: Path) -> tuple[Damage, bool]:
    """Damage a file; returns how, and whether its times tell."""
    files = sorted(path for path in index.rglob("*") if path.is_file() and path.name != LOCK_NAME)
    database, memory = index / DATABASE_NAME, index / MEMORY_NAME
    file = choose_file(chance, files, database=database)
    digest = remembered_sha256(file, memory=memory)
    damage = damage_file(chance, file, files, index=index)
    is_noticed = file in (database, memory) or not file.exists() or chance.random() >= _UNNOTICED
    if not is_noticed:
        remember_sha256(file, digest, memory=memory)
    return damage, is_noticed


def _told(
    clock: TrialClock, flips: int, seed: int, seen: Sequence[tuple[Damage, IndexJudgement]], faults: Sequence[str]
) -> Trial:
    found = Counter(one.found for _, one in seen)
    wrong = sum(one.answered in ("otherwise", "tripped") for _, one in seen)
    return clock.finish(
        "Damaged files of an index",
        command=f"python -m evals.lab.reliability.flips --flips {flips} --seed {seed}",
        seed=seed,
        summary=[
            ("damages to files of an index", "≥ 500", str(len(seen)), len(seen) >= 500),
            ("neither found by `status --verify` nor harmless", "0", str(found[MISSED]), not found[MISSED]),
            ("answers other than before, or errors without a remedy", "0", str(wrong), not wrong),
            ("other faults: repairs, remedies", "0", str(len(faults)), not faults),
        ],
        tables=[
            _table("file", [kind_of(damage.file) for damage, _ in seen], [one for _, one in seen]),
            _table("damage", [damage.kind for damage, _ in seen], [one for _, one in seen], KINDS),
        ],
        notes=[
            "Harmless means that status --verify finds nothing and that all that is stored, bit for bit, and the "
            "answers to three questions are what they were: bytes that SQLite doesn't use, and the remembered digests, "
            "which are read anew where they don't fit. A repair is refused where the database itself is damaged. One "
            "in five of the damaged derived files keeps its remembered digest, as on a disk that returns other bytes "
            "than it was given: those are verified and repaired, and not asked, for only reading them whole tells.",
        ],
    )


def _table(
    title: str, kinds: Sequence[str], judged: Sequence[IndexJudgement], order: Sequence[str] | None = None
) -> CountTable:
    rows = []
    for kind in order or sorted(set(kinds)):
        of_kind = [one for name, one in zip(kinds, judged, strict=True) if name == kind]
        found, answered = Counter(one.found for one in of_kind), Counter(one.answered for one in of_kind)
        repaired = Counter(one.repaired for one in of_kind)
        counts = (
            *(found[name] for name in (FOUND, HARMLESS, MISSED)),
            *(answered[name] for name in ("as before", "refused", "not asked")),
            *(repaired[name] for name in ("as before", "refused")),
        )
        rows.append((kind, str(len(of_kind)), *map(str, counts)))
    header = (
        "damaged",
        "found",
        "harmless",
        "missed",
        "answers as before",
        "refuses",
        "not asked",
        "repaired",
        "repair refused",
    )
    return CountTable((title, *header), tuple(rows))


def kind_of(file: str) -> str:
    """A file's name without the digest in it."""
    first, _, rest = file.partition("/")
    name = first.partition("-")[0] if "-" in first and not first.startswith("file") else first
    return f"{name}/{rest}" if rest else name


if __name__ == "__main__":
    run_command(main)
