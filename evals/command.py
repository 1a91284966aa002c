"""How every command of evals ends, where it writes, and its tables: `python -m evals.gate_run` and its like.

Imports nothing of weight: benchmarks measure their processes' memory.
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
"""What figures are about: the product."""

_GIT_SECONDS = 60


def run_command(main: Callable[[], int]) -> NoReturn:
    """End the process with the status that `main` returns; an error of ours is one line on stderr and status 1."""
    try:
        sys.exit(main())
    except RelnotesError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(1)


def ask_git(*words: str) -> str:
    """Return what git prints in this checkout; empty where it can't tell."""
    try:
        return run_git(words, ROOT, seconds=_GIT_SECONDS).decode(errors="replace").strip()
    except GitError:
        return ""


def current_commit() -> str:
    """Return the commit of this checkout in short; empty where git doesn't know it."""
    return ask_git("rev-parse", "--short", "HEAD")


def write_page(path: Path, page: str) -> None:
    """Write a page of figures, with the day and the commit that they were measured at below its title."""
    title, _, rest = page.partition("\n")
    changed = " and what was being changed on it" if ask_git("status", "--porcelain", "--", *CODE) else ""
    measured = f"Measured on {datetime.now(UTC):%Y-%m-%d} at {current_commit() or 'an unknown commit'}{changed}."
    path.write_text(f"{title}\n\n{measured}\n{rest}", encoding="utf-8")


def render_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table: the first column to the left, the others to the right; `|` in a cell is escaped."""
    lines = [header, ["---", *("---:" for _ in header[1:])], *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
