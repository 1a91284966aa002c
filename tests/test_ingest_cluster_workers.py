"""What a worker of a Ray cluster makes of documents, without a cluster."""

import pickle
from pathlib import Path

from small_corpus import HashedEmbedder

from corpus.index.packed_documents import unpack_document
from ingest.cluster.encoder import Row, State, encode_rows, encoding_seal, pack_source
from ingest.encoding import ChangedSource
from ingest.releases.identity import Hints
from ingest.sources.files import Source

BROKEN = ("broken.pdf", b"%PDF-1.4\nnothing that a PDF has\n")
NOTES = b"# Gizmo 1.0\n\n- The lid shuts.\n"


def worked_off(*contents: tuple[str, bytes], digest: str) -> list[Row]:
    """What an encoder of a cluster makes of sources."""
    sources = [Source(Path(f"/notes/{name}"), "/notes", name, Hints()) for name, _ in contents]
    changed = [ChangedSource(one, content, None, "") for one, (_, content) in zip(sources, contents, strict=True)]
    sent = [pack_source(one.source.name, one) for one in changed]
    return encode_rows(sent, pickle.dumps(HashedEmbedder), encoding_seal(digest))


def test_a_worker_encodes_what_can_be_parsed_and_tells_why_the_rest_cannot() -> None:
    done, failed = worked_off(("a.md", NOTES), BROKEN, digest=HashedEmbedder().digest)
    assert (done.name, done.state) == ("a.md", State.ENCODED)
    assert unpack_document(done.payload).parsed.document.text == NOTES.decode()
    assert (failed.name, failed.state) == (BROKEN[0], State.FAILED)


def test_a_worker_with_another_model_encodes_nothing() -> None:
    (row,) = worked_off(("a.md", NOTES), digest="another")
    assert (row.state, b"another embedding model" in row.payload) == (State.UNUSABLE, True)
