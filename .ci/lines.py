"""Counts the lines of Python of each package, and fails where one has more than pyproject.toml grants it.

    python .ci/lines.py [FOLDER [SINCE]]

What a package is granted only falls: more than any commit since `SINCE` granted fails, too. A feature that needs
lines takes them from somewhere else in its package.
"""

import subprocess
import sys
import tomllib
from pathlib import Path

SINCE = "ad978654"
"""The commit from which on the budget only falls."""


def main(root: Path, since: str = SINCE) -> int:
    """Print a line a package; 1 where one has too many, or is granted more than before."""
    table = _budget((root / "pyproject.toml").read_text("utf-8"))
    lowest = _lowest(root, since)
    faults = 0
    for name, row in table.items():
        counts = {folder: sum(map(_lines, (root / folder).rglob("*.py"))) for folder in row["granted"]}
        for folder, granted in row["granted"].items():
            fault = ""
            if counts[folder] > granted:
                fault = ": more than it is granted"
            elif granted > lowest.get(folder, granted):
                fault = f": granted more than before ({lowest[folder]:,})"
            print(f"{folder:10} {counts[folder]:7,} of {granted:7,}{fault}")
            faults += bool(fault)
        print(f"{name:10} {sum(counts.values()):7,}, goal {row['goal']:,}\n")
    if faults:
        print("Take lines away in the same package. What is granted is lowered where one shrinks, and never raised.")
    return int(faults > 0)


def _lowest(root: Path, since: str) -> dict[str, int]:
    """The least that any commit granted each package; nothing where history isn't there to be read."""
    lowest: dict[str, int] = {}
    for commit in _git(root, "log", "--format=%H", f"{since}^..HEAD", "--", "pyproject.toml").split():
        for row in _budget(_git(root, "show", f"{commit}:pyproject.toml")).values():
            for folder, granted in row["granted"].items():
                lowest[folder] = min(granted, lowest.get(folder, granted))
    if not lowest:
        print(f"NOT CHECKED against what was granted before: the history since {since} isn't here")
    return lowest


def _budget(pyproject: str) -> dict[str, dict[str, dict[str, int]]]:
    return dict(tomllib.loads(pyproject)["tool"]["relnotes"]["lines"])


def _git(root: Path, *words: str) -> str:
    ran = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
    return ran.stdout if ran.returncode == 0 else ""


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


if __name__ == "__main__":
    sys.exit(main(Path(*sys.argv[1:2]), *sys.argv[2:3]))
