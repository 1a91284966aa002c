"""Decodes bytes to text with the line ends as written, because offsets count in it."""

import re

import charset_normalizer

from corpus.errors import SourceError

_SAMPLE_BYTES = 262_144
_MAX_CONTROL_SHARE = 0.05
_UTF_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_LEGACY_ENCODINGS = (
    "cp1252", "cp1250", "cp1251", "cp932", "gb18030", "euc_jp", "big5", "cp949", "koi8_r", "cp1253", "cp1254",
    "cp1255", "cp1256", "cp1257", "mac_roman", "cp437", "cp850", "latin_1", "cp866", "iso8859_2", "iso8859_5",
)  # fmt: skip
# Not all of Python's codecs, because some take quadratic time.
_STATED = re.compile(
    rb"""(?:<meta\s[^>]{0,200}?charset\s*=|<\?xml\s[^>]{0,200}?encoding\s*=|-\*-[^\n]{0,80}?coding:)\s*["']?"""
    rb"(iso-?8859-\d+|latin-?1|windows-\d+|cp\d+|koi8-[ru]|shift_jis|euc-(?:jp|kr)|gb(?:k|2312|18030)|big5)\b",
    re.IGNORECASE,
)
_STATING_BYTES = 2_048
_UNMARKED = ("utf_32_le", "utf_32_be", "utf_16_le", "utf_16_be")
_SHIFTS_TO_JAPANESE = re.compile(rb"\x1b\$[@B](?:[!-~]{2})+\x1b\(")
_MIN_GOOD_TO_BAD = 4  # Valid characters beyond ASCII for each bad one, in UTF-8 with some damage.
_BINARY_MAGIC = (
    b"\x89PNG", b"GIF87a", b"GIF89a", b"\xff\xd8\xff", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"BZh9",
    b"\xfd7zXZ", b"7z\xbc\xaf", b"\x7fELF", b"\xca\xfe\xba\xbe", b"SQLite format 3", b"\x28\xb5\x2f\xfd", b"%PDF-",
)  # fmt: skip
_TEXT_CONTROLS = bytes([7, 8, 9, 10, 11, 12, 13, 27])
_CONTROLS = bytes(byte for byte in range(32) if byte not in _TEXT_CONTROLS) + b"\x7f"


def decode(content: bytes) -> str:
    """Return the text of `content`: UTF-8 exactly, with its own line ends and byte order mark.

    Bytes that aren't UTF-8 are read as UTF-16 or UTF-32 by byte order mark or NUL bytes, else as damaged UTF-8, else in
    the encoding that the text states (HTML, XML, Emacs) or the likeliest; undecodable bytes become U+FFFD.

    Raises:
        SourceError: the bytes look binary.
    """
    boms = [encoding for mark, encoding in _UTF_BOMS if content.startswith(mark)]
    if boms:
        try:
            return content.decode(boms[0])
        except UnicodeDecodeError as error:
            raise _binary_error(f"it starts like {boms[0].upper()} but breaks off at byte {error.start:,}") from error
    if (unmarked := _decode_unmarked(content)) is not None:
        return unmarked
    _refuse_binary(content)
    try:
        # ISO-2022-JP has seven bits as well: only its escapes tell it from ASCII.
        return content.decode("iso2022_jp" if _SHIFTS_TO_JAPANESE.search(content, 0, _SAMPLE_BYTES) else "utf-8")
    except UnicodeDecodeError:
        return _decode_legacy(content)


def _decode_unmarked(content: bytes) -> str | None:
    """Return the text of UTF-16 or UTF-32 without a byte order mark, which has NUL bytes in its spaces; else None."""
    sample = content[: _SAMPLE_BYTES // 4]
    if b"\0" not in sample or content.startswith(_BINARY_MAGIC):
        return None
    likeliest = charset_normalizer.from_bytes(sample, cp_isolation=list(_UNMARKED)).best()
    try:
        text = content.decode(likeliest.encoding) if likeliest else "\0"
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _decode_legacy(content: bytes) -> str:
    """Return the text of bytes that aren't UTF-8 (undecodable ones as U+FFFD); raise SourceError if none fits."""
    mended = content.decode("utf-8", errors="replace")
    bad = mended.count("\ufffd")
    beyond_ascii = len(mended) - len(mended.encode("ascii", errors="ignore"))
    if beyond_ascii - bad >= _MIN_GOOD_TO_BAD * bad:
        return mended
    if stated := _STATED.search(content, 0, _STATING_BYTES):
        return content.decode(stated[1].decode("ascii"), errors="replace")
    sample = content[:_SAMPLE_BYTES]
    if len(sample) < len(content):
        # A multi-byte character cut in half would rule its encoding out.
        sample = sample[: sample.rfind(b"\n") + 1] or sample
    fitting = charset_normalizer.from_bytes(sample, cp_isolation=list(_LEGACY_ENCODINGS))
    if not fitting:
        raise _binary_error("no known text encoding fits it")
    # If encodings fit equally well, the commoner one is the better guess.
    best = min(fitting, key=lambda match: (match.chaos, -match.coherence, _LEGACY_ENCODINGS.index(match.encoding)))
    return content.decode(best.encoding, errors="replace")


def _refuse_binary(content: bytes) -> None:
    """Raise SourceError if bytes look binary: by their first bytes, a NUL byte or many control characters."""
    if content.startswith(b"%PDF-"):
        raise SourceError("relnotes doesn't read PDF: save it as Markdown or HTML")
    if content.startswith(_BINARY_MAGIC):
        raise _binary_error(f"it starts with {content[:4]!r}")
    if (nul := content.find(b"\0")) >= 0:
        raise _binary_error(f"a NUL byte at offset {nul:,}")
    sample = content[:_SAMPLE_BYTES]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if controls > _MAX_CONTROL_SHARE * len(sample):
        raise _binary_error(f"{controls / len(sample):.0%} of it are control characters")


def _binary_error(reason: str) -> SourceError:
    return SourceError(
        f"The content looks binary: {reason}. relnotes reads Markdown, reStructuredText, AsciiDoc, "
        "HTML and plain text; convert the document to one of them."
    )
