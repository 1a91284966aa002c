"""What a string or a line of text names: flags, environment variables, dotted paths, keys."""

import re
from collections.abc import Iterator

from retrieval.code_usage.model import Mention, MentionKind, Origin

_MAX_STRING = 400
_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z](?:[\w-]|\.(?=\w))*[A-Za-z0-9](?![\w-])")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)+")
UPPER_NAME = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")


def string_mentions(text: str) -> Iterator[Mention]:
    """What a string constant of code names; nothing for prose and for long strings."""
    if not 2 < len(text) <= _MAX_STRING:
        return
    if "--" in text or text[0] == "-":
        yield from flags_of(text)
    elif UPPER_NAME.fullmatch(text):
        yield Mention((text,), MentionKind.ENVIRONMENT)
    elif text[0].isalpha() and text.replace("-", "_").isidentifier():
        yield Mention((text,), MentionKind.KEY)
    elif _DOTTED.fullmatch(text):
        yield Mention(tuple(re.split(r"[.:]", text)), MentionKind.STRING, Origin.IMPORTED)


def flags_of(text: str) -> Iterator[Mention]:
    """The command-line options in `text`, with their hyphens and without values."""
    for flag in _FLAG.findall(text):
        yield Mention((flag,), MentionKind.FLAG)


def environment_of(text: str) -> Iterator[Mention]:
    """The names in `text` that are written as environment variables are."""
    for name in re.findall(rf"(?<![\w.-]){UPPER_NAME.pattern}(?![\w-])", text):
        yield Mention((name,), MentionKind.ENVIRONMENT)
