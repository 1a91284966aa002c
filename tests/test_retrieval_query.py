"""parse_query: what a question is about, which versions it states, what it takes over from the questions before."""

import sys
from unicodedata import normalize

import pytest
from asked_catalogue import product
from case_files import Case, read_cases
from hypothesis import given
from hypothesis import strategies as st

from corpus.catalogue import CatalogueProduct
from corpus.errors import UsageError
from corpus.versions import Version
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
ONE_PRODUCT = (CATALOGUE[7],)


def ask(question: str, *history: str, filtered: str | None = None) -> Query:
    return parse_query(question, history=history, catalogue=CATALOGUE, product=filtered)


def constraint_of(query: Query) -> str | None:
    return str(query.constraint) if query.constraint else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Does the 2.0 series list it?", "2.0"),
        ("anything in 5.0.x or 2.x", "2 and 5.0"),
        ("2.8→2.12 changes", "2.8 < version ≤ 2.12"),
        ("We upgrade from 4.2 straight to 5.1.", "4.2 < version ≤ 5.1"),
        ("stuck on 5.6.7, any fixes in 5.6?", "5.6.7"),
        ("the 2.11 line", "2.11"),
        ("2.11 lines", None),
        ("fixed in 2.0.1 or only in 2.0?", "2.0 and 2.0.1"),
        ("I export on 2.8. Which two changes up to 2.12 hit me?", "2.8 < version ≤ 2.12"),
        ("from 2.10 on", "since 2.10"),
        ("removed from 2.10", "2.10"),
        ("from 2.10 to the latest", "after 2.10"),
        ("upgrading from 2.10, what changes?", "after 2.10"),
        ("fails after 9.1", "since 9.1"),
        ("after 3.0 and before 3.2", "3.0 ≤ version < 3.2"),
        ("Was 3.39.1 published before or after 4.0?", "3.39.1 and 4.0"),
        ("Coming from 2.8, what do I need in 2.12?", "2.8 < version ≤ 2.12"),
        ("I'm on 2.8. Does 2.12 have wheels for it?", "2.12"),
        ("still at 2.8 here, how pressing is the move to 2.12", "2.8 < version ≤ 2.12"),
        ("was fine on 2.8, fails on 2.12", "2.8 < version ≤ 2.12"),
        ("latest 2.8 patch? can't go to 2.12 yet", "2.8"),
        ("our box has 2.8.1, which one is the newest release", None),
        ("How do I migrate from 2.8 to 2.12 as APIs change?", "2.8 < version ≤ 2.12"),
        ("as of 2.8, was it available?", "2.8"),
        ("Does it run on V100, H100 or A100, and DeepSeek V3?", None),
        ("is v3 out", "3"),
    ],
)
def test_version_phrases(question: str, expected: str | None) -> None:
    assert constraint_of(parse_query(question, catalogue=())) == expected


def test_before_the_end_of_a_range_excludes_it() -> None:
    constraint = parse_query("after 3.0 and before 3.2").constraint
    assert constraint is not None
    assert [v for v in ("2.9", "3.0", "3.1.4", "3.2") if constraint.contains(Version.parse(v))] == ["3.0", "3.1.4"]


