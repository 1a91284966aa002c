"""Shared by all commands of evals, such as `python -m evals.gate_run`: exit status, result pages, tables.

Imports nothing heavy, because benchmarks measure the memory of their processes.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from corpus.errors import RelnotesError
from corpus.git import GitError, run_git

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "evals" / "results"
"""Pages that commands write, and the figures of the gate's runs."""
CODE = ("corpus", "ingest", "retrieval", "ui")
"""The packages of the product, which the figures are about."""

_GIT_SECONDS = 60


def run_command(main: Callable[[], int]) -> NoReturn:
    """Exit with the status that `main` returns; a RelnotesError is one line on stderr and status 1."""
    try:
        sys.exit(main())
    except RelnotesError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(1)


def ask_git(*words: str) -> str:
    """Return the output of a git command in this checkout; "" if it fails."""
    try:
        return run_git(words, ROOT, seconds=_GIT_SECONDS).decode(errors="replace").strip()
    except GitError:
        return ""


def current_commit() -> str:
    """Return the short hash of this checkout's commit; "" if git fails."""
    return ask_git("rev-parse", "--short", "HEAD")


def write_page(path: Path, page: str) -> None:
    """Write a page of figures, with the day and the commit of the measurement below its title."""
    title, _, rest = page.partition("\n")
    changed = " and what was being changed on it" if ask_git("status", "--porcelain", "--", *CODE) else ""
    measured = f"Measured on {datetime.now(UTC):%Y-%m-%d} at {current_commit() or 'an unknown commit'}{changed}."
    path.write_text(f"{title}\n\n{measured}\n{rest}", encoding="utf-8")


def render_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Render a Markdown table, the first column aligned left, the others right; `|` in a cell is escaped."""
    lines = [header, ["---", *("---:" for _ in header[1:])], *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
