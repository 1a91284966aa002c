"""What an entry tells, as it was read when it came in: its own words and the headings that list it."""

from corpus.model import Act
from corpus.stored import StoredPassage
from retrieval.quotes import ItemScore

GOES = frozenset({Act.REMOVED, Act.REVERTED})
"""What was there before isn't any more."""
WARNS = frozenset({Act.DEPRECATED, Act.PLANNED})
"""What is there will go."""


def told_act(passage: StoredPassage, number: int) -> Act:
    """What the item of a passage says happened."""
    return passage.items[number].act


def act_of(one: ItemScore) -> Act:
    """The same of an item that was scored."""
    return one.item.act
