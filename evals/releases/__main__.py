"""Releases as ingest reads them, beside releases as people read them: `python -m evals.releases`."""

import sys
import tomllib
from pathlib import Path

from evals.command import run_command
from evals.gate import check_minimums
from evals.releases.report import render_report
from evals.releases.scoring import CHECKS, PASSAGE, absent_suites, add_up, run_trial

_REPORT = Path(__file__).parents[2] / "docs" / "releases.md"
_MINIMUMS = Path(__file__).with_name("minimums.toml")


def main() -> int:
    """Measure, report, compare with the minimums; 1 where one is missed.

    Raises:
        RelnotesError: a document can't be read or has changed, or the truth has faults.
    """
    if absent := absent_suites():
        names = ", ".join(suite.name for suite in absent)
        sys.stdout.write(f"releases: skipped, documents are not beside this checkout ({names})\n")
        return 0
    results = run_trial()
    total = add_up(result.score for result in results)
    figures = "  ".join(f"{check} {total.figures.get(check, 0):.3f}" for check in (*CHECKS, PASSAGE))
    sys.stdout.write(f"releases ({total.releases} releases, {total.passages} passages): {figures}\n")
    _REPORT.write_text(render_report(results), encoding="utf-8")
    missed = check_minimums(total.figures, tomllib.loads(_MINIMUMS.read_text(encoding="utf-8")).items())
    for miss in missed:
        sys.stdout.write(f"MISSED in releases: {miss}\n")
    return 1 if missed else 0


if __name__ == "__main__":
    run_command(main)
