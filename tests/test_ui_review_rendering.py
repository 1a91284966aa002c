"""A review as a terminal shows it."""

import io
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from reviews_by_hand import EMPTY, HOSTILE_REVIEW, PLAIN
from rich.console import Console

from retrieval.reviews.model import Review
from ui.rendering.review.terminal import render_review_for_terminal

DIFF = "--- a/requirements.txt\n+++ b/requirements.txt\n@@ -1 +1 @@\n-widget==1.5.0\n+widget==2.0.0\n"


def shown(review: Review) -> str:
    console = Console(width=200, file=io.StringIO(), record=True)
    console.print(render_review_for_terminal(review))
    return "\n".join(line.rstrip() for line in console.export_text().split("\n"))


def test_what_is_used_comes_first_then_fixes_then_each_kind() -> None:
    text = shown(PLAIN)
    assert text.startswith("Widget 1.5 → 2.1  3 changes, 1 security fix  requirements.txt:3\n  In use here\n")
    assert re.findall(r"(?m)^  (?=[A-Z])(.*)", text)[:4] == ["In use here", "Security fixes", "Removed", "Breaking"]
    assert "app/wheel.py:12 uses widget.spin" in text
    assert "Gadget 3.1 → 3.0  a downgrade, 0 security fixes lost  web/package.json:9" in text
    assert "No release notes for\n  • left-pad  No release notes in the library." in text


def test_long_lists_are_cut_and_counted() -> None:
    bump = PLAIN.bumps[0]
    text = shown(replace(PLAIN, bumps=(replace(bump, items=bump.items[1:2] * 40),)))
    assert text.count("Support for Python 3.7") == 15
    assert "and 25 more: --format json has them all" in text


def test_nothing_found_is_said() -> None:
    assert shown(EMPTY).strip() == "The release notes say nothing about what this diff changes."


def test_no_control_of_a_document_reaches_the_terminal() -> None:
    assert not re.search("[\0-\x08\x0b-\x1f\x7f-\x9f]", shown(HOSTILE_REVIEW))


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals of this kind here")
def test_a_terminal_is_shown_lines_and_a_pipe_markdown(review_index: Path, tmp_path: Path) -> None:
    (tmp_path / "bump.patch").write_text(DIFF)
    command = [
        sys.executable,
        "-m",
        "ui.cli",
        "review",
        "--diff",
        str(tmp_path / "bump.patch"),
        "--index",
        str(review_index),
    ]
    ours, theirs = os.openpty()
    subprocess.run(command, stdout=theirs, check=True, env=os.environ | {"NO_COLOR": "1"})
    os.close(theirs)
    first = os.read(ours, 4_000).decode()
    os.close(ours)
    assert "widget 1.5.0 → 2.0.0" in first.casefold()
    assert "### Release Notes" not in first
    piped = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    assert piped.startswith("### Release Notes")
