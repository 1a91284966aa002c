"""Text of documents as it may stand in an answer."""

import re

_TAG = r"</?[A-Za-z!][^<>]*>"
_ACTIVE = re.compile(rf"(?:\[(?:[\[\]]|{_TAG})*\d(?:[\[\]\d]|{_TAG})*\]|{_TAG})+")
"""Markers and tags, and what would be a marker once a tag or marker inside it is gone ("[<b>1]", "[[2]3]")."""
_BIDI_CONTROLS = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def safe(text: str) -> str:
    """Text of a document as it may stand in an answer's Markdown.

    Markers, tags and link syntax are disarmed; controls of writing direction are left out, for they would turn the
    markers that follow them.
    """
    plain = text.translate(_BIDI_CONTROLS).replace("`", "'").replace("](", "] (")
    return _ACTIVE.sub(lambda match: f"`{match.group()}`", plain)
