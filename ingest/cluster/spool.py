"""What was encoded elsewhere and isn't committed yet, kept in the index's folder: a killed ingest resumes there.

Encoded documents are packed as bytes to be sent and kept. Not pickled: what lies in an index's folder is read, never
run.
"""

import hashlib
import json
import shutil
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from corpus.embedding import Embedder
from corpus.errors import UsageError
from corpus.index.commit import EncodedDocument, fingerprint
from corpus.model import ParsedDocument, Span
from corpus.versions import Version
from ingest.encoding import ChangedSource

_FOLDER = "spool"
_DRAFT = "draft"
_CHECKSUM_BYTES, _LENGTH_BYTES = 32, 8


class Spool:
    """The spool of an index, for one model."""

    def __init__(self, index: Path, embedder: Embedder) -> None:
        """Open the spool, which is made where there is none.

        Raises:
            OSError: it can't be made.
        """
        self._folder = index / _FOLDER
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._digest = embedder.digest
        self._dimensions = embedder.dimensions

    def name(self, changed: ChangedSource) -> str:
        """What a document is kept by, as long as it is made the same way."""
        return fingerprint(self._digest, *changed.key, changed.sha256, changed.permalink or "")

    def holds(self, changed: ChangedSource) -> bool:
        """Whether a document is there, whole, and the one that it is named as: any program may have put it there."""
        try:
            encoded = unpack_document((self._folder / self.name(changed)).read_bytes())
        except (FileNotFoundError, ValueError):
            return False
        document = encoded.parsed.document
        widths = {matrix.shape[1] for matrix in encoded.vectors if len(matrix)}
        told = (document.root, document.source, document.sha256)
        return told == (*changed.key, changed.sha256) and widths <= {self._dimensions}

    def keep(self, name: str, packed: bytes) -> None:
        """Keep a document of `pack_document`.

        Raises:
            OSError: the disk doesn't take it.
        """
        draft = self._folder / _DRAFT
        draft.write_bytes(packed)
        draft.replace(self._folder / name)

    def load(self, name: str) -> EncodedDocument:
        """A document that is there.

        Raises:
            OSError: it isn't any more, or is another one.
        """
        try:
            return unpack_document((self._folder / name).read_bytes())
        except ValueError as error:
            raise OSError(f"a document in its folder {_FOLDER!r} {error}") from error


def sweep_spool(index: Path) -> None:
    """Remove the spool of an index, if there is one."""
    shutil.rmtree(index / _FOLDER, ignore_errors=True)


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
