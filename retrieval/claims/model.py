"""The result of checking a claim: the verdict, the difference, and the quotes for or against it."""

from dataclasses import dataclass
from enum import StrEnum

from retrieval.blocks import Words
from retrieval.model import Citation


class Verdict(StrEnum):
    """What the notes say about a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    PARTLY = "partly"  # A part is supported; the rest is contradicted or not in the notes.
    UNSURE = "unsure"
    """The notes mention it, but whether they support or contradict it isn't clear enough: a person should read them."""
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True)
class Claim:
    """One checkable sentence of a text; `start` and `end` count code points in that text."""

    text: str
    start: int
    end: int
    words: str = ""
    """The words to check if they differ from `text`: without markup, after the words of its row or the line above."""


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim with its verdict."""

    claim: Claim
    verdict: Verdict
    because: Words  # One or two sentences for people: the difference (version, number, name, polarity) and the source.
    citations: tuple[Citation, ...]  # At most three, the deciding one first; none for `not_found`.


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """All claims of a text, in order."""

    text: str
    claims: tuple[CheckedClaim, ...]
    elapsed_ms: float
    notes: tuple[str, ...] = ()  # Remarks on the whole check: that a language model judged too, or couldn't.
