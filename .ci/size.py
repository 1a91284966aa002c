"""Counts how large and how dense each package is, and fails where one is more than pyproject.toml grants it.

    python .ci/size.py [FOLDER [SINCE]]

Counted are lines, tokens of code (without comments, docstrings and layout), functions of more than 15 branches,
patterns compiled, and texts multiplied by a condition (`"s" * (n > 1)`). What a package is granted only falls: more
than any commit since `SINCE` granted fails, too. A feature that needs tokens takes them from elsewhere in its package.
"""

import ast
import io
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from pathlib import Path

SINCE = "9bb4af2f"
"""The commit from which on the budget only falls."""
_MOST_BRANCHES = 15
_LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_Table = dict[str, dict[str, int]]


def main(root: Path, since: str = SINCE) -> int:
    """Print a line a package; 1 where one has too much, or is granted more than before."""
    granted, lowest = _budget((root / "pyproject.toml").read_text("utf-8")), _lowest(root, since)
    faults = 0
    for folder, row in granted.items():
        counts = _measure(root / folder)
        for measure, most in row.items():
            fault = ""
            if counts[measure] > most:
                fault = ": more than it is granted"
            elif most > lowest.get((folder, measure), most):
                fault = f": granted more than before ({lowest[folder, measure]:,})"
            print(f"{folder:10} {measure:10} {counts[measure]:8,} of {most:8,}{fault}")
            faults += bool(fault)
    if faults:
        print("Take it away in the same package. What is granted is lowered where one shrinks, and never raised.")
    return int(faults > 0)


def _measure(folder: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    for path in folder.rglob("*.py"):
        source = path.read_text("utf-8")
        tree = ast.parse(source)
        docstrings = {
            (node.value.lineno, node.value.col_offset)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        }
        counts["lines"] += source.count("\n")
        counts["tokens"] += sum(
            token.type not in _LAYOUT and token.start not in docstrings
            for token in tokenize.generate_tokens(io.StringIO(source).readline)
        )
        for node in ast.walk(tree):
            counts["branchy"] += isinstance(node, _FUNCTIONS) and _branches(node) > _MOST_BRANCHES
            counts["patterns"] += _is_pattern(node)
            counts["texts"] += isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and _is_conditional(node)
    return counts


def _branches(function: ast.AST) -> int:
    """Return the branches of a function's body, without those of functions inside it."""
    count, stack = 0, list(ast.iter_child_nodes(function))
    while stack:
        node = stack.pop()
        if isinstance(node, (*_FUNCTIONS, ast.Lambda)):
            continue
        count += isinstance(node, _BRANCHES)
        if isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            count += 1 + len(node.ifs)
        stack.extend(ast.iter_child_nodes(node))
    return count


def _is_pattern(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"


def _is_conditional(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    is_text = any(
        isinstance(s, ast.JoinedStr) or (isinstance(s, ast.Constant) and isinstance(s.value, str)) for s in sides
    )
    return is_text and any(map(_is_truth, sides))


def _is_truth(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("bool", "any", "all")
    is_not = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return is_not or isinstance(node, (ast.Compare, ast.BoolOp))


def _lowest(root: Path, since: str) -> dict[tuple[str, str], int]:
    """The least that any commit granted each package of each measure; nothing where history isn't there to be read."""
    lowest: dict[tuple[str, str], int] = {}
    for commit in _git(root, "log", "--format=%H", f"{since}^..HEAD", "--", "pyproject.toml").split():
        for folder, row in _budget(_git(root, "show", f"{commit}:pyproject.toml")).items():
            for measure, most in row.items():
                lowest[folder, measure] = min(most, lowest.get((folder, measure), most))
    if not lowest:
        print(f"NOT CHECKED against what was granted before: the history since {since} isn't here")
    return lowest


def _budget(pyproject: str) -> _Table:
    """What each package is granted; earlier commits granted lines alone, in a table of their own."""
    relnotes = tomllib.loads(pyproject)["tool"]["relnotes"]
    if "size" in relnotes:
        return dict(relnotes["size"])
    return {folder: {"lines": most} for row in relnotes["lines"].values() for folder, most in row["granted"].items()}


def _git(root: Path, *words: str) -> str:
    ran = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
    return ran.stdout if ran.returncode == 0 else ""


if __name__ == "__main__":
    sys.exit(main(Path(*sys.argv[1:2]), *sys.argv[2:3]))
