"""The nearest items: what an exhaustive scan gives, whichever way it is found."""

import faiss
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from property_examples import examples
from vector_rows import rows_marked, unit_rows

from corpus.stores.protocol import AllowedRows, nearest_rows
from corpus.stores.vector_index import ItemVectors


def flat(rows: NDArray[np.float32]) -> faiss.IndexFlatIP:
    index = faiss.IndexFlatIP(rows.shape[1])
    index.add(rows)
    return index


def by_numpy(
    rows: NDArray[np.float32], vector: NDArray[np.float32], allowed: NDArray[np.bool_], limit: int
) -> NDArray[np.float32]:
    """The products that a search must give, best first."""
    return np.sort((rows @ vector)[allowed])[::-1][:limit]


@pytest.mark.parametrize(
    ("allowed", "limit", "expected"),
    [
        pytest.param([True, True, True], 2, [1, 0], id="the best two"),
        pytest.param([True, False, True], 2, [0, 2], id="the best is forbidden"),
        pytest.param([False, False, True], 2, [2], id="fewer are allowed than asked for"),
        pytest.param([False, False, False], 2, [], id="none is allowed"),
    ],
)
def test_nearest_of_the_allowed_rows_come_best_first(allowed: list[bool], limit: int, expected: list[int]) -> None:
    rows = np.array([[0.8, 0.6], [1.0, 0.0], [0.0, 1.0]], np.float32)
    known, asked = ItemVectors(flat(rows), None), np.array([1, 0], np.float32)
    found, products = nearest_rows(known, asked, rows_marked(np.array(allowed)), limit=limit)
    assert found.tolist() == expected
    assert products.tolist() == pytest.approx([[0.8, 1.0, 0.0][row] for row in expected])


@examples(40)
@given(seed=st.integers(0, 2**32 - 1), limit=st.integers(1, 40), share=st.sampled_from([0.3, 0.9, 1.0]))
def test_a_scan_finds_the_best_products(seed: int, limit: int, share: float) -> None:
    rows = unit_rows(400, seed=seed)
    vector = unit_rows(1, seed=seed + 1)[0]
    allowed = np.random.default_rng(seed).random(400) < share
    found, products = nearest_rows(ItemVectors(flat(rows), None), vector, rows_marked(allowed), limit=limit)
    assert products == pytest.approx(by_numpy(rows, vector, allowed, limit), abs=1e-6)
    assert allowed[found].all()


def rows_of(allowed: AllowedRows) -> list[int]:
    return [row for first, end in allowed.bounds.tolist() for row in range(first, end)]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3)), max_size=20))
def test_allowed_rows_are_those_of_the_allowed_passages(passages: list[tuple[bool, int]]) -> None:
    """Of each passage whether it is allowed, and how many rows it has: none, too."""
    offsets = np.cumsum([0, *(rows for _, rows in passages)])
    positions = [place for place, (is_allowed, _) in enumerate(passages) if is_allowed]
    allowed = AllowedRows.of_ranges(offsets[positions], offsets[1:][positions], total=int(offsets[-1]))
    expected = [row for place in positions for row in range(offsets[place], offsets[place + 1])]
    assert rows_of(allowed) == expected
    assert [row for row in range(allowed.total) if allowed.selector.is_member(row)] == expected
