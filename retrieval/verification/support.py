"""Whether quotes say what a sentence says: decided by words, numbers and names, never by a model.

A sentence is supported when one statement of the quotes holds all of it, or when its parts are each held by a statement
of their own. A statement holds each telling word, number and name of code (some may stand in the heading, product,
release and date that it stands under) turned by the same "not" or "may", bounded by the same "before" or "up to", in
its order of numbers and names; and what it says has happened is said too. It is stricter than a reader would be,
because a sentence that is dropped costs little.

What it can't see: a sentence that exchanges which of two plain words does something to the other.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise

from corpus.model import Act
from corpus.plain_words import one_line, readable
from corpus.versions import Version
from retrieval.model import Citation
from retrieval.verification.reading import Number, Reading, Word, read_text, split_statements
from retrieval.verification.status_words import (
    FREE_BOUNDS,
    KEPT_FROM_HEADING,
    MAY,
    MUST_BE_KEPT,
    NEUTRAL,
    NOT,
    REQUIRING,
    STATUS_OF,
)

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,;:'\"()-/%+&#@_‘’“”–—…`*")
"""Characters that any sentence may hold; others (`<`, `!=`, zero-width ones, letters that look like others) only where
the quotes hold them."""
_NEVER_SAID = re.compile(
    r"\]\(|!\[|\]\[|\]:|\?\s*\Z|//[^\s)>\]]|\bwww\.\S|\b(?:javascript|data|mailto):\S", re.IGNORECASE
)
"""Links and questions. Where to read on is what citations tell; an address may have been planted to be followed."""
_LEAST_TOLD = 2
_NEARLY_ALL = 0.8
_SAME_BOUNDS = {"": ("", "to"), "to": ("to", ""), "from": ("from", ""), "through": ("through", "to")}
"""Which bounds of a quote's number a sentence's may stand for: "is now 5" for "raised to 5", never for "from 5"."""
_BEFORE_RELEASE = frozenset("in of since from for with version release as v".split())
_WRAP = re.compile(r"\r?\n(?!\s*(?:\n|[-*+•#|>]\s|\d{1,3}[.)]\s|```|\|))")
_NEXT_ENTRY = re.compile(r"\n(?=(?:[-*+•]|\d{1,3}[.)])\s)")
"""Of the outermost list: what stands below an entry belongs to it."""
_NEW_FIRST = re.compile(r"(.+?),?\s+\b(?:instead of|rather than)\s+(.+?)([.!]?)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?;]\s+|\n+")
_CONJUNCTION = re.compile(r",?\s+(?:and|but|so|while|whereas)\s+", re.IGNORECASE)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does?|did|can|could|may|might|will|would|should|must|no longer)\b", re.I
)
"""What a clause has that can stand by itself: of "the one and the other is disabled" only all of it does."""
_OPENS_WITH_PLACE = re.compile(r"\W*(?:in|with|since|as of|for)\b", re.IGNORECASE)
_TELLING = 2
"""From so many words of its own a heading is about one thing, and the text below it tells the rest."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A statement of a quote, with the headings, product, release and date that it stands under."""

    said: Reading
    around: Reading
    statuses: frozenset[Act]
    """What a claim must tell of it: its own, or the section's where no statement of its entry has one ("Removed", not
    "Dropped support for 3.7")."""
    is_told: bool
    """Whether a statement of its entry tells what happened, so that the headings' words for it aren't this one's."""
    citation: Citation


def read_quotes(citations: Sequence[Citation]) -> tuple[Quoted, ...]:
    """The statements of quotes, in order, without markup and addresses."""
    found: list[Quoted] = []
    for citation in citations:
        day = citation.date.isoformat() if citation.date else ""
        around = read_text(
            " ; ".join((citation.product, citation.version or "", *map(one_line, citation.heading), day))
        )
        section = read_text(one_line(" ".join(citation.heading[-1:])))
        is_about_more = len(section.stems - NEUTRAL - STATUS_OF.keys()) >= _TELLING
        for entry in _NEXT_ENTRY.split(citation.quote):
            text = "\n".join(map(one_line, _WRAP.sub(" ", entry).splitlines()))
            statements = tuple(map(read_text, split_statements(text)))
            is_told = any(statement.statuses for statement in statements)
            inherited = frozenset[Act]() if is_told or is_about_more else section.statuses & KEPT_FROM_HEADING
            found += (
                Quoted(said, around, inherited or said.statuses & MUST_BE_KEPT, is_told, citation)
                for said in statements
            )
    return tuple(found)


def is_supported(text: str, citations: Sequence[Citation]) -> bool:
    """Whether the quotes of `citations` together say all that `text` says; without citations they don't."""
    statements = read_quotes(citations)
    known = _PLAIN.union(*(part.text for quoted in statements for part in (quoted.said, quoted.around)))
    if _NEVER_SAID.search(text) or not known.issuperset(unicodedata.normalize("NFC", text)):
        return False
    claim = readable(text)
    return any(_holds(quoted, read_text(claim)) for quoted in statements) or _hold_parts(statements, claim)


def bears_verdict(verdict: bool, text: str) -> bool:
    """Whether a statement can be the reason for a yes or a no: what went, isn't so or needs more is one for no, what is
    there one for yes, though it may be deprecated."""
    reading = read_text(readable(text))
    ends = NOT in reading.turns or not reading.statuses.isdisjoint((Act.REMOVED, Act.REVERTED))
    if verdict:
        return not ends or Act.DEPRECATED in reading.statuses
    return ends or not REQUIRING.isdisjoint(reading.stems)


