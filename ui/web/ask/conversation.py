"""A conversation: its turns in order, each a question with what it was asked with, its address and its outcome."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias
from urllib.parse import urlencode

from retrieval.model import MAX_QUESTION_CHARACTERS, Answer, Facet
from ui.question_limits import MAX_FILTER_CHARACTERS
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

    def changed(self, action: "ChipAction", facet: Facet) -> "Asking":
        """The same question as a chip changes it."""
        match action:
            case ChipAction.DROP:
                return replace(self, without=self.without | {facet})
            case ChipAction.RESTORE:
                return replace(self, without=self.without - {facet})
            case ChipAction.UNFILTER:
                product = None if facet is Facet.PRODUCT else self.product
                return replace(self, product=product, version=None if facet is Facet.VERSION else self.version)

    @property
    def address(self) -> str:
        """`/?q=…` with the filters, the earlier questions (`after`) and the facets that aren't read (`without`)."""
        pairs = [("q", self.question)]
        pairs += [("product", self.product)] if self.product else []
        pairs += [("version", self.version)] if self.version else []
        pairs += [("without", facet.value) for facet in Facet if facet in self.without]
        pairs += [("after", question) for question in self.history]
        return f"/?{urlencode(pairs)}"


def parse_address(pairs: Iterable[tuple[str, str]]) -> Asking | None:
    """The question that a query string holds; None where it holds none, or one that is longer than it may be."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value.strip())
    question, product, version = (next(iter(values.get(name, ())), "") for name in ("q", "product", "version"))
    history = tuple(earlier for earlier in values.get("after", ()) if earlier)[-MAX_HISTORY:]
    longest = max(map(len, (question, *history)))
    if not question or longest > MAX_QUESTION_CHARACTERS or max(len(product), len(version)) > MAX_FILTER_CHARACTERS:
        return None
    without = frozenset(facet for facet in Facet if facet.value in values.get("without", ()))
    return Asking(question, history, product or None, version or None, without)


class ChipAction(StrEnum):
    """What a click on a chip does to its question."""

    DROP = "drop"
    """This facet isn't read from it."""
    RESTORE = "restore"
    """It is read again."""
    UNFILTER = "unfilter"
    """The filter goes."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer with what the page shows of the index beside it."""

    answer: Answer
    surroundings: Mapping[int, Surroundings] = field(default_factory=lambda: MappingProxyType({}))
    """By citation number."""
    near: tuple[str, ...] | None = ()
    """Questions near to one that has no answer, which have one; None while they are looked for."""
    covered: str = ""
    """What there is to ask about, as HTML that `ui.web.html` made; only where nothing was found."""


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
    if find_turn(turns, turn.number):
        return tuple(turn if earlier.number == turn.number else earlier for earlier in turns)
    return (*turns, turn)[-MAX_TURNS:]


def next_number(turns: Conversation) -> int:
    """The number of the next turn."""
    return turns[-1].number + 1 if turns else 1


def find_turn(turns: Conversation, number: int) -> Turn | None:
    """The turn of that number; None where it has gone."""
    return next((turn for turn in turns if turn.number == number), None)
