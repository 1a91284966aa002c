"""relnotes' lists of what an upgrade brings, beside labels: `python -m evals.upgrades`."""

import argparse
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from evals.command import RESULTS, run_command
from evals.upgrades.report import missed_minimums, render_trial, render_wrong
from evals.upgrades.trial import BUMP_SETS, UPGRADE, BumpResult, run_set
from ingest.progress import BarProgress

_REPORT = RESULTS / "UPGRADES.md"
_MINIMUMS = Path(__file__).with_name("minimums.toml")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for; where that is everything, write the report and compare with the minimums.

    Raises:
        RelnotesError: documents can't be ingested, or labels don't fit them.
    """
    parser = argparse.ArgumentParser(description="Score lists of what an upgrade brings against labels.")
    parser.add_argument("--bump", action="append", default=[], metavar="ID", help="this bump only; repeats")
    options = parser.parse_args(arguments)
    absent = [one.name for one in BUMP_SETS if not one.is_available]
    results: list[BumpResult] = []
    with BarProgress() as progress:
        for bump_set in BUMP_SETS:
            if bump_set.is_available:
                results.extend(run_set(bump_set, only=options.bump, progress=progress))
    for name in absent:
        sys.stderr.write(f"{name}: skipped, its documents are not beside this checkout\n")
    if not results:
        sys.stderr.write("No labelled bump was run.\n")
        return 1 if options.bump else 0
    page = render_trial(results)
    sys.stdout.write(page)
    if options.bump:
        sys.stderr.write(render_wrong(results))
    if absent or options.bump:
        return 0
    _REPORT.write_text(page, encoding="utf-8")
    limits = tomllib.loads(_MINIMUMS.read_text(encoding="utf-8"))
    missed = missed_minimums(results, UPGRADE, limits)
    for miss in missed:
        sys.stderr.write(f"MISSED by {miss}\n")
    return 1 if missed else 0


if __name__ == "__main__":
    run_command(main)
