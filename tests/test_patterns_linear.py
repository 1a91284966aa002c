"""No text takes long because of a regular expression: each one's own pieces, and hostile texts by the public ways."""

import re
import runpy
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from case_files import read_rows
from small_corpus import HashedEmbedder
from ui_small_index import open_notes

SCRIPT = Path(__file__).parents[1] / ".ci" / "patterns.py"


@pytest.fixture(scope="module")
def fault_of() -> Any:
    return runpy.run_path(str(SCRIPT))["fault_of"]


def test_each_pattern_is_linear(pytestconfig: pytest.Config) -> None:
    """By texts with one ending where slow tests are left out, else with each."""
    options = ["--fast"] if "not slow" in pytestconfig.option.markexpr else []
    subprocess.run([sys.executable, SCRIPT, *options], check=True)


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(?:(?:xx|\?\?)-jan\??,?\W*)+\)", "search"),
        (r"(?:[\w.-]+,?\s?){1,5}\)\Z", "search"),
        (r"by (?:\w+[, ]*)+\.", "search"),
        (r"(?:a|a)*b", "match"),
        (r"[ \t]*\|?[ \t]*-*[ \t]*$", "match"),
        (r"\[(?:[^\]]|\w)*\]", "search"),
        (r"(?P<name>.+?)\W+\w*-+notes", "search"),
        (r"\s*\w*\s*\Z", "findall"),
    ],
)
def test_a_pattern_that_is_not_is_seen(fault_of: Any, pattern: str, method: str) -> None:
    assert fault_of(re.compile(pattern), [method])


@pytest.mark.parametrize("pattern", [r"\w+ (?>(?:ab?)+)c", r"(?<!\s)\s++\(", r"[a-z]{1,40}-\d", r"\A.*x"])
def test_one_that_is_passes(fault_of: Any, pattern: str) -> None:
    assert fault_of(re.compile(pattern), ["search"]) == ""


@pytest.mark.parametrize(("kind", "before", "piece", "times", "ending"), read_rows("patterns-hostile-texts"))
def test_no_text_takes_a_second(kind: str, before: str, piece: str, times: int, ending: str, tmp_path: Path) -> None:
    """Ingested, asked about, listed in an upgrade, checked as a claim, reviewed: in processor time."""
    text = before + piece * times + ending
    notes = text if kind == "notes" else "- Remove the axle."
    diff = text if kind == "diff" else "axle()"
    changes = f"# Gizmo\n\n## 2.0.0\n\n- Add a wheel.\n\n{notes}\n\n## 1.0.0\n\n- First.\n"
    begin = time.thread_time()
    with open_notes(tmp_path, HashedEmbedder(), gizmo=changes) as assistant:
        assistant.ask("what changed in gizmo 2.0.0 for the axle?")
        assistant.upgrade("gizmo", "1.0.0", "2.0.0")
        assistant.cite(text if kind == "claim" else "Gizmo 2.0.0 removed the axle.")
        bump = '--- a/package.json\n+++ b/package.json\n@@ -1,3 +1,3 @@\n {"dependencies": {\n-"gizmo": "1.0.0"\n'
        bump += '+"gizmo": "2.0.0"\n }}\n'
        assert assistant.review(f"{bump}--- a/a.js\n+++ b/a.js\n@@ -0,0 +1 @@\n+{diff}\n").bumps
    # A hang takes minutes; a busy machine may double a second.
    assert time.thread_time() - begin < 5
