"""Compares relnotes' lists of an upgrade's changes with labels: `python -m evals.upgrades`."""

import argparse
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean

from evals.command import RESULTS, render_table, run_command, write_page
from evals.metrics import check_limits
from evals.upgrades.scoring import FIGURES, add_up
from evals.upgrades.trial import BUMP_SETS, GATE_BUMP_SETS, UPGRADE, BumpResult, run_set
from ingest.progress import BarProgress

_REPORT = RESULTS / "UPGRADES.md"
_MINIMUMS = Path(__file__).with_name("minimums.toml")
_PREFACE = """# What an upgrade brings

Written by `python -m evals.upgrades`. Language models labelled each bump from the official notes, entry by entry,
before anything was run on it; no person has read the labels. [LABELS.md](../upgrades/LABELS.md) says
what counts as an item.

Of sixteen bumps that were held back, eight were moved to the development half, and all sixteen were read in a later
trial ([decision 11](../../docs/decisions/0011-a-learned-reader-tells-labels.md)). So the test half is what was never
moved, not what was never seen; and the reader of labels has learned from other labels of the same projects' entries.

- **recall**: share of the labelled changes that some listed item tells, that is, shares half of the shorter range with.
  **severe**: the same for what breaks or is removed, without deprecations.
- **precision**: share of the listed items that tell a change of their own; a second item on one change is wrong.
- **ratio**: listed items for each labelled change. **kind**: share of the right items that name the right kind.
- Micro averages count every change alike, macro averages every bump. `+n` labels are optional: listing them or not
  makes no difference.
"""
_BUMP_HEADER = ("bump", "releases", "half", "labels", "items", *FIGURES)
_SPLITS = ("dev", "test")


def render_trial(results: Sequence[BumpResult]) -> str:
    """Render the averages of every engine in both halves, then the figures of every bump by engine."""
    engines = tuple(dict.fromkeys(result.engine for result in results))
    parts = [_PREFACE]
    for split in _SPLITS:
        rows = [row for engine in engines for row in _averages(results, engine, split)]
        if rows:
            bumps = len({result.bump.id for result in results if result.bump.split == split})
            header = ("", "average", *FIGURES)
            parts.append(f"## {split.capitalize()} half: {bumps} bumps\n\n{render_table(header, rows)}\n")
    for engine in engines:
        rows = [_bump_row(result) for result in results if result.engine == engine]
        parts.append(f"## By bump: {engine}\n\n{render_table(_BUMP_HEADER, rows)}\n")
    return "\n".join(parts)


def render_wrong(results: Sequence[BumpResult]) -> str:
    """Render a line for each change that an engine missed, and for each item that matches no change."""
    lines = [
        f"{result.engine}, {result.bump.id}: missed {placed.change.path}:{placed.change.start}-{placed.change.end}\n"
        for result in results
        for placed in result.missed
    ]
    lines += [
        f"{result.engine}, {result.bump.id}: wrong {item.source}:{item.start}-{item.end}: {item.quote!r}\n"
        for result in results
        for item in result.wrong
    ]
    return "".join(lines)


def _averages(results: Sequence[BumpResult], engine: str, split: str) -> Iterator[tuple[str, ...]]:
    scores = [result.score for result in results if result.engine == engine and result.bump.split == split]
    if scores:
        macro = {name: mean(score.figures[name] for score in scores) for name in FIGURES}
        yield (engine, "micro", *_cells(add_up(scores).figures))
        yield ("", "macro", *_cells(macro))


def _bump_row(result: BumpResult) -> tuple[str, ...]:
    bump = result.bump
    optional = sum(change.optional for change in bump.changes)
    labels = f"{result.score.changes}{f' +{optional}' if optional else ''}"
    cells = _cells(result.score.figures)
    return (bump.id, f"{bump.start} to {bump.end}", bump.split, labels, str(result.score.items), *cells)


def _cells(figures: Mapping[str, float]) -> Iterator[str]:
    return (f"{figures[name]:.3f}" for name in FIGURES)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bumps, print the figures, and compare them with the limits unless single bumps are named; write the
    report if all bumps were run. Return 1 if a limit is missed, or no bump could be run.

    Raises:
        RelnotesError: documents can't be ingested, or labels don't fit them.
    """
    parser = argparse.ArgumentParser(description="Score lists of what an upgrade brings against labels.")
    parser.add_argument("--bump", action="append", default=[], metavar="ID", help="this bump only; repeats")
    parser.add_argument("--gate", action="store_true", help="those over the documents of the gate, in one line")
    options = parser.parse_args(arguments)
    bump_sets = GATE_BUMP_SETS if options.gate else BUMP_SETS
    absent = [bump_set.name for bump_set in bump_sets if not bump_set.is_available]
    results: list[BumpResult] = []
    with BarProgress() as progress:
        for bump_set in bump_sets:
            if bump_set.is_available:
                results.extend(run_set(bump_set, only=options.bump, progress=progress))
    for name in absent:
        sys.stdout.write(f"upgrades in {name}: skipped, its documents are not beside this checkout\n")
    if not results:
        sys.stderr.write("No labelled bump was run.\n")
        return 1
    page = render_trial(results)
    if not options.gate:
        sys.stdout.write(page)
    if options.bump:
        sys.stderr.write(render_wrong(results))
        return 0
    if not (options.gate or absent):
        write_page(_REPORT, page)
    upgrades = [result.score for result in results if result.engine == UPGRADE]
    figures = add_up(upgrades).figures
    shown = "  ".join(f"{name} {figures[name]:.3f}" for name in FIGURES)
    sys.stdout.write(f"upgrades ({len(upgrades)} bumps): {shown}\n")
    limits = tomllib.loads(_MINIMUMS.read_text(encoding="utf-8"))
    missed = check_limits(figures, limits["gate" if options.gate else "all"])
    sys.stdout.writelines(f"MISSED in upgrades: {miss}\n" for miss in missed)
    return 1 if missed else 0


if __name__ == "__main__":
    run_command(main)
