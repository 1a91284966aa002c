"""What a symbol of release notes asks for, and which symbols a change is about."""

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st

from retrieval.code_usage.matching import comes_from, parse_wanted, product_roots


@pytest.mark.parametrize(
    ("symbol", "parts"),
    [("~django.db.models.F", "django db models F"), ("_orm.Query.join", "orm Query join"),
     ("c10::Stream", "c10 Stream"), ("Foo#bar", "Foo bar"), (".disable_fts", "disable_fts"), ("list[str]", "list"),
     ("--color=yes", "--color")],
)  # fmt: skip
def test_names_are_taken_apart(symbol: str, parts: str) -> None:
    wanted = parse_wanted(symbol)
    assert wanted is not None
    assert [*wanted.qualifiers, wanted.last] == parts.split()


@pytest.mark.parametrize("symbol", ["", "4.1", "177", "a", "pluggy>=1.3.0", "[badges]", "two words", "-", "()", "..."])
def test_what_is_no_name_asks_for_nothing(symbol: str) -> None:
    assert parse_wanted(symbol) is None


@given(st.text(max_size=60))
def test_any_text_is_a_name_or_none(symbol: str) -> None:
    wanted = parse_wanted(symbol)
    assert wanted is None or (wanted.symbol == symbol and wanted.last)


@pytest.mark.parametrize(("product", "path", "is_its"), read_rows("retrieval-what-a-product-is-imported-as"))
def test_what_a_product_is_imported_as(product: str, path: tuple[str, ...], is_its: bool) -> None:
    assert comes_from(path, product_roots((product,))) is is_its
