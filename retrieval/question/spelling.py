"""Slips of the keyboard in a question, mended before it is read: a word becomes the one that the index holds. Code and
numbers stay: what looks like a slip may be another name.
"""

import re
from collections.abc import Callable

from corpus.everyday_words import is_everyday
from corpus.lexicon import STOP_WORDS

_WORD = re.compile(r"(?<![\w.@/:#`'\u2019-])[A-Za-z]?[a-z]{4,24}(?![\w@/#`('\u2019-]|[.:]\w)")
MIN_RARE_LENGTH = 7  # A shorter word is rather a name ("psql") than a slip of a word that isn't everyday either.
_GLUED = re.compile(r"(?<![\w.@/:#`'\u2019-])([A-Za-z]{2,24})(\d+(?:\.\d+)*)(?![\w@/#`('\u2019-]|[.:]\w)")
_LETTERS = "abcdefghijklmnopqrstuvwxyz'"


def mend_slips(text: str, *, frequency: Callable[[str], int], names: frozenset[str]) -> str:
    """`text` with each mistyped word replaced by what was meant; `names` (in lower case) are never mended.

    A word that neither everyday English nor the index knows becomes the word one slip away that the index holds most
    often (Norvig, "How to Write a Spelling Corrector", 2007), of the same first letter if there is one, for slips are
    rare there (Pollock and Zamora, "Automatic Spelling Correction in Scientific and Scholarly Text", 1984). `frequency`
    tells how many passages hold a word. A word glued to a number ("centos7") comes apart where the index only holds it
    without.
    """

    def mend(found: re.Match[str]) -> str:
        word = found[0].lower()
        if word in names or word in STOP_WORDS or is_everyday(word) or frequency(word):
            return found[0]
        is_long = len(word) >= MIN_RARE_LENGTH
        slips = (slip for slip in one_slip_away(word) if is_long or slip in names or is_everyday(slip))
        meant = max(slips, default="", key=lambda slip: (bool(held := frequency(slip)), slip[0] == word[0], held))
        return meant if meant and frequency(meant) else found[0]

    def part(found: re.Match[str]) -> str:
        glued = found[0].lower()
        is_known = glued in names or frequency(glued) or not frequency(found[1].lower())
        return found[0] if is_known else f"{found[1]} {found[2]}"

    return _WORD.sub(mend, _GLUED.sub(part, text))


def one_slip_away(word: str) -> list[str]:
    """Return every word that is one slip away: a letter too many, wrong or too few, or two in each other's place."""
    parts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    slips = []
    for head, tail in parts:
        slips += [head + tail[1:], *(head + letter + tail[1:] for letter in _LETTERS)] if tail else []
        slips += [head + tail[1] + tail[0] + tail[2:]] if len(tail) > 1 else []
        slips += [head + letter + tail for letter in _LETTERS]
    return slips
