"""Recognises files by their first bytes: compressed, an archive, releases as GitHub's tools print them."""

import bz2
import gzip
import io
import lzma
import re
import zlib
from pathlib import Path
from typing import BinaryIO

from corpus.errors import SourceError

CONTAINER_SUFFIXES = frozenset({".json"})
"""Files with these may be releases saved from GitHub, depending on their content."""
_UNFOLDERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}  # By a file's first bytes.
_COMPRESSED_SUFFIX = re.compile(r"(?<=.)\.(?:gz|bz2|xz)\Z", re.IGNORECASE)
DAMAGE = (EOFError, OSError, zlib.error, lzma.LZMAError, ValueError)
"""Raised by the readers of compressed bytes for damaged ones."""
_HEAD_BYTES = 1024 * 1024
"""`gh` prints a release's text before its tag, and a text may have 125,000 characters."""
_ARCHIVE_NAME = re.compile(
    r"\.(?:tar(?:\.(?:gz|bz2|xz|zst|lz|lzma|z))?|tgz|tbz2?|txz|zip|whl|egg|jar|war|crate|gem|nupkg|7z|rar|deb|rpm)\Z",
    re.IGNORECASE,
)
_RELEASES_START = re.compile(r"\ufeff?\s*(?:\[\s*){0,2}\{")
_RELEASE_KEY = re.compile(r'"(?:tag_name|tagName)"\s*:')
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def is_container(file: Path) -> bool:
    """Return whether a file's first MiB shows a list of releases; False if there is no readable file."""
    try:
        with file.open("rb") if file.is_file() else io.BytesIO() as opened:
            head = opened.read(_HEAD_BYTES)
    except OSError:
        return False
    text = head.decode("utf-16" if head.startswith(_UTF_16_MARKS) else "utf-8", errors="ignore")
    return bool(_RELEASES_START.match(text) and _RELEASE_KEY.search(text))


def is_archive_name(name: str) -> bool:
    """Return whether a name ends like an archive's or package's (`.zip`, `.whl`); a compressed file's doesn't."""
    return _ARCHIVE_NAME.search(name) is not None


def without_compression(name: str) -> str:
    """Return a file's name without one final `.gz`, `.bz2` or `.xz`, in any case (`changelog.gz` -> `changelog`)."""
    return _COMPRESSED_SUFFIX.sub("", name)


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


def unfold(content: bytes, *, limit: int) -> bytes:
    """Return compressed bytes unfolded, at most `limit` bytes; other bytes as they are.

    Raises:
        SourceError: they are damaged, or unfold past the limit.
    """
    if not is_compressed(content):
        return content
    try:
        with open_unfolded(content) as stream:
            whole = stream.read(limit + 1)
    except DAMAGE as error:
        raise SourceError(f"is damaged ({type(error).__name__} while it was unfolded); get it anew") from error
    if len(whole) > limit:
        raise SourceError(f"unfolds to more than {limit // 2**20} MiB; unpack it, and split it or leave it out")
    return whole
