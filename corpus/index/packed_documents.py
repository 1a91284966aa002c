"""Encoded documents as bytes, to be sent or kept for a while; never a part of an index.

Not pickled: what lies in an index's folder is read, never run.
"""

import hashlib
import json
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from functools import lru_cache
from itertools import accumulate, pairwise
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from corpus.errors import UsageError
from corpus.index.commit import EncodedDocument
from corpus.model import ParsedDocument, Span
from corpus.versions import Version

_CHECKSUM_BYTES, _LENGTH_BYTES = 32, 8


def pack_document(encoded: EncodedDocument) -> bytes:
    """An encoded document as bytes; vectors keep every bit."""
    header = {
        "parsed": encoded.parsed,
        "tokens": encoded.tokens,
        "rows": [len(matrix) for matrix in encoded.vectors],
        "dimensions": encoded.vectors[0].shape[1] if encoded.vectors else 0,
    }
    text = json.dumps(header, default=_to_json).encode()
    vectors = b"".join(np.ascontiguousarray(matrix, "<f4").tobytes() for matrix in encoded.vectors)
    body = len(text).to_bytes(_LENGTH_BYTES, "big") + text + vectors
    return hashlib.sha256(body).digest() + body


def unpack_document(packed: bytes) -> EncodedDocument:
    """The document of `pack_document`.

    Raises:
        ValueError: the bytes aren't whole, or not those of a document whose places lie inside its text.
    """
    if hashlib.sha256(packed[_CHECKSUM_BYTES:]).digest() != packed[:_CHECKSUM_BYTES]:
        raise ValueError("isn't whole")
    try:
        start = _CHECKSUM_BYTES + _LENGTH_BYTES
        end = start + int.from_bytes(packed[_CHECKSUM_BYTES:start], "big")
        header: dict[str, Any] = json.loads(packed[start:end])
        vectors = np.frombuffer(packed, "<f4", offset=end).astype(np.float32).reshape(-1, header["dimensions"] or 1)
        ends = accumulate(header["rows"], initial=0)
        encoded = EncodedDocument(
            parsed=_of_json(ParsedDocument, header["parsed"]),
            tokens=_of_json(tuple[tuple[str, ...], ...], header["tokens"]),
            vectors=tuple(vectors[first:last] for first, last in pairwise(ends)),
        )
    except (LookupError, TypeError, AttributeError, OverflowError, RecursionError, UsageError) as error:
        raise ValueError(f"isn't a document: {error}") from error
    if not _is_in_place(encoded):
        raise ValueError("has places outside its text, or vectors of other items")
    return encoded


def _is_in_place(encoded: EncodedDocument) -> bool:
    parsed = encoded.parsed
    whole = Span(0, len(parsed.document.text))
    lists = zip(parsed.passages, encoded.tokens, encoded.vectors, strict=True)
    return all(_holds(whole, release.span) for release in parsed.releases) and all(
        0 <= passage.release < len(parsed.releases)
        and _holds(whole, passage.span)
        and all(_holds(passage.span, item.span) for item in passage.items)
        and len(vectors) == len(passage.items)
        and bool(np.isfinite(vectors).all())
        for passage, _, vectors in lists
    )


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start <= inner.end <= outer.end


def _to_json(value: Any) -> object:
    if isinstance(value, Version):
        return value.label
    if isinstance(value, date):
        return value.isoformat()
    return [getattr(value, field.name) for field in fields(value)]


def _of_json(kind: Any, value: Any) -> Any:
    """The value of the type `kind` that `_to_json` wrote as `value`."""
    if get_origin(kind) is tuple:
        return tuple(_of_json(get_args(kind)[0], inner) for inner in value)
    if get_origin(kind) is UnionType:
        return None if value is None else _of_json(get_args(kind)[0], value)
    if kind is Version:
        return Version.parse(value)
    if kind is date:
        return date.fromisoformat(value)
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(*(_of_json(hint, inner) for hint, inner in zip(_hints(kind), value, strict=True)))
    if issubclass(kind, Enum):
        return kind(value)
    if not isinstance(value, (int, float) if kind is float else kind):
        raise TypeError(f"must be {kind.__name__}, got {value!r:.80}")
    return value


@lru_cache
def _hints(kind: type) -> tuple[Any, ...]:
    hints = get_type_hints(kind)
    return tuple(hints[field.name] for field in fields(kind))
