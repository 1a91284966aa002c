"""What a follow-up question leans on: the earlier question with the new value in place, or the two joined.

"Which Python version did pytest 9.0 drop?" and then "and 8.4?" is the first question about another version, so the
version is put in its place. "What replaces it?" is a new question about the earlier subject, so both are searched.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise

from corpus.lexicon import content_words
from retrieval.name_words import PLATFORMS
from retrieval.question_subject import Owner
from retrieval.question_tokens import Token, TokenKind, replace_ranges

_LEAD_IN = frozenset("and or but also then so ok okay what how about of the same for is it".split())
"""What a fragment may begin with ("ok, and what about 8.4?")."""
_PLACES = frozenset("on in for with under using at by of".split())
_RANGE_WORDS = frozenset("to -> => → - through thru".split())
_RELEASE_WORDS = frozenset("version versions release releases series latest newest".split())
_BETWEEN_VALUES = _PLACES | _RANGE_WORDS | _RELEASE_WORDS | frozenset("the a an from between and or".split())
_STRAIGHT = frozenset(("straight", "directly"))
_MAX_FRAGMENT_VALUES = 16
_MAX_FRAGMENT_WORDS = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """A question with its subject and the owner of each of its versions; `owned` are the subject's, by position."""

    text: str
    tokens: tuple[Token, ...]
    subjects: tuple[str, ...]
    owners: tuple[Owner | None, ...]
    owned: tuple[int, ...]


def splice_fragment(earlier: Reading, new: Reading) -> str | None:
    """The earlier question with the values of the new one in place of its own; None where the new one says more
    than values ("and 8.4?", "what about on Windows?", "and Python 3.8?" are mere values)."""
    said = [i for i, token in enumerate(new.tokens) if token.kind is not TokenKind.MARK]
    values = list(dropwhile(lambda i: new.tokens[i].word in _LEAD_IN, said))
    if len(values) > _MAX_FRAGMENT_VALUES:
        return None
    words = [i for i in values if new.tokens[i].kind is TokenKind.WORD]
    named = [i for i in words if _is_name(new.tokens[i]) or _names_a_version(new, i)]
    loose = [i for i in words if i not in named and new.tokens[i].word not in _BETWEEN_VALUES]
    is_mere_values = len(values) > len(words) or bool(named)
    if not is_mere_values or loose or len(named) > _MAX_FRAGMENT_WORDS or len(values) == len(said) > 2:
        return None
    edits: list[tuple[int, int, str]] = []
    added: list[str] = []
    versions = [i for i in values if new.tokens[i].kind is TokenKind.VERSION]
    if versions:
        written = new.text[new.tokens[versions[0]].start : new.tokens[versions[-1]].end]
        places = _version_places(earlier, new, versions)
        if places:
            edits.append((places[0].start, places[-1].end, written))
        else:
            owner = new.owners[versions[0]]
            added.append(f"{owner.name} {written}" if owner else f"in {written}")
    for i in values:
        token = new.tokens[i]
        if token.kind is TokenKind.VERSION or (token.kind is TokenKind.WORD and i not in named):
            continue
        if _names_a_version(new, i) and not _is_other_product(earlier, token):
            continue
        places = [
            place
            for place in _name_places(earlier, new, i)
            if not any(start <= place.start < end for start, end, _ in edits)
        ]
        if places:
            edits.extend((place.start, place.end, "") for place in places[1:])
            edits.append((places[0].start, places[0].end, token.text))
        elif token.word not in {other.word for other in earlier.tokens}:
            added.append(_with_preposition(new, i))
    return _apply(earlier.text, edits, added)


def _is_other_product(earlier: Reading, token: Token) -> bool:
    return token.kind is TokenKind.PRODUCT and token.product not in {other.product for other in earlier.tokens}


def _is_name(token: Token) -> bool:
    is_proper = token.text[0].isupper() and len(token.text) > 1
    return token.kind is TokenKind.WORD and (is_proper or token.word in PLATFORMS)


def _names_a_version(reading: Reading, i: int) -> bool:
    following = reading.owners[i + 1] if i + 1 < len(reading.owners) else None
    return following is not None and following.name == reading.tokens[i].word


