"""How every command of evals ends, where it writes, and its tables: `python -m evals.gate_run` and its like.

Imports nothing of weight: benchmarks measure their processes' memory.
"""

import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from corpus.errors import RelnotesError

RESULTS = Path(__file__).parent / "results"
"""Pages that commands write, and the figures of the gate's runs."""


def run_command(main: Callable[[], int]) -> NoReturn:
    """End the process with the status that `main` returns; an error of ours is one line on stderr and status 1."""
    try:
        sys.exit(main())
    except RelnotesError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(1)


def current_commit() -> str:
    """The commit of this checkout in short; empty where git doesn't know it."""
    command = ("git", "rev-parse", "--short", "HEAD")
    try:
        process = subprocess.run(command, cwd=RESULTS.parent, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError:
        return ""
    return process.stdout.strip()


def render_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table: the first column to the left, the others to the right; `|` in a cell is escaped."""
    lines = [header, ["---", *("---:" for _ in header[1:])], *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
