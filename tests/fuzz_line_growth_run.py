"""Time over size for every kind of line of every format: `python tests/fuzz_line_growth_run.py [--keep]`.

The kinds are made from grammars (`fuzz_line_families`); `--keep` writes the trial `line-growth`.
"""

import argparse
import logging
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from fuzz_growth import MAX_LINE_EXPONENT, Growth, measure_to_a_megabyte, worst_first
from fuzz_growth_run import shown_rows
from fuzz_line_families import GRAMMARS, line_families, line_kinds
from fuzz_table import open_target

from evals.lab.trials import CountTable, Trial, TrialClock, keep_trial


def main() -> int:
    """Measure; status 1 where a time grows faster than its size may make it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=30, help="lines by chance with each other, for each format")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", choices=GRAMMARS, action="append", help="formats")
    parser.add_argument("--keep", action="store_true")
    words = parser.parse_args()
    clock = TrialClock.start()
    names = words.only or list(GRAMMARS)
    grown: list[Growth] = []
    with ProcessPoolExecutor(words.jobs, mp_context=get_context("spawn")) as pool:
        work = [pool.submit(_grow, name, words.pairs, words.seed) for name in names]
        for name, one in zip(names, work, strict=True):
            found = one.result()
            grown += found
            worst = worst_first(found)[0]
            print(f"{name}: {len(found)} families; {worst.family}: {worst.exponent} {worst.seconds}", flush=True)
    trial = _trial(clock, grown, pairs=words.pairs, seed=words.seed)
    if words.keep:
        keep_trial("line-growth", trial)
    return int(not all(row[3] for row in trial.summary))


def _grow(name: str, pairs: int, seed: int) -> list[Growth]:
    logging.disable(logging.WARNING)
    with open_target(name) as target:
        return [
            measure_to_a_megabyte(target, family, build)
            for family, build in line_families(name, pairs=pairs, seed=seed)
        ]


def _trial(clock: TrialClock, grown: Sequence[Growth], *, pairs: int, seed: int) -> Trial:
    over = [one for one in grown if one.is_too_steep]
    largest = [one for one in grown if one.sizes[-1] == 2**20]
    kinds = sum(len(line_kinds(grammar)) for grammar in GRAMMARS.values())
    return clock.finish(
        "Growth of time by kinds of line",
        command="python tests/fuzz_line_growth_run.py" + (f" --pairs {pairs}" if pairs != 30 else ""),
        seed=seed,
        summary=[
            ("kinds of line, made from the grammars of formats", "≥ 700", f"{kinds:,}", kinds >= 700),
            ("families that repeat them", "≥ 3,000", f"{len(grown):,}", len(grown) >= 3_000),
            (f"exponents over {MAX_LINE_EXPONENT}", "0", str(len(over)), not over),
        ],
        tables=[
            CountTable(
                ("format", "families", "steepest exponent", "dearest, ms of processor time a MiB"), shown_rows(grown)
            )
        ],
        notes=[
            "A kind is a line for each alternative of each rule of a format's grammar; it is repeated tight, with blank "
            "lines between, in one line, and each deeper than the one before, all kinds by turns and in runs, and "
            f"{pairs} pairs of lines made by chance with each other for each format. What is timed is all from bytes to "
            "passages, in the time of the processor: at 8, 16 and 64 KiB, and where the slope "
            f"of log time over log size is over {MAX_LINE_EXPONENT} there, at 128, 256 and 512 KiB and 1 MiB, the lowest of "
            "up to four measurements: so were "
            f"{len(largest):,}, the steepest {max((one.exponent or 0 for one in largest), default=0):.2f}.",
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
