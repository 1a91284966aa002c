"""Whether quotes say what a sentence says: decided by words, numbers and names, never by a model.

A sentence is supported when nothing in it is new: each telling word, number and name of code stands in the quotes (or
in the heading, product, release and date they stand under), turned by the same "not" or "may", bounded by the same
"before" or "up to", in the same order, and when it doesn't leave out that the quote removes, deprecates or fixes what
it speaks of. It is stricter than a reader would be, because a sentence that is dropped costs little.

What it can't see: a sentence that exchanges which of two plain words does something to the other.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.plain_words import one_line, readable
from corpus.versions import Version
from retrieval.llm.reading import Number, Reading, Word, read_text, split_statements
from retrieval.llm.status_words import (
    INSTEAD,
    KEPT_FROM_HEADING,
    MODIFIERS,
    MUST_BE_KEPT,
    NEUTRAL,
    SAME_WORDS,
    STATUS_OF,
)
from retrieval.model import Citation

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,;:'\"()-/%+&#@_‘’“”–—…`*")
"""Characters that any sentence may hold; others (`<`, `!=`, zero-width ones, letters that look like others) only where
the quotes hold them."""
_LINK = re.compile(r"\]\(|!\[|\]\[|\]:")
# Where to read on is what citations tell; an address in a sentence may have been planted to be followed.
_ADDRESS = re.compile(
    r"(?:\b[a-z][a-z0-9+.-]*:)?//[^\s)>\]]+|\bwww\.\S+|\b(?:javascript|data|mailto):\S+", re.IGNORECASE
)
_WRAP = re.compile(r"\r?\n(?!\s*(?:\n|[-*+•#|>]\s|\d{1,3}[.)]\s|```|\|))")
_NEW_FIRST = re.compile(r"\b(?:instead of|rather than|replaces|replacing)\b", re.IGNORECASE)
_LEAST_TOLD = 2
_SAME_BOUNDS = {"": ("", "to"), "to": ("to", ""), "from": ("from", ""), "through": ("through", "to")}
"""Which bounds of a quote's number a sentence's may stand for: "is now 5" for "raised to 5", never for "from 5"."""
_QUESTION = re.compile(r"\?\s*\Z")


@dataclass(frozen=True, slots=True)
class _Evidence:
    """The quotes a clause cites, and what they stand under."""

    quotes: tuple[Reading, ...]
    around: Reading
    """Product, release, heading and date, as one text."""
    last_headings: tuple[Reading, ...]
    releases: tuple[Version, ...]

    @property
    def readings(self) -> tuple[Reading, ...]:
        return (*self.quotes, self.around)


def is_supported(text: str, citations: Sequence[Citation]) -> bool:
    """Whether the quotes of `citations` together say all that `text` says; without citations they don't."""
    if not citations or any(never.search(text) for never in (_QUESTION, _LINK, _ADDRESS)):
        return False
    evidence = _gather(citations)
    claim = read_text(readable(text))
    return (
        _says_something(claim, evidence)
        and _has_known_characters(text, evidence)
        and all(_is_known(word, evidence) for word in claim.words)
        and all(_is_turned_alike(word, modifier, claim, evidence) for word in claim.words for modifier in MODIFIERS)
        and all(_holds_number(number, evidence) for number in claim.numbers)
        and all(_holds_name(name, evidence) for name in claim.names)
        and _keeps_status(claim, evidence)
        and all(_keeps_order(claim, quote) for quote in evidence.quotes)
    )


def _gather(citations: Sequence[Citation]) -> _Evidence:
    around = " ; ".join(
        part
        for one in citations
        for part in (
            one.product,
            one.version or "",
            *map(one_line, one.heading),
            one.date.isoformat() if one.date else "",
        )
    )
    return _Evidence(
        quotes=tuple(read_text(_unwrap(one.quote)) for one in citations),
        around=read_text(around),
        last_headings=tuple(read_text(one_line(one.heading[-1])) for one in citations if one.heading),
        releases=tuple(v for one in citations if one.version and (v := Version.try_parse(one.version)) is not None),
    )


def _unwrap(quote: str) -> str:
    """A quote without markup, a line for each paragraph and list entry."""
    return "\n".join(map(one_line, _WRAP.sub(" ", quote).splitlines()))


def _says_something(claim: Reading, evidence: _Evidence) -> bool:
    """Whether it says more of the quotes than which product and release they are about."""
    stems = {word.stem for word in claim.words if word.stem not in NEUTRAL}
    told = {word.stem for quote in evidence.quotes for word in quote.words if word.stem in stems}
    told |= {number.text for quote in evidence.quotes for number in quote.numbers if number in claim.numbers}
    return len(told) >= _LEAST_TOLD


