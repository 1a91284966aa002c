"""The server's assistant: what it opens, and when."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ui_small_index import ingest, write_documents

from corpus.embedding import Embedder
from corpus.errors import IndexUnavailable
from retrieval.assistant import Assistant
from ui.server.live_assistant import LiveAssistant, Readiness

QUESTION = "Is widget.spin deprecated?"


@pytest.fixture
def index(tmp_path: Path, default_embedder: Embedder) -> Path:
    ingest(write_documents(tmp_path / "documents"), index=tmp_path / "index", embedder=default_embedder)
    return tmp_path / "index"


@pytest.fixture
def assistants(index: Path, default_embedder: Embedder) -> Iterator[LiveAssistant]:
    assistants = LiveAssistant(index, open_embedder=lambda: default_embedder)
    yield assistants
    assistants.close()


def ingest_a_next_release(index: Path, embedder: Embedder) -> None:
    notes = index.parent / "documents" / "widget" / "next.md"
    notes.write_text("# Widget 2.1\n\n- `widget.flip` is new.\n", encoding="utf-8")
    ingest(index.parent / "documents", index=index, embedder=embedder)


def test_new_state_is_picked_up_while_the_old_one_is_in_use(
    index: Path, assistants: LiveAssistant, default_embedder: Embedder
) -> None:
    with assistants.borrow() as before:
        with assistants.borrow():
            ingest_a_next_release(index, default_embedder)
            with assistants.borrow() as after:
                assert after is not before
                assert len(after.index.documents) == 3
        assert len(before.ask(QUESTION).passages) > 0
        assert len(before.index.documents) == 2
    with assistants.borrow() as again:
        assert again is after
    assistants.close()
    with pytest.raises(Exception, match="closed"):
        after.index.document_text(after.index.documents[0].id)


def test_while_a_newer_state_is_opened_probes_name_the_old_one(
    index: Path, assistants: LiveAssistant, default_embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with assistants.borrow():
        pass
    ingest_a_next_release(index, default_embedder)
    is_opening, may_open = threading.Event(), threading.Event()
    really_open = Assistant.open

    def open_slowly(*words: Any, **named: Any) -> Assistant:
        is_opening.set()
        assert may_open.wait(60)
        return really_open(*words, **named)

    monkeypatch.setattr(Assistant, "open", open_slowly)
    lent: list[Assistant] = []

    def borrow_first() -> None:
        with assistants.borrow() as assistant:
            lent.append(assistant)

    opener = threading.Thread(target=borrow_first)
    opener.start()
    assert is_opening.wait(60)
    readiness = assistants.readiness()
    assert readiness.is_loading
    assert readiness.manifest is not None
    assert readiness.manifest.documents == 2
    may_open.set()
    opener.join()
    assert len(lent[0].index.documents) == 3
    with assistants.borrow() as newest:
        assert newest is lent[0]
    assert assistants.readiness() == Readiness(lent[0].index.manifest, is_loading=False)


def test_an_index_that_cannot_be_opened_is_not_ready(
    index: Path, assistants: LiveAssistant, default_embedder: Embedder
) -> None:
    with assistants.borrow():
        pass
    ingest_a_next_release(index, default_embedder)
    (vectors,) = index.glob("vectors-*.faiss")
    vectors.write_bytes(b"damaged")
    with pytest.raises(IndexUnavailable):
        assistants.readiness()
    with pytest.raises(IndexUnavailable), assistants.borrow():
        pass
