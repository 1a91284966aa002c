"""A conversation: its turns in order, each a question with what it was asked with, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeAlias

from retrieval.model import Answer, Facet
from ui.web.surroundings import Surroundings

MAX_TURNS = 30
"""The oldest turn goes when there is one more: a conversation is kept in the server's memory."""
MAX_HISTORY = 10
"""Earlier questions that a question is asked with."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question with all that it is asked with; a link to it holds just this."""

    question: str
    history: tuple[str, ...] = ()
    product: str | None = None
    version: str | None = None
    without: frozenset[Facet] = frozenset()

    def dropping(self, facet: Facet) -> "Asking":
        """The same question, this facet not read from it."""
        return replace(self, without=self.without | {facet})

    def restoring(self, facet: Facet) -> "Asking":
        """The same question, this facet read again."""
        return replace(self, without=self.without - {facet})

    def unfiltered(self, facet: Facet) -> "Asking":
        """The same question without the filter on this facet."""
        return replace(
            self,
            product=None if facet is Facet.PRODUCT else self.product,
            version=None if facet is Facet.VERSION else self.version,
        )


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer with what the page shows of the index beside it."""

    answer: Answer
    surroundings: Mapping[int, Surroundings] = field(default_factory=lambda: MappingProxyType({}))
    """By citation number."""
    near: tuple[str, ...] | None = ()
    """Questions near to one that has no answer, which have one; None while they are looked for."""
    covered: str = ""
    """What there is to ask about, as HTML; only where nothing was found."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer; the same question may fare better later where `can_retry`."""

    message: str
    can_retry: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and what came of it; `number` is its own within the conversation, from 1."""

    number: int
    asking: Asking
    outcome: Answered | Failure
    is_judged: bool = False
    """The person has said what they think of it."""


Conversation: TypeAlias = tuple[Turn, ...]


def history_for(turns: Conversation) -> tuple[str, ...]:
    """The earlier questions that the next one is asked with, oldest first; those that failed aren't among them."""
    answered = [turn for turn in turns if isinstance(turn.outcome, Answered)]
    if not answered:
        return ()
    return (*answered[-1].asking.history, answered[-1].asking.question)[-MAX_HISTORY:]


def with_turn(turns: Conversation, turn: Turn) -> Conversation:
    """The turns with `turn` in the place of the one with its number, or at the end."""
    if any(one.number == turn.number for one in turns):
        return tuple(turn if one.number == turn.number else one for one in turns)
    return (*turns, turn)[-MAX_TURNS:]


def next_number(turns: Conversation) -> int:
    """The number of the next turn."""
    return turns[-1].number + 1 if turns else 1


def find_turn(turns: Conversation, number: int) -> Turn | None:
    """The turn of that number; None where it has gone."""
    return next((turn for turn in turns if turn.number == number), None)
