"""A clause or a quote as what can be compared: words and what turns them, numbers and what bounds them, names of code.

Scopes are read from word order alone, without a grammar: a negator turns the first telling word after it, and may turn
two more; a full stop, a comma, "and" or "but" ends its reach.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from corpus.lexicon import split_tokens
from corpus.model import Act
from corpus.symbols import find_references, find_symbols
from retrieval.verification.status_words import (
    BOUNDS,
    FUNCTION_WORDS,
    HEDGES,
    MAY,
    NEGATORS,
    NOT,
    STATUS_OF,
    TELLING_NEGATORS,
    TWO_SIDED_HEDGES,
)

_REACH = 3
_NEAR = 80
_BEFORE_NUMBER = re.compile(r"[^\W\d_]+|[.!?;:,()\n]")
_PIECE = re.compile(r"\w+(?:['’][^\W\d_]+)*|[.!?;:,()\n]")
_STOPS = frozenset(".!?;:,()\n") | {"but", "and", "or", "while", "whereas", "although", "though"}
_NUMBER = re.compile(r"(?<![\w.])(?:[#@]?[A-Za-z_-]*[-_]?)?\d[\w.+:/%-]*", re.ASCII)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_UNIT = re.compile(
    r"\s?-?(?P<unit>%|percent|x\b|times\b|fold\b|[kmgt]i?b\b|[mnµu]s\b|s\b|sec(?:ond)?s?\b|min(?:ute)?s?\b|hours?\b|days?\b"
    r"|weeks?\b|months?\b|years?\b|watts?\b|[kmg]?hz\b|bits?\b|bytes?\b)",
    re.IGNORECASE,
)
_SAME_UNITS = {"percent": "%", "times": "x", "fold": "x", "sec": "s", "secs": "s", "second": "s", "seconds": "s"}
_BOUND_FILLERS = frozenset("version versions release releases v python".split())
_NO_LONGER = re.compile(r"\b(?:no longer|not any ?more|never again)\b", re.IGNORECASE)
_STATEMENT_END = re.compile(r"(?<=[.!?;])\s+|\n+|,\s+(?=(?:so|but|while|whereas)\b)")
_UP_TO = re.compile(r"\b(?:up|down) to\b", re.IGNORECASE)
_INSTEAD = re.compile(r"\b(?:(rather than)|(?:instead|rather)(?!\s+(?:of|than)\b))", re.IGNORECASE)
"""What follows "instead of" isn't so; "instead" alone turns nothing."""
_RANGE = re.compile(r"(?<![\w.-])(\d+(?:\.\d+)+)\s?[-–]\s?(\d+(?:\.\d+)+)(?![\w-])")


@dataclass(frozen=True, slots=True)
class Word:
    """A telling word by its stem, and what of "not", "may" and "instead of" may turn it."""

    stem: str
    reached: frozenset[str]

    @property
    def meaning(self) -> str:
        """What it says happened, else its stem: words of one status may stand for each other."""
        return STATUS_OF.get(self.stem, self.stem)


@dataclass(frozen=True, slots=True)
class Number:
    """A number, version or record as written, thousands joined; with its unit, and what bounds it if anything."""

    text: str
    unit: str
    bound: str
    before: str
    """The word that stands right before it, case-folded."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything in order of place."""

    text: str
    words: tuple[Word, ...]
    numbers: tuple[Number, ...]
    names: tuple[str, ...]
    """Names of code and references, as `find_symbols` and `find_references` write them."""

    stems: frozenset[str]
    statuses: frozenset[Act]
    """What is said to have happened, negated or not."""
    bounds: frozenset[str]
    turns: tuple[str, ...]
    """Each "not", "may" and "instead of"."""


