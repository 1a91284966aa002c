"""Numbers in a sentence with what they count or number: "97.5%", "Python 3.10", "20 external contributors", "2D".

Number words up to twelve are read as digits, so that "six pull requests" and "6 PRs" can be compared.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest

from corpus.lexicon import split_tokens

_WORDS = dict(
    zip(
        "two three four five six seven eight nine ten eleven twelve".split(),
        map(str, range(2, 13)),
        strict=True,
    )
)
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b(?!-)", re.IGNORECASE)
_FIGURE = re.compile(
    r"(?<![\w.#-])v?(?P<number>\d+(?:,\d{3})+(?!\d)|\d+(?:\.\d+)*(?:\.[x*](?!\w))?(?:(?:a|b|rc)\d+)?)"
    r"(?:\s?(?P<unit>%|percent\b|[x×](?!\w)|times\b|-?fold\b|[kmgt]i?b\b|[mnµu]?s\b|sec(?:ond)?s?\b|min(?:ute)?s?\b"
    r"|hours?\b|days?\b|weeks?\b|months?\b|years?\b|-?bits?\b|bytes?\b|d\b))?"
    r"(?!\w|\.\d)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"(?<![\w.-])(\d+(?:\.\d+)+)\s?[-–]\s?(\d+(?:\.\d+)+)(?![\w-])|(?<![\w.-])(\d+)\s?[-–]\s?(\d+)(?=\s?(?:%|x\b|percent))"
)
_BETWEEN = re.compile(r"\bbetween (\d[\d.,]*) and (?=\d)", re.IGNORECASE)
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_BEFORE = re.compile(r"[A-Za-z][\w+#.-]*|\d[\w.]*|->|[<>=≥≤→]+|[.;:,()]")
_AFTER = re.compile(
    r"\s*[`'\"(]*(?P<word>[A-Za-z][\w-]*)(?:\s+(?P<next>[A-Za-z][\w-]*))?(?:\s+(?P<third>[A-Za-z][\w-]*))?"
)
_SAME_UNITS = {
    **dict.fromkeys(("percent",), "%"),
    **dict.fromkeys(("×", "times", "fold", "-fold"), "x"),
    **dict.fromkeys(("sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("min", "mins", "minutes"), "minute"),
}
_FILLERS = frozenset(
    """version versions release releases at least most than to from of is are the a an now minimum or and in since as
    up v only least number numbers supported required newer older higher later above below moved increased raised
    changed goes bumped lowered set grown grew rose dropped drops ships uses with wants needs requires was were be
    been has have had became reduced out there public total current contains holds < > = >= <= ≥ ≤ → ~= ==""".split()
)
_AT_LEAST = frozenset(("least", ">", ">=", "≥", "minimum", "since", "exceeding", "over"))
_AT_MOST = frozenset(("most", "<", "<=", "≤", "maximum", "until", "before", "under", "below"))
_NOT_COUNTED = frozenset("and or in on to of for with by is are was were the a an as at from but than via".split())
_REACH = 60
_LOOKED_AT = 4
_NEAR_WORDS = 4
_RESULTING = frozenset(("to", "is", "are", "of", "at"))
"""Words before what a thing has come to."""
_WORD = re.compile(r"[A-Za-z][\w-]*")


@dataclass(frozen=True, slots=True)
class Figure:
    """One number: `text` as digits without thousands' marks, `unit` in one spelling, empty without one."""

    text: str
    unit: str
    thing: str
    """The word it numbers, before it ("python" of "Python 3.10"), in lower case; empty where none does."""
    counted: frozenset[str]
    """Stems of the words after it: what it counts."""
    lead: str
    """The word right before it: "to", "from", "in"."""
    bound: str
    """`least`, `most`, or empty."""
    around: frozenset[str]
    """Stems of the telling words near it."""

    def equals(self, other: "Figure") -> bool:
        """Whether both give one number; a unit that one of them leaves out doesn't tell them apart."""
        return _same_number(self.text, other.text) and (self.unit == other.unit or not self.unit or not other.unit)

    def is_rival(self, other: "Figure") -> bool:
        """Whether both number or count one thing, so that different numbers contradict each other."""
        if self.equals(other):
            return False
        if self.unit or other.unit:
            return self.unit == other.unit
        if self.thing and self.thing == other.thing:
            return True
        if ("." in self.text) != ("." in other.text):
            return False
        things = _stems(self.thing), _stems(other.thing)
        is_counted = self.counted & other.counted or things[0] & other.counted or things[1] & self.counted
        return bool(is_counted) or (self.lead in _RESULTING and other.lead in _RESULTING)


