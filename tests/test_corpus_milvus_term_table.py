"""BM25 as inner products: the very scores of the embedded lexical index."""

from collections import Counter
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corpus.stores.lexical_index import LexicalIndex
from corpus.stores.milvus.term_table import TermTable

PASSAGES = [["torch", "export", "torch"], ["export", "flag"], [], ["flag", "flag", "flag", "--flag"]]

_tokens = st.lists(st.sampled_from(["a", "b", "c", "--d", "é", "\ud800"]), max_size=8)


def _score(terms: TermTable, passage: list[str], question: list[str]) -> float:
    weights = terms.passage_weights(passage)
    return sum(
        weights.get(number, 0.0) * weight for number, weight in terms.question_weights(Counter(question)).items()
    )


def test_a_passage_without_tokens_has_an_empty_vector() -> None:
    terms = TermTable.from_tokens(PASSAGES)
    assert terms.passage_weights([]) == {}
    assert terms.filled_passages == 3


def test_an_unknown_token_asks_for_nothing() -> None:
    terms = TermTable.from_tokens(PASSAGES)
    assert terms.question_weights({"unheard": 1}) == {}
    assert terms.document_frequency("unheard") == 0


def test_a_term_counts_each_passage_once() -> None:
    terms = TermTable.from_tokens(PASSAGES)
    assert [terms.document_frequency(token) for token in ("torch", "export", "flag")] == [1, 2, 2]


@given(passages=st.lists(_tokens, min_size=1, max_size=6), question=_tokens)
def test_inner_products_are_the_scores_of_the_embedded_index(passages: list[list[str]], question: list[str]) -> None:
    terms = TermTable.from_tokens(passages)
    products = [_score(terms, passage, question) for passage in passages]
    np.testing.assert_allclose(products, LexicalIndex.from_tokens(passages).scores(Counter(question)), atol=1e-5)


def test_a_written_table_is_read_again(tmp_path: Path) -> None:
    terms = TermTable.from_tokens([*PASSAGES, ["\ud800"]])
    terms.write(tmp_path)
    read = TermTable.open(tmp_path)
    asked = {"torch": 1.0, "\ud800": 0.5}
    assert read.question_weights(asked) == terms.question_weights(asked)
    assert read.passage_weights(["torch"]) == terms.passage_weights(["torch"])
