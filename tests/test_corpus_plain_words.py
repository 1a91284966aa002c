"""Prose without its markup, in every markup."""

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st

from corpus.plain_words import one_line, readable


@pytest.mark.parametrize(("text", "expected"), read_rows("corpus-one-line"))
def test_one_line(text: str, expected: str) -> None:
    assert one_line(text) == expected


@given(st.from_regex(r"[a-z]{2,8}( [a-z]{2,8}){0,8}", fullmatch=True))
def test_plain_words_stay_as_they_are(text: str) -> None:
    assert one_line(text) == text


@pytest.mark.timeout(120)
@pytest.mark.parametrize("unit", ["[", "<a ", "`", ":a", "`a <", "*_", "![a]("])
def test_hostile_markup_ends_as_no_quadratic_pass_would_in_minutes(unit: str) -> None:
    assert one_line(f"{unit * (200_000 // len(unit))}\nzebra").endswith("zebra")


@pytest.mark.parametrize(("text", "words"), read_rows("corpus-what-a-person-reads"))
def test_what_a_person_reads(text: str, words: str) -> None:
    assert readable(text, keeps_code=True) == words