def _has_known_characters(text: str, evidence: _Evidence) -> bool:
    known = _PLAIN.union(*(reading.text for reading in evidence.readings))
    return known.issuperset(unicodedata.normalize("NFC", text))


def _is_known(word: Word, evidence: _Evidence) -> bool:
    if word.stem in NEUTRAL:
        return True
    same = _stand_ins(word.stem)
    return any(other.stem in same for reading in evidence.readings for other in reading.words)


def _stand_ins(stem: str) -> frozenset[str]:
    status = STATUS_OF.get(stem)
    if status:
        return frozenset(other for other, its in STATUS_OF.items() if its == status)
    return next((group for group in SAME_WORDS if stem in group), frozenset((stem,)))


def _is_turned_alike(word: Word, modifier: str, claim: Reading, evidence: _Evidence) -> bool:
    """Whether the quotes have the word with and without "not" as the claim has; headings where they alone have it."""
    same = _stand_ins(word.stem)
    places = [other for quote in evidence.quotes for other in quote.words if other.stem in same]
    places = places or [other for other in evidence.around.words if other.stem in same]
    if modifier in word.turned and not any(modifier in other.reached for other in places):
        # "Call b instead of a" may be said of "a was removed; call b": the order of names tells.
        return modifier == INSTEAD and len(set(_keys(claim))) > 1
    return modifier in word.reached or not places or any(modifier not in other.turned for other in places)


def _holds_number(number: Number, evidence: _Evidence) -> bool:
    version = Version.try_parse(number.text)
    if (
        not number.unit
        and number.bound in ("", "since", "from")
        and version is not None
        and version in evidence.releases
    ):
        return True
    if number.bound in ("", "since") and _stands_in(number.text, evidence.around.text):
        return True
    alike = (
        other
        for quote in evidence.quotes
        for other in quote.numbers
        if other.text == number.text and (not number.unit or other.unit == number.unit)
    )
    return any(other.bound in _SAME_BOUNDS.get(number.bound, (number.bound,)) for other in alike)


def _holds_name(name: str, evidence: _Evidence) -> bool:
    return any(name in reading.names or _stands_in(name, reading.text) for reading in evidence.readings)


def _stands_in(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|[.:/]\w)", text) is not None


def _keeps_status(claim: Reading, evidence: _Evidence) -> bool:
    """Whether the claim tells of a removal, deprecation, fix or taking back what the quotes tell of the same things."""
    stems = {word.stem for word in claim.words}
    statements = [read_text(part) for quote in evidence.quotes for part in split_statements(quote.text)]
    closest = max(statements, key=lambda one: len(stems & {word.stem for word in one.words}), default=None)
    if closest is None or not all(_is_of_same_things(status, claim, statements) for status in claim.statuses):
        return False
    needed = closest.statuses & MUST_BE_KEPT
    if not any(statement.statuses for statement in statements):
        needed = frozenset().union(*(heading.statuses for heading in evidence.last_headings)) & KEPT_FROM_HEADING
    return not needed or bool(needed & claim.statuses) or claim.is_negated or "instead" in claim.text.casefold().split()


def _is_of_same_things(status: str, claim: Reading, statements: Sequence[Reading]) -> bool:
    """Whether a statement of this status names what the claim names; so does one that names nothing."""
    its = [frozenset(_keys(one)) for one in statements if status in one.statuses]
    named = frozenset(_keys(claim)) & frozenset(key for one in statements for key in _keys(one))
    return not its or not named or any(not keys or keys & named for keys in its)


def _keeps_order(claim: Reading, quote: Reading) -> bool:
    """Whether numbers and names of code follow each other as in the quote: "from 5 to 10" isn't "from 10 to 5"."""
    known = _keys(quote)
    remaining = iter(known)
    return all(key in remaining for key in dict.fromkeys(_keys(claim)) if key in known)


def _keys(reading: Reading) -> tuple[str, ...]:
    """Numbers and names in order of place; of "new instead of old" the old one first."""
    named = sorted({*(number.text for number in reading.numbers), *reading.names}, key=len, reverse=True)
    if not named:
        return ()
    found = list(re.finditer("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in named), reading.text))
    keys = [one[0] for one in found]
    for phrase in _NEW_FIRST.finditer(reading.text):
        after = sum(one.start() < phrase.start() for one in found)
        if 0 < after < len(keys):
            keys[after - 1], keys[after] = keys[after], keys[after - 1]
    return tuple(keys)
