"""What bytes are: text or not, in which encoding, and in which of the formats that relnotes reads.

Content decides; a file's name breaks ties and tells apart what the content leaves open. Line ends are
never changed: offsets count in the text as it was written.
"""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

import charset_normalizer

from corpus.errors import SourceError

MARKDOWN = "text/markdown"
RESTRUCTUREDTEXT = "text/x-rst"
ASCIIDOC = "text/asciidoc"
PLAIN = "text/plain"
HTML = "text/html"
PDF = "application/pdf"

_BY_SUFFIX = {
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".mdown": MARKDOWN,
    ".mkd": MARKDOWN,
    ".mdx": MARKDOWN,
    ".rst": RESTRUCTUREDTEXT,
    ".rest": RESTRUCTUREDTEXT,
    ".adoc": ASCIIDOC,
    ".asciidoc": ASCIIDOC,
    ".asc": ASCIIDOC,
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": HTML,
}
_SAMPLE_BYTES = 262_144
_SAMPLE_CHARACTERS = 200_000
_MAX_CONTROL_SHARE = 0.05
_UTF_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_LEGACY_ENCODINGS = (
    "cp1252", "cp1250", "cp1251", "shift_jis", "gb18030", "euc_jp", "big5", "euc_kr", "koi8_r", "cp1253", "cp1254",
    "cp1255", "cp1256", "cp1257", "mac_roman", "cp437", "cp850", "latin_1",
)  # fmt: skip
_BINARY_MAGIC = (
    b"\x89PNG", b"GIF87a", b"GIF89a", b"\xff\xd8\xff", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"BZh9",
    b"\xfd7zXZ", b"7z\xbc\xaf", b"\x7fELF", b"\xca\xfe\xba\xbe", b"SQLite format 3", b"\x28\xb5\x2f\xfd", b"%PDF-",
)  # fmt: skip
_TEXT_CONTROLS = bytes([7, 8, 9, 10, 11, 12, 13, 27])
_CONTROLS = bytes(byte for byte in range(32) if byte not in _TEXT_CONTROLS) + b"\x7f"


def decode(content: bytes) -> str:
    """The text of `content`: UTF-8 exactly, with its own line ends and byte order mark.

    Where the bytes aren't UTF-8: UTF-16 or UTF-32 by byte order mark, else the likeliest legacy encoding
    (characters that it can't hold become U+FFFD).

    Raises:
        SourceError: the bytes look binary.
    """
    boms = [encoding for mark, encoding in _UTF_BOMS if content.startswith(mark)]
    if boms:
        try:
            return content.decode(boms[0])
        except UnicodeDecodeError as error:
            raise _binary(f"it starts like {boms[0].upper()} but breaks off at byte {error.start:,}") from error
    _refuse_binary(content)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode(_legacy_encoding(content), errors="replace")


def detect_media_type(name: str, content: bytes) -> str:
    """The media type of a document: one of the six of `corpus.model.Document.media_type`.

    `name` is a file name or path, whose suffix counts as evidence beside the content's own.

    Raises:
        SourceError: the bytes look binary and aren't PDF.
    """
    if content[:1024].lstrip().startswith(b"%PDF-"):
        return PDF
    suffix_type = _BY_SUFFIX.get(PurePosixPath(name.replace("\\", "/")).suffix.lower(), PLAIN)
    text = decode(content)[:_SAMPLE_CHARACTERS]
    if _looks_html(text, suffix_type):
        return HTML
    points = dict(_markup_points(text))
    if suffix_type in points:
        points[suffix_type] += _SUFFIX_POINTS
    best = max(points, key=lambda media_type: points[media_type])
    return best if points[best] >= _MIN_POINTS else PLAIN


def _refuse_binary(content: bytes) -> None:
    if content.startswith(_BINARY_MAGIC):
        raise _binary(f"it starts with {content[:4]!r}")
    if (nul := content.find(b"\0")) >= 0:
        raise _binary(f"a NUL byte at offset {nul:,}")
    sample = content[:_SAMPLE_BYTES]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if controls > _MAX_CONTROL_SHARE * len(sample):
        raise _binary(f"{controls / len(sample):.0%} of it are control characters")


def _binary(reason: str) -> SourceError:
    return SourceError(
        f"The content looks binary: {reason}. relnotes reads Markdown, reStructuredText, AsciiDoc, "
        "HTML, PDF and plain text; convert the document to one of these."
    )


def _legacy_encoding(content: bytes) -> str:
    sample = content[:_SAMPLE_BYTES]
    if len(sample) < len(content):
        # A multi-byte character cut in half would rule its encoding out.
        sample = sample[: sample.rfind(b"\n") + 1] or sample
    fitting = charset_normalizer.from_bytes(sample, cp_isolation=list(_LEGACY_ENCODINGS))
    if not fitting:
        raise _binary("no known text encoding fits it")
    # Where encodings fit equally well, the commoner one is the better guess.
    return min(fitting, key=lambda m: (m.chaos, -m.coherence, _LEGACY_ENCODINGS.index(m.encoding))).encoding


