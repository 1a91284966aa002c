"""Typos in a question, corrected before it is read: a word becomes the similar one in the index. Code and numbers are
left alone, because a name that looks like a typo may be another name.
"""

import re
from collections.abc import Callable

from corpus.everyday_words import is_everyday
from corpus.lexicon import STOP_WORDS

_WORD = re.compile(r"(?<![\w.@/:#`'\u2019-])[A-Za-z]?[a-z]{4,24}(?![\w@/#`('\u2019-]|[.:]\w)")
MIN_RARE_LENGTH = 7  # A shorter word ("psql") is corrected only to an everyday word or a known name.
_SLIPS, _OFTENER = 3, 30
"""In how many passages a word may be a slip of theirs, and how much oftener the word that is meant must be in them."""
_GLUED = re.compile(r"(?<![\w.@/:#`'\u2019-])([A-Za-z]{2,24})(\d+(?:\.\d+)*)(?![\w@/#`('\u2019-]|[.:]\w)")
_LETTERS = "abcdefghijklmnopqrstuvwxyz'"


def correct_typos(text: str, *, frequency: Callable[[str], int], names: frozenset[str]) -> str:
    """Return `text` with typos corrected; `names` (in lower case) are never changed.

    A word that neither everyday English nor the index contains becomes the word one edit away that is most frequent in
    the index (Norvig, "How to Write a Spelling Corrector", 2007), with the same consonants and first letter if
    possible, because typos are rare there (Pollock and Zamora, "Automatic Spelling Correction in Scientific and
    Scholarly Text", 1984). So does one that the index hardly ever contains, with the consonants of an everyday word.
    `frequency` returns how many passages contain a word. "centos7" is split if the index contains only "centos".
    """

    def correct(match: re.Match[str]) -> str:
        word = match[0].lower()
        if word in names or word in STOP_WORDS or is_everyday(word) or (seen_in := frequency(word)) > _SLIPS:
            return match[0]
        is_long = len(word) >= MIN_RARE_LENGTH and not seen_in
        edits = (edit for edit in one_edit_away(word) if is_long or edit in names or is_everyday(edit))

        def merit(edit: str) -> tuple[bool, bool, bool, int, bool]:
            count = frequency(edit)
            return bool(count), *_likeness(edit, word), count, is_everyday(edit)

        best = max(edits, default="", key=merit)
        is_meant = not seen_in or (_likeness(best, word)[0] and is_everyday(best)) if best else False
        return best if is_meant and frequency(best) > _OFTENER * seen_in else match[0]

    def split(match: re.Match[str]) -> str:
        glued = match[0].lower()
        is_known = glued in names or frequency(glued) or not frequency(match[1].lower())
        return match[0] if is_known else f"{match[1]} {match[2]}"

    return _WORD.sub(correct, _GLUED.sub(split, text))


def _likeness(edit: str, word: str) -> tuple[bool, bool]:
    """Return whether two words have the same consonants, in any order, and whether they begin alike."""
    consonants = (sorted(letter for letter in each if letter not in "aeiou") for each in (edit, word))
    return len(set(map(tuple, consonants))) == 1, edit[:1] == word[:1]


def one_edit_away(word: str) -> list[str]:
    """Return all strings one edit away, some repeated: a letter deleted, replaced or inserted, or two swapped."""
    parts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    edits = []
    for head, tail in parts:
        edits += [head + tail[1:], *(head + letter + tail[1:] for letter in _LETTERS)] if tail else []
        edits += [head + tail[1] + tail[0] + tail[2:]] if len(tail) > 1 else []
        edits += [head + letter + tail for letter in _LETTERS]
    return edits
