"""The judge's input: a question or claim and an item of the notes; a sign on each word relates it to the other side.

A small model can't distinguish 3.10 from 3.9 or `--force` from `--prune` by their word pieces. The signs add whether
the other side contains the word, number or name, whether a number is lower or higher than the other side's, and whether
a release is the item's, an earlier or a later one; those are also replaced by words ("an earlier release").
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import takewhile

from corpus.affirming import SENTENCE_END
from corpus.happenings import first_act
from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act, Span
from corpus.plain_words import one_line, stated_words
from corpus.source_words import source_words
from corpus.versions import Version, VersionConstraint
from retrieval.model import Query
from retrieval.quoting.quote_ranges import stem_above, text_after
from retrieval.quoting.quotes import ItemScore

_WORD = re.compile(
    r"--?[A-Za-z][\w-]*"
    r"|v?\d+(?:[.,]\d+)*(?:[A-Za-z]+\d*|\.x)?"
    r"|[A-Za-z_@$]\w*(?:(?:\.|::|->|/|-)[A-Za-z_]\w*)*"
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?:[A-Za-z]+\d*)?")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)")
# Only from the first capital and the first small letter on: a search from each took 20 s for a word of 20,000 letters.
_NAME = re.compile(r"[_.:/$@]|^-|^.[^A-Z]*+[A-Z].*[a-z]|^[^a-z]*+[a-z].*[A-Z]")
DENIALS = frozenset(("not", "no", "never", "without", "none", "cannot", "nothing", "neither", "nor"))
_Value = tuple[tuple[int, str], ...]
_HEADINGS, _HEADING_CHARACTERS = 2, 60


class Sign(IntEnum):
    """How a word relates to the other side; `_MET` if that contains it."""

    NONE = 0
    WORD_MET = 1
    WORD = 2
    NUMBER_MET = 3
    NUMBER = 4
    NAME_MET = 5
    NAME = 6
    SAME_RELEASE = 7
    EARLIER_RELEASE = 8
    LATER_RELEASE = 9
    SOME_RELEASE = 10
    DENIAL = 11
    LOWER_NUMBER = 12
    HIGHER_NUMBER = 13


_RELATIONS = {
    Sign.SAME_RELEASE: "this release",
    Sign.EARLIER_RELEASE: "an earlier release",
    Sign.LATER_RELEASE: "a later release",
    Sign.SOME_RELEASE: "some release",
}


@dataclass(frozen=True, slots=True)
class Side:
    """A text with the signs of its words: (start, end, sign), in order, in code points of `text`."""

    text: str
    signs: tuple[tuple[int, int, Sign], ...]


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """An item of the notes as the judge reads it: its words on one line, and its place in the document."""

    text: str
    product: str
    title: str
    heading: Sequence[str]
    release: Version | None
    act: Act = Act.OTHER
    after: str = ""  # The text after it that may qualify or retract it.


def read_pair(claim: str, releases: Sequence[Version], judged: JudgedItem) -> tuple[Side, Side]:
    """Return claim and item with a sign for each word; `releases` are the claim's numbers released by the product."""
    headings = " > ".join(one_line(title)[:_HEADING_CHARACTERS] for title in judged.heading[-_HEADINGS:])
    item = f"{judged.product}. {headings}: {judged.text}"
    release = judged.release
    of_item = {bare_number(release.label): Sign.SAME_RELEASE} if release else {}
    in_claim, in_item = _numbers(claim), _numbers(item)
    relations = {}
    for version in releases:
        number, sign = bare_number(version.label), Sign.SOME_RELEASE
        if release is not None:
            is_same = VersionConstraint.exactly(version).contains(release)
            sign = Sign.SAME_RELEASE if is_same else Sign.EARLIER_RELEASE if version < release else Sign.LATER_RELEASE
        if sign is Sign.SAME_RELEASE or number not in in_item:
            relations[number] = sign
    left = {number: before for number, before in in_claim.items() if number not in relations and number not in in_item}
    right = {number: before for number, before in in_item.items() if number not in of_item and number not in in_claim}
    return (
        _signed(claim, f"{item} {judged.title}", relations, _orders(left, right)),
        _signed(item, claim, of_item, _orders(right, left)),
    )


def read_item(scored: ItemScore, index: IndexReader) -> JudgedItem:
    """Return an item as the judge reads it."""
    return read_range(scored.hit.passage, scored.item.span, index)