_HTML_START = re.compile(
    r"\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:(?><!--.*?-->)\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_BLOCK_TAG = re.compile(r"</?(?:p|div|h[1-6]|ul|ol|li|table|tr|td|section|article|span|nav|meta|link)\b[^>]*>", re.I)
_MARKDOWN_LINE = re.compile(r"(?m)^(?:#{1,6} |```|[*+-] |\[)")


def _looks_html(text: str, suffix_type: str) -> bool:
    if _HTML_START.match(text):
        return True
    tags = len(_BLOCK_TAG.findall(text))
    if suffix_type == HTML:
        return tags > 0
    # Markdown files often open with a banner in HTML; a fragment of HTML is tags all through.
    opens = text.lstrip("\ufeff \t\r\n").startswith("<")
    return suffix_type == PLAIN and opens and tags >= 3 and tags > 3 * len(_MARKDOWN_LINE.findall(text))


# A known suffix outweighs any one kind of sign, not all of them together.
_SUFFIX_POINTS = 8.0
_MIN_POINTS = 2.0
_MAX_SIGN_POINTS = 6.0
_SIGNS: Mapping[str, tuple[tuple[float, re.Pattern[str]], ...]] = {
    MARKDOWN: (
        (1.5, re.compile(r"(?m)^ {0,3}#{2,6} \S")),
        # One `#` is a comment in most languages: it counts where it stands alone like a heading.
        (1.5, re.compile(r"(?:\A\ufeff?|\n\r?\n) {0,3}# \S[^\r\n]*(?=\r?\n\r?\n|\s*\Z)")),
        # Longer runs of tildes underline titles in other markup.
        (2.0, re.compile(r"(?m)^ {0,3}(?:```|~~~(?!~~))")),
        (1.0, re.compile(r"(?<!\w)!?\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)")),
        (1.0, re.compile(r"(?m)^ {0,3}\[[^\]\n]{1,100}\]: +(?:https?://|#|\.{0,2}/)")),
        (1.0, re.compile(r"(?m)^\|?(?: *:?-{3,}:? *\|)+")),
    ),
    RESTRUCTUREDTEXT: (
        (2.0, re.compile(r"(?m)^ *\.\. +[\w:+.-]+::")),
        (2.0, re.compile(r"(?m)^ *\.\. +(?:_[^:\n]{1,200}:|\|[^|\n]{1,100}\||\[[#\w]+\])")),
        (2.0, re.compile(r":[A-Za-z][\w:+.-]{0,40}:`[^`\n]{1,200}`")),
        (1.5, re.compile(r"`[^`\n]{1,300}`__?(?!\w)")),
        (0.75, re.compile(r"(?<!`)``[^`\n]{1,200}``(?!`)")),
    ),
    ASCIIDOC: (
        (1.5, re.compile(r"(?m)^={1,5} \S")),
        (2.0, re.compile(r"(?m)^\[(?:source|NOTE|TIP|WARNING|IMPORTANT|CAUTION|quote|cols|options|%)[^\]\n]*\]\s*$")),
        (1.5, re.compile(r"(?m)^\[\[[\w.-]+\]\]\s*$")),
        (1.0, re.compile(r"(?m)^:[\w-]+!?:(?: |$)")),
        (1.5, re.compile(r"(?:link|xref|linkgit|include|ifdef|ifndef|image):{1,2}[^\s\[]{1,300}\[")),
        (1.0, re.compile(r"https?://[^\s\[\]()<>]{1,300}\[[^\]\n]{1,200}\]")),
        (1.0, re.compile(r"(?m)^(?:----|\.\.\.\.|\|===)\s*$")),
    ),
}  # fmt: skip
_ADORNED_TITLE = re.compile(r"(?m)^([=*#~^\"-])\1{3,}[ \t]*\r?\n[ \t]?(\S[^\r\n]*?)[ \t]*\r?\n(\1{4,})[ \t]*\r?$")


def _markup_points(text: str) -> tuple[tuple[str, float], ...]:
    points = []
    for media_type, signs in _SIGNS.items():
        total = 0.0
        for weight, pattern in signs:
            total += min(_MAX_SIGN_POINTS, weight * sum(1 for _ in pattern.finditer(text)))
        if media_type == RESTRUCTUREDTEXT and _has_fitted_title(text):
            total += _MIN_POINTS
        points.append((media_type, total))
    return tuple(points)


def _has_fitted_title(text: str) -> bool:
    # Over- and underlined as long as the title is a reStructuredText author's habit; a rule of fixed width isn't.
    return any(len(match[3]) - len(match[2]) in (0, 1, 2) for match in _ADORNED_TITLE.finditer(text))
