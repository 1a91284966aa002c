"""Typos in a question, corrected before it is read: a word becomes the similar one in the index. Code and numbers are
left alone, because a name that looks like a typo may be another name.
"""

import re
from collections.abc import Callable

from corpus.everyday_words import is_everyday
from corpus.lexicon import STOP_WORDS

_WORD = re.compile(r"(?<![\w.@/:#`'\u2019-])[A-Za-z]?[a-z]{4,24}(?![\w@/#`('\u2019-]|[.:]\w)")
MIN_RARE_LENGTH = 7  # A shorter word ("psql") is corrected only to an everyday word or a known name.
_LETTERS = "abcdefghijklmnopqrstuvwxyz'"


def correct_typos(text: str, *, frequency: Callable[[str], int], names: frozenset[str]) -> str:
    """Return `text` with typos corrected; `names` (in lower case) are never changed.

    A word that neither everyday English nor the index contains becomes the word one edit away that is most frequent in
    the index (Norvig, "How to Write a Spelling Corrector", 2007). `frequency` returns how many passages contain a word.
    """

    def correct(match: re.Match[str]) -> str:
        word = match[0].lower()
        if word in names or word in STOP_WORDS or is_everyday(word) or frequency(word):
            return match[0]
        is_long = len(word) >= MIN_RARE_LENGTH
        edits = (edit for edit in one_edit_away(word) if is_long or edit in names or is_everyday(edit))
        best = max(edits, default="", key=lambda edit: (bool(frequency(edit)), edit[:1] == word[:1], frequency(edit)))
        return best if frequency(best) else match[0]

    return _WORD.sub(correct, text)


def one_edit_away(word: str) -> list[str]:
    """Return all strings one edit away, some repeated: a letter deleted, replaced or inserted, or two swapped."""
    parts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    edits = []
    for head, tail in parts:
        edits += [head + tail[1:], *(head + letter + tail[1:] for letter in _LETTERS)] if tail else []
        edits += [head + tail[1] + tail[0] + tail[2:]] if len(tail) > 1 else []
        edits += [head + letter + tail for letter in _LETTERS]
    return edits