@lru_cache(maxsize=2048)
def read_figures(text: str) -> tuple[Figure, ...]:
    """The numbers of a text without markup, in order; none inside names of code or references (`#123`)."""
    plain = _BETWEEN.sub(r"\1 to ", _ORDINAL.sub("", text))
    spread = _RANGE.sub(lambda match: f"{match[1] or match[3]} to {match[2] or match[4]}", plain)
    digits = _NUMBER_WORD.sub(lambda match: _WORDS[match[0].casefold()], spread)
    found: list[Figure] = []
    for match in _FIGURE.finditer(digits):
        before = [word.casefold() for word in _BEFORE.findall(digits[max(0, match.start() - _REACH) : match.start()])]
        unit = (match["unit"] or "").casefold().removeprefix("-")
        found.append(
            Figure(
                text=match["number"].replace(",", "").removesuffix(".x").removesuffix(".*"),
                unit=_SAME_UNITS.get(unit, unit if len(unit) < 3 else unit.removesuffix("s")),
                thing=_thing(before, found),
                counted=_counted(digits, match.end()),
                lead="to" if before[-1:] in (["→"], ["->"]) else before[-1] if before else "",
                around=_around(digits, match.start(), match.end()),
                bound=_bound(before, digits[match.end() : match.end() + 20]),
            )
        )
    return tuple(
        replace(one, unit=following.unit) if following and not one.unit and following.lead == "to" else one
        for one, following in zip_longest(found, found[1:])
    )


def _same_number(one: str, other: str) -> bool:
    return one == other or one.removesuffix(".0") == other.removesuffix(".0")


def _around(text: str, start: int, end: int) -> frozenset[str]:
    """The words before a figure up to the one before it, and those after it up to the next."""
    before = re.split(r"\d", text[max(0, start - _REACH) : start])[-1]
    after = re.split(r"\d", text[end : end + _REACH])[0]
    words = (*_WORD.findall(before)[-_NEAR_WORDS:], *_WORD.findall(after)[:_NEAR_WORDS])
    return frozenset(token for word in words if word.casefold() not in _FILLERS for token in split_tokens(word)[:1])


def _stems(word: str) -> frozenset[str]:
    return frozenset(split_tokens(word)[:1])


def _thing(before: list[str], earlier: list[Figure]) -> str:
    if before[-1:] == [":"]:
        before = before[:-1]
    for word in before[: -_LOOKED_AT - 1 : -1]:
        if word[0].isdigit():
            break
        if word in (".", ";", ":", "(", ")"):
            return ""
        if word in _FILLERS or word == ",":
            continue
        return word.rstrip(".,")
    # "Python 3.8, 3.9 and 3.10": the name stands before the first alone.
    return earlier[-1].thing if earlier and before[-1:] in ([","], ["and"], ["or"], ["to"]) else ""


def _counted(text: str, end: int) -> frozenset[str]:
    after = _AFTER.match(text, end)
    if after is None or after["word"].casefold() in _NOT_COUNTED:
        return frozenset()
    words = [
        word for word in (after["word"], after["next"], after["third"]) if word and word.casefold() not in _NOT_COUNTED
    ]
    return frozenset(token for word in words for token in split_tokens(word)[:1])


def _bound(before: list[str], after: str) -> str:
    near = set(before[-3:])
    if near & _AT_LEAST or re.match(r"\s?(?:\+(?!\w)|(?:or|and) (?:newer|later|higher|above|up)\b)", after):
        return "least"
    return "most" if near & _AT_MOST or before[-2:] == ["up", "to"] else ""
