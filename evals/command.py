"""How every command of evals ends, and where it writes: `python -m evals.gate_run` and its like.

Imports nothing of weight: benchmarks measure their processes' memory.
"""

import sys
from collections.abc import Callable
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
