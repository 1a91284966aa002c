"""TokenWeights: rare words of a question weigh more than common ones, unknown ones most."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.stores.lexical_index import LexicalIndex
from retrieval.question.token_weights import TokenWeights

LEXICAL = LexicalIndex.from_tokens([("valve", "cobalt"), ("valve", "pump"), ("valve",), ("pump",)])
TOKENS = ("valve", "pump", "cobalt", "quasar")


def weigh(*tokens: str) -> TokenWeights:
    return TokenWeights.of(tokens, LEXICAL, passages=4)


def test_weights_are_inverse_document_frequencies() -> None:
    weights = weigh(*TOKENS)
    assert [token for token, _ in weights.weights] == list(TOKENS)
    assert [weight for _, weight in weights.weights] == pytest.approx(
        [log(1 + 1.5 / 3.5), log(1 + 2.5 / 2.5), log(1 + 3.5 / 1.5), log(1 + 4.5 / 1.5)]
    )
    assert weights.unknown == ("quasar",)


@given(st.sets(st.sampled_from(TOKENS)), st.sets(st.sampled_from(TOKENS)))
def test_more_words_cover_no_less(some: set[str], more: set[str]) -> None:
    weights = weigh(*TOKENS)
    assert 0 <= weights.coverage(some) <= weights.coverage(some | more) <= 1 + 1e-9
