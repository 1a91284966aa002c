"""The server's assistant: what it opens, and when."""

from pathlib import Path

import pytest
from ui_small_index import ingest, write_documents

from corpus.embedding import Embedder
from corpus.errors import ModelError
from retrieval.rerank import CrossEncoderReranker, Reranker
from ui.live_assistant import LiveAssistant
from ui.opening import open_assistant, open_reranker
from ui.settings import load_settings

MISSING = "nobody/none"


@pytest.fixture
def index(tmp_path: Path, default_embedder: Embedder) -> Path:
    ingest(write_documents(tmp_path / "documents"), index=tmp_path / "index", embedder=default_embedder)
    return tmp_path / "index"


def test_a_reranker_that_fails_is_never_left_out_silently(index: Path, default_embedder: Embedder) -> None:
    tried = []

    def open_missing() -> Reranker:
        tried.append(MISSING)
        return CrossEncoderReranker(MISSING)

    assistants = LiveAssistant(index, open_embedder=lambda: default_embedder, open_reranker=open_missing)
    for _ in range(2):
        with pytest.raises(ModelError, match="Cannot open reranker"), assistants.borrow():
            pass
    assert tried == [MISSING, MISSING]


def test_there_is_no_reranker_unless_one_is_named(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_reranker(load_settings(index=index)) is None
    monkeypatch.setenv("RELNOTES_RERANKER", MISSING)
    with pytest.raises(ModelError, match="Cannot open reranker"), open_assistant(load_settings(index=index)):
        pass
