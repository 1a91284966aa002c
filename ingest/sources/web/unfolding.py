"""Answers in compressed form, unfolded piece by piece within a limit: a small answer can't fill the memory."""

import zlib
from collections.abc import Iterable

from ingest.sources.web.model import WebError

ACCEPTED = "gzip, deflate"
_PIECE = 256 * 1024


def read_limited(pieces: Iterable[bytes], *, encoding: str, max_bytes: int) -> bytes:
    """All of an answer's bytes, unfolded.

    Raises:
        WebError: there are more than `max_bytes`, the encoding isn't one of `ACCEPTED`, or its data is damaged.
    """
    kept = bytearray()
    for piece in _unfolded(pieces, encoding.strip().lower()):
        kept += piece
        if len(kept) > max_bytes:
            raise WebError(f"is over the limit of {max_bytes / 2**20:g} MiB; download what you need of it")
    return bytes(kept)


def _unfolded(pieces: Iterable[bytes], encoding: str) -> Iterable[bytes]:
    if encoding in ("", "identity"):
        yield from pieces
        return
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise WebError(f"is sent in the encoding {encoding[:40]!r}, which wasn't asked for")
    # 32: a gzip or a zlib header, whichever it is.
    unfolder = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
    try:
        for piece in pieces:
            rest = piece
            while rest:
                yield unfolder.decompress(rest, _PIECE)
                rest = unfolder.unconsumed_tail
        while not unfolder.eof and (last := unfolder.decompress(unfolder.unconsumed_tail, _PIECE)):
            yield last
    except zlib.error as error:
        raise WebError("is sent damaged: its compressed data can't be read; try again later") from error
    if not unfolder.eof:
        raise WebError("is sent incomplete: its compressed data breaks off; try again later")
