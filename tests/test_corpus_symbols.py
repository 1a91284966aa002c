"""Names of code and of records in prose."""

import re

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st

from corpus.symbols import find_references, find_symbols


@pytest.mark.parametrize(("text", "symbols"), read_rows("corpus-symbols-of-a-text"))
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
