"""Time over size for every target and family: `python tests/fuzz_growth_run.py [--structural] [--only NAME]... [--keep]`.

`--keep` writes the trials `fuzz-growth`, of all families, `line-growth`, of every kind of line of every format, and
`asked-growth`, of what is asked over the bundled notes with the real model, which `--asked` alone tries.
"""

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context

from fuzz_asked import MAX_S, measured
from fuzz_families import families
from fuzz_growth import MAX_EXPONENT, MAX_LINE_EXPONENT, NOTABLE_MS_PER_MIB, Growth, measure_growth, worst_first
from fuzz_line_families import GRAMMARS, line_families, line_kinds
from fuzz_targets import open_targets

from evals.lab.trials import CountTable, Trial, TrialClock, TrialFindings, keep_trial

_PAIRS = 30
_SEED = 1
_HOW = (
    "The exponent is the slope of log time over log size at the four largest sizes (least squares), in the time of the "
    "processor: 1 is linear, 2 quadratic. Sizes double from 8 KiB to 1 MiB, or until one input takes long; what then "
    "seems to grow too fast is measured up to three times again with more time, and each size counts with the least."
)
_Found = tuple[list[Growth], list[str]]


def main() -> int:
    """Measure; status 1 where a time grows faster than its size, or a promise broke."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--structural", action="store_true", help="without the families that repeat one piece")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", action="append", default=[], help="targets whose name begins so")
    parser.add_argument("--asked", action="store_true", help="only what is asked of the bundled notes")
    parser.add_argument("--keep", action="store_true")
    words = parser.parse_args()
    trials = {"asked-growth": _asked_trial()}
    if not words.asked:
        trials |= _families_trials(words)
    if words.keep:
        for name, trial in trials.items():
            keep_trial(name, trial)
    return int(not all(row[3] for trial in trials.values() for row in trial.summary))


def _families_trials(words: argparse.Namespace) -> dict[str, Trial]:
    with open_targets() as targets:
        names = [
            name
            for name, target in targets.items()
            if name.startswith(tuple(words.only) or "") and any(families(target))
        ]
    with_lines = [name for name in names if name in GRAMMARS]
    with ProcessPoolExecutor(words.jobs, mp_context=get_context("spawn")) as pool:
        clock = TrialClock.start()
        found = _shown([pool.submit(_grow, name, structural=words.structural) for name in names], names)
        command = "make growth" + (" GROWTH=--structural" if words.structural else "")
        trials = {"fuzz-growth": _trial(clock, *found, command=command)}
        clock = TrialClock.start()
        found = _shown([pool.submit(_grow_lines, name) for name in with_lines], with_lines)
        trials["line-growth"] = _line_trial(clock, *found)
    return trials


def _grow(name: str, *, structural: bool) -> _Found:
    """All families of a target, or those that aren't one piece repeated, and what broke under them."""
    logging.disable(logging.WARNING)
    grown: list[Growth] = []
    broken: list[str] = []
    with open_targets() as targets:
        for family, build in families(targets[name]):
            if structural and family.startswith("repeated"):
                continue
            try:
                grown.append(measure_growth(targets[name], family, build))
            except Exception as error:  # reported, and the other families go on
                broken.append(f"{name}, {family}: {type(error).__name__}: {' '.join(str(error).split())[:200]}")
    return grown, broken


def _grow_lines(name: str) -> _Found:
    logging.disable(logging.WARNING)
    with open_targets() as targets:
        made = line_families(name, pairs=_PAIRS, seed=_SEED)
        return [measure_growth(targets[name], family, build, most=MAX_LINE_EXPONENT) for family, build in made], []


def _shown(work: Sequence[Future[_Found]], names: Sequence[str]) -> _Found:
    grown: list[Growth] = []
    broken: list[str] = []
    for name, future in zip(names, work, strict=True):
        of_target, faults = future.result()
        print(f"{name}: {len(of_target)} families, {len(faults)} broke", flush=True)
        for line in (*(" ".join(_row(growth)) for growth in worst_first(of_target)[:2]), *faults):
            print(f"    {line}", flush=True)
        grown += of_target
        broken += faults
    return grown, broken


def _row(growth: Growth) -> tuple[str, ...]:
    return (
        _cell(growth.family),
        f"{growth.sizes[-1] // 1024:,} KiB",
        f"{growth.seconds[-1] * 1_000:,.0f}",
        "too quick to tell" if growth.exponent is None else f"{growth.exponent:.2f}",
        f"{growth.ms_per_mib:,.0f}",
    )


def _rows(grown: Sequence[Growth]) -> Iterator[tuple[str, ...]]:
    """For each way in: families, the steepest and the dearest of them."""
    for name in dict.fromkeys(growth.target for growth in grown):
        of_target = [growth for growth in grown if growth.target == name]
        steepest = max(of_target, key=lambda growth: (growth.exponent or 0.0, growth.ms_per_mib))
        dearest = max(of_target, key=lambda growth: growth.ms_per_mib)
        exponent = "–" if steepest.exponent is None else f"{steepest.exponent:.2f} ({_cell(steepest.family)})"
        yield name, str(len(of_target)), exponent, f"{dearest.ms_per_mib:,.0f} ({_cell(dearest.family)})"


