"""Everyday English and names: what a question can say in other words, and what it can't."""

import pytest

from corpus.everyday_words import is_everyday

EVERYDAY = "processor Windows quicker shrinks loaders loading loaded used run-time vendor's a".split()
NAMES = "webpack conda gguf rocSHMEM h100 py3 MongoDB tpu pre-gguf".split()


@pytest.mark.parametrize("word", [*EVERYDAY, *NAMES, ""])
def test_names_of_technical_things_are_no_everyday_words(word: str) -> None:
    assert is_everyday(word) is (word not in NAMES)
