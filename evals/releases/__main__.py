"""Compares releases as ingest reads them with labelled ones: `python -m evals.releases`."""

import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

from evals.command import ROOT, render_table, run_command, write_page
from evals.metrics import check_minimums
from evals.releases.scoring import CHECKS, PASSAGE, ReadingScore, absent_suites, add_up, run_trial

_REPORT = ROOT / "docs" / "lab" / "releases.md"
_MINIMUMS = Path(__file__).with_name("minimums.toml")
_PREFACE = """# Releases as ingest finds them

Written by `python -m evals.releases`, which `make eval` runs too. It reads documents of `../shared/corpora` and
`../shared/seeds` and the bundled digests afresh and compares the result with releases and passages that language models
have read in the raw files, before and independent of what ingest makes of them; no person has.

- **checked**: the releases in `evals/releases/truth/`, at least ten a project where it has as many, old and new, with
  candidates, yanked and unreleased ones. Of those, how many have the right **version**, **date** (or rightly none),
  **kind** (final, candidate, beta, alpha, dev, unreleased, yanked), and the right **first** and **last** entry.
- **passages**: the passages in `evals/releases/passages-*.jsonl`, drawn at random from an index, of the digests from
  their bullets; **their version**: how many are read as part of the release that they belong to.
"""
_RULES = """## What counts

- An entry is a bullet with what is nested in it, or a paragraph, below a release's heading; a date or a link on a line
  of its own is none. An introduction is an entry.
- `heading`, `first`, `last` and passages are ranges of the file as it is, in code points, markup included; `sha` is the
  first 12 hex digits of the SHA-256 of that slice. `heading` is null where only the file's name says which release it
  is. An entry is found where ingest's shares at least half of the shorter range.
- A candidate's version is the candidate's. Changes that aren't released yet, and text about no release, have none.
"""
_HEADER = ("project", "checked", *CHECKS, "passages", "their version")


def render_report(scores: Mapping[str, ReadingScore]) -> str:
    """Render the table by project, the misses, and the rules."""
    total = add_up(scores.values())
    rows = [_row(project, score) for project, score in (*scores.items(), ("all", total))]
    misses = [f"- `{miss.path}` {miss.version}: {miss.check} — found {miss.reading}" for miss in total.misses]
    listed = "\n".join(misses) if misses else "None."
    return f"{_PREFACE}\n{render_table(_HEADER, rows)}\n\n## Misses\n\n{listed}\n\n{_RULES}"


def _row(name: str, score: ReadingScore) -> tuple[str, ...]:
    checks = [str(score.right(check)) if score.releases else "" for check in CHECKS]
    passages = (str(score.passages), str(score.right(PASSAGE))) if score.passages else ("", "")
    return (name, str(score.releases or ""), *checks, *passages)


def main() -> int:
    """Measure the available suites and return 1 if a minimum is missed; write the report if all are available.

    Raises:
        RelnotesError: a document can't be read or has changed, or the labels have faults.
    """
    absent = absent_suites()
    for suite in absent:
        sys.stdout.write(f"releases in {suite.name}: skipped, its documents are not beside this checkout\n")
    scores = run_trial()
    total = add_up(scores.values())
    figures = "  ".join(f"{check} {total.figures.get(check, 0):.3f}" for check in (*CHECKS, PASSAGE))
    sys.stdout.write(f"releases ({total.releases} releases, {total.passages} passages): {figures}\n")
    if not absent:
        write_page(_REPORT, render_report(scores))
    missed = check_minimums(total.figures, tomllib.loads(_MINIMUMS.read_text(encoding="utf-8")).items())
    for miss in missed:
        sys.stdout.write(f"MISSED in releases: {miss}\n")
    return 1 if missed else 0


if __name__ == "__main__":
    run_command(main)
