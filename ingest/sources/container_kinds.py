"""What a file's first bytes tell: compressed, an archive, a feed, releases as GitHub's tools print them."""

import bz2
import gzip
import io
import lzma
import re
import zlib
from pathlib import Path
from typing import BinaryIO

from corpus.errors import SourceError

CONTAINER_SUFFIXES = frozenset(".xml .rss .atom .rdf .json".split())
"""Files of these may be feeds or releases saved from GitHub; their content tells."""
_UNFOLDERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}  # By how what they unfold begins.
_COMPRESSED_SUFFIX = re.compile(r"(?<=.)\.(?:gz|bz2|xz)\Z", re.IGNORECASE)
DAMAGE = (EOFError, OSError, zlib.error, lzma.LZMAError, ValueError)
"""What the readers of compressed bytes raise where these are damaged."""
_HEAD_BYTES = 1024 * 1024
"""A release's text stands before its tag in what `gh` prints, and may have 125,000 characters."""
_FEED_HEAD_BYTES = 20_000
_ARCHIVE_NAME = re.compile(
    r"\.(?:tar(?:\.(?:gz|bz2|xz|zst|lz|lzma|z))?|tgz|tbz2?|txz|zip|whl|egg|jar|war|crate|gem|nupkg|7z|rar|deb|rpm)\Z",
    re.IGNORECASE,
)
# Atomic, for comments can be cut in more ways than can be tried.
_PROLOGUE = (
    rb"(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^>]{0,200}>\s*+)?"
    rb"(?>(?:(?><!--.{0,2000}?-->|<\?xml-stylesheet[^>]{0,500}>)\s*+)*)"
    rb"(?>(?:<!DOCTYPE[^>\[]{0,200}(?:\[.{0,10000}?\]\s*+)?>)?)\s*+(?>(?:(?><!--.{0,2000}?-->)\s*+)*)"
)
_FEED_START = re.compile(_PROLOGUE + rb"<(?:rss|feed|rdf:RDF|atom:feed)\b", re.DOTALL)
_RELEASES_START = re.compile(r"\ufeff?\s*(?:\[\s*){0,2}\{")
_RELEASE_KEY = re.compile(r'"(?:tag_name|tagName)"\s*:')
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def is_container(file: Path) -> bool:
    """Return whether a file holds several documents, a feed or releases; one that can't be read doesn't."""
    try:
        with file.open("rb") if file.is_file() else io.BytesIO() as opened:
            head = opened.read(_HEAD_BYTES)
    except OSError:
        return False
    text = head.decode("utf-16" if head.startswith(_UTF_16_MARKS) else "utf-8", errors="ignore")
    return is_feed_start(head) or bool(_RELEASES_START.match(text) and _RELEASE_KEY.search(text))


def is_archive_name(name: str) -> bool:
    """Return whether a file is called as archives and packages are; a single compressed file isn't one."""
    return _ARCHIVE_NAME.search(name) is not None


def without_compression(name: str) -> str:
    """A file's name without the suffix that says how it is compressed (`changelog.gz` is `changelog`)."""
    return _COMPRESSED_SUFFIX.sub("", name)


def is_compressed(content: bytes) -> bool:
    """Return whether `content` begins as gzip, bzip2 or xz does."""
    return content.startswith(tuple(_UNFOLDERS))


def is_zip(content: bytes) -> bool:
    """Return whether `content` begins as a zip does, an empty one too."""
    return content.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_tar(content: bytes) -> bool:
    """Return whether `content` begins as a tar that isn't compressed does."""
    return content[257:262] == b"ustar"


def is_feed_start(content: bytes) -> bool:
    """Return whether `content` begins as RSS or Atom does."""
    head = content[:_FEED_HEAD_BYTES]
    if head.startswith(_UTF_16_MARKS):
        head = head.decode("utf-16", errors="ignore").encode()
    return _FEED_START.match(head) is not None


def unfolding(content: bytes) -> BinaryIO:
    """A stream of what compressed bytes unfold to; of others, of the bytes themselves."""
    raw = io.BytesIO(content)
    return next((opened(raw) for start, opened in _UNFOLDERS.items() if content.startswith(start)), raw)  # type: ignore[operator]


def unfold(content: bytes, *, limit: int) -> bytes:
    """All that compressed bytes unfold to, at most `limit` bytes; other bytes as they are.

    Raises:
        SourceError: they are damaged, or unfold past the limit.
    """
    if not is_compressed(content):
        return content
    try:
        with unfolding(content) as stream:
            whole = stream.read(limit + 1)
    except DAMAGE as error:
        raise SourceError(f"is damaged ({type(error).__name__} while it was unfolded); get it anew") from error
    if len(whole) > limit:
        raise SourceError(f"unfolds to more than {limit // 2**20} MiB; unpack it, and split it or leave it out")
    return whole
