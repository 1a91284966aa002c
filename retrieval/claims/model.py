"""What is said of a claim: the verdict, what differs, and the quotes that bear it or refute it."""

import json
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files

from retrieval.model import Citation


class Verdict(StrEnum):
    """What the notes say of a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    PARTLY = "partly"
    """A part is borne out; the rest is refuted or isn't in the notes."""
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
    because: str
    """One or two sentences for people: what differs (version, number, name, polarity), and who says so."""
    citations: tuple[Citation, ...]
    """At most three, the one that decides first; none for `not_found`."""


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """Every claim of a text, in its order."""

    text: str
    claims: tuple[CheckedClaim, ...]
    elapsed_ms: float
    notes: tuple[str, ...] = ()
    """What to know of all of it: that a language model judged too, or couldn't."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How sure the model must be that an item bears a claim out, or that it refutes it, for the verdict to stand."""

    supported: float
    contradicted: float


@lru_cache(maxsize=1)
def load_thresholds() -> Thresholds:
    """What `python -m evals.training.verdicts` fitted to the model that the package ships, read once."""
    raw = json.loads(files("retrieval.claims").joinpath("thresholds.json").read_text(encoding="utf-8"))
    return Thresholds(raw["supported"]["threshold"], raw["contradicted"]["threshold"])
