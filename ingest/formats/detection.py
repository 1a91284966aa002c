"""Detects a document's format: by its content first, then by its file's name."""

import re
from collections.abc import Mapping

from corpus.formats import format_of_name
from ingest.formats.data import refuse_data
from ingest.formats.encodings import decode

_RESTRUCTUREDTEXT, _PLAIN, _HTML = "text/x-rst", "text/plain", "text/html"
_SAMPLE_CHARACTERS = 200_000


def detect_media_type(name: str, content: bytes) -> str:
    """Return the media type of a document, one of `corpus.formats.FORMATS`.

    `name` is a file name or path; its suffix counts as evidence beside that of the content.

    Raises:
        SourceError: the bytes look binary, or are data or code.
    """
    named = format_of_name(name)
    suffix_type = _PLAIN if named is None else named.media_type
    text = decode(content)[:_SAMPLE_CHARACTERS]
    if _HTML_START.match(text):
        return _HTML
    refuse_data(name, text)
    if _is_fragment(text, suffix_type):
        return _HTML
    if suffix_type == _PLAIN and len(_UNMARKED_BLOCKS.findall(text)) > 1:
        return _PLAIN
    points = _markup_points(text)
    if suffix_type not in (_PLAIN, _HTML):
        points[suffix_type] = points.get(suffix_type, 0.0) + _SUFFIX_POINTS
    best = max(points, key=lambda media_type: points[media_type])
    return best if points[best] >= _MIN_POINTS else _PLAIN


_HTML_START = re.compile(
    r"(?is)\ufeff?\s*(?:(?><\?xml[^>]*>)\s*)*(?:(?><!--.*?-->)\s*)*<(?:(?:!doctype\s+html|html|head|body)\b|document\b.*?<action\s)"
)
_BLOCK_TAG = re.compile(r"(?i)</?(?:p|div|h[1-6]|ul|ol|li|table|tr|td|section|article|span|nav|meta|link)\b[^<>]*>")
_MARKDOWN_LINE = re.compile(r"(?m)^(?:#{1,6} |```|[*+-] |\[)")


def _is_fragment(text: str, suffix_type: str) -> bool:
    """Return whether a text is HTML although it doesn't begin like a page."""
    tags = len(_BLOCK_TAG.findall(text))
    if suffix_type == _HTML:
        return tags > 0
    # Markdown files often open with a banner in HTML; a fragment of HTML is tags all through.
    begins_with_tag = text.lstrip("\ufeff \t\r\n").startswith("<")
    return suffix_type == _PLAIN and begins_with_tag and tags >= 3 and tags > 3 * len(_MARKDOWN_LINE.findall(text))


# A known suffix outweighs any one kind of sign, not all of them together.
_SUFFIX_POINTS = 8.0
_MIN_POINTS = 2.0
_MAX_SIGN_POINTS = 6.0
_SIGNS: Mapping[str, tuple[tuple[float, re.Pattern[str]], ...]] = {
    "text/markdown": (
        (1.5, re.compile(r"(?m)^ {0,3}#{2,6} \S")),
        # One `#` is a comment in most languages: it counts if it is alone like a heading.
        (1.5, re.compile(r"(?:\A\ufeff?|\n\r?\n) {0,3}# \S[^\r\n]*(?=\r?\n\r?\n|\s*\Z)")),
        # Longer runs of tildes underline titles in other markup.
        (2.0, re.compile(r"(?m)^ {0,3}(?:```|~~~(?!~~))")),
        (1.0, re.compile(r"(?<!\w)!?\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)")),
        (1.0, re.compile(r"(?m)^ {0,3}\[[^\]\n]{1,100}\]: +(?:https?://|#|\.{0,2}/)")),
        (1.0, re.compile(r"(?m)^\|?(?: *:?-{3,}:? *\|)+")),
    ),
    _RESTRUCTUREDTEXT: (
        (2.0, re.compile(r"(?m)^ *\.\. +[\w:+.-]+::")),
        (2.0, re.compile(r"(?m)^ *\.\. +(?:_[^:\n]{1,200}:|\|[^|\n]{1,100}\||\[[#\w]+\])")),
        (2.0, re.compile(r":[A-Za-z][\w:+.-]{0,40}:`[^`\n]{1,200}`")),
        (1.5, re.compile(r"`[^`\n]{1,300}`__?(?!\w)")),
        (0.75, re.compile(r"(?<!`)``[^`\n]{1,200}``(?!`)")),
    ),
    "text/asciidoc": (
        (1.5, re.compile(r"(?m)^={1,5} \S")),
        (2.0, re.compile(r"(?m)^\[(?:source|NOTE|TIP|WARNING|IMPORTANT|CAUTION|quote|cols|options|%)[^\]\n]*\]\s*$")),
        (1.5, re.compile(r"(?m)^\[\[[\w.-]+\]\]\s*$")),
        (1.0, re.compile(r"(?m)^:[\w-]+!?:(?: |$)")),
        (1.5, re.compile(r"(?:link|xref|linkgit|include|ifdef|ifndef|image):{1,2}[^\s\[]{1,300}\[")),
        (1.0, re.compile(r"https?://[^\s\[\]()<>]{1,300}\[[^\]\n]{1,200}\]")),
        (1.0, re.compile(r"(?m)^(?:----|\.\.\.\.|\|===)\s*$")),
    ),
}  # fmt: skip
_UNMARKED_BLOCKS = re.compile(
    r"(?m)^v?\d+(?:\.\w+)+:?[ \t]*\r?\n[ \t]+\w+:[ \t]*\S|^\*\*+ \S.*\n\n(?:[^\s*].*\n)+\n+(?=\*\*+ )"
)
"""Matches a version with fields right below, as in YAML, and a part of an Emacs outline with its text at the margin.
Any markup would join the fields, and keep the text apart from its title."""
_ADORNED_TITLE = re.compile(r"(?m)^([=*#~^\"-])\1{3,}[ \t]*\r?\n[ \t]?(\S[^\r\n]*?)[ \t]*\r?\n(\1{4,})[ \t]*\r?$")


def _markup_points(text: str) -> dict[str, float]:
    """Return how much evidence of each markup a text has, by media type."""
    points = {
        media_type: sum(min(_MAX_SIGN_POINTS, weight * len(pattern.findall(text))) for weight, pattern in signs)
        for media_type, signs in _SIGNS.items()
    }
    # Over- and underlines as long as the title are a habit of reStructuredText's authors; rules of fixed width aren't.
    if any(len(match[3]) - len(match[2]) in (0, 1, 2) for match in _ADORNED_TITLE.finditer(text)):
        points[_RESTRUCTUREDTEXT] += _MIN_POINTS
    return points
