"""The long form of fuzzing: every target in a process of its own, guided by coverage where atheris is installed.

    python tests/fuzz_run.py [--minutes M] [--seed N] [--jobs J] [--only NAME]... [--keep]

New inputs come from those that reached new code, by our mutator and libFuzzer's in turn, else by the mutator alone.
Inputs that break a promise are made small and kept in `tests/data/fuzz`, where `tests/test_fuzz.py` tries them from
then on. `--keep` writes the trial `fuzz` for docs/reliability.md.
"""

import argparse
import contextlib
import faulthandler
import hashlib
import json
import logging
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from fuzz_mutation import MAX_BYTES, Mutator
from fuzz_target import Target, arm, minimised, try_input

from evals.lab.trials import CountTable, Trial, TrialClock, TrialFindings, keep_trial

_START_S = 120
"""Until a process has its server and its seeds, however busy the machine is."""
_FORKED = get_context("fork")
"""Of a process that has loaded the product once."""


@dataclass(slots=True)
class Count:
    """What was tried; mutable, written at the end."""

    target: str
    guided: bool = False
    inputs: int = 0
    slowest_s: float = 0.0
    failures: list[dict[str, str]] = field(default_factory=list)

    def failed(self, kind: str) -> int:
        """How many failures were of that kind."""
        return sum(failure["kind"] == kind for failure in self.failures)


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
    faulthandler.enable()
    logging.disable(logging.WARNING)
    atheris = _atheris()
    instrumented = ["corpus", "ingest", "retrieval", "ui"]
    with (
        atheris.instrument_imports(include=instrumented, enable_loader_override=False)
        if atheris
        else contextlib.nullcontext()
    ):
        from fuzz_targets import open_targets
    with open_targets() as targets, tempfile.TemporaryDirectory() as made:
        chosen = [target for target in targets.values() if target.name.startswith(tuple(words.only) or "")]
        seconds = max(1.0, words.minutes * 60 * words.jobs / len(chosen))
        counts = _fuzz_all(chosen, Path(made), atheris, seconds=seconds, seed=words.seed, jobs=words.jobs)
    for count in counts:
        print(f"{count.target:42}{count.inputs:>9} inputs, slowest {count.slowest_s:.2f} s")
        for failure in count.failures:
            print(f"    {failure['kind']}: {failure['error']} at {failure['place']}: {failure['message']}")
    trial = _trial(clock, counts, seed=words.seed, minutes=words.minutes)
    if words.keep:
        keep_trial("fuzz", trial)
    return int(not all(row[3] for row in trial.summary))


def _fuzz_all(
    targets: Sequence[Target], folder: Path, atheris: Any, *, seconds: float, seed: int, jobs: int
) -> list[Count]:
    """Fuzz each target in a process of its own, `jobs` at a time; none may outlive its time by much."""
    running: dict[BaseProcess, float] = {}
    waiting = list(enumerate(targets))
    while waiting or running:
        if waiting and len(running) < jobs:
            number, target = waiting.pop(0)
            out = folder / str(number)
            process = _FORKED.Process(target=_fuzz, args=(target, atheris, seconds, seed, out))
            process.start()
            running[process] = time.monotonic() + seconds + _START_S
        for process, until in tuple(running.items()):
            if time.monotonic() > until:
                process.kill()
            if not process.is_alive():
                process.join()
                del running[process]
        time.sleep(0.05)
    return [_counted(target, folder / str(number)) for number, target in enumerate(targets)]


def _counted(target: Target, out: Path) -> Count:
    if out.exists():
        return Count(**json.loads(out.read_text("utf-8")))
    lost = {"kind": "hang", "error": "lost", "place": target.name, "message": "its process ended without a count"}
    return Count(target.name, failures=[lost])


