"""Encoded documents as bytes: nothing of them is lost, and damage is seen."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from small_corpus import encoded, parsed

from corpus.index.commit import EncodedDocument
from corpus.model import Act, Authority, Document, Item, Kind, ParsedDocument, Passage, Release, Span
from corpus.versions import Version
from ingest.cluster.spool import pack_document, unpack_document

TEXT = "Kettle 2.0rc1 · née \ud83d\n\nThe lid ♥ turns.\n"
FULL = EncodedDocument(
    parsed=ParsedDocument(
        document=Document(
            root="/notes",
            source="kettle/2.md",
            title="Kettle “2”",
            product="Kettle",
            aliases=("kettle", "pot"),
            version=Version.parse("v2.0rc1"),
            date=date(2024, 2, 29),
            authority=Authority.ANALYST,
            url="https://example.org/kettle#2",
            text=TEXT,
            sha256="ab" * 32,
            media_type="text/markdown",
        ),
        releases=(
            Release(None, "", None, Span(0, 3)),
            Release(
                Version.parse("2.0rc1"), "v2.0-rc1", date(2024, 2, 28), Span(3, len(TEXT)), yanked=True, pending=True
            ),
        ),
        passages=(
            Passage(Span(0, 3), 0, ("Kettle",), Kind.OTHER, (), (), (), (), boilerplate=True),
            Passage(
                Span(22, 38),
                1,
                ("Kettle", "Lids"),
                Kind.REMOVAL,
                (Item(Span(22, 30)), Item(Span(31, 38), retracted=True, act=Act.REMOVED, certainty=0.75)),
                ("lid.turn",),
                ("#12", "CVE-2024-1234"),
                (Version.parse("1.9"), Version.parse("1.9.0+cu128")),
            ),
        ),
    ),
    tokens=((), ("lid", "♥", "turns")),
    vectors=(
        np.empty((0, 3), np.float32),
        np.array([[0.1, -0.0, 1e-30], [np.nextafter(np.float32(1), 2), 2, 3]], np.float32),
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
