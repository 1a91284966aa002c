"""Refuses the names and phrases of docstrings that earlier readers of this code didn't understand.

    python .ci/words.py [FOLDER]

A variable or parameter is called for what it contains: `one`, `found` or `held` is true of anything. A docstring says
which thing is returned, and "if" rather than "where".
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("corpus", "ingest", "retrieval", "ui", "evals")
NAMES = frozenset({"one", "found", "asked", "held", "told", "own", "those", "these", "here", "there"})
PHRASES = re.compile(
    r"\b(?:return|yield)s? (?:what|whose|those|all that)\b|\b(?:none|empty|true|false) where\b|\bwhat of it\b"
    r"|\b(?:stands?|stood|speaks?|bears?|tells?|told)\b",
    re.IGNORECASE,
)


def faults(source: str) -> Iterator[tuple[int, str]]:
    """Yield `(line, fault)` for each refused name that `source` binds and each refused phrase in a docstring."""
    for node in ast.walk(ast.parse(source)):
        name = node.arg if isinstance(node, ast.arg) else node.id if isinstance(node, ast.Name) else ""
        if name in NAMES and not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)):
            yield node.lineno, f"the name {name!r} doesn't say what it contains"
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for phrase in PHRASES.findall(node.value.value):
                yield node.lineno, f"{phrase!r} in a docstring"


def main(root: Path) -> int:
    """Print a line for each fault in the packages; 1 if there is any."""
    count = 0
    for path in sorted(path for package in PACKAGES for path in (root / package).rglob("*.py")):
        for line, fault in sorted(faults(path.read_text("utf-8"))):
            print(f"{path.relative_to(root)}:{line}: {fault}")
            count += 1
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main(Path(*sys.argv[1:2])))
