"""Time over size for every target and family: `python tests/fuzz_growth_run.py [--seconds S] [--only NAME]... [--keep]`.

Each family is first tried up to a fraction of a second of processor time; one whose time seems to grow faster than its
size is measured again, up to `--seconds`, for small sizes deceive on a busy machine. `--keep` writes the trial
`growth`.
"""

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from fuzz_families import families
from fuzz_growth import MAX_EXPONENT, NOTABLE_MS_PER_MIB, Growth, measure_growth, worst_first
from fuzz_table import open_target, open_targets

from evals.lab.trials import CountTable, Trial, TrialClock, keep_trial

_BROKEN = "broke"


def main() -> int:
    """Measure; status 1 where a time grows faster than its size, or a promise broke."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--structural", action="store_true", help="without the families that repeat one piece")
    parser.add_argument(
        "--first-seconds", type=float, default=0.25, help="of the processor, where a family stops first"
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="where one that seems to grow too fast stops")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", action="append", default=[], help="targets whose name begins so")
    parser.add_argument("--keep", action="store_true")
    words = parser.parse_args()
    clock = TrialClock.start()
    with open_targets() as targets:
        names = [
            name
            for name, target in targets.items()
            if (not words.only or name.startswith(tuple(words.only))) and any(True for _ in families(target))
        ]
    grown: list[Growth] = []
    broken: list[str] = []
    with ProcessPoolExecutor(words.jobs, mp_context=get_context("spawn")) as pool:
        work = [
            pool.submit(grow, name, words.first_seconds, words.seconds, structural=words.structural) for name in names
        ]
        for name, one in zip(names, work, strict=True):
            found, faults = one.result()
            grown += found
            broken += faults
            print(f"{name}: {len(found)} families, {len(faults)} broke", flush=True)
            for each in worst_first(found)[:2]:
                print(f"    {_row(each)}", flush=True)
            for fault in faults:
                print(f"    {fault}", flush=True)
    command = "make growth" + (" GROWTH=--structural" if words.structural else "")
    trial = _trial(clock, grown, broken, command=command)
    if words.keep:
        keep_trial("fuzz-growth", trial)
    return int(not all(row[3] for row in trial.summary))


def grow(name: str, first_s: float, full_s: float, *, structural: bool) -> tuple[list[Growth], list[str]]:
    """All families of a target, or those that aren't one piece repeated, and what broke under them."""
    logging.disable(logging.WARNING)
    grown: list[Growth] = []
    broken: list[str] = []
    with open_target(name) as target:
        for family, build in families(target):
            if structural and family.startswith("repeated"):
                continue
            try:
                one = measure_growth(target, family, build, enough_s=first_s)
                if one.exponent is not None and one.exponent > MAX_EXPONENT:
                    one = measure_growth(target, family, build, enough_s=full_s)
                if one.is_defect:
                    one = measure_growth(target, family, build, enough_s=2 * full_s)
                grown.append(one)
            except Exception as error:  # told, and the other families go on
                broken.append(f"{name}, {family}: {type(error).__name__}: {' '.join(str(error).split())[:200]}")
    return grown, broken


def _row(one: Growth) -> tuple[str, ...]:
    return (
        one.family,
        f"{one.sizes[-1] // 1024:,} KiB",
        f"{one.seconds[-1] * 1_000:,.0f}",
        "too quick to tell" if one.exponent is None else f"{one.exponent:.2f}",
        f"{one.ms_per_mib:,.0f}",
    )


def shown_rows(grown: Sequence[Growth]) -> tuple[tuple[str, ...], ...]:
    """For each way in: families, the steepest and the dearest of them."""
    return tuple((a, b, _shown(c), _shown(d)) for a, b, c, d in _rows(grown))


def _rows(grown: Sequence[Growth]) -> Iterator[tuple[str, ...]]:
    for name in dict.fromkeys(one.target for one in grown):
        of_target = [one for one in grown if one.target == name]
        steepest = max(of_target, key=lambda one: (one.exponent or 0.0, one.ms_per_mib))
        dearest = max(of_target, key=lambda one: one.ms_per_mib)
        told = "–" if steepest.exponent is None else f"{steepest.exponent:.2f} ({steepest.family})"
        yield name, str(len(of_target)), told, f"{dearest.ms_per_mib:,.0f} ({dearest.family})"


def _trial(clock: TrialClock, grown: Sequence[Growth], broken: Sequence[str], *, command: str) -> Trial:
    defects = [one for one in worst_first(grown) if one.is_defect]
    targets = len({one.target for one in grown})
    tables = [
        CountTable(
            ("way in", "families", "steepest exponent", "dearest, ms of processor time a MiB"),
            shown_rows(grown),
        )
    ]
    if defects:
        tables.append(
            CountTable(
                ("way in", "family", "last size", "ms there", "exponent", "ms/MiB"),
                tuple((one.target, *map(_shown, _row(one))) for one in defects),
                caption="Those that grow too fast:",
            )
        )
    return clock.finish(
        "Growth of time with hostile inputs",
        command=command,
        seed=None,
        summary=[
            ("ways in with families of hostile inputs", "all that read text", str(targets), bool(targets)),
            ("families of inputs that double from 8 KiB", "≥ 500", f"{len(grown):,}", len(grown) >= 500),
            (f"exponents over {MAX_EXPONENT} with a notable cost", "0", str(len(defects)), not defects),
            ("promises broken by them", "0", str(len(broken)), not broken),
        ],
        tables=tables,
        notes=[
            "The exponent is the slope of log time over log size at the four largest sizes (least squares), in the time of "
            f"the processor: 1 is linear, 2 quadratic. Notable is over {NOTABLE_MS_PER_MIB:,} ms a MiB at the largest size. "
            "Sizes double up to 1 MiB, or until one input takes long; what then seems to grow too fast is measured again "
            "with more time. Questions, claims and rendered answers are cut where the entrances cut them.",
        ],
    )


def _shown(text: str) -> str:
    """A cell of a table: bars would end it."""
    return text.replace("|", "¦").replace("`", "'")


if __name__ == "__main__":
    sys.exit(main())
