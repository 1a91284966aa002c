"""Rules that limit the judge's verdict on a claim. The judge sees for each word whether the other side contains it, but
not the order of words nor the item's other values of that kind; if those decide, its verdict is unreliable."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpus.affirming import affirms
from corpus.entry_words import without_records
from corpus.everyday_words import is_everyday
from corpus.happenings import NOT_DONE, Modality, asserted_act, find_acts, first_act, is_untold, reports_act
from corpus.item_sentences import SENTENCE_END
from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act
from retrieval.judge.claims import Slot
from retrieval.judge.moves import MOVING, Relation, comparable_words, names_only_old_value, read_moves, relate_moves
from retrieval.judge.pairs import DENIALS, JudgedItem, Side, Sign, split_words
from retrieval.quoting.statements import read_statement

_PLACING = frozenset(("in", "since", "as", "of", "with", "the", "a", "an", "this", "release"))
"""Words at either end of a sentence that only place it in a release ("in this release")."""
_STATUS = frozenset("support option longer fully completely finally already previously release".split())
"""Words that don't matter in a sentence about a removal or deprecation."""
_LINKING = frozenset(("is", "are", "was", "were", "be", "been", "has", "have", "now"))
"""Words that don't change the sense of a sentence."""
_REASONS = frozenset(("to", "because", "so", "since", "due", "as"))  # Words that introduce a reason after a sentence.
_EXISTS = re.compile(r"\b(?:supports?|supported|available|exists?|works?|runs?)\b", re.IGNORECASE)
"""Words that imply that a thing exists."""
_YES = re.compile(r"\W*(?:yes|yep|indeed|correct|right)\b", re.IGNORECASE)
_FASTER = re.compile(r"\b(?:faster|quicker|sped up|speeds? up)\b", re.IGNORECASE)
_SLOWER = re.compile(r"(?<!no longer )(?<!not )(?<!any )\bslower\b", re.IGNORECASE)
_SPEED = re.compile(r"\b(?:fast|quick|speed|sped|perform|slow|latenc|accelerat|throughput|optimi[sz](?!er)|time)", re.I)
_QUOTED = re.compile(r"[\"`']([\w.-]+)[\"`']")
_JOINING = frozenset(("and", "or"))
_OFF = frozenset(split_tokens("false off disabled"))
"""Words for a switch that is off: "enables it" isn't supported by "set enable_it to false"."""
_OTHER_RELEASE = {Sign.EARLIER_RELEASE, Sign.LATER_RELEASE, Sign.SOME_RELEASE}
_MET = {Sign.NUMBER_MET, Sign.NAME_MET}
_UNMET = {Sign.NUMBER, Sign.LOWER_NUMBER, Sign.HIGHER_NUMBER}
_LACKED = {Sign.WORD, Sign.NAME, *_UNMET}
_VAGUE = {Act.OTHER, Act.FIXED, Act.CHANGED}  # Acts assigned to entries that don't say what happened.
_BOUNDING = {Act.REQUIRES, Act.REMOVED}


@dataclass(frozen=True, slots=True)
class Wording:
    """Conclusions from the words of a claim and an item."""

    verbatim: bool
    """The claim is a sentence of the item but for case, markup, inflection, product and release, or the same move."""
    move: Relation | None  # How the claim relates to the item's moves, unless the claim says more than a move.
    can_support: bool
    """Whether the item may support the claim. Not if its words are in another order ("b was renamed to a"), if it
    contains other values of the kind claimed, an old value is claimed, or only one side says that something is off; nor
    if the claimed event is only planned, denied, or in another release."""
    can_refute: bool
    """Whether the item may contradict the claim. Not if the claim is a sentence of it or its words in another order, a
    number above a bound that it sets, or a removal and the item reports no event."""
    has_facts: bool = False  # The item has each name, number and release of the claim.
    silent: frozenset[Slot] = frozenset()
    """Slots that can't differ, because one side has no such content: a number, a replacement, an act."""


