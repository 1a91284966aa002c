"""The nearest items: what an exhaustive scan gives, whichever way it is found."""

import faiss
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples
from vector_rows import unit_rows

from corpus.stores.protocol import nearest_rows
from corpus.stores.vector_index import ItemVectors


@examples(60)
@given(seed=st.integers(0, 2**32 - 1), limit=st.integers(1, 40), share=st.sampled_from([0, 0.02, 0.3, 0.9, 1]))
def test_a_scan_finds_the_best_of_the_allowed_rows_best_first(seed: int, limit: int, share: float) -> None:
    rows = unit_rows(400, seed=seed)
    vector = unit_rows(1, seed=seed + 1)[0]
    allowed = np.random.default_rng(seed).random(400) < share
    index = faiss.IndexFlatIP(rows.shape[1])
    index.add(rows)
    found, products = nearest_rows(ItemVectors(index, None), vector, allowed, limit=limit)
    assert products == pytest.approx(np.sort((rows @ vector)[allowed])[::-1][:limit], abs=1e-6)
    assert products == pytest.approx(rows[found] @ vector, abs=1e-6)
    assert allowed[found].all()