def _cell(text: str) -> str:
    """Text in a cell of a table: bars would end it."""
    return text.replace("|", "¦").replace("`", "'")


def _trial(clock: TrialClock, grown: Sequence[Growth], broken: Sequence[str], *, command: str) -> Trial:
    defects = [growth for growth in worst_first(grown) if growth.is_defect]
    targets = len({growth.target for growth in grown})
    header = ("way in", "families", "steepest exponent", "dearest, ms of processor time a MiB")
    tables = [CountTable(header, tuple(_rows(grown)))]
    if defects:
        header = ("way in", "family", "last size", "ms there", "exponent", "ms/MiB")
        rows = tuple((growth.target, *_row(growth)) for growth in defects)
        tables.append(CountTable(header, rows, caption="Those that grow too fast:"))
    found = TrialFindings(
        "Growth of time with hostile inputs",
        summary=(
            ("ways in with families of hostile inputs", "all that read text", str(targets), bool(targets)),
            ("families of inputs that double from 8 KiB", "≥ 500", f"{len(grown):,}", len(grown) >= 500),
            (f"exponents over {MAX_EXPONENT} with a notable cost", "0", str(len(defects)), not defects),
            ("promises broken by them", "0", str(len(broken)), not broken),
        ),
        tables=tuple(tables),
        notes=(
            f"{_HOW} Notable is over {NOTABLE_MS_PER_MIB:,} ms a MiB at the largest size. Questions, claims and rendered "
            "answers are cut where the entrances cut them.",
        ),
    )
    return clock.finish(found, command=command, seed=None)


def _asked_trial() -> Trial:
    clock = TrialClock.start()
    grown, at_rest, beside = measured()
    for growth in worst_first(grown)[:5]:
        print(f"{growth.target}: {' '.join(_row(growth))}", flush=True)
    steepest = max((growth.exponent or 0.0 for growth in grown), default=0.0)
    dearest = max(max(growth.seconds) for growth in grown)
    plain, slowest = max(beside[: len(at_rest)]), max(beside)
    print(f"plain questions: {at_rest} s at rest, {beside} s beside two hostile ones (the last two)", flush=True)
    found = TrialFindings(
        "Growth of time with what is asked",
        summary=(
            (
                "steepest exponent, up to 4,000 letters",
                f"≤ {MAX_EXPONENT}",
                f"{steepest:.2f}",
                steepest <= MAX_EXPONENT,
            ),
            ("dearest of them, s of processor time", f"≤ {MAX_S}", f"{dearest:.2f}", dearest <= MAX_S),
            ("slowest of three plain questions at rest, s", "told", f"{max(at_rest):.2f}", True),
            ("the same while two hostile ones are answered, s", f"≤ {MAX_S}", f"{plain:.2f}", plain <= MAX_S),
            ("slowest answer of all five, s", "told", f"{slowest:.2f}", True),
        ),
        tables=(CountTable(("asked as", "forms", "steepest exponent", "dearest, ms a MiB"), tuple(_rows(grown))),),
        notes=(
            "Questions, claims, version filters and versions of upgrades that repeat one piece, over the bundled notes.",
        ),
    )
    return clock.finish(found, command="python tests/fuzz_growth_run.py --asked", seed=None)


def _line_trial(clock: TrialClock, grown: Sequence[Growth], _broken: Sequence[str]) -> Trial:
    over = [growth for growth in grown if growth.is_too_steep]
    kinds = sum(len(line_kinds(grammar)) for grammar in GRAMMARS.values())
    header = ("format", "families", "steepest exponent", "dearest, ms of processor time a MiB")
    found = TrialFindings(
        "Growth of time by kinds of line",
        summary=(
            ("kinds of line, made from the grammars of formats", "≥ 700", f"{kinds:,}", kinds >= 700),
            ("families that repeat them", "≥ 3,000", f"{len(grown):,}", len(grown) >= 3_000),
            (f"exponents over {MAX_LINE_EXPONENT}", "0", str(len(over)), not over),
        ),
        tables=(CountTable(header, tuple(_rows(grown))),),
        notes=(
            "A kind is a line for each alternative of each rule of a format's grammar; it is repeated tight, with blank "
            "lines between, in one line, and each deeper than the one before, all kinds by turns and in runs, and "
            f"{_PAIRS} pairs of lines made by chance with each other for each format. What is timed is all from bytes to "
            f"passages. {_HOW}",
        ),
    )
    return clock.finish(found, command="make growth", seed=_SEED)


if __name__ == "__main__":
    sys.exit(main())
