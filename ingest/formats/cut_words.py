"""Words that a typesetter cut at the end of a line, made whole.

A hyphen there may be the word's own ("built-in") or the typesetter's ("compat-ibility"). How the document writes the
word elsewhere decides; where it doesn't, parts that begin compounds keep their hyphen.
"""

import re
from collections.abc import Sequence

_SOFT_HYPHEN = "\u00ad"
_HYPHENS = f"-\u2010{_SOFT_HYPHEN}"
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_CUT = re.compile(rf"(?:\A|(?<=[\s(\[\"'“‘/]))(?P<start>[^\W\d_]{{2,}})(?P<hyphen>[{_HYPHENS}])\Z")
_REST = re.compile(r"(?P<rest>[^\W\d_]+)(?P<after>[^\s\w-]*)(?:\s+|\Z)")
_MAX_WORD_CHARACTERS = 40
_MIN_PART_CHARACTERS = 2
_OPENS_COMPOUND = frozenset(
    """all back built by case cross double end ex front full half high ill in long low multi non off on one open out
    post pre quasi read real run self semi short single so thread three time two type up user well write""".split()
)


class CutWords:
    """What a document's own words say of those that are cut at line ends."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._words = frozenset(
            word.casefold().replace("\u2010", "-") for line in lines for word in _WORD.findall(line)
        )

    def join_lines(self, lines: Sequence[str]) -> str:
        """The lines with line ends between them, trimmed; words that were cut are whole on the upper one, and soft
        hyphens are gone."""
        joined: list[str] = []
        # Only a hyphen that ends a line tells anything.
        for line in (line[:-1].replace(_SOFT_HYPHEN, "") + line[-1:] for line in lines):
            whole = self._whole(joined[-1], line) if joined else None
            if whole is None:
                joined.append(line)
            else:
                joined[-1] = whole[0]
                joined += [whole[1]] if whole[1] else []
        return "\n".join(joined).replace(_SOFT_HYPHEN, "").strip()

    def _whole(self, upper: str, lower: str) -> tuple[str, str] | None:
        """Both lines with the word that was cut between them on the upper one; None where none was."""
        cut = _CUT.search(upper, max(0, len(upper) - _MAX_WORD_CHARACTERS - 1))
        rest = _REST.match(lower) if cut else None
        if cut is None or rest is None or not rest["rest"].islower():
            return None
        is_soft = cut["hyphen"] == _SOFT_HYPHEN
        if len(rest["rest"]) < _MIN_PART_CHARACTERS and not is_soft:
            return None
        hyphen = "" if is_soft or not self._keeps_hyphen(cut["start"], rest["rest"]) else "-"
        return f"{upper[: cut.end('start')]}{hyphen}{rest['rest']}{rest['after']}", lower[rest.end() :]

    def _keeps_hyphen(self, start: str, rest: str) -> bool:
        start, rest = start.casefold(), rest.casefold()
        if f"{start}-{rest}" in self._words:
            return True
        return start + rest not in self._words and start in _OPENS_COMPOUND
