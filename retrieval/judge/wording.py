"""How a claim's words stand in an item. The judge is told of each word whether the other side has it, but neither in
which order nor what else the item tells of its kind: where that decides, its verdict is nothing to go by."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpus.everyday_words import is_everyday
from corpus.happenings import NOT_DONE, Modality, asserted_act, first_act, reports_act
from corpus.item_sentences import SENTENCE_END
from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act
from retrieval.judge.markup import blank_markup
from retrieval.judge.pairs import JudgedItem, Side, Sign, split_words
from retrieval.quoting.statements import read_statement

_PLACING = frozenset(("in", "since", "as", "of", "with", "the", "a", "an", "this", "release"))
"""What may stand around a sentence's words to say where it holds."""
_LINKING = frozenset(("is", "are", "was", "were", "be", "been", "has", "have", "now"))
"""Said or left out, a sentence says the same."""
_REASONS = frozenset(("to", "because", "so", "since", "due", "as"))  # What may follow a sentence's words to say why.
_HOLDS = re.compile(r"\b(?:supports?|supported|available|exists?|works?|runs?)\b", re.IGNORECASE)
"""What a thing does that is there."""
_QUOTED = re.compile(r"[\"`']([\w.-]+)[\"`']")
_INSTEAD = re.compile(
    r"(?<![\w.-])([\w.-]+)[`'\"]?\s+(?:instead of|rather than|in place of)\s+(?:(?:an?|the)\s+)?[`'\"]?([\w.-]+)",
    re.IGNORECASE,
)
_JOINING = frozenset(("and", "or"))
_OFF = frozenset(split_tokens("false off disabled"))
"""What one side says of a default or a switch and the other doesn't: "enables it" beside "set enable_it to false"."""
_OTHER_RELEASE = {Sign.EARLIER_RELEASE, Sign.LATER_RELEASE, Sign.SOME_RELEASE}
_MET = {Sign.NUMBER_MET, Sign.NAME_MET}
_UNMET = {Sign.NUMBER, Sign.LOWER_NUMBER, Sign.HIGHER_NUMBER}
_BOUNDING = {Act.REQUIRES, Act.REMOVED}


@dataclass(frozen=True, slots=True)
class Wording:
    """What may be concluded from a claim's words beside an item's."""

    verbatim: bool  # The claim is a sentence of the item but for case, markup, inflection, product and release.
    can_bear: bool
    """False of the item's words in another order ("b was renamed to a"), where the item tells several values of which
    the claim names one, another in its place, or the one that it replaces, or one of them alone says that something is
    off: it may be another. False of what hasn't happened, or in another release, where the claim says that it has."""
    can_refute: bool
    """False of a sentence of the item, of its words in another order, of a number above a bound that it sets, and of an
    end where the item tells nothing that happened."""


def read_wording(pair: tuple[Side, Side], judged: JudgedItem) -> Wording:
    """Return how the words of a pair, which was read from `told`, stand to each other."""
    claim, item = pair
    signs = {sign for _, _, sign in claim.signs}
    own = split_tokens(f"{judged.product} {judged.release or ''}")
    stated = _bare((word for word, sign in _words(claim) if sign is not Sign.SAME_RELEASE), own)
    is_told = any(
        words[: len(stated)] == stated and _REASONS.issuperset(words[len(stated) :][:1])
        for words in _statements(judged.text, own, commas=claim.text.count(", "))
    )
    met = [word for word, sign in _words(claim) if sign in _MET and split_tokens(word)[:1] != own[:1]]
    at: dict[str, tuple[int, int]] = {}
    for place, (word, _) in enumerate(_words(item)):
        at[word] = at.get(word, (place, place))[0], place
    places = [at[word] for word in met if word in at]
    turned = Sign.WORD not in signs and any(first > last for (first, _), (_, last) in pairwise(places))
    verbatim = is_told and bool(stated) and signs.isdisjoint(_OTHER_RELEASE)
    is_off = [not _OFF.isdisjoint(split_tokens(side.text)) for side in (claim, item)]
    is_other = (
        _has_other_name(claim, item)
        or turned
        or is_off[0] != is_off[1]
        or _has_other_numbers(item, judged, frozenset(met))
        or (Sign.DENIAL not in signs and _names_what_went(claim, judged))
    )
    says_gone = asserted_act(claim.text) in (Act.REMOVED, Act.DEPRECATED)
    is_silent = says_gone and judged.act is Act.OTHER and first_act(judged.text)[0] is None
    above = Sign.HIGHER_NUMBER in signs and judged.act in _BOUNDING
    return Wording(
        verbatim=verbatim,
        can_bear=verbatim or not (is_other or _overstates(claim, judged)),
        can_refute=not (verbatim or turned or above or is_silent),
    )


