"""Which strings two texts can share: whatever the text, tokens are short and found by their parts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.lexicon import split_tokens

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
