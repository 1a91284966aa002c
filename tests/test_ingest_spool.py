"""What a worker of a cluster makes of documents, and how long the spool keeps it; without a cluster."""

import hashlib
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_corpus import RICH, HashedEmbedder, encoded, parsed
from ui_small_index import ingest, write_documents

from corpus.errors import ClusterError
from corpus.index.commit import EncodedDocument
from corpus.model import Release, Span
from corpus.versions import Version
from ingest.cluster.encoder import Outcome, encode_parcel, encoding_seal
from ingest.cluster.spool import Spool, pack_document, unpack_document
from ingest.encoding import ChangedSource
from ingest.releases.identity import Hints
from ingest.sources.files import Source

DOCUMENT = encoded(parsed("The lid.\n\nThe spout.", source="a.md"))
SHA256 = DOCUMENT.parsed.document.sha256
CHANGED = ChangedSource(Source(Path("/notes/a.md"), "/notes", "a.md", Hints()), b"The lid.", None, SHA256)


def count_spooled(index: Path) -> int:
    return len(list((index / "spool").iterdir()))


def test_a_document_is_there_once_it_was_kept(tmp_path: Path) -> None:
    spool = Spool(tmp_path, HashedEmbedder())
    name = spool.name(CHANGED)
    assert (spool.holds(CHANGED), count_spooled(tmp_path)) == (False, 0)
    spool.keep(name, pack_document(DOCUMENT))
    assert (Spool(tmp_path, HashedEmbedder()).holds(CHANGED), count_spooled(tmp_path)) == (True, 1)
    assert spool.load(name).parsed == DOCUMENT.parsed


def _sealed(body: bytes) -> bytes:
    """As somebody else may write it: with the right checksum, which has no secret in it."""
    return hashlib.sha256(body).digest() + body


@pytest.mark.parametrize(
    "planted",
    [
        pytest.param(pack_document(DOCUMENT)[:-1], id="damaged"),
        pytest.param(_sealed(b"text"), id="no document"),
        pytest.param(_sealed((2).to_bytes(8, "big") + b"{}"), id="a document without anything"),
        pytest.param(_sealed((9).to_bytes(8, "big") + b"[" * 9), id="no JSON"),
        pytest.param(pickle.dumps({"of": "another program"}), id="a pickle"),
        pytest.param(pack_document(encoded(parsed("The lid.", source="b.md"))), id="another document"),
        pytest.param(
            pack_document(replace(DOCUMENT, vectors=tuple(one[:, :8] for one in DOCUMENT.vectors))), id="other vectors"
        ),
        pytest.param(
            pack_document(replace(DOCUMENT, vectors=tuple(one * np.nan for one in DOCUMENT.vectors))), id="no numbers"
        ),
        pytest.param(
            pack_document(
                replace(
                    DOCUMENT,
                    parsed=replace(DOCUMENT.parsed, document=replace(DOCUMENT.parsed.document, text="The lid.")),
                )
            ),
            id="places outside its text",
        ),
    ],
)
def test_what_somebody_else_put_there_is_as_good_as_none(tmp_path: Path, planted: bytes) -> None:
    spool = Spool(tmp_path, HashedEmbedder())
    spool.keep(spool.name(CHANGED), planted)
    assert not spool.holds(CHANGED)


def test_a_document_that_was_exchanged_since_is_refused(tmp_path: Path) -> None:
    spool = Spool(tmp_path, HashedEmbedder())
    spool.keep(spool.name(CHANGED), _sealed(b"text"))
    with pytest.raises(OSError, match="a document in its folder 'spool' "):
        spool.load(spool.name(CHANGED))


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


FULL = EncodedDocument(
    parsed=replace(
        RICH,
        document=replace(RICH.document, text=f"{RICH.document.text} née \ud83d", version=Version.parse("v2.0rc1")),
        releases=(Release(None, "", None, Span(0, 47)), replace(RICH.releases[1], pending=True)),
    ),
    tokens=(("lid", "♥", "turns"), ()),
    vectors=(
        np.array([[0.1, -0.0, 1e-30], [np.nextafter(np.float32(1), 2), 2, 3]], np.float32),
        np.empty((0, 3), np.float32),
    ),
)


@pytest.mark.parametrize(
    "document",
    [
        FULL,
        encoded(parsed("The lid.\nThe spout.\n\nThe lamp.")),
        EncodedDocument(replace(FULL.parsed, passages=()), (), ()),
    ],
)
def test_a_document_comes_back_as_it_was(document: EncodedDocument) -> None:
    back = unpack_document(pack_document(document))
    assert back.parsed == document.parsed
    assert back.tokens == document.tokens
    assert [[version.label for version in one.versions] for one in back.parsed.passages] == [
        [version.label for version in one.versions] for one in document.parsed.passages
    ]
    assert [one.tobytes() for one in back.vectors] == [one.tobytes() for one in document.vectors]
    assert [one.shape for one in back.vectors] == [one.shape for one in document.vectors]


def test_bytes_that_were_cut_or_altered_are_not_whole() -> None:
    packed = pack_document(FULL)
    cut = (packed[:length] for length in range(len(packed)))
    altered = (packed[:at] + bytes([packed[at] ^ 1]) + packed[at + 1 :] for at in range(0, len(packed), 7))
    for damaged in (*cut, *altered):
        with pytest.raises(ValueError, match="isn't whole"):
            unpack_document(damaged)


BROKEN = ("broken.pdf", b"%PDF-1.4\nnothing that a PDF has\n")
NOTES = b"# Gizmo 1.0\n\n- The lid shuts.\n"


def worked_off(*contents: tuple[str, bytes], digest: str) -> list[Outcome]:
    """What an encoder of a cluster makes of sources."""
    sources = [Source(Path(f"/notes/{name}"), "/notes", name, Hints()) for name, _ in contents]
    changed = [ChangedSource(one, content, None, "") for one, (_, content) in zip(sources, contents, strict=True)]
    sent = [(one.source.name, one) for one in changed]
    return encode_parcel(sent, pickle.dumps(HashedEmbedder), encoding_seal(digest))


def test_a_worker_encodes_what_can_be_parsed_and_tells_why_the_rest_cannot() -> None:
    (done, packed), (failed, reason) = worked_off(("a.md", NOTES), BROKEN, digest=HashedEmbedder().digest)
    assert (done, failed) == ("a.md", BROKEN[0])
    assert isinstance(packed, bytes)
    assert unpack_document(packed).parsed.document.text == NOTES.decode()
    assert isinstance(reason, str)


def test_a_worker_with_another_model_encodes_nothing() -> None:
    with pytest.raises(ClusterError, match="another embedding model"):
        worked_off(("a.md", NOTES), digest="another")
