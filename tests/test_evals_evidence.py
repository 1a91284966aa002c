"""What was measured before the code that it is about changed is told."""

from pathlib import Path

import pytest

import evals.command
import evals.evidence
from evals.evidence import Measurement, main

TABLE = """| claim | command | of | measured | about |
| --- | --- | --- | --- | --- |
| claims in plain words | `relnotes cite` | 200 | 2026-11-26, 0a1b2c3d | `retrieval` |
| releases | `make eval` | 225 | 2026-11-25, 0a1b2c3e | `corpus`, `ingest` |
| made up | nothing | 2 | some day | `corpus` |
"""
HISTORY = {"0a1b2c3d": {"retrieval": 3, "corpus": 0, "ingest": 0, "ui": 0}, "0a1b2c3e": {"ui": 2}}
"""Commits since each, by folder."""


def git(*words: str) -> str:
    if words[0] == "cat-file":
        return "commit" if words[2] in HISTORY else ""
    if words[0] == "rev-list":
        since = HISTORY[words[2].removesuffix("..HEAD")]
        return str(sum(since.get(folder, 0) for folder in words[4:]))
    return {"rev-parse": "0a1b2c3d", "status": ""}[words[0]]


@pytest.fixture(autouse=True)
def history(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (evals.command, evals.evidence):
        monkeypatch.setattr(module, "ask_git", git)


@pytest.mark.parametrize(
    ("commit", "about", "age"),
    [
        ("0a1b2c3d", ("retrieval", "corpus"), "3 commits since"),
        ("0a1b2c3d", ("corpus", "ingest", "ui"), ""),
        ("0a1b2c3e", ("corpus",), ""),
        ("0a1b2c3f", ("ui",), "tells no commit of this history"),
        ("", ("ui",), "tells no commit of this history"),
    ],
)
def test_only_what_its_own_code_has_left_behind_is_old(commit: str, about: tuple[str, ...], age: str) -> None:
    assert Measurement("", "", commit, about).age() == age


def test_what_is_old_is_listed_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "quality.md").write_text(TABLE)
    monkeypatch.setattr(evals.evidence, "QUALITY", tmp_path / "quality.md")
    assert main() == 0
    *old, counted = capsys.readouterr().out.splitlines()
    assert "2026-11-26  3 commits since                   claims in plain words" in old
    assert not any("releases" in line for line in old if "docs/" not in line)
    assert counted.endswith(" are as new as the code that they are about.")