@pytest.mark.parametrize(
    ("question", "products", "expected"),
    [
        ("hi all, are we ok on py3.9 w/ django 5 or do we gotta bump", ("Django",), "5"),
        ("In which release did pytest drop Python 3.9?", ("pytest",), None),
        ("Which Python version did pytest 9.0 drop?", ("pytest",), "9.0"),
        ("Which Python did pytest 8.0 stop supporting?", ("pytest",), "8.0"),
        ("From which FastAPI release on is Python 3.9 unsupported?", ("FastAPI",), None),
        ("When did FastAPI stop supporting Pydantic v1?", ("FastAPI",), None),
        ("what's the minimum Python for pip 25.3?", ("pip",), "25.3"),
        ("does numpy 2.1 run on Python 3.13?", ("NumPy",), "2.1"),
        ("Does FastAPI support pydantic 2.7?", ("FastAPI",), None),
        ("NumPy support for Python 3.14", ("NumPy",), None),
        ("Is distutils still in Python 3.11?", ("Python",), "3.11"),
        ("What needs CUDA 12.8 in torch 2.9?", ("PyTorch",), "2.9"),
        ("do I reindex from PostgreSQL 13.1 to 15.2 with Django 5.1?", ("Django",), "5.1"),
        ("In 2.12, which CUDA does a plain pip install torch give me?", ("PyTorch",), "2.12"),
        ("what version of Python ships with PyTorch 2.9?", ("PyTorch",), "2.9"),
        ("Since when can pip install what a script declares?", ("pip",), None),
        ("Which Python version does 2.12 need?", (), "2.12"),
        ("what changed in 5.1 of Django", ("Django",), "5.1"),
        ("pytest-9.0 and numpy2 together", ("pytest", "NumPy"), "2 and 9.0"),
        ("compare NumPy and PyTorch", ("NumPy", "PyTorch"), None),
        ("djnago 5.1 what db versions?", ("Django",), "5.1"),
        ("sqlite-utils 4.0 csv types", ("sqlite-utils",), "4.0"),
        ("What is new in React 19.1?", (), None),
        ("Which release dropped Python 3.7 and 3.8?", (), None),
        ("In which pytest release did Python 3.7 support end?", ("pytest",), None),
        ("Which FastAPI release ended Pydantic V1 support?", ("FastAPI",), None),
        ("any improvements in 5 for Django?", ("Django",), "5"),
        ("Django: what changed from 4 to 5?", ("Django",), "4 < version ≤ 5"),
        ("Does Django log in 5 places, in 5,000 lines or in 9?", ("Django",), None),
        ("what about forms in 5?", (), None),
        # Another thing's, also where the product has such a release.
        ("Which Django release dropped kernels older than 5.1?", ("Django",), None),
        ("Does Django 4.2 run on kernel versions lower than 5.1?", ("Django",), "4.2"),
        ("When did Django drop kernels before 5.1?", ("Django",), None),
        ("Which Django requires Go 5.1?", ("Django",), None),
        ("since when does Django need go 5.1 or newer", ("Django",), None),
        ("which bugs of Django were in versions older than 5.1", ("Django",), "before 5.1"),
        ("was the option of Django removed before 5.1", ("Django",), "before 5.1"),
        ("should we go to Django 5.1", ("Django",), "5.1"),
    ],
)
def test_a_version_constrains_only_the_product_asked_about(
    question: str, products: tuple[str, ...], expected: str | None
) -> None:
    query = ask(question)
    assert (query.products, constraint_of(query)) == (products, expected)
    assert query.product_stated == bool(products)


@pytest.mark.parametrize(
    ("question", "filtered", "expected"),
    [
        ("Which release dropped Python 3.7?", "pip", None),
        ("3.14 support, or does 25.3 come without?", "pip", "3.14 and 25.3"),
        ("What is the speed-up of Python 3.15 over 3.14?", "cpython", "3.14 and 3.15"),
        ("Does django 5 work?", "PIP", None),
        ("any improvements in 25?", "pip", "25"),
        ("what is left of it in V2?", "pydantic", "2"),
        ("any improvements in 17?", "pip", None),
    ],
)
def test_with_a_product_filter_bare_versions_belong_to_it(question: str, filtered: str, expected: str | None) -> None:
    query = ask(question, filtered=filtered)
    assert query.products[0].casefold() in (filtered.casefold(), "python")
    assert query.product_stated
    assert constraint_of(query) == expected


def test_the_only_product_is_inferred_not_stated() -> None:
    query = parse_query("In 2.12, is CUDA 13.0 the default on Python 3.13?", catalogue=ONE_PRODUCT)
    assert (query.products, query.product_stated, constraint_of(query)) == (("PyTorch",), False, "2.12")


@pytest.mark.parametrize(
    ("question", "products"),
    [
        ("What changed in black 24.3?", ("black",)),
        ("new in Black", ("black",)),
        ("How do I black out text?", ()),
        ("which black magic is this", ()),
    ],
)
def test_everyday_words_name_a_product_only_where_a_name_stands(question: str, products: tuple[str, ...]) -> None:
    assert ask(question).products == products


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What's new in the latest Django?", "5.1"),
        ("features of the newest NumPy release", "2.1.0"),
        ("does Django run on the latest Python?", None),
        ("what's new in the latest release?", None),
    ],
)
def test_the_latest_is_the_newest_final_release_of_the_product(question: str, expected: str | None) -> None:
    assert constraint_of(ask(question)) == expected


