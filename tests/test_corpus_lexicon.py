"""Which strings two texts can share: tokens of prose, symbols, versions and numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.lexicon import content_words, question_tokens, split_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", (), id="empty"),
        pytest.param("Deprecated the caches", ("deprec", "the", "cach"), id="stemmed, stop words kept"),
        pytest.param(
            "error_on_graph_break", ("error_on_graph_break", "error", "on", "graph", "break"), id="whole and parts"
        ),
        pytest.param("torch.cond", ("torch.cond", "torch", "cond"), id="dotted"),
        pytest.param("c10::Stream", ("c10::stream", "c10", "stream"), id="namespaced"),
        pytest.param("GraphImplInterface", ("graphimplinterfac", "graph", "impl", "interfac"), id="CamelCase"),
        pytest.param("HTTPServer", ("httpserver", "http", "server"), id="acronym before a word"),
        pytest.param("URLs PRs DAGs", ("url", "pr", "dag"), id="plural acronyms"),
        pytest.param("--no-binary -C", ("no-binary", "no", "binari", "c"), id="flags"),
        pytest.param("__init__", ("__init__", "init"), id="dunder"),
        pytest.param("float8_e8m0fnu", ("float8_e8m0fnu", "float8", "e8m0fnu", "fnu"), id="digits stay in names"),
        pytest.param("2.9.1", ("2.9.1", "2.9"), id="version and series"),
        pytest.param("v2.9", ("2.9",), id="leading v"),
        pytest.param("2.8.0+cu128", ("2.8.0+cu128", "2.8.0", "2.8"), id="build"),
        pytest.param("ships in 3.0.0-rc1.", ("ship", "in", "3.0.0-rc1", "3.0.0", "3.0"), id="full stop after version"),
        pytest.param("3.8-3.12", ("3.8", "3.12"), id="range gives both ends"),
        pytest.param("2,926 commits", ("2926", "commit"), id="thousands separator"),
        pytest.param("1,2345", ("1", "2345"), id="no thousands separator"),
        pytest.param("see https://docs.example.org/a_b?c=1 now", ("see", "now"), id="address"),
        pytest.param("HTTPS://EXAMPLE.ORG/X and www.example.org", ("and",), id="address in capitals, without scheme"),
        pytest.param("Django’s don't", ("django's", "django", "don't", "don"), id="both apostrophes"),
        pytest.param("ＴＯＲＣＨ ﬁxed", ("torch", "fix"), id="compatibility forms"),
        pytest.param("____ ---- ....", (), id="rules give nothing"),
    ],
)
def test_tokens_of_a_text(text: str, tokens: tuple[str, ...]) -> None:
    assert split_tokens(text) == tokens


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("NumPy", "numpy"),
        ("DeprecationWarning", "deprecationwarning"),
        ("is_capturing", "is capturing"),
        ("2.9.1", "2.9"),
        ("DAGs", "DAG"),
        ("--use-feature", "use-feature"),
        ("v1.30", "1.30"),
    ],
)
def test_casual_spelling_finds_the_written_one(written: str, asked: str) -> None:
    assert set(question_tokens(asked)) <= set(split_tokens(written))


def test_stop_words_are_dropped_of_a_question_only() -> None:
    assert "the" in split_tokens("the cache is gone")
    assert question_tokens("is the cache gone?") == ("cach", "gone")
    assert content_words("What’s the NumPy version?") == ("NumPy", "version")


name_parts = st.from_regex(r"[a-z]{2,8}|[A-Z][a-z]{2,6}[A-Z][a-z]{2,6}|[a-z]{2,4}[0-9]{1,2}", fullmatch=True)


@given(st.lists(name_parts, min_size=2, max_size=6))
def test_flattened_symbol_is_found_by_its_parts(parts: list[str]) -> None:
    assert set(split_tokens(" ".join(parts))) <= set(split_tokens("_".join(parts)))


@given(st.text(max_size=300))
def test_token_is_short_and_without_white_space(text: str) -> None:
    for token in split_tokens(text):
        assert 0 < len(token) <= 64
        assert token.split() == [token]


@pytest.mark.parametrize("word", ["a" * 1000, "1." * 1000 + "1", "a_" * 1000, "Ab" * 1000, "ﷺ" * 100, "x-" * 500 + "x"])
def test_long_word_gives_short_tokens(word: str) -> None:
    assert max(map(len, split_tokens(word))) <= 64


@given(st.text(max_size=200), st.text(max_size=200))
def test_lines_are_tokenised_by_themselves(first: str, second: str) -> None:
    assert split_tokens(f"{first}\n\n{second}") == split_tokens(first) + split_tokens(second)


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("unit", "length"),
    [
        *((unit, 1_000_000) for unit in ["a_", "....", "----"]),
        *((unit, 400_000) for unit in ["a.", "a::", "1.", "111,", "a-", "Aa", "A1", "`a", "www.", "a'"]),
    ],
)
def test_long_texts_end_as_no_quadratic_pass_would_in_minutes(unit: str, length: int) -> None:
    assert split_tokens(f"{unit * (length // len(unit))} zebra")[-1] == "zebra"
