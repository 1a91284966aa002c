"""parse_query: what a question is about, which versions it states, what it takes over from the questions before."""

import sys
from unicodedata import normalize

import pytest
from asked_catalogue import product
from case_files import Case, read_cases, read_rows
from hypothesis import given
from hypothesis import strategies as st

from corpus.catalogue import CatalogueProduct
from corpus.errors import UsageError
from retrieval.model import Query
from retrieval.question.query import parse_query

CATALOGUE = (
    product("Django", ("dj",), "3.2 4.2 4.2.14 5.0 5.0.7 5.1"),
    product("FastAPI", (), "0.105.0 0.110.0 0.129.0"),
    product("NumPy", ("np",), "1.25.0 2.0.0 2.1.0 2.2.0rc1"),
    product("pip", (), "23.1 25.3"),
    product("pydantic", (), "1.10.0 2.11.0 2.12.0"),
    product("pytest", (), "3.9 7.4 8.0.0rc1 8.4.0 9.0.0"),
    product("Python", ("cpython",), "3.8 3.9 3.10 3.11"),
    product("PyTorch", ("torch",), "2.8 2.9 2.12"),
    product("black", (), "24.3.0"),
    product("sqlite-utils", (), "3.38 3.39.1 4.0"),
)


def ask(question: str, *history: str) -> Query:
    return parse_query(question, history=history, catalogue=CATALOGUE)


def constraint_of(query: Query) -> str | None:
    return str(query.constraint) if query.constraint else None


@pytest.mark.parametrize(("question", "expected"), read_rows("retrieval-version-phrases"))
def test_version_phrases(question: str, expected: str | None) -> None:
    assert constraint_of(parse_query(question, catalogue=())) == expected


@pytest.mark.parametrize("case", read_cases("follow-ups"), ids=lambda case: case.name)
def test_follow_ups(case: Case) -> None:
    """A case has the question before and the follow-up, and gives the words searched for, products, releases."""
    history, question = case.text.splitlines()
    query = ask(question, history)
    assert query.text == question
    assert [query.search_text, ", ".join(query.products), constraint_of(query) or "-"] == case.gives
    assert query.product_stated


def test_filters_win_over_the_question() -> None:
    query = parse_query("What changed in pip 25.3?", catalogue=CATALOGUE, product="np", version="2.1.x")
    assert (query.products, query.product_stated, constraint_of(query)) == (("NumPy",), True, "2.1")


@pytest.mark.parametrize(
    ("catalogue", "product", "version", "said"),
    [
        pytest.param(CATALOGUE, "djagno", None, "'djagno'.*'Django'.*covers black, Django, FastAPI", id="unknown"),
        pytest.param((), "Django", None, "holds no product yet", id="an empty index"),
        pytest.param(CATALOGUE, None, "newest", "Not a version: 'newest'", id="malformed version"),
    ],
)
def test_a_wrong_filter_is_a_usage_error(
    catalogue: tuple[CatalogueProduct, ...], product: str | None, version: str | None, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        parse_query("What changed?", catalogue=catalogue, product=product, version=version)


_fragments = st.sampled_from(
    "from|to|2.8|v3|Django|np.x|Python 3.9|and|->|between|?|what|it|-C|pip|before|or later|5.x|,|drop|CVE-2024-1234|"
    "PR 12|which versions|latest|7.something|\ud800".split("|")
)
_questions = st.one_of(st.text(max_size=60), st.lists(_fragments, max_size=10).map(" ".join))


@given(_questions, st.lists(_questions, max_size=2))
def test_every_text_is_understood_somehow(question: str, history: list[str]) -> None:
    query = parse_query(question, history=history, catalogue=CATALOGUE)
    assert query.text == normalize("NFKC", question).replace("\ud800", "\ufffd")
    assert set(query.products) <= {product.name for product in CATALOGUE}
    assert not query.product_stated or query.products


@pytest.mark.parametrize(
    "number", ["1.1.1." + "9" * 5000, "17." + "9" * 5000 + ".2024", "CUDA " + "9" * 5000, "p\u0131p 5", "P\u0130P 5"]
)
def test_monstrous_numbers_and_look_alike_letters_are_no_versions(number: str) -> None:
    query = ask(f"and {number}?", f"Does torch 2.9 run on CUDA 13 and {number}?")
    assert constraint_of(query) in ("2.9", None)


def _calls(question: str) -> int:
    """How many functions and methods are called, Python's own among them: the same number on every machine."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        parse_query(question, catalogue=CATALOGUE)
    finally:
        sys.setprofile(None)
    return calls


PIECES = ["torch 2.9 and numpy 1.2 ", '"2.9" ', "torch.", "a.b.", "compared ", "how did 2.9 "]


@pytest.mark.parametrize("piece", PIECES)
def test_four_times_the_text_takes_about_four_times_the_calls(piece: str) -> None:
    short, long = ((piece * 8_000)[:size] for size in (2_000, 8_000))
    assert _calls(long) < 6 * _calls(short)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("piece", PIECES)
def test_long_questions_end_as_no_quadratic_expression_would_in_minutes(piece: str) -> None:
    asked = f"{(piece * 30_000)[:30_000]} zebra"
    assert parse_query(asked, catalogue=CATALOGUE).text.endswith(" zebra")
