"""Documents of a few lines and an embedder of a few lines, for tests of what keeps them; quality isn't the point."""

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.index.commit import EncodedDocument, commit_changes, fingerprint
from corpus.index.layout import DATABASE_NAME
from corpus.index.reader import IndexReader
from corpus.lexicon import split_tokens
from corpus.manifest import Manifest, ModelStamp
from corpus.model import Act, Authority, Document, Item, Kind, ParsedDocument, Passage, Release, Span
from corpus.versions import Version

DIMENSIONS = 32


class HashedEmbedder:
    """Bag of words: each word has a fixed direction, a text is their normalised sum. Remembers what it embedded."""

    model_id = "hashed-words"
    digest = "a" * 64
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """See `corpus.embedding.Embedder`."""
        self.embedded += texts
        if progress:
            progress(len(texts))
        rows = [_direction(text.casefold().split()) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.dimensions)


def _direction(words: Sequence[str]) -> NDArray[np.float32]:
    total = np.full(DIMENSIONS, 1e-3)
    for word in words:
        total += _word_direction(word)
    return (total / np.linalg.norm(total)).astype(np.float32)


@cache
def _word_direction(word: str) -> NDArray[np.float64]:
    return np.frombuffer(hashlib.sha256(word.encode()).digest(), dtype=np.uint8) / 127.5 - 1


STAMP = ModelStamp(HashedEmbedder.model_id, "a" * 64, DIMENSIONS)


def parsed(
    text: str,
    *,
    source: str = "notes.md",
    root: str = "/notes",
    product: str = "demo",
    aliases: tuple[str, ...] = (),
    version: str = "1.0",
) -> ParsedDocument:
    """One release; a passage for each paragraph, an item for each of its lines."""
    passages = []
    at = 0
    for paragraph in text.split("\n\n"):
        items = []
        line_at = at
        for line in paragraph.split("\n"):
            items.append(Item(Span(line_at, line_at + len(line))))
            line_at += len(line) + 1
        span = Span(at, at + len(paragraph))
        passages.append(Passage(span, 0, (product, version), Kind.OTHER, tuple(items), (), (), ()))
        at += len(paragraph) + 2
    document = Document(
        root=root,
        source=source,
        title=f"{product} {version}",
        product=product,
        aliases=aliases,
        version=Version.parse(version),
        date=None,
        authority=Authority.OFFICIAL,
        url=None,
        text=text,
        sha256=fingerprint(text),
        media_type="text/plain",
    )
    return ParsedDocument(
        document, (Release(Version.parse(version), version, None, Span(0, len(text))),), tuple(passages)
    )


_TEXT = "# 2.0\n\nAdded `torch.cond` (#123) 😀\nas of 1.9.\n\n# 1.9 [YANKED]\n\nRemoved flags."
RICH = ParsedDocument(
    document=Document(
        root="/notes",
        source="lib/changes.md",
        title="Changes – all",
        product="Lib",
        aliases=("lib-core", "libé"),
        version=Version.parse("2.0"),
        date=date(2025, 3, 2),
        authority=Authority.PROJECT,
        url="https://example.org/changes",
        text=_TEXT,
        sha256="b" * 64,
        media_type="text/markdown",
    ),
    releases=(
        Release(Version.parse("2.0"), "2.0", date(2025, 3, 2), Span(0, 47)),
        Release(Version.parse("1.9"), "1.9 [YANKED]", None, Span(47, len(_TEXT)), yanked=True),
    ),
    passages=(
        Passage(
            span=Span(0, 45),
            release=0,
            heading=("Changes – all", "2.0"),
            kind=Kind.FEATURE,
            items=(
                Item(Span(7, 34), is_code=True),
                Item(Span(35, 45), retracted=True, opens=False, act=Act.REMOVED, certainty=0.75),
            ),
            symbols=("torch.cond",),
            references=("#123", "CVE-2024-1234"),
            versions=(Version.parse("1.9"), Version.parse("1.9.0+cu128")),
        ),
        Passage(Span(47, len(_TEXT)), 1, (), Kind.REMOVAL, (), (), (), (), boilerplate=True),
    ),
)
"""All that a document can have, in two releases of a passage each."""


def encoded(document: ParsedDocument) -> EncodedDocument:
    """Tokens of each passage's own text, vectors of each item's."""
    text = document.document.text
    embedder = HashedEmbedder()
    return EncodedDocument(
        parsed=document,
        tokens=tuple(" ".join(split_tokens(passage.span.slice(text))) for passage in document.passages),
        vectors=tuple(
            embedder.embed([item.span.slice(text) for item in passage.items]) for passage in document.passages
        ),
    )


def commit(index: Path, *documents: ParsedDocument, remove: Sequence[int] = (), fresh: bool = False) -> Manifest:
    """Commit documents to an index, which is made where there is none."""
    index.mkdir(exist_ok=True)
    return commit_changes(index, model=STAMP, remove=remove, add=[encoded(each) for each in documents], fresh=fresh)


def tamper(index: Path, sql: str) -> None:
    """Change an index behind its back; something must change."""
    connection = sqlite3.connect(index / DATABASE_NAME)
    with connection:
        assert connection.execute(sql).rowcount > 0
    connection.close()


def read_everything(index: Path) -> list[str]:
    """The texts of all documents, each checked against its checksum, by product and source; the rest is read too."""
    with IndexReader.open(index, model=STAMP) as reader:
        positions = range(len(reader.passages.ids))
        reader.load_passages(positions)
        reader.load_vectors(positions)
        for document in reader.documents:
            reader.document_releases(document.id)
        return [reader.document_text(document.id) for document in reader.documents]
