"""Slips of the keyboard in ordinary words: mended where the index knows what was meant, and nothing else touched."""

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st

from retrieval.question.spelling import correct_typos

HELD = {
    "version": 90,
    "release": 80,
    "timeout": 5,
    "concurrency": 4,
    "solution": 9,
    "pollution": 1,
    "lambda": 2,
    "psrl": 1,
    "travy": 1,
    "celery": 7,
}


def mend(text: str) -> str:
    return correct_typos(text, frequency=lambda word: HELD.get(word, 0), names=frozenset({"django", "celery"}))


@pytest.mark.parametrize(("typed", "meant"), read_rows("retrieval-a-slip-becomes-the-word-that-the-index-holds"))
def test_a_slip_becomes_the_word_that_the_index_holds(typed: str, meant: str) -> None:
    assert mend(typed) == meant


@pytest.mark.parametrize("typed", read_rows("retrieval-names-code-words-and-what-nothing-resembles-stay"))
def test_names_code_words_and_what_nothing_resembles_stay(typed: str) -> None:
    assert mend(typed) == typed


@given(st.text(max_size=60))
def test_a_text_without_slips_is_never_changed(text: str) -> None:
    assert correct_typos(text, frequency=lambda _: 1, names=set()) == text
