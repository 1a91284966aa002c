"""Items that aren't statements: lines of code, headings, titles of releases."""

import re
from functools import lru_cache
from textwrap import dedent

from corpus.index.stored import StoredPassage
from corpus.plain_words import one_line

_CODE_FRAME = re.compile(r"\s*(?:```|~~~|\.\. [\w-]+::|:[a-z-]+:(?:\s|$))")
_MARKUP_CHARACTERS = 40


def code_lines(words: str) -> tuple[str, ...]:
    """Return the lines of an item's code without fences, directives and common indentation; `("",)` without any."""
    lines = [line for line in words.expandtabs(4).splitlines() if not _CODE_FRAME.match(line)]
    return tuple(dedent("\n".join(lines)).strip("\n").split("\n"))


def is_title(passage: StoredPassage, words: str) -> bool:
    """Return whether an item only repeats one of its headings, or its document's title; False for an empty one."""
    titles = (*passage.heading, passage.document.title)
    # Compare lengths first, because removing markup is slow and hardly changes a title's length.
    if not words or all(abs(len(words) - len(title)) > _MARKUP_CHARACTERS for title in titles):
        return False
    return _title_words(words) in map(_title_words, titles)


@lru_cache(maxsize=4096)
def _title_words(title: str) -> str:
    return one_line(title).strip(" :#=*").casefold()
