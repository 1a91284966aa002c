"""Moves in sentences, from old to new: renames, relocations, replacements and changed values."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, partial

from corpus.affirming import SENTENCE_END, is_plain
from corpus.happenings import Modality, modality_at
from corpus.lexicon import split_tokens
from retrieval.judge.pairs import bare_number, is_name, split_words

_STOP = (
    r"(?:in|for|since|as|by|on|with|and|but|which|that|when|to|into|is|are|was|were|has|because|so|instead|from|at|if"
    r"|while|per|unless|now|use|rather|via|during|of|up|down|→|[-=]>)"
)
_WORD = r"(?:[^\s,;]|,(?=\d))+"
_RIGHT = rf"(?:(?:the|an?|its)\s+)?{_WORD}(?:\s+(?!{_STOP}(?:\s|$)|\(){_WORD}){{0,4}}"
_LEFT = rf"(?:{_WORD}\s+){{0,6}}?{_WORD}"
_WAS = r"(?:(?:is|are|was|were|has|have|been|being|be|gets?|got|now|also)\s+)*"
_OLD, _NEW = rf"(?P<old>{_RIGHT})", rf"(?P<new>{_RIGHT})"
_OLD_BEFORE, _NEW_BEFORE = rf"(?P<old>{_LEFT})", rf"(?P<new>{_LEFT})"
_TO = r"(?:to|into|as|→|[-=]>)"
_MOVES = (
    rf"(?P<verb>\bfrom)\s+{_OLD}\s+(?:in)?to\s+{_NEW}",
    rf"(?P<verb>\b(?:renam|mov|relocat|rebrand)\w*)\s+(?!{_TO}\s|from\s){_OLD}\s+{_TO}\s+{_NEW}",
    rf"{_OLD_BEFORE}\s+{_WAS}(?P<verb>(?:renamed|moved|relocated|rebranded))\s+(?:{_TO}\s+)?(?!from\s"
    rf"|{_TO}\s){_NEW}",
    rf"(?P<verb>\breplac(?:e[sd]?|ing))\s+(?!by\s|with\s){_OLD}\s+(?:with|by)\s+{_NEW}",
    rf"(?P<verb>\b(?:swap|exchang|trad)\w*)(?:\s+out)?\s+{_OLD}\s+for\s+{_NEW}",
    rf"{_OLD_BEFORE}\s+{_WAS}(?P<verb>replaced|superseded|succeeded)\s+(?:by|with)\s+{_NEW}",
    rf"{_NEW_BEFORE}\s+(?:now\s+)?(?P<verb>(?:replac|supersed)e[sd]?|succeeds|t(?:ook|akes?) the place of)"
    rf"\s+(?!by\s|with\s){_OLD}(?!.*\s(?:with|by)\s)",
    rf"{_NEW_BEFORE},?\s+\(?(?P<verb>instead of|rather than|in place of)\s+{_OLD}",
    rf"(?P<verb>\b(?:instead|in place) of)\s+{_OLD},\s+(?:\w+\s+){{0,2}}?{_NEW}",
    rf"{_OLD_BEFORE}\s+{_WAS}(?P<verb>(?:called|named|known as|became|becomes?|turned into|merged into"
    rf"|goes by(?: the name of)?))\s+{_NEW}",
    rf"{_OLD_BEFORE}\s+(?P<verb>is|are)\s+now\s+(?!{_STOP}\s|called|named|known){_NEW}",
    rf"{_OLD_BEFORE}\s+(?P<verb>is|are)\s+(?!{_STOP}\s){_NEW}\s+(?:since|as of)\b",
    rf"{_NEW_BEFORE}\s+(?:is|are)\s+the (?P<verb>new (?:names?|spelling)) (?:of|for)\s+{_OLD}",
    rf"{_NEW_BEFORE},?\s+\(?(?P<verb>up|down)\s+from\s+{_OLD}",
    rf"{_NEW_BEFORE}(?:\s+now|\s+by default)?\s*(?:\(|,\s+(?!was|were))(?:it\s+)?(?P<verb>was|were|previously"
    rf"|formerly)\s+(?:called\s+)?(?!\w+ed\b){_OLD}",
    rf"{_NEW_BEFORE}(?:\s+by default)?\s+\({_OLD_BEFORE}\s+(?P<verb>up to|until|before)\s+{_WORD}\s*\)",
    rf"{_OLD_BEFORE}\s+(?P<verb>→|[-=]>)\s+{_NEW}",
    rf"(?P<verb>\b(?:deprecat|remov|drop)\w*)\s+(?!in\s){_OLD},?\s+(?:in favou?r of|use)\s+{_NEW}",
    rf"{_OLD_BEFORE}\s+{_WAS}(?P<verb>deprecated|removed|dropped)\s+in favou?r of\s+{_NEW}",
    rf"(?P<verb>\b(?:(?:rais|increas|lower|reduc|bump|chang|shorten|lengthen|extend)\w*|cuts?"
    rf"|sets?))\s+(?!from\s){_RIGHT}\s+to\s+{_NEW}",
)
_VERB = re.compile(r"\(\?P<verb>((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")
_compiled = cache(partial(re.compile, flags=re.IGNORECASE))  # The cache of `re` would evict them.
_BY_VERB = tuple((_VERB.findall(pattern)[0], pattern) for pattern in _MOVES)
_OF_VALUES = frozenset(("from", "up", "down", "instead of", "rather than", "in place of", "up to", "until", "before"))
_LINKING = _OF_VALUES.union(
    "is are was were previously formerly → -> =>".split(), ("new name", "new names", "new spelling")
)
_CUT = re.compile(
    r"^(?:.*\s(?:to|of|is|are|was|uses?d?|using|with|now|by|the|an?|in|for|wants?|needs?|takes?|has|have|been|from"
    r"|did|does|to)\s(?:.*:\s)?|.*:\s|(?:uses?|the|an?|did|does|was|is|were|in)\s)",
    re.IGNORECASE,
)
"""Words before the thing, which is named at the end of a matched side."""
_KINDS = frozenset(
    split_tokens(
        "option parameter argument setting flag command method function class module package file folder field key"
        " attribute property name default value variable library tool the an its"
    )
)
MOVING = frozenset(
    split_tokens(
        "rename call name become became move change switch raise increase lower reduce cut shorten lengthen extend bump"
        " replace supersede take took go went use want default set since now new old instead rather than place up down"
        " from build turn favour favor deprecate prefer gone swap exchange trade merge goes s"
    )
)
"""Words that express a move; claims and sources use different ones for the same move."""


class Relation(Enum):
    """How a claimed move relates to the moves in an item."""

    SAME = auto()
    SWAPPED = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Move:
    """The words of the old and of the new thing, each without the common ones; `old` is empty if it isn't named."""

    old: frozenset[str]
    new: frozenset[str]
    is_value: bool  # Whether a value changed, not a name.


