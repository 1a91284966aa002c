"""Everyday English and names: what a question can say in other words, and what it can't."""

import pytest

from corpus.everyday_words import is_everyday


@pytest.mark.parametrize(
    "word",
    ["processor", "Windows", "quicker", "shrinks", "loaders", "loading", "loaded", "used", "run-time", "vendor's", "a"],
)
def test_everyday_words(word: str) -> None:
    assert is_everyday(word)


@pytest.mark.parametrize("word", ["webpack", "conda", "gguf", "rocSHMEM", "h100", "py3", "MongoDB", "tpu", "pre-gguf"])
def test_names_of_technical_things(word: str) -> None:
    assert not is_everyday(word)


def test_nothing_is_no_name() -> None:
    assert is_everyday("")