def read_wording(pair: tuple[Side, Side], judged: JudgedItem) -> Wording:
    """Return whether an item's words can support or refute a claim; `pair` was made by `read_pair` from `judged`."""
    claim, item = pair
    signs = {sign for _, _, sign in claim.signs}
    name = split_tokens(f"{judged.product} {judged.release or ''}")
    claim_tokens = _core_tokens((word for word, sign in _words(claim) if sign is not Sign.SAME_RELEASE), name)
    is_stated = any(
        words[: len(claim_tokens)] == claim_tokens and _REASONS.issuperset(words[len(claim_tokens) :][:1])
        for words in _clause_tokens(judged.text, name, commas=claim.text.count(", "))
    )
    met = [word for word, sign in _words(claim) if sign in _MET and split_tokens(word)[:1] != name[:1]]
    positions: dict[str, tuple[int, int]] = {}  # First and last position of each word in the item.
    for position, (word, _) in enumerate(_words(item)):
        positions[word] = positions.get(word, (position, position))[0], position
    ranges = [positions[word] for word in met if word in positions]
    is_reordered = Sign.WORD not in signs and any(first > last for (first, _), (_, last) in pairwise(ranges))
    item_moves = read_moves(judged.text, is_claim=False)
    claim_moves = read_moves(claim.text, is_claim=True) if item_moves else ()
    relation = relate_moves(claim_moves, item_moves)
    lacks = [word for word, sign in _words(claim) if sign in _LACKED and not MOVING.issuperset(split_tokens(word)[:1])]
    is_whole = signs.isdisjoint(_OTHER_RELEASE | {Sign.DENIAL}) and not lacks
    move = relation if is_whole or relation is Relation.OTHER else None
    overstates = _overstates(claim, judged)
    is_stated = (is_stated and bool(claim_tokens)) or (Sign.DENIAL not in signs and _has_same_end(claim, judged, name))
    is_stated &= signs.isdisjoint(_OTHER_RELEASE) and relation is None
    verbatim = (move is Relation.SAME or is_stated) and not overstates
    is_off = [not _OFF.isdisjoint(split_tokens(side.text)) for side in (claim, item)]
    is_other = (
        _has_other_name(claim, item)
        or is_reordered
        # "Was the view removed?" above "It only moved."
        or ("".join(judged.heading[-1:]).rstrip(" *_").endswith("?") and not _YES.match(judged.text))
        or bool(_FASTER.search(claim.text) and (_SLOWER.search(judged.text) or not _SPEED.search(judged.text)))
        or is_off[0] != is_off[1]
        or _has_other_numbers(item, judged, frozenset(met))
        or (Sign.DENIAL not in signs and not claim_moves and names_only_old_value(claim.text, item_moves))
    )
    claimed_act, acts = asserted_act(claim.text), find_acts(judged.text)
    claims_end = claimed_act in (Act.REMOVED, Act.DEPRECATED)
    is_silent = claims_end and judged.act is Act.OTHER and first_act(judged.text)[0] is None
    is_same = claims_end and (claimed_act, Modality.DONE) in acts
    words = split_words(judged.text.casefold())
    has_status = judged.act not in _VAGUE or bool(acts or _EXISTS.search(judged.text) or DENIALS.intersection(words))
    is_silent_on = {
        Slot.NUMBER: signs.isdisjoint(_UNMET),
        Slot.REPLACEMENT: relation is not Relation.SWAPPED and not comparable_words(" ".join(lacks)),
        Slot.STATUS: not has_status or (is_same and Sign.DENIAL not in signs),
    }
    above = Sign.HIGHER_NUMBER in signs and judged.act in _BOUNDING
    is_open = relation in (Relation.SAME, Relation.OTHER) and signs.isdisjoint(_OTHER_RELEASE)
    return Wording(
        verbatim=verbatim,
        move=None if overstates else move,
        can_support=verbatim or not (is_other or overstates or relation in (Relation.SWAPPED, Relation.OTHER)),
        can_refute=move is Relation.SWAPPED or not (verbatim or is_reordered or above or is_silent or is_open),
        has_facts=signs.isdisjoint(_OTHER_RELEASE | _LACKED - {Sign.WORD}),
        silent=frozenset(slot for slot, applies in is_silent_on.items() if applies),
    )


def _overstates(claim: Side, judged: JudgedItem) -> bool:
    """Return whether a claim asserts a state or event that the item only plans, denies or lists as an issue, that ended
    according to the item, or that the item reports for another release than the claim."""
    act = asserted_act(claim.text)
    is_denied = any(sign is Sign.DENIAL for _, _, sign in claim.signs)
    is_open = not is_denied and not affirms(judged.text, act or judged.act, judged.act, after=judged.after)
    if not judged.text or is_open or (act is not None and is_untold(act, judged.act, judged.text)):
        return act is not Act.PLANNED
    if judged.act in NOT_DONE:
        return judged.act is Act.PLANNED if act is None else reports_act(act, judged.act, judged.text) is False
    if act is None:
        return judged.act is Act.REMOVED and not is_denied and bool(_EXISTS.search(claim.text))
    placed = re.search(rf"\b(?:{re.escape(judged.product)}|in|since|as of|with) v?(?=\d)", claim.text, re.IGNORECASE)
    is_met = placed and any(start <= placed.end() < end and sign is Sign.NUMBER_MET for start, end, sign in claim.signs)
    stated = read_statement(judged.text)
    is_same_act = act is judged.act or first_act(judged.text) == (act, Modality.DONE)
    is_elsewhere = any(sign in _OTHER_RELEASE for _, _, sign in claim.signs)
    return is_same_act and (is_elsewhere or bool(is_met)) and not (stated and stated[0] is act)


