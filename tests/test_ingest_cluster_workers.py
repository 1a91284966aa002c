"""What a worker of a Ray cluster makes of documents, without a cluster."""

import pickle
from pathlib import Path

import pytest
from small_corpus import HashedEmbedder

from corpus.errors import ClusterError
from ingest.cluster.encoder import Outcome, encode_parcel, encoding_seal
from ingest.cluster.spool import unpack_document
from ingest.encoding import ChangedSource
from ingest.releases.identity import Hints
from ingest.sources.files import Source

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
