"""The FAISS file over items: what it is given it finds, under any filter, and in no other file."""

from pathlib import Path

import faiss
import numpy as np
import pytest
from numpy.typing import NDArray
from vector_rows import DIMENSIONS, unit_rows

from corpus.stores import vector_index
from corpus.stores.protocol import nearest_rows
from corpus.stores.vector_index import ENOUGH, is_one_file, open_item_vectors, write_item_vectors


def write(path: Path, rows: NDArray[np.float32]) -> tuple[str, float]:
    if not is_one_file(len(rows)):
        path.mkdir()
    return write_item_vectors(path, lambda: iter((rows,)), count=len(rows), dimensions=DIMENSIONS)


@pytest.fixture
def small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few rows are treated as very many, so that tests of it are quick."""
    monkeypatch.setattr(vector_index, "FLAT_ROWS", 100)
    monkeypatch.setattr(vector_index, "_ROWS_PER_CELL", 40)


@pytest.mark.parametrize("count", [0, 1, 300])
def test_few_vectors_come_back_as_given(tmp_path: Path, count: int) -> None:
    rows = unit_rows(count)
    method = write(tmp_path / "vectors", rows)
    opened = open_item_vectors(tmp_path / "vectors").searched
    assert method == ("flat, float32", 1.0)
    assert (opened.ntotal, opened.d) == (count, DIMENSIONS)
    assert np.array_equal(opened.reconstruct_n(0, count) if count else rows, rows)


@pytest.mark.usefixtures("small_is_large")
def test_a_file_whose_cells_lie_in_another_file_is_refused(tmp_path: Path) -> None:
    """No digest was ever taken of the other one."""
    rows = unit_rows(2_000)
    centres = faiss.IndexFlatIP(rows.shape[1])
    bytes_of = (faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT, False)
    index = faiss.IndexIVFScalarQuantizer(centres, rows.shape[1], 16, *bytes_of)
    index.train(rows)
    lists = faiss.OnDiskInvertedLists(16, index.code_size, str(tmp_path / "elsewhere"))
    index.replace_invlists(lists)
    index.add(rows)
    write(tmp_path / "vectors", rows)
    faiss.write_index(index, str(tmp_path / "vectors" / "codes.faiss"))
    with pytest.raises(RuntimeError, match="lists in another file"):
        open_item_vectors(tmp_path / "vectors")


@pytest.mark.usefixtures("small_is_large")
@pytest.mark.parametrize("enough", [ENOUGH, 1.1], ids=["some cells", "all cells"])
@pytest.mark.parametrize("share", [0.01, 0.3, 1.0])
def test_a_filter_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: float, enough: float) -> None:
    """Ten nearest of the allowed rows, as an exact scan of those gives them, with their products."""
    monkeypatch.setattr(vector_index, "ENOUGH", enough)
    rows = unit_rows(5_000)
    write(tmp_path / "vectors", rows)
    known = open_item_vectors(tmp_path / "vectors")
    chance = np.random.default_rng(3)
    found_share = []
    for question in unit_rows(40, seed=8):
        allowed = chance.random(5_000) < share
        found, products = nearest_rows(known, question, allowed, limit=10)
        exact = np.where(allowed, rows @ question, -2.0)
        found_share.append(np.isin(np.argsort(-exact)[:10], found).mean())
        assert allowed[found].all()
        assert products == pytest.approx(exact[found], abs=5e-5)
        assert (np.diff(products) <= 0).all()
    assert np.mean(found_share) >= 0.98