def _has_same_end(claim: Side, judged: JudgedItem, name: Sequence[str]) -> bool:
    """Return whether a sentence of the item reports the claimed removal or deprecation, with the words in any order."""
    act = asserted_act(claim.text)
    things = _things(claim.text, name)
    for sentence in SENTENCE_END.split(judged.text) if things and act in (Act.REMOVED, Act.DEPRECATED) else ():
        reported, how = first_act(sentence)
        is_same_act = (reported, how) == (act, Modality.DONE) or (reported is None and judged.act is act)
        if is_same_act and _things(sentence, name) == things:
            return True
    return False


def _things(text: str, name: Sequence[str]) -> frozenset[str]:
    """Return the words of a sentence without its verb, the product's `name`, stop words and words of status."""
    words = (word.casefold() for word in split_words(text) if not find_acts(word))
    return frozenset(word for word in words if split_tokens(word)[:1] != name[:1]) - _STATUS - STOP_WORDS - _LINKING


def _clause_tokens(text: str, name: Sequence[str], *, commas: int) -> Iterator[list[str]]:
    """Yield the tokens of each sentence and clause, and of each up to the comma after the first `commas` ones."""
    for sentence in SENTENCE_END.split(without_records(text)):
        for clause in (sentence, *sentence.replace(": ", "; ").split("; ")):
            yield _core_tokens(split_words(clause), name)
            yield _core_tokens(split_words(", ".join(clause.split(", ")[: commas + 1])), name)


def _words(side: Side) -> list[tuple[str, Sign]]:
    return [(_folded(side.text[start:end]), sign) for start, end, sign in side.signs]


def _folded(word: str) -> str:
    """Return a word in lower case, without the commas of a number: "1,024" -> "1024"."""
    return word.casefold().replace(",", "")


def _core_tokens(words: Iterable[str], name: Sequence[str]) -> list[str]:
    """Return the first token of each word, without linking words and without placing words at either end."""
    tokens = [parts[0] for word in words if (parts := split_tokens(word)) and word.casefold() not in _LINKING]
    around = _PLACING.union(name)
    while tokens and tokens[0] in around:
        tokens.pop(0)
    while tokens and tokens[-1] in around:
        tokens.pop()
    return tokens


def _has_other_name(claim: Side, item: Side) -> bool:
    """Return whether next to a word an item quotes a name and a claim has another: "jsonc parser", '"json" parser'."""
    quoted = {name.casefold() for name in _QUOTED.findall(item.text)}
    in_claim, in_item = ([word for word, _ in _words(side)] for side in (claim, item))
    slots: dict[tuple[str, bool], set[str]] = {}  # The words before (False) or after (True) each word of the item.
    for before, after in pairwise(in_item):
        slots.setdefault((after, False), set()).add(before)
        slots.setdefault((before, True), set()).add(after)
    stated = [p for before, after in pairwise(in_claim) for p in (((after, False), before), ((before, True), after))]
    return any(
        slots.get(slot) and slots[slot] <= quoted and value not in slots[slot] and not is_everyday(value)
        for slot, value in stated
        if slot[0] not in STOP_WORDS
    )


def _has_other_numbers(item: Side, judged: JudgedItem, met: frozenset[str]) -> bool:
    """Return whether the item has numbers of the claim and, in another list of numbers ("3.8 and 3.9" is one), others.
    Numbers in headings, such as a release's day, don't count."""
    lists: list[list[str]] = [[]]
    for start, end, sign in item.signs[len(item.signs) - len(split_words(judged.text)) :]:
        word = _folded(item.text[start:end])
        if (sign is Sign.NUMBER_MET or sign in _UNMET) and item.text[start - 1] != "#":
            lists[-1].append(word)
        elif word not in _JOINING:
            lists.append([])
    is_met = [any(word in met for word in run) for run in lists]
    return any(is_met) and any(run and not run_met for run, run_met in zip(lists, is_met, strict=True))
