"""Where code uses what release notes speak of: whole words, everyday ones only beside what qualifies them."""

from pathlib import Path

import pytest
from git_projects import git
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import UsageError
from retrieval.upgrades.code_usage import CodeUsage, load_code

CODE = """import numpy as np
from tessera.tiles import Grout

parse_obj(product)
np.product(np.trapz(x))
warp --lube.cold-start -- --fast-forward=1 --fast-forwarded
product = Model.delete
  shiftMode: soft-close
"""


@pytest.mark.parametrize(
    ("symbol", "lines"),
    [
        ("parse_obj", [4]),
        ("~tessera.parse_obj()", [4]),
        ("trapz", [5]),
        ("np.product()", [5]),
        ("numpy.product", []),
        ("product", []),
        ("--fast-forward", [6]),
        ("shiftMode", [8]),
        ("soft-close", [8]),
        ("Model::delete", [7]),
        ("tiles.Grout", [2]),
        ("parse", []),
        ("numpy", []),
        ("v1.2.3", []),
        ("", []),
    ],
)
def test_a_name_is_used_on_the_lines_that_hold_it(symbol: str, lines: list[int]) -> None:
    code = CodeUsage(("a", *line) for line in enumerate(CODE.split("\n"), start=1))
    assert [usage.line for usage in code.usages_of([symbol], product=["NumPy"])] == lines


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_text_may_be_looked_up(symbol: str, text: str) -> None:
    found = CodeUsage([("a", 1, text)]).usages_of([symbol], product=["NumPy"])
    assert all(usage.symbol == symbol for usage in found)


def test_in_a_work_tree_nothing_is_run_and_what_git_ignores_is_left_out(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    ran = tmp_path / "ran"
    for name in ("a.py", "ignored/b.py", "monitor.sh"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"#!/bin/sh\ntouch '{ran}'\n")
        (tmp_path / name).chmod(0o755)
    git(tmp_path, "config", "core.fsmonitor", str(tmp_path / "monitor.sh"))
    (tmp_path / ".gitignore").write_text("ignored/\n")
    assert load_code(tmp_path).files == (".gitignore", "a.py", "monitor.sh")
    assert not ran.exists()


def test_files_are_read_but_hidden_ones_prose_links_outside_and_binary_ones(tmp_path: Path) -> None:
    folder = tmp_path / "code"
    texts = {"a.py": b"x", "sub/b.go": b"\xff", "node_modules/c.js": b"x", ".tox/d.py": b"x", "e.md": b"x", "f": b"\0"}
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text)
    (tmp_path / "secret.py").write_text("x")
    (folder / "g.py").symlink_to(tmp_path / "secret.py")
    code = load_code(folder)
    assert code.files == ("a.py", "sub/b.go")
    assert [note.partition(" (")[0] for note in code.notes] == ["Files left out of the code scan: 2"]
    assert load_code(folder / "a.py").files == ("a.py",)
    with pytest.raises(UsageError, match="there is no such file or directory"):
        load_code(folder / "absent")
