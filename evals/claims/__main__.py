"""Claims against the notes: `python -m evals.claims [--split dev] [--wrong]`."""

import argparse
import sys
from collections.abc import Sequence

from evals.claims.claim_set import CLAIM_FULL_SUITES
from evals.claims.report import render_claims, render_wrong
from evals.claims.runner import HALVES, ClaimRun, measure_suite
from evals.command import RESULTS, run_command


def main(arguments: Sequence[str] | None = None) -> int:
    """Check, measure, report."""
    parser = argparse.ArgumentParser(description="Check our labelled claims and measure verdicts and evidence.")
    parser.add_argument("--split", choices=HALVES, help="one half only; the report is left as it is")
    parser.add_argument("--wrong", action="store_true", help="list the claims with a wrong verdict (look at dev only)")
    options = parser.parse_args(arguments)
    runs: list[ClaimRun] = []
    for suite in CLAIM_FULL_SUITES:
        if suite.is_available:
            runs.append(measure_suite(suite, splits=(options.split,) if options.split else HALVES))
        else:
            sys.stderr.write(f"{suite.name}: skipped, its documents are not beside this checkout\n")
    report = render_claims(runs)
    sys.stdout.write(report)
    if options.wrong:
        sys.stderr.write(render_wrong(runs))
    if len(runs) == len(CLAIM_FULL_SUITES) and not options.split:
        (RESULTS / "CLAIMS.md").write_text(report, encoding="utf-8")
    return 0


if __name__ == "__main__":
    run_command(main)