def _overstates(claim: Side, judged: JudgedItem) -> bool:
    """Return whether a claim says that something is so or has happened that the item only plans or knows as an issue,
    of which it tells the end, or which it tells of its own release, beside the claim's."""
    act = asserted_act(claim.text)
    if judged.act in NOT_DONE:
        return judged.act is Act.PLANNED if act is None else reports_act(act, judged.act, judged.text) is False
    if act is None:
        is_denied = any(sign is Sign.DENIAL for _, _, sign in claim.signs)
        return judged.act is Act.REMOVED and not is_denied and bool(_HOLDS.search(claim.text))
    placed = re.search(rf"\b(?:{re.escape(judged.product)}|in|since|as of|with) v?(?=\d)", claim.text, re.IGNORECASE)
    is_told = placed and any(
        start <= placed.end() < end and sign is Sign.NUMBER_MET for start, end, sign in claim.signs
    )
    stated = read_statement(judged.text)
    is_own = act is judged.act or first_act(judged.text) == (act, Modality.DONE)
    is_elsewhere = any(sign in _OTHER_RELEASE for _, _, sign in claim.signs)
    return is_own and (is_elsewhere or bool(is_told)) and not (stated and stated[0] is act)


def _statements(text: str, own: Sequence[str], *, commas: int) -> Iterator[list[str]]:
    """Yield the words of each sentence, and of what stands in it before the next comma after so many."""
    for sentence in SENTENCE_END.split(blank_markup(text, reads_quotes=False)):
        for clause in (sentence, *sentence.replace(": ", "; ").split("; ")):
            yield _bare(split_words(clause), own)
            yield _bare(split_words(", ".join(clause.split(", ")[: commas + 1])), own)


def _words(side: Side) -> list[tuple[str, Sign]]:
    return [(_folded(side.text[start:end]), sign) for start, end, sign in side.signs]


def _folded(word: str) -> str:
    """A word as it is compared: 1,024 is 1024."""
    return word.casefold().replace(",", "")


def _bare(words: Iterable[str], product: Sequence[str]) -> list[str]:
    """Return the first tokens of words, without those that link and what stands around a sentence."""
    tokens = [found[0] for word in words if (found := split_tokens(word)) and word.casefold() not in _LINKING]
    around = _PLACING.union(product)
    while tokens and tokens[0] in around:
        tokens.pop(0)
    while tokens and tokens[-1] in around:
        tokens.pop()
    return tokens


def _has_other_name(claim: Side, item: Side) -> bool:
    """Return whether the item has a quoted name or value beside a word before which, or behind which, the claim has
    another word that is no everyday English: "the jsonc parser" beside 'the "json" parser'."""
    quoted = {name.casefold() for name in _QUOTED.findall(item.text)}
    own, told = ([word for word, _ in _words(side)] for side in (claim, item))
    slots: dict[tuple[str, bool], set[str]] = {}
    for before, after in pairwise(told):
        slots.setdefault((after, False), set()).add(before)
        slots.setdefault((before, True), set()).add(after)
    stated = [pair for before, after in pairwise(own) for pair in (((after, False), before), ((before, True), after))]
    return any(
        slots.get(slot) and slots[slot] <= quoted and value not in slots[slot] and not is_everyday(value)
        for slot, value in stated
        if slot[0] not in STOP_WORDS
    )


def _names_what_went(claim: Side, judged: JudgedItem) -> bool:
    """Return whether a claim names what took a thing's place no more ("into lists" beside "into tuples instead of
    lists"), and not what did."""
    tokens = frozenset(split_tokens(claim.text))
    found = _INSTEAD.finditer(blank_markup(judged.text, reads_quotes=False))
    return any(tokens.isdisjoint(split_tokens(one[1])) and not tokens.isdisjoint(split_tokens(one[2])) for one in found)


def _has_other_numbers(item: Side, judged: JudgedItem, met: frozenset[str]) -> bool:
    """Return whether the item has a number that the claim lacks and that isn't listed with one of the claim's: 3.8 is
    in "3.8 and 3.9". The numbers of its headings, as a release's day, are none of its own."""
    listed: list[list[str]] = [[]]
    for start, end, sign in item.signs[len(item.signs) - len(split_words(judged.text)) :]:
        word = _folded(item.text[start:end])
        if (sign is Sign.NUMBER_MET or sign in _UNMET) and item.text[start - 1] != "#":
            listed[-1].append(word)
        elif word not in _JOINING:
            listed.append([])
    has_own = [any(word in met for word in run) for run in listed]
    return any(has_own) and any(run and not own for run, own in zip(listed, has_own, strict=True))
