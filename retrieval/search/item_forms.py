"""What an item is by its form, where it is no statement: lines of code, a heading, the title of a release."""

import re
from functools import lru_cache
from textwrap import dedent

from corpus.index.stored import StoredPassage
from corpus.plain_words import one_line

_CODE_FRAME = re.compile(r"\s*(?:```|~~~|\.\. [\w-]+::|:[a-z-]+:(?:\s|$))")
_MARKUP_CHARACTERS = 40


def code_lines(words: str) -> tuple[str, ...]:
    """Return the lines of an item's code without those that set it off, indented as far as they need."""
    lines = [line for line in words.expandtabs(4).splitlines() if not _CODE_FRAME.match(line)]
    return tuple(dedent("\n".join(lines)).strip("\n").split("\n"))


def is_title(passage: StoredPassage, words: str) -> bool:
    """Return whether an item is nothing but a heading that it stands under, or its document's title."""
    titles = (*passage.heading, passage.document.title)
    # Taking the markup off costs; a title with it is hardly longer than without.
    if not words or all(abs(len(words) - len(title)) > _MARKUP_CHARACTERS for title in titles):
        return False
    return _title_words(words) in map(_title_words, titles)


@lru_cache(maxsize=4096)
def _title_words(title: str) -> str:
    return one_line(title).strip(" :#=*").casefold()
