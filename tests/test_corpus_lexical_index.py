"""BM25 over passages: as defined, and the same from mapped files."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus.stores.lexical_index import LexicalIndex

PASSAGES = (("cache", "cache", "removed"), ("cache", "added"), ("flag", "added", "flag", "flag", "removed"))


def bm25_by_hand(query: tuple[str, ...], passage: tuple[str, ...]) -> float:
    """Lucene's: idf = ln(1 + (N - n + 0.5) / (n + 0.5)); tf / (tf + k1 (1 - b + b length / mean)); k1 1.2, b 0.75."""
    mean = sum(map(len, PASSAGES)) / len(PASSAGES)
    counts = Counter(passage)
    total = 0.0
    for token in query:
        holders = sum(token in other for other in PASSAGES)
        idf = math.log(1 + (len(PASSAGES) - holders + 0.5) / (holders + 0.5))
        total += idf * counts[token] / (counts[token] + 1.2 * (0.25 + 0.75 * len(passage) / mean))
    return total


@pytest.mark.parametrize(
    "query", [("cache",), ("flag",), ("removed", "cache"), ("added", "flag", "removed"), ("cache", "cache")]
)
def test_scores_are_bm25(query: tuple[str, ...]) -> None:
    scores = LexicalIndex.from_tokens(PASSAGES).scores(Counter(query))
    assert scores.dtype == np.float32
    assert scores.tolist() == pytest.approx([bm25_by_hand(query, passage) for passage in PASSAGES], rel=1e-5)


@pytest.mark.parametrize("query", [(), ("unknown",), ("unknown", "never")])
def test_what_is_unknown_scores_nothing_and_changes_no_score(query: tuple[str, ...]) -> None:
    lexical = LexicalIndex.from_tokens(PASSAGES)
    assert lexical.scores(Counter(query)).tolist() == [0, 0, 0]
    assert lexical.scores(Counter(("cache", *query))).tolist() == lexical.scores({"cache": 1}).tolist()


@given(st.lists(st.lists(st.text(min_size=1, max_size=4), max_size=6), max_size=6))
@example([])
@example([[], []])
def test_mapped_files_score_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, passages: list[list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("lexical")
    built = LexicalIndex.from_tokens(passages)
    built.write(folder)
    opened = LexicalIndex.open(folder, passages=len(passages))
    terms = sorted({term for passage in passages for term in passage})
    assert opened.scores(Counter([*terms, "cache"])).tolist() == built.scores(Counter([*terms, "cache"])).tolist()
    for term in (*terms, "", "\U0010ffff"):
        assert opened.document_frequency(term) == sum(term in passage for passage in passages)


@given(
    st.lists(st.lists(st.sampled_from(["a", "b", "--d", "é", "\ud800"]), max_size=8), min_size=1, max_size=6),
    st.lists(st.sampled_from(["a", "b", "--d", "é", "unheard"]), max_size=8),
)
def test_inner_products_of_vectors_are_the_scores(passages: list[list[str]], question: list[str]) -> None:
    lexical = LexicalIndex.from_tokens(passages)
    asked = lexical.question_vector(Counter(question))
    vectors = list(lexical.passage_vectors())
    assert [bool(vector) for vector in vectors] == [bool(passage) for passage in passages]
    products = [sum(vector.get(number, 0) * counts for number, counts in asked.items()) for vector in vectors]
    np.testing.assert_allclose(products, lexical.scores(Counter(question)), atol=1e-5)
