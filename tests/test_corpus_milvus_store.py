"""An index searched by a Milvus: Milvus Lite in this process, through the client that speaks to servers."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from milvus_lite_server import needs_milvus, release
from numpy.typing import NDArray
from small_corpus import STAMP, HashedEmbedder, encoded, parsed

from corpus.errors import StoreUnavailable
from corpus.index.commit import EncodedDocument, commit_changes, remove_documents
from corpus.index.layout import write_lock
from corpus.index.reader import IndexReader
from corpus.manifest import Manifest
from corpus.stores.choice import StoreChoice
from corpus.stores.milvus import connection
from corpus.stores.protocol import PassageFilter

pytestmark = needs_milvus

TESTS = Path(__file__).parent


def note(product: str, version: str, words: str) -> EncodedDocument:
    text = f"{words} in {product} {version}. The {words.split()[-1]} flag."
    made = parsed(text, source=f"{product}-{version}.md", product=product, version=version)
    letters = (replace(one, boilerplate=words.startswith("Subscribe")) for one in made.passages)
    return encoded(replace(made, passages=tuple(letters)))


NOTES = (
    note("apple", "1.0", "Added the export command"),
    note("apple", "2.0", "Removed the export command"),
    note("pear", "1.0", "Deprecated the import command"),
    note("pear", "2.0", "Subscribe to the import letter"),
    note("plum", "2.0", "Fixed a crash of the cache"),
)


@pytest.fixture(autouse=True)
def asked_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Milvus's client asks whether an index is built every half second, for the first time after half a second."""
    clock = SimpleNamespace(time=time.time, sleep=lambda seconds: time.sleep(seconds / 50))
    monkeypatch.setattr("pymilvus.client.grpc_handler.time", clock)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreChoice]:
    path = tmp_path_factory.mktemp("milvus") / "store.db"
    yield StoreChoice.parse(f"milvus+lite://{path}")
    release(path)


@pytest.fixture
def store(server: StoreChoice) -> Iterator[StoreChoice]:
    """The server, which holds nothing before and after."""
    yield server
    with closing(connection.connect(server)) as client:
        for collection in client.list_collections():
            client.drop_collection(collection)


def commit(index: Path, *documents: object, store: StoreChoice | None = None, fresh: bool = False) -> Manifest:
    with write_lock(index):
        return commit_changes(index, model=STAMP, add=documents, fresh=fresh, store=store)  # type: ignore[arg-type]


def collections(store: StoreChoice) -> list[str]:
    with closing(connection.connect(store)) as client:
        return sorted(client.list_collections())


def generations(store: StoreChoice) -> list[str]:
    return sorted({name.split("_")[2] for name in collections(store)})


def vector(text: str) -> NDArray[np.float32]:
    return HashedEmbedder().embed([text])[0]


def knows_export(reader: IndexReader) -> bool:
    """Whether the server finds a passage by its word."""
    return len(reader.store.lexical_scores({"export": 1}, PassageFilter()).positions) > 0


FILTERS = (
    PassageFilter(),
    PassageFilter((0,)),
    PassageFilter((0, 1), (1,)),
    PassageFilter(None, (0,)),
    PassageFilter(()),
)


@pytest.mark.parametrize("wanted", FILTERS)
def test_both_stores_find_the_same(tmp_path: Path, store: StoreChoice, wanted: PassageFilter) -> None:
    commit(tmp_path / "embedded", *NOTES)
    commit(tmp_path / "server", *NOTES, store=store)
    with IndexReader.open(tmp_path / "embedded") as one, IndexReader.open(tmp_path / "server") as other:
        for words in ("the export command", "a crash", "unheard of"):
            rows, cosines = one.store.nearest_items(vector(words), wanted, limit=3)
            found_rows, found_cosines = other.store.nearest_items(vector(words), wanted, limit=3)
            np.testing.assert_allclose(found_cosines, cosines, atol=1e-6)
            assert set(found_rows.tolist()) == set(rows.tolist())
            tokens = {token: 1.0 / (1 + place) for place, token in enumerate(words.split())}
            expected, found = (store.lexical_scores(tokens, wanted) for store in (one.store, other.store))
            assert found.positions.tolist() == expected.positions.tolist()
            np.testing.assert_allclose(found.scores, expected.scores, atol=1e-5)
            for token in tokens:
                assert other.lexical.document_frequency(token) == one.lexical.document_frequency(token)


