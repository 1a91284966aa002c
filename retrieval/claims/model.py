"""What is said of a claim: the verdict, what differs, and the quotes that bear it or refute it."""

from dataclasses import dataclass
from enum import StrEnum

from retrieval.blocks import Words
from retrieval.model import Citation


class Verdict(StrEnum):
    """What the notes say of a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    PARTLY = "partly"  # A part is borne out; the rest is refuted or isn't in the notes.
    UNSURE = "unsure"
    """The notes speak of it, but whether they bear it out or refute it isn't told well enough: to be read."""
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True)
class Claim:
    """One checkable sentence of a text; `start` and `end` count code points in that text."""

    text: str
    start: int
    end: int
    words: str = ""
    """What is checked where that isn't `text`: without markup, after what its row or the line above its list says."""


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim with its verdict."""

    claim: Claim
    verdict: Verdict
    because: Words  # One or two sentences for people: what differs (version, number, name, polarity), and who says so.
    citations: tuple[Citation, ...]  # At most three, the one that decides first; none for `not_found`.


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """Every claim of a text, in its order."""

    text: str
    claims: tuple[CheckedClaim, ...]
    elapsed_ms: float
    notes: tuple[str, ...] = ()  # What to know of all of it: that a language model judged too, or couldn't.
