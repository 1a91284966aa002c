"""Values that a clause gives to a subject, comparable with another's: an amount knows how precise it is meant."""

from dataclasses import dataclass
from enum import StrEnum

from corpus.versions import Version

_ABOUT_SHARE = 0.15
"""Two amounts this near to each other may both be "about" right."""


class Bound(StrEnum):
    """How a number is meant."""

    EXACT = "exactly"
    AT_MOST = "up to"
    AT_LEAST = "at least"
    ABOUT = "about"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number or a range of them (`low` below `high`)."""

    low: float
    high: float
    bound: Bound

    def disagrees(self, other: "Amount") -> bool:
        """Whether both can't be true of one thing: "up to 8" and "up to 16", not "up to 100" and 40."""
        if Bound.ABOUT in (self.bound, other.bound):
            return abs(self.high - other.high) > _ABOUT_SHARE * max(self.high, other.high)
        if self.bound is other.bound:
            return (self.low, self.high) != (other.low, other.high) and not (self._holds(other) or other._holds(self))
        for one, two in ((self, other), (other, self)):
            if one.bound is Bound.AT_MOST and two.low > one.high:
                return True
            if one.bound is Bound.AT_LEAST and two.high < one.low:
                return True
        return False

    def _holds(self, other: "Amount") -> bool:
        """A range holds each number in it."""
        return self.low < self.high and self.low <= other.low and other.high <= self.high


@dataclass(frozen=True, slots=True)
class Value:
    """A value read from a clause, and where in it."""

    key: str
    """What of the subject it is: a unit, an event, the thing that is needed; empty where there is one question only."""
    value: str | Amount | Version | frozenset[str]
    shown: str
    """The value as people read it."""
    start: int
    end: int
    is_plan: bool = False
    cue: str = ""
    """The words that say what is told of the subject, where `shown` doesn't: "initial support"."""
