"""Every defence of docs/security.md has tests: `data/defences.txt` names them under the threat, in the page's words."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "security.md").read_text("utf-8")
_NAMED = re.findall(r"(?m)^(\S.*)\n((?:  \S+\n)+)", (TESTS / "data" / "defences.txt").read_text("utf-8"))
DEFENCES = {threat: names.split() for threat, names in _NAMED}


@cache
def functions_of(file: str) -> frozenset[str]:
    """The tests that pytest collects of a file: functions of the module that are named so."""
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_the_page_and_the_tests_know_the_same_threats() -> None:
    defences = PAGE.partition("\n## Defences\n")[2]
    assert re.findall(r"(?m)^- \*\*(.+?)\*\*: \S", defences) == list(DEFENCES)


@pytest.mark.parametrize("threat", DEFENCES)
def test_each_defence_has_tests_that_there_are(threat: str) -> None:
    for file, name in (test.split("::") for test in DEFENCES[threat]):
        assert (TESTS / file).is_file(), file
        assert name in functions_of(file), f"{file}::{name}"


def test_no_attack_is_left_out() -> None:
    """What the tests of attacks hold defends against a threat of the page."""
    named = {name for tests in DEFENCES.values() for name in tests}
    attacks = {f"test_attacks.py::{name}" for name in functions_of("test_attacks.py") if name.startswith("test_")}
    assert attacks <= named
