"""What a clause cites, read, and whether the clause keeps its statuses, negations and order.

Where the words agree, most falsehoods are still to be told: by leaving out that support was removed, by a second "not",
by exchanging two numbers.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from corpus.plain_words import one_line
from corpus.versions import Version
from retrieval.model import Citation
from retrieval.verification.reading import Reading, read_text, split_statements
from retrieval.verification.status_words import KEPT_FROM_HEADING, MAY, MUST_BE_KEPT, NEUTRAL, NOT, OPPOSITES, STATUS_OF

_WRAP = re.compile(r"\r?\n(?!\s*(?:\n|[-*+•#|>]\s|\d{1,3}[.)]\s|```|\|))")
_NEW_FIRST = re.compile(r"\b(?:instead of|rather than|replaces|replacing)\b", re.IGNORECASE)
_OPENS_WITH_PLACE = re.compile(r"\W*(?:in|with|since|as of|for)\b", re.IGNORECASE)
_TELLING = 2
"""From so many words of its own a heading is about one thing, and the text below it tells the rest."""
_SAME_STATEMENT = 0.8
"""A claim with this share of a statement's words is that statement, and must have all that turns it."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """The quotes of a clause. Headings, product, release and date are said of them, not by them."""

    quotes: tuple[Reading, ...]
    statements: tuple[Reading, ...]
    """The sentences and entries of all quotes."""
    around: Reading
    last_headings: tuple[Reading, ...]
    places: frozenset[str]
    """Products and releases, as written."""
    products: frozenset[str]
    """Their products' words, case-folded."""
    releases: tuple[Version, ...]

    @property
    def readings(self) -> tuple[Reading, ...]:
        return (*self.quotes, self.around)

    def closest(self, claim: Reading) -> Reading:
        """The statement that shares most words with `claim`, the first of several; an empty one without any."""
        return max(self.statements, key=lambda one: len(claim.stems & one.stems), default=read_text(""))


def read_quotes(citations: Sequence[Citation]) -> Quoted:
    """Read the quotes of `citations` without their markup and addresses."""
    quotes = tuple(read_text(_unwrap(one.quote)) for one in citations)
    about = (part for one in citations for part in (one.product, one.version or "", *map(one_line, one.heading)))
    dates = (one.date.isoformat() for one in citations if one.date)
    versions = (Version.try_parse(one.version) for one in citations if one.version)
    return Quoted(
        quotes=quotes,
        statements=tuple(read_text(part) for quote in quotes for part in split_statements(quote.text)),
        around=read_text(" ; ".join((*about, *dates))),
        last_headings=tuple(read_text(one_line(one.heading[-1])) for one in citations if one.heading),
        places=frozenset(part for one in citations for part in (one.product, one.version) if part),
        products=frozenset(word for one in citations for word in re.findall(r"\w+", one.product.casefold())),
        releases=tuple(version for version in versions if version is not None),
    )


def keys_of(reading: Reading, *, known: Iterable[str] = ()) -> tuple[str, ...]:
    """Numbers and names of code in order of place, those of `known` too; of "new instead of old" the old one first."""
    named = {*(number.text for number in reading.numbers), *reading.names, *known}
    if not named:
        return ()
    pattern = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(named, key=lambda one: (-len(one), one)))
    found = list(re.finditer(pattern, reading.text))
    keys = [one[0] for one in found]
    for phrase in _NEW_FIRST.finditer(reading.text):
        after = sum(one.start() < phrase.start() for one in found)
        if 0 < after < len(keys):
            keys[after - 1], keys[after] = keys[after], keys[after - 1]
    return tuple(keys)


def _unwrap(quote: str) -> str:
    """A quote without markup, a line for each paragraph and list entry."""
    return "\n".join(map(one_line, _WRAP.sub(" ", quote).splitlines()))


def keeps_status(claim: Reading, quoted: Quoted) -> bool:
    """Whether the claim tells of a removal, deprecation, fix or taking back what the quotes tell of the same things."""
    told = frozenset(status for statement in quoted.statements for status in statement.statuses)
    if not all(_is_of_same_things(status, claim, quoted) for status in claim.statuses):
        return False
    if not told:
        # An entry may have its status from the section it stands in alone: "Removed", not "Dropped support for 3.7".
        sections = [one for one in quoted.last_headings if len(one.stems - NEUTRAL - STATUS_OF.keys()) < _TELLING]
        needed = frozenset(status for heading in sections for status in heading.statuses)
        return _tells(needed & KEPT_FROM_HEADING, claim)
    closest = quoted.closest(claim)
    if _rests_on(closest, claim, quoted):
        told = closest.statuses or quoted.around.statuses
    return claim.statuses <= told and _tells(closest.statuses & MUST_BE_KEPT, claim)


def keeps_turns(claim: Reading, quoted: Quoted) -> bool:
    """Whether the claim has no "not" of its own, none less than its statement, and no word for the opposite."""
    closest = quoted.closest(claim)
    sources = (closest,) if _rests_on(closest, claim, quoted) else quoted.quotes
    if claim.count(NOT) > sum(source.count(NOT) for source in sources):
        return False
    is_same = len(claim.stems & closest.stems) >= _SAME_STATEMENT * len(closest.stems)
    if is_same and any(claim.count(modifier) < closest.count(modifier) for modifier in (NOT, MAY)):
        return False
    new, missing = claim.stems - closest.stems, closest.stems - claim.stems
    return not any((one in new and other in missing) or (other in new and one in missing) for one, other in OPPOSITES)


def keeps_order(claim: Reading, quoted: Quoted) -> bool:
    """Whether numbers and names of code follow each other as in a quote: "from 5 to 10" isn't "from 10 to 5"."""
    for quote in quoted.quotes:
        known = keys_of(quote)
        keys: Iterable[str] = dict.fromkeys(keys_of(claim, known=known))
        if _OPENS_WITH_PLACE.match(claim.text):
            # "In Lamp 2.0, …" is true of all that stands there, wherever the quote names it.
            keys = dropwhile(quoted.places.__contains__, keys)
        told = tuple(key for key in keys if key in known)
        places = [keys_of(one) for one in quoted.statements if set(told) <= set(keys_of(one))] or [known]
        if not any(_follow(told, place) for place in places):
            return False
    return True


def _follow(told: tuple[str, ...], place: tuple[str, ...]) -> bool:
    remaining = iter(place)
    return all(key in remaining for key in told)


def _rests_on(statement: Reading, claim: Reading, quoted: Quoted) -> bool:
    """Whether the claim, but for what it says has happened, is made of one statement's words."""
    return claim.stems - STATUS_OF.keys() <= statement.stems | quoted.around.stems | NEUTRAL


def _tells(needed: frozenset[str], claim: Reading) -> bool:
    """Whether the claim tells one of `needed`, if there is any, or turns it: "no longer", "instead"."""
    turns = claim.count(NOT) > 0 or "instead" in claim.text.casefold().split()
    return not needed or turns or not needed.isdisjoint(claim.statuses)


def _is_of_same_things(status: str, claim: Reading, quoted: Quoted) -> bool:
    """Whether a statement of this status names what the claim names; so does one that names nothing."""
    its = [frozenset(keys_of(one)) for one in quoted.statements if status in one.statuses]
    named = frozenset(keys_of(claim)) & frozenset(key for one in quoted.statements for key in keys_of(one))
    return not its or not named or any(not keys or keys & named for keys in its)
