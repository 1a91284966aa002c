"""The thesaurus: related words of software change, stemmed as the index stems."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.lexicon import question_tokens, split_tokens
from retrieval.question.thesaurus import expand


@pytest.mark.parametrize(
    ("asked", "related"),
    [
        ("dropped", "removed"),
        ("killed", "discontinued"),
        ("supporting", "dropped"),
        ("faster", "performance"),
        ("parameter", "keyword"),
        ("k8s", "kubernetes"),
        ("macOS", "darwin"),
        ("vulnerability", "CVE"),
    ],
)
def test_words_of_one_kind_of_change_find_each_other(asked: str, related: str) -> None:
    assert set(split_tokens(related)) <= set(expand(question_tokens(asked)))
    assert split_tokens(asked)[0] in expand(split_tokens(related))


def test_plain_words_have_no_relations() -> None:
    assert expand(split_tokens("kettle whistle tone")) == ()
    assert expand(()) == ()


@given(st.lists(st.sampled_from("dropped removed faster default fixed python kettle option setting".split())))
def test_relations_are_sorted_distinct_and_never_the_asked_words(words: list[str]) -> None:
    tokens = split_tokens(" ".join(words))
    related = expand(tokens)
    assert list(related) == sorted(set(related))
    assert not set(related) & set(tokens)
