"""Compressed bytes unfolded within limits: gzip, bzip2 and xz; nothing is ever written to the disk.

Raises of every function: SourceError, where the bytes are damaged or unfold past the limit.
"""

import bz2
import gzip
import io
import lzma
import re
import zlib
from typing import BinaryIO

from corpus.errors import SourceError

_MAGIC = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ")
_SUFFIX = re.compile(r"(?<=.)\.(?:gz|bz2|xz)\Z", re.IGNORECASE)
_DAMAGE = (EOFError, OSError, zlib.error, lzma.LZMAError, ValueError)
_PIECE_BYTES = 1024 * 1024


def is_compressed(content: bytes) -> bool:
    """Whether `content` begins as gzip, bzip2 or xz does."""
    return content.startswith(_MAGIC)


def without_compression(name: str) -> str:
    """A file's name without the suffix that says how it is compressed (`changelog.gz` is `changelog`)."""
    return _SUFFIX.sub("", name)


def unfolding(content: bytes) -> BinaryIO:
    """A stream of what compressed bytes unfold to; of others, of the bytes themselves."""
    raw = io.BytesIO(content)
    if content.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]
    if content.startswith(b"BZh"):
        return bz2.BZ2File(raw)  # type: ignore[return-value]
    if content.startswith(b"\xfd7zXZ"):
        return lzma.LZMAFile(raw)  # type: ignore[return-value]
    return raw


def unfold(content: bytes, *, limit: int) -> bytes:
    """All that compressed bytes unfold to, at most `limit` bytes."""
    whole = _read(content, limit + 1)
    if len(whole) > limit:
        raise SourceError(f"unfolds to more than {limit // 2**20} MiB; unpack it, and split it or leave it out")
    return whole


def unfold_start(content: bytes, size: int) -> bytes:
    """The first `size` bytes that compressed bytes unfold to; fewer where they break off, nothing where damaged."""
    try:
        return _read(content, size)
    except SourceError:
        return b""


def _read(content: bytes, size: int) -> bytes:
    pieces: list[bytes] = []
    left = size
    try:
        with unfolding(content) as stream:
            while left > 0 and (piece := stream.read(min(left, _PIECE_BYTES))):
                pieces.append(piece)
                left -= len(piece)
    except _DAMAGE as error:
        raise SourceError(f"is damaged ({type(error).__name__} while it was unfolded); get it anew") from error
    return b"".join(pieces)


class LimitedReader(io.RawIOBase):
    """Reads a stream until more came than is allowed."""

    def __init__(self, source: BinaryIO, limit: int) -> None:
        self._source = source
        self._limit = limit
        self._seen = 0

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes.

        Raises:
            SourceError: more came than is allowed.
        """
        piece = self._source.read(min(size, _PIECE_BYTES) if size >= 0 else _PIECE_BYTES)
        self._seen += len(piece)
        if self._seen > self._limit:
            raise self.too_much
        return piece

    @property
    def too_much(self) -> SourceError:
        """What tells that more came, or is stated to come, than is allowed."""
        return SourceError(
            f"is an archive that unfolds to more than {self._limit // 2**20} MiB; unpack what you need of it and "
            "give that folder"
        )
