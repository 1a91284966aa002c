"""The spool: what is kept of documents that were encoded elsewhere, and for how long."""

from dataclasses import replace
from pathlib import Path

import pytest
from small_corpus import HashedEmbedder, encoded, parsed
from ui_small_index import ingest, write_documents

from corpus.packed_documents import pack_document
from corpus.versions import Version
from ingest.cluster_shares import Shares, share_out
from ingest.encoding import ChangedSource
from ingest.identity import Hints
from ingest.sources import Source
from ingest.spool import Spool, count_spooled

DOCUMENT = encoded(parsed("The lid.\n\nThe spout."))
CHANGED = ChangedSource(Source(Path("/notes/a.md"), "/notes", "a.md", Hints()), b"The lid.", None, "ab" * 32)


def test_a_document_is_there_once_it_was_kept(tmp_path: Path) -> None:
    spool = Spool(tmp_path, HashedEmbedder())
    name = spool.name(CHANGED)
    assert (spool.holds(name), count_spooled(tmp_path)) == (False, 0)
    spool.keep(name, pack_document(DOCUMENT))
    assert (Spool(tmp_path, HashedEmbedder()).holds(name), count_spooled(tmp_path)) == (True, 1)
    assert spool.load(name).parsed == DOCUMENT.parsed


def test_a_damaged_document_is_as_good_as_none(tmp_path: Path) -> None:
    spool = Spool(tmp_path, HashedEmbedder())
    spool.keep(spool.name(CHANGED), pack_document(DOCUMENT)[:-1])
    assert not spool.holds(spool.name(CHANGED))


@pytest.mark.parametrize(
    "other",
    [
        replace(CHANGED, sha256="cd" * 32),
        replace(CHANGED, permalink="https://example.org/blob/abc/a.md"),
        replace(CHANGED, source=replace(CHANGED.source, name="b.md")),
        replace(CHANGED, source=replace(CHANGED.source, root="/elsewhere", hints=Hints(version=Version.parse("1")))),
    ],
)
def test_what_would_be_encoded_otherwise_has_another_name(tmp_path: Path, other: ChangedSource) -> None:
    spool = Spool(tmp_path, HashedEmbedder())
    assert spool.name(other) != spool.name(CHANGED)
    assert Spool(tmp_path, HashedEmbedder("b" * 64)).name(CHANGED) != spool.name(CHANGED)


def test_an_ingest_leaves_no_spool(tmp_path: Path) -> None:
    notes, index = write_documents(tmp_path / "notes"), tmp_path / "index"
    index.mkdir()
    Spool(index, HashedEmbedder()).keep("left by one that died", b"")
    ingest(notes, index=index, embedder=HashedEmbedder())
    assert not (index / "spool").exists()
    # Nor does one that has nothing to do.
    Spool(index, HashedEmbedder()).keep("left by one that died", b"")
    ingest(notes, index=index, embedder=HashedEmbedder())
    assert not (index / "spool").exists()


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ({"CPU": 2.0, "memory": 1e9}, Shares(0.75, 0, 2)),
        ({"CPU": 0.5}, Shares(0.75, 0, 1)),
        ({"CPU": 64.0, "GPU": 4.0}, Shares(0.75, 1, 4)),
    ],
)
def test_each_processor_has_an_embedder_or_each_gpu_where_there_are_any(
    resources: dict[str, float], expected: Shares
) -> None:
    assert share_out(resources) == expected