@pytest.mark.parametrize(
    ("question", "symbols"),
    [
        ("What is torch.cond and `is_capturing`?", ("torch.cond", "is_capturing")),
        ("GraphImplInterface on gfx950 and MI350, float8_e8m0fnu", ("GraphImplInterface", "gfx950", "float8_e8m0fnu")),
        ("since when -C instead of --config-settings, PIP_CONSTRAINT", ("--config-settings", "PIP_CONSTRAINT", "-C")),
        ("run() got an unexpected keyword 'depth', it's odd", ("run", "depth")),
        ("nose style setup() and Adagrad(fused=True)", ("setup", "Adagrad", "fused")),
        ("cargo::error=MESSAGE", ("cargo::error",)),
        ("mx-fp4 tensors on a V100", ("fp4", "V100")),
    ],
)
def test_symbols(question: str, symbols: tuple[str, ...]) -> None:
    assert set(symbols) <= set(ask(question).symbols)


@pytest.mark.parametrize("case", read_cases("follow-ups"), ids=lambda case: case.name)
def test_follow_ups(case: Case) -> None:
    """A case has the question before and the follow-up, and gives the words searched for, products, releases."""
    history, question = case.text.splitlines()
    query = ask(question, history)
    assert query.text == question
    assert [query.search_text, ", ".join(query.products), constraint_of(query) or "-"] == case.gives
    assert query.product_stated


@pytest.mark.parametrize(
    ("question", "search_text", "expected"),
    [
        pytest.param(
            "does it work with a pooler like pgbouncer?",
            "does it work with a pooler like pgbouncer?",
            None,
            id="names a thing of its own",
        ),
        pytest.param("and pgbouncer?", "What did Django 5.0 change for forms and pgbouncer?", "5.0", id="only a name"),
        pytest.param("why though", "Django 5.0 change forms why though", "5.0", id="names nothing"),
        pytest.param(
            "are the small ones blue too?",
            "Django 5.0 change forms are the small ones blue too?",
            "5.0",
            id="says little",
        ),
        pytest.param(
            "do the small buttons on the left look blue?",
            "do the small buttons on the left look blue?",
            None,
            id="says enough",
        ),
        pytest.param("Does Django have small ones?", "Does Django have small ones?", None, id="says of what product"),
    ],
)
def test_what_says_little_takes_the_words_and_versions_of_the_question_before(
    question: str, search_text: str, expected: str | None
) -> None:
    query = ask(question, "What did Django 5.0 change for forms?")
    assert (query.search_text, query.products, constraint_of(query)) == (search_text, ("Django",), expected)


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
    "PR 12|which versions|latest|7.something".split("|")
)
_questions = st.one_of(st.text(max_size=60), st.lists(_fragments, max_size=10).map(" ".join))


@given(_questions, st.lists(_questions, max_size=2))
def test_every_text_is_understood_somehow(question: str, history: list[str]) -> None:
    query = parse_query(question, history=history, catalogue=CATALOGUE)
    assert query.text == normalize("NFKC", question)
    assert set(query.products) <= {product.name for product in CATALOGUE}
    assert not query.product_stated or query.products


@pytest.mark.parametrize(
    "number", ["1.1.1." + "9" * 5000, "17." + "9" * 5000 + ".2024", "CUDA " + "9" * 5000, "p\u0131p 5", "P\u0130P 5"]
)
def test_monstrous_numbers_and_look_alike_letters_are_no_versions(number: str) -> None:
    query = ask(f"and {number}?", f"Does torch 2.9 run on CUDA 13 and {number}?")
    assert constraint_of(query) in ("2.9", None)


def _calls(question: str, catalogue: tuple[CatalogueProduct, ...] = CATALOGUE) -> int:
    """How many functions and methods are called, Python's own among them: the same number on every machine."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        parse_query(question, catalogue=catalogue)
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
