"""How a claim's words stand in an item. The judge is told of each word whether the other side has it, but neither in
which order nor what else the item tells of its kind: where that decides, its verdict is nothing to go by."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpus.affirming import affirms
from corpus.everyday_words import is_everyday
from corpus.happenings import NOT_DONE, Modality, asserted_act, find_acts, first_act, is_untold, reports_act
from corpus.item_sentences import SENTENCE_END
from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act
from retrieval.judge.claims import Slot
from retrieval.judge.markup import blank_markup
from retrieval.judge.moves import MOVING, Relation, names_what_went, read_moves, relate_moves, telling_words
from retrieval.judge.pairs import DENIALS, JudgedItem, Side, Sign, split_words
from retrieval.quoting.statements import read_statement

_PLACING = frozenset(("in", "since", "as", "of", "with", "the", "a", "an", "this", "release"))
"""What may stand around a sentence's words to say where it holds."""
_STATUS = frozenset("support option longer fully completely finally already previously release".split())
"""What may stand beside what ends, or be left out there."""
_LINKING = frozenset(("is", "are", "was", "were", "be", "been", "has", "have", "now"))
"""Said or left out, a sentence says the same."""
_REASONS = frozenset(("to", "because", "so", "since", "due", "as"))  # What may follow a sentence's words to say why.
_HOLDS = re.compile(r"\b(?:supports?|supported|available|exists?|works?|runs?)\b", re.IGNORECASE)
"""What a thing does that is there."""
_YES = re.compile(r"\W*(?:yes|yep|indeed|correct|right)\b", re.IGNORECASE)
_FASTER = re.compile(r"\b(?:faster|quicker|sped up|speeds? up)\b", re.IGNORECASE)
_SLOWER = re.compile(r"(?<!no longer )(?<!not )(?<!any )\bslower\b", re.IGNORECASE)
_SPEED = re.compile(r"\b(?:fast|quick|speed|sped|perform|slow|latenc|accelerat|throughput|optimi[sz](?!er)|time)", re.I)
_QUOTED = re.compile(r"[\"`']([\w.-]+)[\"`']")
_JOINING = frozenset(("and", "or"))
_OFF = frozenset(split_tokens("false off disabled"))
"""What one side says of a default or a switch and the other doesn't: "enables it" beside "set enable_it to false"."""
_OTHER_RELEASE = {Sign.EARLIER_RELEASE, Sign.LATER_RELEASE, Sign.SOME_RELEASE}
_MET = {Sign.NUMBER_MET, Sign.NAME_MET}
_UNMET = {Sign.NUMBER, Sign.LOWER_NUMBER, Sign.HIGHER_NUMBER}
_LACKED = {Sign.WORD, Sign.NAME, *_UNMET}
_VAGUE = {Act.OTHER, Act.FIXED, Act.CHANGED}  # What an entry is taken for where nothing in it says what happened.
_BOUNDING = {Act.REQUIRES, Act.REMOVED}


