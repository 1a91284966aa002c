"""Slips of the keyboard in ordinary words, mended once before a question is read.

A word that neither everyday English nor the index knows becomes the word one slip away that the index holds most often
(Norvig, "How to Write a Spelling Corrector", 2007), of the same first letter if there is one, for slips are rare there
(Pollock and Zamora, "Automatic Spelling Correction in Scientific and Scholarly Text", 1984).
Names, code and numbers stay: what looks like a slip in them may be another name, and products are matched against the
catalogue elsewhere.
"""

import re
from collections.abc import Callable, Collection, Iterator

from corpus.everyday_words import is_everyday

_WORD = re.compile(r"(?<![\w.@/:#`'\u2019-])[A-Za-z]?[a-z]{4,24}(?![\w@/#`('\u2019-]|[.:]\w)")
_MIN_RARE_LENGTH = 7
"""A shorter word is rather a name ("psql", "trivy") than a slip of a word that isn't everyday either."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz'"


def mend_slips(
    text: str, *, frequency: Callable[[str], int], names: Collection[str], meant_name: Callable[[str], str]
) -> str:
    """`text` with each mistyped word replaced by what was meant; `names` (in lower case) are never mended, and
    `meant_name` gives the name that a word can only be a slip of, empty for most.

    `frequency` tells how many passages hold a word.
    """

    def mend(found: re.Match[str]) -> str:
        word = found[0].lower()
        if word in names or is_everyday(word) or frequency(word):
            return found[0]
        if name := meant_name(word):
            return name
        is_long = len(word) >= _MIN_RARE_LENGTH
        slips = (slip for slip in _slips(word) if is_long or slip in names or is_everyday(slip))
        meant = max(slips, default="", key=lambda slip: (bool(held := frequency(slip)), slip[0] == word[0], held))
        return meant if meant and frequency(meant) else found[0]

    return _WORD.sub(mend, text)


def _slips(word: str) -> Iterator[str]:
    """Every word that is one slip away: a letter too many, too few, wrong, or two in each other's place."""
    for place in range(len(word) + 1):
        head, tail = word[:place], word[place:]
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in _LETTERS)
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        yield from (head + letter + tail for letter in _LETTERS)
