"""Whether a server finds what the embedded store finds, over the bundled documents and by hand."""

from pathlib import Path

import pytest

from corpus.stores.choice import StoreChoice
from evals.lab.bench.stores import MOST_DIFFERENCE, compare
from evals.suites import BUNDLED, load_suite


@pytest.mark.slow
def test_milvus_finds_what_the_embedded_store_finds(tmp_path: Path) -> None:
    pytest.importorskip("pymilvus", reason="the extra `milvus` is not installed")
    lite = pytest.importorskip("milvus_lite.server_manager", reason="Milvus Lite is not installed")
    path = tmp_path / "store.db"
    try:
        # So few that one which a single store finds the passage of is more than may differ.
        questions = load_suite(BUNDLED)[::8]
        store = StoreChoice.parse(f"milvus+lite://{path}")
        difference, same_passages, _ = compare(BUNDLED, questions, store, folder=tmp_path, passes=1)
    finally:
        lite.server_manager_instance.release_server(str(path))
    assert difference <= MOST_DIFFERENCE
    assert same_passages >= 0.99
