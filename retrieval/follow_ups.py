"""What a follow-up question leans on: the earlier question with the new value in place, or the two joined.

"Which Python version did pytest 9.0 drop?" and then "and 8.4?" is the first question about another version, so the
version is put in its place. "What replaces it?" is a new question about the earlier subject, so both are searched.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpus.lexicon import content_words
from retrieval.question_subject import Owner
from retrieval.question_tokens import Token, TokenKind

_LEAD_IN = re.compile(
    r"\s*(?:(?:and|or|but|also|then|so|ok|okay|what about|how about|what of|same for|the same for|is it the same for)\b"
    r"[\s,]*)+",
    re.IGNORECASE,
)
_PLACES = frozenset("on in for with under using at by of".split())
_RANGE_WORDS = frozenset("to -> => → - through thru".split())
_POINTING = frozenset("it its they them their these those same ones itself".split())
_POINTING_ALONE = frozenset("that this there".split())
_RELEASE_WORDS = frozenset("version versions release releases series latest newest".split())
_BETWEEN_VALUES = _PLACES | _RANGE_WORDS | _RELEASE_WORDS | frozenset("the a an from between and or".split())
_MAX_FRAGMENT_WORDS = 3
_MAX_ELLIPTIC_WORDS = 2


@dataclass(frozen=True, slots=True)
class Reading:
    """A question with its subject and the owner of each of its versions; `owned` are the subject's, by position."""

    text: str
    tokens: tuple[Token, ...]
    subjects: tuple[str, ...]
    owners: tuple[Owner | None, ...]
    owned: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Edit:
    start: int
    end: int
    text: str


def splice_fragment(earlier: Reading, new: Reading) -> str | None:
    """The earlier question with the values of the new one in place of its own; None where the new one says more
    than values ("and 8.4?", "what about on Windows?", "and Python 3.8?" are mere values)."""
    lead_in = _LEAD_IN.match(new.text)
    start = lead_in.end() if lead_in else 0
    values = [i for i, token in enumerate(new.tokens) if token.start >= start and token.kind is not TokenKind.MARK]
    words = [i for i in values if new.tokens[i].kind is TokenKind.WORD]
    named = [i for i in words if _is_name(new.tokens[i]) or _names_a_version(new, i)]
    loose = [i for i in words if i not in named and new.tokens[i].word not in _BETWEEN_VALUES]
    is_mere_values = len(values) > len(words) or bool(named)
    if not is_mere_values or loose or len(named) > _MAX_FRAGMENT_WORDS or not (lead_in or len(values) <= 2):
        return None
    edits: list[_Edit] = []
    added: list[str] = []
    versions = [i for i in values if new.tokens[i].kind is TokenKind.VERSION]
    if versions:
        written = new.text[new.tokens[versions[0]].start : new.tokens[versions[-1]].end]
        places = _version_places(earlier, new, versions)
        if places:
            edits.append(_Edit(places[0].start, places[-1].end, written))
        else:
            owner = new.owners[versions[0]]
            added.append(f"{owner.name} {written}" if owner else f"in {written}")
    for i in values:
        token = new.tokens[i]
        if token.kind is TokenKind.VERSION or (token.kind is TokenKind.WORD and i not in named):
            continue
        if _names_a_version(new, i) and not _is_other_product(earlier, token):
            continue
        places = _name_places(earlier, new, i)
        if places:
            edits.extend(_Edit(place.start, place.end, "") for place in places[1:])
            edits.append(_Edit(places[0].start, places[0].end, token.text))
        elif token.word not in {other.word for other in earlier.tokens}:
            added.append(_with_preposition(new, i))
    return _apply(earlier.text, edits, added)


def _is_other_product(earlier: Reading, token: Token) -> bool:
    return token.kind is TokenKind.PRODUCT and token.product not in {other.product for other in earlier.tokens}


def _is_name(token: Token) -> bool:
    return token.kind is TokenKind.WORD and token.text[0].isupper() and len(token.text) > 1


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
    places = [earlier.tokens[k] for k in (earlier.owned or (() if owner else found))]
    between = earlier.text[places[0].end : places[-1].start].strip() if len(places) == 2 else ""
    return places[1:] if len(versions) == 1 and between in _RANGE_WORDS else places


def _is_same(one: Owner, other: Owner) -> bool:
    return one.product == other.product if one.product or other.product else one.name == other.name


def _name_places(earlier: Reading, new: Reading, i: int) -> list[Token]:
    """What a new name replaces: the earlier subject, the only code name, the name after the same preposition, or
    the only name."""
    token = new.tokens[i]
    if token.kind is TokenKind.PRODUCT:
        leaving = () if new.owned else earlier.owned
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


def _apply(text: str, edits: Sequence[_Edit], added: Sequence[str]) -> str:
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    stem = re.sub(r"[\s?.!]+$", "", re.sub(r"\s+", " ", text))
    return " ".join((stem, *added)) + "?"


def leans_on_earlier(new: Reading) -> bool:
    """Whether a question can't be understood without the one before: "what replaces it?", "since when?"."""
    if _LEAD_IN.match(new.text):
        return True
    for i, token in enumerate(new.tokens):
        following = new.tokens[i + 1] if i + 1 < len(new.tokens) else None
        is_alone = following is None or following.kind is TokenKind.MARK
        if token.word in _POINTING or (token.word in _POINTING_ALONE and is_alone):
            return True
    says_something = any(token.kind in (TokenKind.PRODUCT, TokenKind.SYMBOL) for token in new.tokens)
    words = [word for word in content_words(new.text) if word.lower() not in _RELEASE_WORDS]
    return not says_something and len(words) <= _MAX_ELLIPTIC_WORDS


def join_questions(earlier: Reading, new: Reading, *, replaces_version: bool) -> str:
    """The content words of the earlier question, its own versions left out where the new one asks for others, and
    the new question."""
    text = earlier.text
    for i in sorted(earlier.owned, reverse=True) if replaces_version else ():
        text = text[: earlier.tokens[i].start] + text[earlier.tokens[i].end :]
    return " ".join((*content_words(text), new.text))
