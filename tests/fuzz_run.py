"""The long form of fuzzing: every target in a process of its own, guided by coverage where atheris is installed.

    python tests/fuzz_run.py [--minutes M] [--seed N] [--jobs J] [--only NAME]... [--keep]

Inputs that break a promise are made small and kept in `tests/data/fuzz`, where `tests/test_fuzz.py` tries them from
then on. `--keep` writes the trial `fuzz` for docs/reliability.md.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from fuzz_table import open_targets

from evals.lab.trials import CountTable, Trial, TrialClock, keep_trial

HERE = Path(__file__).parent


def main() -> int:
    """Fuzz; status 1 where something broke."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=15.0, help="altogether, by the clock")
    parser.add_argument("--seed", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", action="append", default=[], help="targets whose name begins so")
    parser.add_argument("--keep", action="store_true")
    words = parser.parse_args()
    clock = TrialClock.start()
    with open_targets() as targets:
        names = [name for name in targets if not words.only or name.startswith(tuple(words.only))]
    seconds = max(1.0, words.minutes * 60 * words.jobs / len(names))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(words.jobs) as pool:
        shares = [(names[first :: words.jobs], Path(folder) / f"{first}.jsonl") for first in range(words.jobs)]
        told = list(pool.map(lambda share: _fuzz(*share, seconds=seconds, seed=words.seed), shares))
    counted = {count["target"]: count for share in told for count in share}
    counts = [counted.get(name) or _lost(name) for name in names]
    for count in counts:
        print(f"{count['target']:42}{count['inputs']:>9} inputs, slowest {count['slowest_s']:.2f} s")
        for failure in count["failures"]:
            print(f"    {failure['kind']}: {failure['error']} at {failure['place']}: {failure['message']}")
    trial = _trial(clock, counts, seed=words.seed, minutes=words.minutes)
    if words.keep:
        keep_trial("fuzz", trial)
    return int(not all(row[3] for row in trial.summary))


def _fuzz(names: Sequence[str], out: Path, *, seconds: float, seed: int) -> list[dict[str, Any]]:
    command = [sys.executable, str(HERE / "fuzz_child.py"), *names]
    command += ["--seconds", str(seconds), "--seed", str(seed), "--out", str(out)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(HERE.parent), os.environ.get("PYTHONPATH", "")))}
    subprocess.run(command, capture_output=True, env=environment, check=False)
    lines = out.read_text("utf-8").splitlines() if out.exists() else []
    return [json.loads(line) for line in lines]


def _lost(name: str) -> dict[str, Any]:
    """What is told of a target whose process ended without telling anything."""
    lost = {"kind": "hang", "error": "lost", "place": name, "message": "its process told nothing"}
    return {"target": name, "guided": False, "inputs": 0, "seconds": 0.0, "slowest_s": 0.0, "failures": [lost]}


def _trial(clock: TrialClock, counts: Sequence[dict[str, Any]], *, seed: int, minutes: float) -> Trial:
    inputs = sum(count["inputs"] for count in counts)
    by_kind = {
        kind: sum(failure["kind"] == kind for count in counts for failure in count["failures"])
        for kind in ("crash", "hang")
    }
    guided = sum(count["guided"] for count in counts)
    rows = tuple(
        (
            count["target"],
            f"{count['inputs']:,}",
            str(sum(failure["kind"] == "crash" for failure in count["failures"])),
            str(sum(failure["kind"] == "hang" for failure in count["failures"])),
            f"{count['slowest_s']:.2f}",
        )
        for count in counts
    )
    return clock.finish(
        "Hostile inputs",
        command=f"make fuzz FUZZ='--minutes {minutes:g} --seed {seed}'",
        seed=seed,
        summary=[
            ("ways in, each fuzzed by itself", "all", str(len(counts)), all(count["inputs"] for count in counts)),
            ("inputs tried", "≥ 50,000", f"{inputs:,}", inputs >= 50_000),
            ("promises broken, errors of no kind of ours", "0", str(by_kind["crash"]), not by_kind["crash"]),
            ("inputs that hang", "0", str(by_kind["hang"]), not by_kind["hang"]),
        ],
        tables=[CountTable(("way in", "inputs", "crashes", "hangs", "slowest input, s of processor time"), rows)],
        notes=[
            f"{guided} of {len(counts)} were guided by coverage (atheris); a mutator that knows each grammar's signs made "
            "three fifths of the changes, libFuzzer's own the rest. Seeds are the bundled documents and, where they lie "
            "beside the repository, real corpora. An input hangs when it takes over 5 s of the processor, 10 s an "
            "archive, 20 s a PDF. The same seed makes the same inputs where nothing guides; how many are made in the "
            "time is the machine's.",
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
