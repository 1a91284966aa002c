"""Names of code and of records in prose."""

import re

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st

from corpus.symbols import find_references, find_symbols


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        pytest.param("", (), id="empty"),
        pytest.param("Nothing but plain words, and 2 numbers.", (), id="prose"),
        pytest.param("torch.cond and c10::Stream", ("torch.cond", "c10::Stream"), id="dotted and namespaced"),
        pytest.param("pass --use-feature=fast or -Dname", ("--use-feature", "-Dname"), id="flags"),
        pytest.param("state-of-the-art, a - b", (), id="hyphens are no flags"),
        pytest.param("MAX_JOBS, float8_e8m0fnu", ("MAX_JOBS", "float8_e8m0fnu"), id="snake case"),
        pytest.param(
            "GraphImplInterface DTensor camelCase", ("GraphImplInterface", "DTensor", "camelCase"), id="humps"
        ),
        pytest.param("PRs about URLs and APIs", (), id="plural acronyms are words"),
        pytest.param("call flush() or app.run()", ("flush", "app.run"), id="calls without their parentheses"),
        pytest.param("gfx950 and syevj2", ("gfx950", "syevj2"), id="letters and digits"),
        pytest.param("@app.route", ("@app.route",), id="decorator"),
        pytest.param("`Dockerfile` and ``tox``", ("Dockerfile", "tox"), id="set as code"),
        pytest.param("`one` between `two`", ("one", "two"), id="what lies between two code spans is prose"),
        pytest.param("`broken\nhere` between `two`", ("two",), id="code span over a line's end"),
        pytest.param("`" + "word " * 30 + "` between `two`", ("two",), id="long code span"),
        pytest.param("`run(x, y)` or `torch.cat(x, y)`", ("torch.cat",), id="a phrase is no name"),
        pytest.param("``a`b`` between `two`", ("two",), id="back quote inside a code span"),
        pytest.param(":func:`~torch.cond`, :class:`!Widget`", ("torch.cond", "Widget"), id="Sphinx roles"),
        pytest.param("setup.py, docs.example.org and notes.md", (), id="files and hosts"),
        pytest.param("`ab` and `tox` and `tox`", ("tox",), id="distinct, three letters at least"),
    ],
)
def test_symbols_of_a_text(text: str, symbols: tuple[str, ...]) -> None:
    assert find_symbols(text) == symbols


@pytest.mark.parametrize(("text", "references"), read_rows("corpus-references-of-a-text"))
def test_references_of_a_text(text: str, references: tuple[str, ...]) -> None:
    assert find_references(text) == references


@given(st.text(alphabet="ab_.:-#`~!@()<>\n 19AZ", max_size=200))
def test_names_are_short_and_without_white_space(text: str) -> None:
    for name in find_symbols(text):
        assert 2 < len(name) <= 80
        assert name.split() == [name]
    assert all(re.match(r"#|PEP |RFC |[A-Z][A-Z0-9]+-", reference) for reference in find_references(text))


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("unit", "length"),
    [
        *((unit, 250_000) for unit in ["a.a.a.", "_____", "A1A1A1", "-------", "`"]),
        *((unit, 100_000) for unit in ["`a", "``a`", "a_", "Aa", "AAs", "a()", "a::", "@a.", "`\n", ":issue:`"]),
    ],
)
def test_long_texts_end_as_no_quadratic_pass_would_in_minutes(unit: str, length: int) -> None:
    text = f"{unit * (length // len(unit))}\nzebra_crossing #77"
    assert find_symbols(text)[-1] == "zebra_crossing"
    assert find_references(text)[-1] == "#77"


def test_symbols_are_at_most_80() -> None:
    assert find_symbols(" ".join(f"name_{number}" for number in range(200))) == tuple(f"name_{n}" for n in range(80))