@dataclass(frozen=True, slots=True)
class Wording:
    """What may be concluded from a claim's words beside an item's."""

    verbatim: bool
    """The claim is a sentence of the item but for case, markup, inflection, product and release, or tells its move."""
    move: Relation | None  # What the claim is to a move that the item tells, unless it says more than that.
    can_bear: bool
    """False of the item's words in another order ("b was renamed to a"), where the item tells several values of which
    the claim names one, another in its place, or the one that it replaces, or one of them alone says that something is
    off: it may be another. False of what hasn't happened, or in another release, where the claim says that it has."""
    can_refute: bool
    """False of a sentence of the item, of its words in another order, of a number above a bound that it sets, and of an
    end where the item tells nothing that happened."""
    holds_facts: bool = False  # The item has each name, number and release of the claim.
    silent: frozenset[Slot] = frozenset()
    """Wherein they can't differ, because one of them tells nothing of the kind: a number, a replacement, an act."""


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
    told = read_moves(judged.text, is_claim=False)
    moves = read_moves(claim.text, is_claim=True) if told else ()
    relation = relate_moves(moves, told)
    lacks = [word for word, sign in _words(claim) if sign in _LACKED and not MOVING.issuperset(split_tokens(word)[:1])]
    is_whole = signs.isdisjoint(_OTHER_RELEASE | {Sign.DENIAL}) and not lacks
    move = relation if is_whole or relation is Relation.OTHER else None
    overstates = _overstates(claim, judged)
    is_told = (is_told and bool(stated)) or (Sign.DENIAL not in signs and _tells_same_end(claim, judged, own))
    is_told &= signs.isdisjoint(_OTHER_RELEASE) and relation is None
    verbatim = (move is Relation.SAME or is_told) and not overstates
    is_off = [not _OFF.isdisjoint(split_tokens(side.text)) for side in (claim, item)]
    is_other = (
        _has_other_name(claim, item)
        or turned
        # "Was the view removed?" above "It only moved."
        or ("".join(judged.heading[-1:]).rstrip(" *_").endswith("?") and not _YES.match(judged.text))
        or bool(_FASTER.search(claim.text) and (_SLOWER.search(judged.text) or not _SPEED.search(judged.text)))
        or is_off[0] != is_off[1]
        or _has_other_numbers(item, judged, frozenset(met))
        or (Sign.DENIAL not in signs and not moves and names_what_went(claim.text, told))
    )
    claimed, acts = asserted_act(claim.text), find_acts(judged.text)
    says_gone = claimed in (Act.REMOVED, Act.DEPRECATED)
    is_silent = says_gone and judged.act is Act.OTHER and first_act(judged.text)[0] is None
    is_same = says_gone and (claimed, Modality.DONE) in acts
    words = split_words(judged.text.casefold())
    tells = judged.act not in _VAGUE or bool(acts or _HOLDS.search(judged.text) or DENIALS.intersection(words))
    is_silent_on = {
        Slot.NUMBER: signs.isdisjoint(_UNMET),
        Slot.REPLACEMENT: relation is not Relation.SWAPPED and not telling_words(" ".join(lacks)),
        Slot.STATUS: not tells or (is_same and Sign.DENIAL not in signs),
    }
    above = Sign.HIGHER_NUMBER in signs and judged.act in _BOUNDING
    is_open = relation in (Relation.SAME, Relation.OTHER) and signs.isdisjoint(_OTHER_RELEASE)
    return Wording(
        verbatim=verbatim,
        move=None if overstates else move,
        can_bear=verbatim or not (is_other or overstates or relation in (Relation.SWAPPED, Relation.OTHER)),
        can_refute=move is Relation.SWAPPED or not (verbatim or turned or above or is_silent or is_open),
        holds_facts=signs.isdisjoint(_OTHER_RELEASE | _LACKED - {Sign.WORD}),
        silent=frozenset(slot for slot, is_so in is_silent_on.items() if is_so),
    )


def _overstates(claim: Side, judged: JudgedItem) -> bool:
    """Return whether a claim says that something is so or has happened that the item only plans, denies or knows as an
    issue, of which it tells the end, or which it tells of its own release, beside the claim's."""
    act = asserted_act(claim.text)
    is_denied = any(sign is Sign.DENIAL for _, _, sign in claim.signs)
    is_open = not is_denied and not affirms(judged.text, act or judged.act, judged.act, after=judged.after)
    if not judged.text or is_open or (act is not None and is_untold(act, judged.act, judged.text)):
        return act is not Act.PLANNED
    if judged.act in NOT_DONE:
        return judged.act is Act.PLANNED if act is None else reports_act(act, judged.act, judged.text) is False
    if act is None:
        return judged.act is Act.REMOVED and not is_denied and bool(_HOLDS.search(claim.text))
    placed = re.search(rf"\b(?:{re.escape(judged.product)}|in|since|as of|with) v?(?=\d)", claim.text, re.IGNORECASE)
    is_told = placed and any(
        start <= placed.end() < end and sign is Sign.NUMBER_MET for start, end, sign in claim.signs
    )
    stated = read_statement(judged.text)
    is_own = act is judged.act or first_act(judged.text) == (act, Modality.DONE)
    is_elsewhere = any(sign in _OTHER_RELEASE for _, _, sign in claim.signs)
    return is_own and (is_elsewhere or bool(is_told)) and not (stated and stated[0] is act)


def _tells_same_end(claim: Side, judged: JudgedItem, own: Sequence[str]) -> bool:
    """Return whether a sentence of the item tells the same end as the claim does, of the same words in any order."""
    act = asserted_act(claim.text)
    things = _things(claim.text, own)
    for sentence in SENTENCE_END.split(judged.text) if things and act in (Act.REMOVED, Act.DEPRECATED) else ():
        told, how = first_act(sentence)
        is_told = (told, how) == (act, Modality.DONE) or (told is None and judged.act is act)
        if is_told and _things(sentence, own) == things:
            return True
    return False


def _things(text: str, own: Sequence[str]) -> frozenset[str]:
    """Return the words of a sentence, as written, without its verb and what says when, or of what kind it is."""
    words = (word.casefold() for word in split_words(text) if not find_acts(word))
    return frozenset(word for word in words if split_tokens(word)[:1] != own[:1]) - _STATUS - STOP_WORDS - _LINKING


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
