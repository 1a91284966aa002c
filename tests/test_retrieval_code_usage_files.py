"""Which files are read as code, within which bounds, and what is said of the others."""

import os
from pathlib import Path

import pytest
from git_projects import git

from retrieval.code_usage import files as bounds
from retrieval.code_usage.code import MAX_LINES, load_code

CODE = "import numpy as np\nnp.product(1)\n"


def _write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(CODE)


def test_outside_of_git_dependencies_builds_and_hidden_folders_are_passed_over(tmp_path: Path) -> None:
    _write(tmp_path, "a.py", "pkg/b.py", ".github/x.yml")
    _write(tmp_path, "python3/lib/h.py", "python3/pyvenv.cfg")
    _write(tmp_path, "node_modules/c.js", ".venv/d.py", "build/e.py", "pkg/__pycache__/f.py", ".hidden/g.py")
    assert load_code(tmp_path).files == ("a.py", ".github/x.yml", "pkg/b.py")


def test_in_a_work_tree_what_git_ignores_is_passed_over(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    _write(tmp_path, "a.py", "build/kept.py", "ignored/b.py", "new/c.py")
    (tmp_path / ".gitignore").write_text("ignored/\n")
    git(tmp_path, "add", "a.py", "build")
    assert load_code(tmp_path).files == ("a.py", "build/kept.py", "new/c.py")
    assert load_code(tmp_path / "new").files == ("c.py",)
    assert load_code(tmp_path / "ignored").files == ("b.py",), "a folder given by name is read all the same"


def test_neither_code_nor_programs_that_a_repository_names_are_run(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    _write(tmp_path, "a.py")
    program = tmp_path / "monitor.sh"
    program.write_text(f"#!/bin/sh\ntouch '{tmp_path / 'ran'}'\n")
    program.chmod(0o755)
    git(tmp_path, "config", "core.fsmonitor", str(program))
    (tmp_path / "setup.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    assert load_code(tmp_path).files == ("a.py", "monitor.sh", "setup.py")
    assert not (tmp_path / "ran").exists()


def test_what_is_left_out_is_counted_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_FILE_BYTES", 250_000)
    outside = tmp_path / "outside.py"
    outside.write_text(CODE)
    code = tmp_path / "code"
    _write(code, "good.py")
    (code / "long.py").write_text("x = 1\n" * 50_000)
    (code / "lines.py").write_text("\n" * MAX_LINES)
    (code / "binary.py").write_bytes(b"\0\1")
    (code / "minified.js").write_text("a" * 30_000)
    (code / "link.py").symlink_to(outside)
    (code / "inner.py").symlink_to(code / "good.py")
    os.mkfifo(code / "pipe.py")
    found = load_code(code)
    assert found.files == ("good.py", "inner.py")
    (note,) = found.notes
    assert note.startswith("5 files left out of the code scan (too large, ")
    assert note.endswith("binary.py, lines.py, link.py.")


def test_a_broken_file_stops_no_other(tmp_path: Path) -> None:
    _write(tmp_path, "good.py")
    (tmp_path / "broken.py").write_text("def (:\n" + CODE)
    (tmp_path / "latin.py").write_bytes("# caf\xe9\n".encode("latin-1") + CODE.encode())
    places = [(each.file, each.line) for each in load_code(tmp_path).usages_of(["np.product"], product=["NumPy"])]
    assert places == [("broken.py", 3), ("good.py", 2), ("latin.py", 3)]


def test_the_number_of_files_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_FILES", 2)
    _write(tmp_path, "a.py", "b.py", "c.py")
    found = load_code(tmp_path)
    assert found.files == ("a.py", "b.py")
    assert found.notes[0].endswith(": c.py.")