def _fuzz(target: Target, atheris: Any, seconds: float, seed: int, out: Path) -> None:
    """Fuzz one target until its time is over, and end the process, also where libFuzzer would go on."""
    silent = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silent, stream)
    kept = sorted(target.examples.glob("*"))
    seeds = (*target.seeds, *(path.read_bytes() for path in kept))
    mutator = Mutator(seeds, target.signs)
    count = Count(target.name, atheris is not None)
    known: set[tuple[str, str, str]] = set()
    arm()
    try_input(target, target.seeds[0])  # starts the server that some need, which takes no time of the fuzzing
    began = time.monotonic()

    def end() -> None:
        out.write_text(json.dumps(asdict(count)), "utf-8")
        os._exit(0)

    def try_one(content: bytes) -> None:
        if time.monotonic() - began > seconds:
            end()
        failure, took = try_input(target, content)
        count.inputs += 1
        count.slowest_s = max(count.slowest_s, took)
        if failure is not None and failure.cause not in known:
            known.add(failure.cause)
            smallest = minimised(target, content, failure)
            target.examples.mkdir(parents=True, exist_ok=True)
            file = target.examples / hashlib.sha256(smallest).hexdigest()[:12]
            file.write_bytes(smallest)
            count.failures.append({**asdict(failure), "file": file.name})
            if failure.kind == "hang":
                end()

    for content in seeds:
        try_one(content)
    if atheris is not None:
        _run_guided(atheris, try_one, mutator, seed=seed, seeds=seeds)
    chance = random.Random(f"{seed} {target.name}")
    while True:
        try_one(mutator.fresh(chance))


def _atheris() -> Any:
    try:
        import atheris
    except ImportError:
        return None
    return atheris


def _run_guided(
    atheris: Any, try_one: Callable[[bytes], None], mutator: Mutator, *, seed: int, seeds: Sequence[bytes]
) -> None:
    folder = Path(tempfile.mkdtemp(prefix="fuzz-corpus-"))
    for number, content in enumerate(seeds):
        (folder / str(number)).write_bytes(content)

    def mutate(content: bytes, most: int, chosen: int) -> bytes:
        chance = random.Random(chosen)
        if chance.random() < 0.6:
            return mutator.changed(content, chance)[:most]
        changed: bytes = atheris.Mutate(content, most)
        return changed[:most]

    words = [sys.argv[0], f"-seed={seed % 2**31 + 1}", f"-max_len={MAX_BYTES}"]
    words += ["-timeout=300", "-rss_limit_mb=0", "-verbosity=0", f"-artifact_prefix={folder}/", str(folder)]
    atheris.Setup(words, try_one, custom_mutator=mutate)
    atheris.Fuzz()


def _trial(clock: TrialClock, counts: Sequence[Count], *, seed: int, minutes: float) -> Trial:
    inputs = sum(count.inputs for count in counts)
    crashes = sum(count.failed("crash") for count in counts)
    hangs = sum(count.failed("hang") for count in counts)
    guided = sum(count.guided for count in counts)
    rows = tuple(
        (
            count.target,
            f"{count.inputs:,}",
            str(count.failed("crash")),
            str(count.failed("hang")),
            f"{count.slowest_s:.2f}",
        )
        for count in counts
    )
    found = TrialFindings(
        "Hostile inputs",
        summary=(
            ("ways in, each fuzzed by itself", "all", str(len(counts)), all(count.inputs for count in counts)),
            ("inputs tried", "≥ 50,000", f"{inputs:,}", inputs >= 50_000),
            ("promises broken, errors of no kind of ours", "0", str(crashes), not crashes),
            ("inputs that hang", "0", str(hangs), not hangs),
        ),
        tables=(CountTable(("way in", "inputs", "crashes", "hangs", "slowest input, s of processor time"), rows),),
        notes=(
            f"{guided} of {len(counts)} were guided by coverage (atheris); a mutator that knows each grammar's signs made "
            "three fifths of the changes, libFuzzer's own the rest. Seeds are the bundled documents and, where they lie "
            "beside the repository, real corpora. An input hangs when it takes over 5 s of the processor, 10 s an "
            "archive, 20 s a PDF. The same seed makes the same inputs where nothing guides; how many are made in the "
            "time is the machine's.",
        ),
    )
    return clock.finish(found, command=f"make fuzz FUZZ='--minutes {minutes:g} --seed {seed}'", seed=seed)


if __name__ == "__main__":
    sys.exit(main())