def _hold_parts(statements: Sequence[Quoted], text: str) -> bool:
    """Whether each part of a claim is held by a statement of its own, in their order: what stands in one must stand
    there together. Of "new instead of old" the old one comes first."""
    exchange = _NEW_FIRST.fullmatch(text)
    whole = f"{exchange[2]} instead; {exchange[1]} instead" if exchange else text
    parts: list[str] = []
    for sentence in _SENTENCE_END.split(whole):
        clauses = _CONJUNCTION.split(sentence)
        parts += clauses if all(map(_FINITE.search, clauses)) else [sentence]
    claims = [read_text(part) for part in parts if any(map(str.isalnum, part))]
    places = [next((n for n, quoted in enumerate(statements) if _holds(quoted, claim)), -1) for claim in claims]
    return len(places) > 1 and places[0] >= 0 and all(before < after for before, after in pairwise(places))


def _holds(quoted: Quoted, claim: Reading) -> bool:
    """Whether a statement says all of a claim, and more of it than which product and release it is about."""
    said = quoted.said
    numbers = {number.text for number in said.numbers if number in claim.numbers}
    return (
        len(said.stems & claim.stems - NEUTRAL) + len(numbers) >= _LEAST_TOLD
        and all(_holds_word(quoted, word) for word in claim.words)
        and claim.turns.count(NOT) <= said.turns.count(NOT)
        and _keeps_turns(said, claim)
        and claim.bounds - FREE_BOUNDS <= said.bounds
        and all(_holds_number(quoted, number, claim) for number in claim.numbers)
        and all(_holds_name(name, said) or _holds_name(name, quoted.around) for name in claim.names)
        and _keeps_status(quoted, claim)
        and _keeps_order(quoted, claim)
    )


def _keeps_turns(said: Reading, claim: Reading) -> bool:
    """Whether a claim that has nearly all words of a statement has each "not" and "may" too: in "does not, in 2.0,
    accept tabs" a comma keeps it from its word."""
    telling = said.stems - NEUTRAL
    is_part = len(telling & claim.stems) < _NEARLY_ALL * len(telling)
    return is_part or all(claim.turns.count(turn) >= said.turns.count(turn) for turn in (NOT, MAY))


def _holds_word(quoted: Quoted, word: Word) -> bool:
    """Whether the word stands there, with the same "not" and "may"; in the headings where they alone have it, for what
    has happened where they alone tell that."""
    alike = [other for other in quoted.said.words if other.meaning == word.meaning]
    if not alike and not (word.stem in STATUS_OF and quoted.is_told):
        alike = [other for other in quoted.around.words if other.meaning == word.meaning]
    return word.stem in NEUTRAL or any(other.reached == word.reached for other in alike)


def _holds_number(quoted: Quoted, number: Number, claim: Reading) -> bool:
    bounds = _SAME_BOUNDS.get(number.bound, (number.bound,))
    alike = (other for other in quoted.said.numbers if other.text == number.text and number.unit in ("", other.unit))
    if any(other.bound in bounds for other in alike):
        return True
    if number.unit or number.bound not in ("", "since", "from"):
        return False
    version = Version.try_parse(number.text)
    if version is None or version != Version.try_parse(quoted.citation.version or ""):
        return _stands_in(number.text, quoted.around.text)
    # The release that the quote stands under, in a place where a release is named, and not put for another one there.
    is_named = number.before in ("", *_BEFORE_RELEASE, *re.findall(r"\w+", quoted.citation.product.casefold()))
    claimed = {other.text for other in claim.numbers}
    rivals = (other for other in quoted.said.numbers if other.before == number.before and not other.unit)
    return is_named and all(rival.text in claimed for rival in rivals)


def _holds_name(name: str, reading: Reading) -> bool:
    return name in reading.names or _stands_in(name, reading.text)


def _stands_in(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|[.:/]\w)", text) is not None


def _keeps_status(quoted: Quoted, claim: Reading) -> bool:
    """Whether the claim tells the removal, deprecation or fix that the statement tells, or turns it ("instead")."""
    turns = NOT in claim.turns or "instead" in claim.text.casefold().split()
    return not quoted.statuses or turns or not quoted.statuses.isdisjoint(claim.statuses)


def _keeps_order(quoted: Quoted, claim: Reading) -> bool:
    """Whether numbers and names of code follow each other as in the statement: "5 to 10" isn't "10 to 5"."""
    known = _keys(quoted.said)
    keys: Iterable[str] = dict.fromkeys(_keys(claim, *known))
    if _OPENS_WITH_PLACE.match(claim.text):
        # "In Lamp 2.0, …" is true of all that stands there, wherever the quote names it.
        keys = dropwhile((quoted.citation.product, quoted.citation.version).__contains__, keys)
    remaining = iter(known)
    return all(key in remaining for key in keys if key in known)


def _keys(reading: Reading, *known: str) -> tuple[str, ...]:
    """Its numbers and names of code, and those of the `known` ones that it holds, in order of place."""
    named = {*(number.text for number in reading.numbers), *reading.names, *known}
    pattern = "|".join(
        rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(named, key=lambda name: (-len(name), name))
    )
    return tuple(found[0] for found in re.finditer(pattern, reading.text)) if named else ()
