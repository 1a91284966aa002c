"""Patterns find the same in every Python that relnotes runs on."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = [
    path for folder in ("corpus", "ingest", "retrieval", "ui", "evals") for path in (ROOT / folder).rglob("*.py")
]
_POSSESSIVE_GROUP = re.compile(r"(?<![\\(])\)(?:[*+?]|\{\d*,?\d*\})\+")


def _texts(path: Path) -> list[str]:
    constants = (node.value for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Constant))
    return [
        value.decode("latin-1") if isinstance(value, bytes) else value
        for value in constants
        if isinstance(value, str | bytes)
    ]


def test_no_group_is_repeated_possessively() -> None:
    # Python 3.11.0 to 3.11.4, Debian 12's among them, lose matches there (cpython issue 106052); the same as an atomic
    # group, (?>(?:...)*), is right everywhere.
    found = [
        f"{path.relative_to(ROOT)}: {text}"
        for path in MODULES
        for text in _texts(path)
        if _POSSESSIVE_GROUP.search(text)
    ]
    assert found == []


@pytest.mark.parametrize("pattern", [r"(?:ab?)*+c", r"(?:ab?)++", r"(?:ab?)?+", r"(?:ab?){1,40}+", r"([^*]|\*(?!/))*+"])
def test_a_possessive_group_is_seen(pattern: str) -> None:
    assert _POSSESSIVE_GROUP.search(pattern)


@pytest.mark.parametrize("pattern", [r"(?>(?:ab?)*)c", r"[ab]*+c", r"\(a\)+b", r"a++", "safe '()*+'"])
def test_other_repetitions_are_not(pattern: str) -> None:
    assert not _POSSESSIVE_GROUP.search(pattern)
