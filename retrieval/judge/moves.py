"""What took what's place, as a sentence says it: renames, moves, replacements and changed values, from old to new."""

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
_compiled = cache(partial(re.compile, flags=re.IGNORECASE))  # `re` itself would forget them for patterns of names.
_BY_VERB = tuple((_VERB.findall(pattern)[0], pattern) for pattern in _MOVES)
_OF_VALUES = frozenset(("from", "up", "down", "instead of", "rather than", "in place of", "up to", "until", "before"))
_LINKING = _OF_VALUES.union(
    "is are was were previously formerly → -> =>".split(), ("new name", "new names", "new spelling")
)
_CUT = re.compile(
    r".*\s(?:to|of|is|are|was|uses?d?|using|with|now|by|the|an?|in|for|wants?|needs?|takes?|has|have|been|from"
    r"|did|does|to)\s"
    r"|.*:\s|^(?:uses?|the|an?|did|does|was|is|were|in)\s",
    re.IGNORECASE,
)
"""What stands before a thing that is named at the end of some words."""
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
"""By what a move is told, which sources and claims each word in their way."""


class Relation(Enum):
    """What a claimed move is to those that an item tells."""

    SAME = auto()
    SWAPPED = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Move:
    """The words of the old and of the new, each without what both have; no old where none is told."""

    old: frozenset[str]
    new: frozenset[str]
    is_value: bool  # Of a value, not of a name.


def read_moves(text: str, *, is_claim: bool) -> tuple[Move, ...]:
    """Return the moves that a text on one line tells; a claim's or question's also where it only asks or plans."""
    moves = []
    for sentence in SENTENCE_END.split(text):
        for verb, pattern in _BY_VERB:  # The verb alone is found in a fiftieth of the time that the whole takes.
            for found in _compiled(pattern).finditer(sentence) if _compiled(verb).search(sentence) else ():
                how, groups = modality_at(sentence, *found.span("verb")), found.groupdict()
                verb = found["verb"].casefold()
                old, new = (telling_words(_CUT.sub("", groups.get(side) or "")) for side in ("old", "new"))
                is_told = how is not Modality.DENIED if is_claim else how is Modality.DONE
                is_told &= is_claim or verb in _LINKING or is_plain(sentence, *found.span("verb")) is not False
                is_named = verb not in ("is", "are") or (any(map(is_name, old)) and any(map(is_name, new)))
                if is_told and is_named and new - old and (old - new or "old" not in groups):
                    moves.append(Move(old - new, new - old, verb in _OF_VALUES))
    return tuple(moves)


def relate_moves(claimed: Iterable[Move], told: Iterable[Move]) -> Relation | None:
    """Return whether an item tells one of the claimed moves, one turned round, or another of one of its things; None
    where it tells nothing of them."""
    pairs = [(one, other) for one in claimed for other in told]
    for within in (False, True):
        if any(
            _meets(c.new, i.new, within=within) and (not c.old or _meets(c.old, i.old, within=within)) for c, i in pairs
        ):
            return Relation.SAME
        if any(
            _meets(c.new, i.old, within=within) and (not c.old or _meets(c.old, i.new, within=within)) for c, i in pairs
        ):
            return Relation.SWAPPED
    is_near = any(_meets(c.old | c.new, i.old | i.new, within=True) for c, i in pairs)
    return Relation.OTHER if is_near else None


def names_what_went(text: str, told: Iterable[Move]) -> bool:
    """Return whether a text names what took a thing's place no more, and not what did."""
    words = telling_words(text)
    values = (move for move in told if move.is_value)
    return any(_meets(words, one.old, within=False) and not _meets(words, one.new, within=True) for one in values)


def telling_words(text: str) -> frozenset[str]:
    """Return the names, numbers and stems of a text, as things are compared by."""
    words = map(bare_number, split_words(text))
    found = (word if word[0].isdigit() or is_name(word) else next(iter(split_tokens(word)), "") for word in words)
    return frozenset(word for word in found if word) - _KINDS


def _meets(one: frozenset[str], other: frozenset[str], *, within: bool) -> bool:
    """Return whether two things share a number where both have one, else a name, else a word; `within`: or a part."""
    for is_kind in (lambda word: word[0].isdigit(), is_name):
        own, others = ({word for word in words if is_kind(word)} for words in (one, other))
        if own and others:
            parts = [(f".{_parts(a)}.", f".{_parts(b)}.") for a in own for b in others]
            return not own.isdisjoint(others) or (within and any(a in b or b in a for a, b in parts))
    return not one.isdisjoint(other)


def _parts(name: str) -> str:
    return re.sub(r"::|->|[:/]", ".", name)
