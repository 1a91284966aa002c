"""docs/security.md: every threat has a defence, and every defence a test that there is."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "security.md"
_NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)`")


def rows() -> list[list[str]]:
    """The rows of the table but for those that only head a group."""
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")][2:]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [row for row in cells if not row[0].startswith("**")]


@cache
def functions_of(file: str) -> frozenset[str]:
    """The tests that pytest collects of a file: functions of the module that are named so."""
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[0]}: {row[1]}"[:60])
def test_each_threat_has_a_defence_and_tests_that_there_are(row: list[str]) -> None:
    asset, threat, defence, tests = row
    assert asset
    assert threat
    assert defence
    named = _NAMED.findall(tests)
    assert named
    assert _NAMED.sub("", tests).strip(" ,") == ""
    for file, name in named:
        assert (TESTS / file).is_file(), file
        assert name in functions_of(file), f"{file}::{name}"


def test_no_attack_is_left_out() -> None:
    """What the tests of attacks hold stands in the table too."""
    printed = PAGE.read_text("utf-8")
    missing = {name for name in functions_of("test_attacks.py") if name.startswith("test_") and name not in printed}
    assert missing <= {"test_a_problem_document_is_never_a_page"}
