"""What a follow-up question leans on: the words of the question before, without what the new one puts in their place.

"Which Python version did pytest 9.0 drop?" and then "and 8.4?" asks the same of another version; "what replaces it?"
asks something else of the same subject. Both are searched with the words of both; only the first asks as before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile

from corpus.everyday_words import PLATFORMS
from corpus.lexicon import STOP_WORDS
from retrieval.question.tokens import Token, TokenKind, replace_ranges

_LEAD_IN = frozenset("and or but also then so ok okay what how about of the same for it just only".split())
"""What a fragment may begin with ("ok, and what about 8.4?")."""
_AROUND_NAMES = frozenset(
    "on in for with under using at by of from to between the a an and or one ones both thru".split()
)
_MAX_FRAGMENT_WORDS = 3


@dataclass(frozen=True, slots=True)
class OwnedQuestion:
    """A question with its versions; `owned` are its subject's, by position."""

    text: str
    tokens: tuple[Token, ...]
    owned: tuple[int, ...]


def names_only_values(reading: OwnedQuestion) -> bool:
    """Return whether a question says nothing but versions, products and code ("and from 2.9 to 2.12?")."""
    rest = _without_lead_in(reading)
    return any(token.kind is not TokenKind.WORD for token in rest) and not _words(rest)


def names_only_something(reading: OwnedQuestion) -> bool:
    """Return whether a question goes on from the one before with nothing but a name ("and the interactive one?")."""
    rest = _without_lead_in(reading)
    words = _words(rest)
    is_going_on = len(rest) < sum(token.kind is not TokenKind.MARK for token in reading.tokens)
    return is_going_on and 0 < len(words) <= _MAX_FRAGMENT_WORDS and STOP_WORDS.isdisjoint(words)


def _without_lead_in(reading: OwnedQuestion) -> Sequence[Token]:
    words = (token for token in reading.tokens if token.kind is not TokenKind.MARK)
    return list(dropwhile(lambda token: token.word in _LEAD_IN, words))


def _words(tokens: Sequence[Token]) -> list[str]:
    return [token.word for token in tokens if token.kind is TokenKind.WORD and token.word not in _AROUND_NAMES]


def replaced_versions(earlier: OwnedQuestion, new: OwnedQuestion) -> tuple[int, ...]:
    """Return the places of the earlier versions that the new question's stand for: those that it resembles most.
    Releases of one product are near each other in their first component, so "does 2.9 drop Python 3.9?", "and 3.14?"
    asks about Python."""
    version, own = next((token.version for token in new.tokens if token.version), None), earlier.owned
    if version is None:
        return ()
    numbers = {k: number for k in range(len(earlier.tokens)) if (number := _first_component(earlier, k)) is not None}
    distance = {k: abs(number - version.release[0]) for k, number in numbers.items()}
    nearest = min(distance, key=lambda k: (distance[k], k not in own), default=None)
    return own if nearest is None or nearest in own else (nearest,)


def _first_component(reading: OwnedQuestion, k: int) -> int | None:
    """Return the first component of a version, or a number right after a name ("CUDA 13"); None for other tokens."""
    token = reading.tokens[k]
    if token.version:
        return token.version.release[0]
    if not (token.word.isdecimal() and len(token.word) < 5 and k):
        return None
    before = reading.tokens[k - 1]
    is_proper = (before.text[0].isupper() and len(before.text) > 1) or before.word in PLATFORMS
    return int(token.word) if is_proper and before.kind in (TokenKind.WORD, TokenKind.SYMBOL) else None


def put_in_place(earlier: OwnedQuestion, new: str, values: Sequence[Token], places: Sequence[int]) -> str:
    """Put the `values` of `new` in place of what `places` of the earlier question span, one or more of each."""
    written = new[values[0].start : values[-1].end]
    start, end = earlier.tokens[places[0]].start, earlier.tokens[places[-1]].end
    return " ".join(replace_ranges(earlier.text, [(start, end, written)]).split())


def join_questions(earlier: OwnedQuestion, new: OwnedQuestion, *, without: Sequence[int], is_whole: bool) -> str:
    """Join the earlier question without the tokens at `without`, whole or without the words that questions are made of,
    and the new one."""
    idle = frozenset() if is_whole else STOP_WORDS
    around = [earlier.text[max(0, one.start - 1) : one.end + 1] for one in earlier.tokens]
    # "on" of "x-on" and of "on:click" is part of a name.
    is_idle = [one.word in idle and {*"-:"}.isdisjoint(near) for one, near in zip(earlier.tokens, around, strict=True)]
    dropped = [one for n, one in enumerate(earlier.tokens) if n in without or is_idle[n]]
    text = replace_ranges(earlier.text, [(one.start, one.end, "") for one in dropped])
    return " ".join((*text.rstrip(" ?.!").split(), new.text))