def read_range(passage: StoredPassage, span: Span, index: IndexReader) -> JudgedItem:
    """Return a range of a passage as the judge reads it, without questions; its act is that of its first item."""
    document = passage.document
    text = index.document_text(document.id)
    release = passage.release or (Version.parse(document.version) if document.version else None)
    first = next((number for number, item in enumerate(passage.items) if item.span.meets(span)), None)
    is_code = first is not None and passage.items[first].is_code
    words = stated_words(source_words(span.slice(text).lstrip(), text, document.media_type), is_code=is_code)
    act, stem = (Act.OTHER, "") if first is None else (passage.items[first].act, stem_above(passage, first, text))
    # For a bare name, the line above its list says what happened.
    heading = (*passage.heading, stem) if stem and first_act(words)[0] is None else passage.heading
    statements = " ".join(s for s in SENTENCE_END.split(one_line(words)) if not s.endswith("?"))
    after = text_after(passage, span, text)
    return JudgedItem(statements, document.product, document.title, heading, release, act, after)


def named_releases(query: Query) -> tuple[Version, ...]:
    """Return all versions in the constraint of the question, even if a filter overrules it, its bounds included."""
    stated = query.versions_set_aside or query.constraint
    return tuple(version for version in (*stated.versions, stated.low, stated.high) if version) if stated else ()


def is_name(word: str) -> bool:
    """Return whether a word is written like a code name ("max_size", "--force", "HttpClient")."""
    return bool(_NAME.search(word))


def split_words(text: str) -> list[str]:
    """Return the words, numbers and names of a text, in order: the units that get signs."""
    return [match[0] for match in _WORD.finditer(text)]


def _numbers(text: str) -> dict[str, str]:
    """Return each number of a text with the word before it: `"needs python 3.9"` -> `{"3.9": "python"}`."""
    words = split_words(text.casefold())
    return {
        bare_number(word): before
        for before, word in zip(("", *words), words, strict=False)
        if bare_number(word)[0].isdigit()
    }


def _orders(numbers: Mapping[str, str], others: Mapping[str, str]) -> dict[str, Sign]:
    """Return a sign for each number outside the range of the other side's numbers after the same word, or of all."""
    bounds: dict[str | None, tuple[_Value, _Value]] = {}
    for number, before in others.items():
        value = _value(number)
        for word in (before, None):
            least, most = bounds.get(word, (value, value))
            bounds[word] = min(least, value), max(most, value)
    orders = {}
    for number, before in numbers.items() if bounds else ():
        least, most = bounds.get(before, bounds[None])
        if _value(number) < least:
            orders[number] = Sign.LOWER_NUMBER
        elif _value(number) > most:
            orders[number] = Sign.HIGHER_NUMBER
    return orders


def _value(number: str) -> _Value:
    """Return the sort key of a number: the length and digits of each part, because converting long ones is slow."""
    return tuple((len(part.lstrip("0")), part.lstrip("0")) for part in re.findall(r"\d+", number))


def _signed(text: str, other: str, releases: Mapping[str, Sign], orders: Mapping[str, Sign]) -> Side:
    """Return a text with a sign for each word by the `other` text; related releases are replaced by words."""
    tokens = frozenset(split_tokens(other))
    numbers = frozenset(bare_number(match[0]) for match in _NUMBER.finditer(other))
    written, signs, position = "", [], 0
    for match in _WORD.finditer(text):
        sign = _sign(match[0], tokens, numbers, releases)
        sign = orders.get(bare_number(match[0]), sign) if sign is Sign.NUMBER else sign
        written += text[position : match.start()]
        word = _RELATIONS.get(sign, match[0])
        signs.append((len(written), len(written) + len(word), sign))
        written += word
        position = match.end()
    return Side(written + text[position:], tuple(signs))


def _sign(word: str, tokens: frozenset[str], numbers: frozenset[str], releases: Mapping[str, Sign]) -> Sign:
    """Return the sign of a word by the tokens and numbers of the other side."""
    folded = word.casefold()
    bare = bare_number(folded)
    if bare in releases:
        return releases[bare]
    if bare[:1].isdigit():
        return Sign.NUMBER_MET if bare in numbers else Sign.NUMBER
    if folded in DENIALS:
        return Sign.DENIAL
    if not (parts := [token for token in split_tokens(word) if token not in STOP_WORDS]):
        return Sign.NONE
    if _NAME.search(word):
        # Parts like "get" or "2" are too common to match a name by.
        met = parts[0] in tokens or any(len(part) > 3 and not part.isdigit() and part in tokens for part in parts)
        return Sign.NAME_MET if met else Sign.NAME
    return Sign.WORD_MET if not tokens.isdisjoint(parts) else Sign.WORD


def bare_number(label: str) -> str:
    """Return a number in its normal form for comparison: "v22.12.0" -> "22.12", "1,024" -> "1024"."""
    folded = label.casefold()
    if thousands := _THOUSANDS.match(folded):
        folded = thousands[0].replace(",", "") + folded[thousands.end() :]
    digits = folded.lstrip("v").removesuffix(".x")
    zeros = sum(1 for _ in takewhile("0".__eq__, reversed(digits.split(".")[1:])))
    return digits[: len(digits) - len(".0") * zeros] if digits[:1].isdigit() else folded
