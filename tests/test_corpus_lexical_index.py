"""BM25 over passages: the same from mapped files and as inner products."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus.stores.lexical_index import LexicalIndex


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
