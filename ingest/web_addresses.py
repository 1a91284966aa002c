"""Which addresses of originals are kept: they become links on a page, so nothing but plain web addresses."""

import re
from urllib.parse import urlsplit

_MAX_CHARACTERS = 2_048
_UNPRINTABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f<>\"\\^`{|}]")


def is_web_address(text: str) -> bool:
    """Whether `text` is an http or https address of at most 2,048 characters, with a host and nothing unwritable."""
    if len(text) > _MAX_CHARACTERS or _UNPRINTABLE.search(text):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False
