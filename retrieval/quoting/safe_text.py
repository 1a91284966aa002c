"""Text of documents as it may stand in an answer."""

import re

from corpus.plain_words import as_code

_TAG = r"</?[A-Za-z!][^<>]*>"
_CODE = re.compile(rf"(?:(?<!`)`++[^`\n]++`++|\[(?:[\[\]]|{_TAG})*\d(?:[\[\]\d]|{_TAG})*\]|{_TAG})+")
"""Code spans, and what has to stand in one: markers, tags, and what would be a marker once a tag or marker inside it is
gone ("[<b>1]", "[[2]3]"). What stands side by side is one span, or the marks between two would be read as one."""
_BIDI_CONTROLS = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def safe(text: str) -> str:
    """Text of a document as it may stand in an answer's Markdown.

    Code spans of single backticks stay. Markers, tags and link syntax are disarmed; controls of writing direction are
    left out, for they would turn the markers that follow them.
    """
    plain = text.translate(_BIDI_CONTROLS)
    said, end = "", 0
    for code in _CODE.finditer(plain):
        said += _disarm(plain[end : code.start()]) + as_code(code.group())
        end = code.end()
    return said + _disarm(plain[end:])


def _disarm(text: str) -> str:
    return text.replace("`", "'").replace("](", "] (")
