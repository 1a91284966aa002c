"""Whether a server finds what the embedded store finds, over the bundled documents and by hand."""

from pathlib import Path

import pytest

from corpus.stores.choice import StoreChoice
from evals.lab.bench.stores import MOST_DIFFERENCE, StoreComparison, compare
from evals.runner import Group
from evals.suites import CORPUS, load_suite


def group(recall: float, mrr: float) -> Group:
    return Group("all", 20, {"recall@5": recall, "mrr@10": mrr})


def test_the_greatest_difference_of_any_figure_counts_in_either_direction() -> None:
    compared = StoreComparison("small", group(0.9, 0.8), group(0.88, 0.85), 0.95, 12.0, 18.0)
    assert compared.difference == pytest.approx(0.05)


@pytest.mark.slow
def test_milvus_finds_what_the_embedded_store_finds(tmp_path: Path) -> None:
    pytest.importorskip("pymilvus", reason="the extra `milvus` is not installed")
    lite = pytest.importorskip("milvus_lite.server_manager", reason="Milvus Lite is not installed")
    path = tmp_path / "store.db"
    try:
        # So few that one which a single store finds the passage of is more than may differ.
        questions = load_suite(CORPUS)[::3]
        store = StoreChoice.parse(f"milvus+lite://{path}")
        compared = compare(CORPUS, questions, store, folder=tmp_path, passes=1)
    finally:
        lite.server_manager_instance.release_server(str(path))
    assert compared.difference <= MOST_DIFFERENCE
    assert compared.same_passages >= 0.99