def test_a_reader_keeps_its_generation_until_the_one_after_the_next_is_written(
    tmp_path: Path, store: StoreChoice
) -> None:
    index = tmp_path / "index"
    commit(index, *NOTES, store=store)
    with IndexReader.open(index) as reader:
        remove_documents(index, product="apple")
        assert generations(store) == ["g1", "g2"]
        assert knows_export(reader)
        with IndexReader.open(index) as newer:
            assert not knows_export(newer)
        remove_documents(index, product="pear")
        assert generations(store) == ["g2", "g3"]
        with pytest.raises(StoreUnavailable, match="ask again"):
            knows_export(reader)


def test_a_rebuilt_index_stays_in_its_store(tmp_path: Path, store: StoreChoice) -> None:
    index = tmp_path / "index"
    commit(index, NOTES[0], store=store)
    assert commit(index, NOTES[0], fresh=True).store == str(store)


@pytest.mark.slow
@pytest.mark.parametrize("step", ["_passage_rows", "write_manifest"])
def test_a_killed_writer_leaves_the_old_generation_served(tmp_path: Path, step: str) -> None:
    index, path = tmp_path / "index", tmp_path / "store.db"
    script = f"""
import os, signal, sys
from pathlib import Path
from test_corpus_milvus_store import NOTES, commit
import corpus.index.commit, corpus.stores.milvus.generations
from corpus.stores.choice import StoreChoice
index, store = Path({str(index)!r}), StoreChoice.parse("milvus+lite://{path}")
commit(index, NOTES[0], store=store)
def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
module = corpus.index.commit if {step!r} == "write_manifest" else corpus.stores.milvus.generations
setattr(module, {step!r}, die)
commit(index, NOTES[2])
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])}
    died = subprocess.run([sys.executable, "-c", script], env=environment, timeout=300)
    assert died.returncode == -signal.SIGKILL
    store = StoreChoice.parse(f"milvus+lite://{path}")
    try:
        with IndexReader.open(index) as reader:
            assert reader.manifest.generation == 1
            assert knows_export(reader)
        commit(index, NOTES[2])
        assert generations(store) == ["g1", "g2"]
        assert len(collections(store)) == 4
    finally:
        release(path)


def test_a_server_that_is_down_or_never_answers_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"milvus://127.0.0.1:{unused.getsockname()[1]}"
    with pytest.raises(StoreUnavailable) as told:
        commit(tmp_path / "index", NOTES[0], store=StoreChoice.parse(address))
    assert str(told.value).startswith(f"The store {address!r} can't be used: ")
    assert "\n" not in str(told.value)
    monkeypatch.setattr(connection, "CONNECT_TIMEOUT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(StoreUnavailable):
        connection.connect(StoreChoice.parse(f"milvus://127.0.0.1:{silent.getsockname()[1]}"))


@pytest.mark.parametrize("ids", [[0, 10_000], [-1], [1, 1]], ids=str)
def test_rows_that_the_index_has_not_are_no_answer(
    tmp_path: Path, store: StoreChoice, ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is others'; it may be an older one, or somebody who plays it."""
    commit(tmp_path, NOTES[0], store=store)
    with IndexReader.open(tmp_path) as reader:
        monkeypatch.setattr(
            reader.store._client, "search", lambda *_, **__: [[{"id": one, "distance": 1} for one in ids]]
        )
        with pytest.raises(StoreUnavailable, match="answers with rows that this index hasn't"):
            reader.store.nearest_items(vector("lid"), PassageFilter(), limit=3)
        with pytest.raises(StoreUnavailable, match="answers with rows that this index hasn't"):
            reader.store.lexical_scores({"flag": 1}, PassageFilter())


@pytest.mark.parametrize(
    ("named", "is_stated", "sent"),
    [
        ("milvus://localhost:19530", False, "secret"),
        ("milvus://elsewhere:19530", False, ""),
        ("", False, ""),
        ("", True, "secret"),
    ],
)
def test_the_token_goes_only_where_the_user_sends_it(
    named: str, is_stated: bool, sent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []
    monkeypatch.setattr("pymilvus.MilvusClient", lambda *_, token, **__: given.append(token))
    environment = {"RELNOTES_MILVUS_TOKEN": "secret", "RELNOTES_STORE": named}
    connection.connect(StoreChoice.parse("milvus://localhost"), is_stated=is_stated, environment=environment)
    assert given == [sent]
