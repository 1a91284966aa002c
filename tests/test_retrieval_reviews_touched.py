"""Which names stand on the lines that a diff adds or removes."""

import difflib
from pathlib import Path

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples

from retrieval.reviews.diff import read_diff
from retrieval.reviews.touched import Touched, find_touched

VIEWS = (Path(__file__).parent / "data" / "code" / "views.txt").read_text("utf-8")


def _touched(name: str, before: str, after: str, *, context: int = 1, whole: bool = False) -> tuple[Touched, ...]:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{name}", f"b/{name}", n=context
    )
    return find_touched(read_diff("".join(lines)).files, texts={name: after} if whole else None)


def _said(found: tuple[Touched, ...]) -> list[str]:
    return [f"{'+' if one.is_added else '-'}{one.line} {one.symbol}" for one in found]


def test_added_and_removed_names_with_the_imports_that_the_hunk_shows() -> None:
    after = VIEWS.replace("force_text", "force_str").replace("product", "prod")
    assert _said(_touched("views.py", VIEWS, after, context=9)) == [
        "+3 django.utils.encoding",
        "+3 django.utils.encoding.force_str",
        "+13 numpy.prod",
        "-3 django.utils.encoding.force_text",
        "-13 numpy.product",
    ]
    (twice,) = _touched("a.py", "x\n", "np.prod(1)\nnp.prod(2)\n")
    assert not twice.is_kept


@pytest.mark.parametrize(("name", "old", "new", "said"), read_rows("retrieval-one-changed-line", list))
def test_one_changed_line(name: str, old: str, new: str, said: list[str]) -> None:
    assert _said(_touched(name, f"{old}\n", f"{new}\n")) == said


@pytest.mark.parametrize(
    "context",
    ['    it moves on.\n    """', '    """It moves on.\n    """', '    """It moves on.'],
    ids=["end of a docstring", "whole docstring", "begin of a docstring"],
)
def test_a_hunk_that_cuts_a_docstring_is_read_where_it_is_code(context: str) -> None:
    hunks = [f"{context}\n    np.product(1)", "    np.trapz(2)"]
    before = "\n".join([hunks[0].rpartition("\n")[0], *"abcdef", "x"]) + "\n"
    after = "\n".join([hunks[0], *"abcdef", hunks[1]]) + "\n"
    assert "np.trapz" in {one.symbol for one in _touched("a.py", before, after)}
    is_code = not context.endswith("It moves on.")
    assert ("np.product" in {one.symbol for one in _touched("a.py", before, after)}) is is_code


def test_a_long_diff_is_read_to_its_end() -> None:
    body = "".join(f"    np.product(load_rows_{n}('x'), axis={n})\n" for n in range(5_000))
    found = _touched("a.py", "import numpy as np\ndef f():\n", "import numpy as np\ndef f():\n" + body)
    assert {"np.product", "load_rows_4000"} <= {one.symbol for one in found}


@examples(40)
@given(
    st.text("abc.()'\"\n @=:{}#-_", max_size=120),
    st.sampled_from(["a.py", "a.tsx", "a.go", "a.rs", "A.java", "a.rb", "a.h", "a.sh", "ci.yml"]),
)
def test_every_name_stands_on_a_changed_line(text: str, name: str) -> None:
    before, after = "one\n", f"one\n{text}\n"
    if before == after:
        return
    for one in _touched(name, before, after):
        lines = after.split("\n") if one.is_added else before.split("\n")
        assert one.symbol.rpartition(".")[2] in lines[one.line - 1]
