"""What an entry tells: its act, or where it tells none itself that of the section that lists it."""

from corpus.index.stored import StoredPassage
from corpus.kinds import kind_of_heading
from corpus.model import Act, Kind
from retrieval.quoting.quotes import ItemScore

_OF_SECTIONS: dict[Kind | None, Act] = {Kind.REMOVAL: Act.REMOVED, Kind.DEPRECATION: Act.DEPRECATED}
_ENTRY_CHARACTERS = 160
_SURE = 0.5
GOES = frozenset({Act.REMOVED, Act.REVERTED})
"""What was there before isn't any more."""
WARNS = frozenset({Act.DEPRECATED, Act.PLANNED})
"""What is there will go."""


def told_act(passage: StoredPassage, number: int) -> Act:
    """What the item of a passage says happened; a short one of no sure act says what its section is about."""
    item = passage.items[number]
    if item.act is not Act.OTHER and item.certainty >= _SURE:
        return item.act
    is_entry = len(item.span) <= _ENTRY_CHARACTERS and bool(passage.heading)
    listed = _OF_SECTIONS.get(kind_of_heading(passage.heading[-1])) if is_entry else None
    return listed or item.act


def act_of(one: ItemScore) -> Act:
    """The same of an item that was scored."""
    return told_act(one.hit.passage, one.number)