def _version_places(earlier: Reading, new: Reading, versions: Sequence[int]) -> list[Token]:
    """The versions that new ones replace: of the same foreign name, else of the earlier subject, else any."""
    owner = new.owners[versions[0]]
    found = [k for k, token in enumerate(earlier.tokens) if token.version]
    if owner:
        same = [earlier.tokens[k] for k in found if (other := earlier.owners[k]) and _is_same(other, owner)]
        same = same or [
            number
            for name, number in pairwise(earlier.tokens)
            if name.word == owner.name and number.kind is TokenKind.WORD and number.word.isdecimal()
        ]
        if same or not owner.product or versions[0] not in new.owned:
            return same
    elif (earlier.owned or not found) and (foreign := _nearer_foreign_number(earlier, new, versions[0])) is not None:
        return [earlier.tokens[foreign]]
    listed = list(earlier.owned or (() if owner else found))
    first = max(len(listed) - 1, 0)
    while first and all(map(_joins_values, earlier.tokens[listed[first - 1] + 1 : listed[first]])):
        first -= 1
    places = [earlier.tokens[k] for k in listed[first:]]
    between = earlier.text[places[0].end : places[-1].start].strip() if len(places) == 2 else ""
    return places[1:] if len(versions) == 1 and between in _RANGE_WORDS else places


def replaces_foreign_version(earlier: Reading, new: Reading) -> bool:
    """Whether the first version of the new question stands for one that the earlier question gave to another name
    than its subject: "does 2.9 drop Python 3.9?", "and is 3.14 in?"."""
    if not new.owned:
        return False
    is_placed = new.owned[0] > 0 and new.tokens[new.owned[0] - 1].word in _PLACES
    if is_placed and not earlier.owned:
        return False
    return _nearer_foreign_number(earlier, new, new.owned[0]) is not None


def _joins_values(token: Token) -> bool:
    return token.kind in (TokenKind.MARK, TokenKind.PRODUCT) or token.word in _BETWEEN_VALUES | _STRAIGHT


def _nearer_foreign_number(earlier: Reading, new: Reading, i: int) -> int | None:
    """The place of the earlier number of another name that a bare new version resembles most, where it resembles
    none of the subject's as much: releases of one product are near each other in their first component."""
    version = new.tokens[i].version
    if version is None or new.owners[i] is not None:
        return None
    distance = {
        k: abs(number - version.release[0])
        for k in range(len(earlier.tokens))
        if (number := _first_component(earlier, k)) is not None
    }
    own = frozenset(earlier.owned)
    foreign = [k for k in distance if k not in own]
    nearest = min(foreign, key=lambda k: distance[k], default=None)
    if nearest is None or any(distance[k] <= distance[nearest] for k in earlier.owned):
        return None
    return nearest


def _first_component(reading: Reading, k: int) -> int | None:
    """The first component of a version, or a number right after a name ("CUDA 13"); None for other tokens."""
    token = reading.tokens[k]
    if token.version:
        return token.version.release[0]
    is_short = token.word.isdecimal() and len(token.word) < 5
    return int(token.word) if is_short and k and _is_name(reading.tokens[k - 1]) else None


def _is_same(one: Owner, other: Owner) -> bool:
    return one.product == other.product if one.product or other.product else one.name == other.name


def _name_places(earlier: Reading, new: Reading, i: int) -> list[Token]:
    """What a new name replaces: the earlier subject, the only code name, the name after the same preposition, or
    the only name."""
    token = new.tokens[i]
    if token.kind is TokenKind.PRODUCT:
        leaving = frozenset(() if new.owned else earlier.owned)
        return [
            other
            for k, other in enumerate(earlier.tokens)
            if (other.product and other.product in earlier.subjects) or k in leaving
        ]
    if token.kind is TokenKind.SYMBOL:
        symbols = [other for other in earlier.tokens if other.kind is TokenKind.SYMBOL]
        if symbols or not token.text.isalnum():
            return symbols if len(symbols) == 1 else []
    preposition = new.tokens[i - 1].word if i else ""
    names = [k for k, other in enumerate(earlier.tokens) if k and (_is_name(other) or other.kind is TokenKind.SYMBOL)]
    if preposition in _PLACES:
        return [earlier.tokens[k] for k in names if earlier.tokens[k - 1].word == preposition][:1]
    lone = [earlier.tokens[k] for k in names if not _names_a_version(earlier, k)]
    return lone if len(lone) == 1 else []


def _with_preposition(new: Reading, i: int) -> str:
    before = new.tokens[i - 1] if i else None
    return f"{before.text} {new.tokens[i].text}" if before and before.word in _PLACES else new.tokens[i].text


def _apply(text: str, edits: Sequence[tuple[int, int, str]], added: Sequence[str]) -> str:
    stem = " ".join(replace_ranges(text, edits).split()).rstrip(" ?.!")
    return " ".join((stem, *added)) + "?"


def join_questions(earlier: Reading, new: Reading, *, replaces_version: bool) -> str:
    """The content words of the earlier question, its own versions left out where the new one asks for others, and
    the new question."""
    dropped = [earlier.tokens[i] for i in earlier.owned] if replaces_version else []
    text = replace_ranges(earlier.text, [(token.start, token.end, "") for token in dropped])
    return " ".join((*content_words(text), new.text))
