"""Encoded documents as bytes, to be sent or kept for a while; never a part of an index.

A checksum, the length of a JSON header, the header with all but the vectors, the vectors as they are in memory. Not
pickled: what lies in an index's folder is read, never run.
"""

import hashlib
import json
from collections.abc import Sequence
from datetime import date
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from corpus.errors import UsageError
from corpus.index.commit import EncodedDocument
from corpus.model import Authority, Document, Item, Kind, ParsedDocument, Passage, Release, Span
from corpus.versions import Version

_CHECKSUM_BYTES, _LENGTH_BYTES = 32, 8


def pack_document(encoded: EncodedDocument) -> bytes:
    """An encoded document as bytes; vectors keep every bit."""
    parsed = encoded.parsed
    header = {
        "document": _document_values(parsed.document),
        "releases": [
            (_label(one.version), one.label, _day(one.date), one.span.start, one.span.end, one.yanked, one.pending)
            for one in parsed.releases
        ],
        "passages": [_passage_values(one) for one in parsed.passages],
        "tokens": encoded.tokens,
        "rows": [len(matrix) for matrix in encoded.vectors],
        "dimensions": encoded.vectors[0].shape[1] if encoded.vectors else 0,
    }
    text = json.dumps(header).encode()
    vectors = b"".join(np.ascontiguousarray(matrix, "<f4").tobytes() for matrix in encoded.vectors)
    body = len(text).to_bytes(_LENGTH_BYTES, "big") + text + vectors
    return hashlib.sha256(body).digest() + body


def is_whole(packed: bytes) -> bool:
    """Whether bytes are those of a packed document, to the last one."""
    return (
        len(packed) > _CHECKSUM_BYTES and hashlib.sha256(packed[_CHECKSUM_BYTES:]).digest() == packed[:_CHECKSUM_BYTES]
    )


def unpack_document(packed: bytes) -> EncodedDocument:
    """The document of `pack_document`.

    Raises:
        ValueError: the bytes aren't whole, or not those of a document whose places lie inside its text.
    """
    if not is_whole(packed):
        raise ValueError("isn't whole")
    try:
        encoded = _unpack(packed)
    except (LookupError, TypeError, AttributeError, OverflowError, RecursionError, UsageError) as error:
        raise ValueError(f"isn't a document: {error}") from error
    if not _is_in_place(encoded):
        raise ValueError("has places outside its text, or vectors of other items")
    return encoded


def _unpack(packed: bytes) -> EncodedDocument:
    start = _CHECKSUM_BYTES + _LENGTH_BYTES
    end = start + int.from_bytes(packed[_CHECKSUM_BYTES:start], "big")
    header: dict[str, Any] = json.loads(packed[start:end])
    vectors = np.frombuffer(packed, "<f4", offset=end).astype(np.float32).reshape(-1, header["dimensions"] or 1)
    ends = accumulate(header["rows"], initial=0)
    return EncodedDocument(
        parsed=ParsedDocument(
            document=_document(*header["document"]),
            releases=tuple(_release(*values) for values in header["releases"]),
            passages=tuple(_passage(*values) for values in header["passages"]),
        ),
        tokens=tuple(tuple(tokens) for tokens in header["tokens"]),
        vectors=tuple(vectors[first:last] for first, last in pairwise(ends)),
    )


def _is_in_place(encoded: EncodedDocument) -> bool:
    parsed = encoded.parsed
    whole = Span(0, len(parsed.document.text))
    lists = zip(parsed.passages, encoded.tokens, encoded.vectors, strict=True)
    return all(_holds(whole, one.span) for one in parsed.releases) and all(
        0 <= passage.release < len(parsed.releases)
        and _holds(whole, passage.span)
        and all(_holds(passage.span, item.span) for item in passage.items)
        and all(isinstance(token, str) for token in tokens)
        and len(vectors) == len(passage.items)
        and bool(np.isfinite(vectors).all())
        for passage, tokens, vectors in lists
    )


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start <= inner.end <= outer.end


def _document_values(one: Document) -> tuple[object, ...]:
    version, day = _label(one.version), _day(one.date)
    whose = (one.root, one.source, one.title, one.product, one.aliases, version, day, one.authority.value)
    return (*whose, one.url, one.text, one.sha256, one.media_type)


def _document(
    root: str,
    source: str,
    title: str,
    product: str,
    aliases: Sequence[str],
    version: str | None,
    day: str | None,
    authority: str,
    *rest: Any,
) -> Document:
    known = (root, source, title, product, tuple(aliases), _version(version), _date(day), Authority(authority))
    return Document(*known, *rest)


def _release(
    version: str | None, label: str, day: str | None, start: int, end: int, yanked: bool, pending: bool
) -> Release:
    return Release(_version(version), label, _date(day), Span(start, end), yanked, pending)


def _passage_values(one: Passage) -> tuple[object, ...]:
    items = [item.stored() for item in one.items]
    versions = [version.label for version in one.versions]
    place = (one.span.start, one.span.end, one.release, one.heading, one.kind.value)
    return (*place, items, one.symbols, one.references, versions, one.boilerplate)


def _passage(
    start: int,
    end: int,
    release: int,
    heading: Sequence[str],
    kind: str,
    items: Sequence[tuple[int, int, int, str, float, float, float]],
    symbols: Sequence[str],
    references: Sequence[str],
    versions: Sequence[str],
    boilerplate: bool,
) -> Passage:
    return Passage(
        span=Span(start, end),
        release=release,
        heading=tuple(heading),
        kind=Kind(kind),
        items=tuple(Item.of_stored(*values) for values in items),
        symbols=tuple(symbols),
        references=tuple(references),
        versions=tuple(map(Version.parse, versions)),
        boilerplate=boilerplate,
    )


def _label(version: Version | None) -> str | None:
    return version.label if version else None


def _version(label: str | None) -> Version | None:
    return Version.parse(label) if label else None


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _date(day: str | None) -> date | None:
    return date.fromisoformat(day) if day else None
