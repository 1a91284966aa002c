"""`relnotes ingest --store`: the command line over an index that a server searches."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from case_files import read_rows
from cli_calls import fails, run
from milvus_lite_server import needs_milvus, release
from ui_small_index import write_documents

QUESTION = "Is widget.spin deprecated?"

pytestmark = [needs_milvus, pytest.mark.usefixtures("opened_once")]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[str]:
    yield f"milvus+lite://{tmp_path}/store.db"
    release(tmp_path / "store.db")


def answer(index: Path) -> tuple[dict[str, object], list[float]]:
    """The answer, and the scores of its passages apart: stores add up products in orders of their own."""
    body = json.loads(run("ask", QUESTION, "--index", index, "--json").stdout)
    del body["timings_ms"]
    return body, [passage.pop("score") for passage in body["passages"]]


def test_an_index_moves_to_a_server_and_back_and_answers_the_same(tmp_path: Path, store: str) -> None:
    documents, index = write_documents(tmp_path / "documents"), tmp_path / "index"
    assert run("ingest", documents, "--index", index).exit_code == 0
    before, scores = answer(index)
    assert before["status"] == "answered"
    for name in (store, "embedded"):
        report = json.loads(run("ingest", documents, "--index", index, "--store", name, "--json").stdout)
        assert report["documents"]["unchanged"] == 2
        assert json.loads(run("status", "--index", index, "--json").stdout)["store"] == name
        assert answer(index) == (before, pytest.approx(scores, abs=2e-6))


@pytest.mark.parametrize(
    ("name", "status", "because"), read_rows("ui-a-store-that-cannot-be-used-is-one-line-and-changes")
)
def test_a_store_that_cannot_be_used_is_one_line_and_changes_nothing(
    tmp_path: Path, name: str, status: int, because: str
) -> None:
    words = ("ingest", write_documents(tmp_path / "documents"), "--index", tmp_path / "index", "--store", name)
    fails(*words, status=status, because=because)
    assert "hidden" not in run(*words).stderr
    assert not (tmp_path / "index" / "relnotes.sqlite").exists()
