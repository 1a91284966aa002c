"""Recognises files by their first bytes or name: compressed, an archive."""

import bz2
import gzip
import io
import lzma
import re
import zlib
from typing import BinaryIO

_UNFOLDERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}  # By a file's first bytes.
DAMAGE = (EOFError, OSError, zlib.error, lzma.LZMAError, ValueError)
"""Raised by the readers of compressed bytes for damaged ones."""
_ARCHIVE_NAME = re.compile(
    r"(?i)\.(?:tar(?:\.(?:gz|bz2|xz|zst|lz|lzma|z))?|tgz|tbz2?|txz|zip|whl|egg|jar|war|crate|gem|nupkg|7z|rar|deb|rpm|gz|bz2|xz)\Z"
)


def is_archive_name(name: str) -> bool:
    """Return whether a name ends like that of an archive, a package or a compressed file (`.zip`, `.whl`, `.gz`)."""
    return _ARCHIVE_NAME.search(name) is not None


def is_compressed(content: bytes) -> bool:
    """Return whether `content` begins like gzip, bzip2 or xz."""
    return content.startswith(tuple(_UNFOLDERS))


def is_zip(content: bytes) -> bool:
    """Return whether `content` begins like a zip, even one without files."""
    return content.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_tar(content: bytes) -> bool:
    """Return whether `content` begins like an uncompressed tar."""
    return content[257:262] == b"ustar"


def open_unfolded(content: bytes) -> BinaryIO:
    """Return a stream of compressed bytes unfolded, of other bytes as they are; damage raises when it is read."""
    raw = io.BytesIO(content)
    return next((opened(raw) for start, opened in _UNFOLDERS.items() if content.startswith(start)), raw)  # type: ignore[operator]