def read_moves(text: str, *, is_claim: bool) -> tuple[Move, ...]:
    """Return the moves in a line of text ("Renamed a_b to c_d"); planned ones only if `is_claim`, as for questions."""
    moves = []
    for sentence in SENTENCE_END.split(text):
        for verb, pattern in _BY_VERB:  # Searching for the verb first is fifty times as fast as for the whole pattern.
            for match in _compiled(pattern).finditer(sentence) if _compiled(verb).search(sentence) else ():
                how, groups = modality_at(sentence, *match.span("verb")), match.groupdict()
                verb = match["verb"].casefold()
                old, new = (comparable_words(_CUT.sub("", groups.get(side) or "")) for side in ("old", "new"))
                is_stated = how is not Modality.DENIED if is_claim else how is Modality.DONE
                is_stated &= is_claim or verb in _LINKING or is_plain(sentence, *match.span("verb")) is not False
                is_named = verb not in ("is", "are") or (any(map(is_name, old)) and any(map(is_name, new)))
                if is_stated and is_named and new - old and (old - new or "old" not in groups):
                    moves.append(Move(old - new, new - old, verb in _OF_VALUES))
    return tuple(moves)


def relate_moves(claimed: Iterable[Move], in_item: Iterable[Move]) -> Relation | None:
    """Return whether an item has a claimed move (SAME), its reverse (SWAPPED), another of the same (OTHER), or None."""
    pairs = [(claimed_move, item_move) for claimed_move in claimed for item_move in in_item]
    for within in (False, True):
        if any(
            _meets(c.new, i.new, within=within) and (not c.old or _meets(c.old, i.old, within=within)) for c, i in pairs
        ):
            return Relation.SAME
        if any(
            _meets(c.new, i.old, within=within) and (not c.old or _meets(c.old, i.new, within=within)) for c, i in pairs
        ):
            return Relation.SWAPPED
    return Relation.OTHER if any(_meets(c.old | c.new, i.old | i.new, within=True) for c, i in pairs) else None


def names_only_old_value(text: str, moves: Iterable[Move]) -> bool:
    """Return whether a text names the old value of a move but not the new one."""
    words = comparable_words(text)
    values = (move for move in moves if move.is_value)
    return any(_meets(words, move.old, within=False) and not _meets(words, move.new, within=True) for move in values)


def comparable_words(text: str) -> frozenset[str]:
    """Return the words by which things are compared: names, numbers and stems, without kinds of things ("option")."""
    words = map(bare_number, split_words(text))
    stems = (word if word[0].isdigit() or is_name(word) else next(iter(split_tokens(word)), "") for word in words)
    return frozenset(stem for stem in stems if stem) - _KINDS


def _meets(first: frozenset[str], second: frozenset[str], *, within: bool) -> bool:
    """Return whether two things share a number, else a name (if `within`, or a part of one), else a word."""
    for is_kind in (lambda word: word[0].isdigit(), is_name):
        left, right = ({word for word in words if is_kind(word)} for words in (first, second))
        if left and right:
            parts = [(f".{_parts(a)}.", f".{_parts(b)}.") for a in left for b in right]
            return not left.isdisjoint(right) or (within and any(a in b or b in a for a, b in parts))
    return not first.isdisjoint(second)


def _parts(name: str) -> str:
    return re.sub(r"::|->|[:/]", ".", name)