@lru_cache(maxsize=256)
def read_text(text: str) -> Reading:
    """Read a clause or a quote, without markup."""
    joined = _RANGE.sub(r"\1 to \2", _THOUSANDS.sub("", text))
    pieces = _pieces(joined)
    words = tuple(_words(pieces))
    stems = frozenset(word.stem for word in words)
    return Reading(
        text=joined,
        words=words,
        numbers=tuple(_numbers(joined)),
        names=(*find_symbols(joined), *find_references(joined)),
        stems=stems,
        statuses=frozenset(STATUS_OF[stem] for stem in stems if stem in STATUS_OF),
        bounds=BOUNDS.intersection(pieces),
        turns=tuple(modifier for piece in pieces if (modifier := _modifier(piece)) is not None),
    )


def split_statements(text: str) -> tuple[str, ...]:
    """The sentences and lines of a quote, and what stands against each other in one ("…, so …")."""
    return tuple(part for part in _STATEMENT_END.split(text) if any(map(str.isalnum, part)))


def _pieces(text: str) -> tuple[str, ...]:
    """Words and marks, with one word for each way of saying "not", "most" and "instead of"."""
    plain = _UP_TO.sub("most", _NO_LONGER.sub(NOT, text))
    plain = _INSTEAD.sub(lambda found: "instead of" if found[1] else " ", plain)
    return tuple(piece.casefold().replace("’", "'") for piece in _PIECE.findall(plain))


def _words(pieces: Sequence[str]) -> Iterator[Word]:
    for place, piece in enumerate(pieces):
        if _is_telling(piece):
            yield Word((split_tokens(piece) or (piece,))[0], _reaching(pieces, place))


def _is_telling(piece: str) -> bool:
    silent = (
        piece in FUNCTION_WORDS or piece in BOUNDS or (_modifier(piece) is not None and piece not in TELLING_NEGATORS)
    )
    return piece[0].isalpha() and not silent


def _modifier(piece: str) -> str | None:
    if piece == "instead":
        return piece
    if piece in NEGATORS or piece.endswith("n't"):
        return NOT
    return MAY if piece in HEDGES else None


def _reaching(pieces: Sequence[str], place: int) -> frozenset[str]:
    """What may turn the word at `place`: read backwards, and one word forwards for what follows it."""
    reached: set[str] = set()
    between = 0
    for piece in reversed(pieces[:place]):
        if piece in _STOPS or between >= _REACH:
            break
        reached.update(filter(None, (_modifier(piece),)))
        between += _is_telling(piece) and not piece.endswith("ly")
    for piece in pieces[place + 1 :]:
        if piece in _STOPS or _is_telling(piece):
            break
        if piece in TWO_SIDED_HEDGES:
            reached.add(MAY)
    return frozenset(reached)


def _numbers(text: str) -> Iterator[Number]:
    for found in _NUMBER.finditer(text):
        written = found[0].rstrip(".:/-+")
        unit = _UNIT.match(text, found.start() + len(written))
        bare = re.fullmatch(r"([\d.]+)(%|x|[kmgt]i?b|[mnµu]?s)", written, re.IGNORECASE)
        number, measure = (bare[1], bare[2]) if bare else (written, unit["unit"] if unit else "")
        before = _BEFORE_NUMBER.findall(_UP_TO.sub("most", text[max(0, found.start() - _NEAR) : found.start()]))
        last = before[-1].casefold() if before else ""
        yield Number(_bare_version(number), _unit_name(measure), _bound(before), last if last.isalpha() else "")


def _bare_version(text: str) -> str:
    return text[1:] if re.fullmatch(r"[vV]\d+(?:\.\d+)+.*", text) else text


def _unit_name(unit: str) -> str:
    folded = unit.casefold()
    return _SAME_UNITS.get(folded, folded if len(folded) < 3 else folded.removesuffix("s"))


def _bound(before: Sequence[str]) -> str:
    """The word that bounds a number, of those which stand before it; "version" and names may stand between them."""
    for word in before[:-4:-1]:
        if word.casefold() in BOUNDS:
            return word.casefold()
        if not (word.casefold() in _BOUND_FILLERS or word[0].isupper()):
            break
    return ""
