"""What an item is by its form, where it is no statement: lines of code, a heading, the title of a release."""

import re
from functools import lru_cache

from corpus.index.stored import StoredPassage
from corpus.model import Span
from corpus.plain_words import as_code, one_line

_CODE_FRAME = re.compile(r"\s*(?:```|~~~|\.\. [\w-]+::|:[a-z-]+:(?:\s|$))")
_CODE = re.compile(r"(?:```|~~~|>>> |\.\. (?:code-block|sourcecode|code|parsed-literal)::)")

_MARKUP_CHARACTERS = 40
LONG_ITEM = 400
"""Characters from which on all items count as equally long."""


def is_code(text: str, span: Span) -> bool:
    """Whether a range is several lines of code: fenced, under a directive, a session, or what a `::` introduces."""
    words = span.slice(text)
    lines = [line for line in words.splitlines() if line.strip() and not _CODE_FRAME.match(line)]
    return len(lines) > 1 and (begins_code(words) or text[: span.start].rstrip().endswith("::"))


def begins_code(words: str) -> bool:
    """Whether an item is set off as code: fenced, under a directive, a session."""
    return bool(_CODE.match(words))


def code_span(words: str) -> str:
    """An item's code as a code span, without the lines that set it off."""
    lines = (line.strip() for line in words.splitlines() if not _CODE_FRAME.match(line))
    return as_code(" ".join(filter(None, lines)))


def is_title(passage: StoredPassage, words: str) -> bool:
    """Whether an item is nothing but a heading that it stands under, or its document's title."""
    titles = (*passage.heading, passage.document.title)
    # Taking the markup off costs; a title with it is hardly longer than without.
    if not words or all(abs(len(words) - len(title)) > _MARKUP_CHARACTERS for title in titles):
        return False
    return _title_words(words) in map(_title_words, titles)


@lru_cache(maxsize=4096)
def _title_words(title: str) -> str:
    return one_line(title).strip(" :#=*").casefold()
