"""Whether quotes say what a sentence says: decided by words, numbers and names, never by a model.

A sentence is supported when nothing in it is new: each telling word, number and name of code stands in the quotes (or
in the heading, product, release and date they stand under), turned by the same "not" or "may", bounded by the same
"before" or "up to", and when it keeps what the statement it rests on makes of them (`quoted`). It is
stricter than a reader would be, because a sentence that is dropped costs little.

What it can't see: a sentence that exchanges which of two plain words does something to the other.
"""

import re
import unicodedata
from collections.abc import Sequence

from corpus.plain_words import readable
from corpus.versions import Version
from retrieval.model import Citation
from retrieval.verification.quoted import Quoted, keeps_order, keeps_status, keeps_turns, keys_of, read_quotes
from retrieval.verification.reading import Number, Reading, Word, read_text
from retrieval.verification.status_words import (
    DEPRECATED,
    FREE_BOUNDS,
    GONE,
    INSTEAD,
    MODIFIERS,
    NEUTRAL,
    NOT,
    REQUIRING,
    stand_ins,
)

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,;:'\"()-/%+&#@_‘’“”–—…`*")
"""Characters that any sentence may hold; others (`<`, `!=`, zero-width ones, letters that look like others) only where
the quotes hold them."""
_NEVER_SAID = re.compile(
    r"\]\(|!\[|\]\[|\]:|\?\s*\Z|//[^\s)>\]]|\bwww\.\S|\b(?:javascript|data|mailto):\S", re.IGNORECASE
)
"""Links and questions. Where to read on is what citations tell; an address may have been planted to be followed."""
_LEAST_TOLD = 2
_SAME_BOUNDS = {"": ("", "to"), "to": ("to", ""), "from": ("from", ""), "through": ("through", "to")}
"""Which bounds of a quote's number a sentence's may stand for: "is now 5" for "raised to 5", never for "from 5"."""
_BEFORE_RELEASE = frozenset("in of since from for with version release as v".split())


def is_supported(text: str, citations: Sequence[Citation]) -> bool:
    """Whether the quotes of `citations` together say all that `text` says; without citations they don't."""
    if not citations or _NEVER_SAID.search(text):
        return False
    quoted = read_quotes(citations)
    claim = read_text(readable(text))
    return (
        _says_something(claim, quoted)
        and _has_known_characters(text, quoted)
        and all(_is_known(word, quoted) for word in claim.words)
        and all(_is_turned_alike(word, modifier, claim, quoted) for word in claim.words for modifier in MODIFIERS)
        and claim.bounds - FREE_BOUNDS <= frozenset(bound for quote in quoted.quotes for bound in quote.bounds)
        and all(_holds_number(number, claim, quoted) for number in claim.numbers)
        and all(_holds_name(name, quoted) for name in claim.names)
        and keeps_status(claim, quoted)
        and keeps_turns(claim, quoted)
        and keeps_order(claim, quoted)
    )


def bears_verdict(verdict: bool, text: str) -> bool:
    """Whether a statement can be the reason for a yes or a no: what went, isn't so or needs more is one for no, what is
    there one for yes, though it may be deprecated."""
    reading = read_text(readable(text))
    ends = NOT in reading.turns or not reading.statuses.isdisjoint(GONE)
    if verdict:
        return not ends or DEPRECATED in reading.statuses
    return ends or not REQUIRING.isdisjoint(reading.stems)


def _says_something(claim: Reading, quoted: Quoted) -> bool:
    """Whether it says more of the quotes than which product and release they are about."""
    told = {word.stem for quote in quoted.quotes for word in quote.words if word.stem in claim.stems - NEUTRAL}
    told |= {number.text for quote in quoted.quotes for number in quote.numbers if number in claim.numbers}
    return len(told) >= _LEAST_TOLD


def _has_known_characters(text: str, quoted: Quoted) -> bool:
    known = _PLAIN.union(*(reading.text for reading in quoted.readings))
    return known.issuperset(unicodedata.normalize("NFC", text))


def _is_known(word: Word, quoted: Quoted) -> bool:
    same = stand_ins(word.stem)
    return word.stem in NEUTRAL or any(not same.isdisjoint(reading.stems) for reading in quoted.readings)


def _is_turned_alike(word: Word, modifier: str, claim: Reading, quoted: Quoted) -> bool:
    """Whether the quotes have the word with and without "not" as the claim has; headings where they alone have it."""
    same = stand_ins(word.stem)
    places = [other for quote in quoted.quotes for other in quote.words if other.stem in same]
    places = places or [other for other in quoted.around.words if other.stem in same]
    if modifier in word.turned and not any(modifier in other.reached for other in places):
        # "Call b instead of a" may be said of "a was removed; call b": the order of names tells.
        return modifier == INSTEAD and len(set(keys_of(claim))) > 1
    return modifier in word.reached or not places or any(modifier not in other.turned for other in places)


def _holds_number(number: Number, claim: Reading, quoted: Quoted) -> bool:
    alike = (
        other
        for quote in quoted.quotes
        for other in quote.numbers
        if other.text == number.text and (not number.unit or other.unit == number.unit)
    )
    if any(other.bound in _SAME_BOUNDS.get(number.bound, (number.bound,)) for other in alike):
        return True
    if number.unit or number.bound not in ("", "since", "from"):
        return False
    version = Version.try_parse(number.text)
    if version is None or version not in quoted.releases:
        return _stands_in(number.text, quoted.around.text)
    # The release that the quotes stand under, in a place where a release is named, and not put for another one there.
    is_named = not number.before or number.before in _BEFORE_RELEASE or number.before in quoted.products
    claimed = {other.text for other in claim.numbers}
    rivals = (other for other in quoted.closest(claim).numbers if other.before == number.before and not other.unit)
    return is_named and all(other.text in claimed for other in rivals)


def _holds_name(name: str, quoted: Quoted) -> bool:
    return any(name in reading.names or _stands_in(name, reading.text) for reading in quoted.readings)


def _stands_in(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|[.:/]\w)", text) is not None
