"""Indexes of passages written out by hand, down to their items and vectors: what must come out can be computed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from small_corpus import DIMENSIONS, STAMP, HashedEmbedder, encoded, parsed

from corpus.index.commit import EncodedDocument, commit_changes
from corpus.index.layout import write_lock
from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.model import Authority, Item, Kind, ParsedDocument, Span
from corpus.versions import Version, VersionConstraint, VersionMatch
from ingest.blocks import Block, BlockKind
from ingest.formats.markdown import parse_markdown
from ingest.formats.restructuredtext import parse_restructuredtext
from retrieval.model import Form, Query
from retrieval.quoting.quotes import ItemScore
from retrieval.search.hits import Hit


def note(
    text: str,
    *items: str,
    source: str = "notes.md",
    product: str = "demo",
    version: str = "1.0",
    kind: Kind = Kind.OTHER,
    references: tuple[str, ...] = (),
    mentions: tuple[str, ...] = (),
    retracted: Sequence[int] = (),
    boilerplate: bool = False,
    authority: Authority = Authority.OFFICIAL,
) -> ParsedDocument:
    """A document of one passage; `items` are words of it, in order (none: the whole text is one item). The parsers tell
    which of them are code and which open a block."""
    spans: list[Span] = []
    for words in items or (text,):
        start = text.index(words, spans[-1].end if spans else 0)
        spans.append(Span(start, start + len(words)))
    whole = parsed(text, source=source, product=product, version=version)
    passage = replace(
        whole.passages[0],
        span=Span(0, len(text)),
        kind=kind,
        items=tuple(replace(item, retracted=number in retracted) for number, item in enumerate(_items_of(text, spans))),
        references=references,
        versions=tuple(map(Version.parse, mentions)),
        boilerplate=boilerplate,
    )
    return replace(whole, document=replace(whole.document, authority=authority), passages=(passage,))


def _items_of(text: str, spans: Sequence[Span]) -> Iterator[Item]:
    blocks = (parse_restructuredtext if "::" in text else parse_markdown)(text).blocks
    for span in spans:
        block = next(
            (one for one in reversed(blocks) if one.start < span.end), Block(BlockKind.PARAGRAPH, 0, len(text))
        )
        before = text[block.start : span.start].strip(" \n-*+.)0123456789")
        is_code, depth = block.kind is BlockKind.CODE, block.level * (block.kind is BlockKind.LIST_ITEM)
        yield Item(span, is_code=is_code, opens=not before, is_entry=depth > 0 and not before, depth=depth)


def with_vectors(document: ParsedDocument, *cosines: float) -> EncodedDocument:
    """The document with an item vector for each cosine with the first axis."""
    return replace(encoded(document), vectors=(np.array([axis_vector(c) for c in cosines], dtype=np.float32),))


def axis_vector(cosine: float) -> NDArray[np.float32]:
    """A unit vector with this cosine to the first axis."""
    vector = np.zeros(DIMENSIONS, dtype=np.float32)
    vector[0], vector[1] = cosine, (1 - cosine**2) ** 0.5
    return vector


class AxisEmbedder(HashedEmbedder):
    """Every question points along the first axis."""

    def embed(self, texts: Sequence[str], *, progress: object = None) -> NDArray[np.float32]:
        """See `corpus.embedding.Embedder`."""
        return np.array([axis_vector(1.0)] * len(texts), dtype=np.float32)


def open_index(folder: Path, *documents: ParsedDocument | EncodedDocument) -> IndexReader:
    """Commit the documents, in order, to a new index in `folder` and open it."""
    ready = [one if isinstance(one, EncodedDocument) else encoded(one) for one in documents]
    with write_lock(folder):
        commit_changes(folder, model=STAMP, add=ready, fresh=True)
    return IndexReader.open(folder, model=STAMP)


def every_passage(index: IndexReader) -> tuple[StoredPassage, ...]:
    """All passages of an index, in row order."""
    return index.load_passages(range(len(index.passages.ids)))


def query(
    text: str,
    *,
    products: tuple[str, ...] = (),
    stated: bool = True,
    constraint: VersionConstraint | None = None,
    filtered: bool = False,
    references: tuple[str, ...] = (),
    form: Form = Form.FACT,
) -> Query:
    """A parsed question, as `parse_query` might give it."""
    return Query(text, text, products, stated and bool(products), constraint, filtered, (), references, form)


def scored(passage: StoredPassage, number: int, score: float = 1.0) -> ItemScore:
    """Item `number` of a passage, found with this score."""
    return ItemScore(Hit(passage, score, score, VersionMatch.EXACT), number, None, score)
