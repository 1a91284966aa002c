"""Counts the lines of Python of each package, and fails where one has more than pyproject.toml grants it.

    python .ci/lines.py [FOLDER]

What a package is granted is lowered when it shrinks, and raised only by a commit that says what for.
"""

import sys
import tomllib
from pathlib import Path


def main(root: Path) -> int:
    """Print a line a package; 1 where one has too many."""
    table = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["relnotes"]["lines"]
    over = 0
    for name, row in table.items():
        counts = {folder: sum(map(_lines, (root / folder).rglob("*.py"))) for folder in row["granted"]}
        for folder, granted in row["granted"].items():
            is_over = counts[folder] > granted
            print(f"{folder:10} {counts[folder]:7,} of {granted:7,}{': more than it is granted' * is_over}")
            over += is_over
        print(f"{name:10} {sum(counts.values()):7,}, goal {row['goal']:,}\n")
    if over:
        print("Take lines away; or raise what is granted in pyproject.toml, and say in the commit what for.")
    return int(over > 0)


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


if __name__ == "__main__":
    sys.exit(main(Path(*sys.argv[1:2])))
