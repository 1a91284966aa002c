"""Claim sets: JSON lines in, checked values out.

A claim is a sentence as a reviewer would write it, with the verdict that the notes give it and the passages that bear
or refute it. Every fault of a file is reported at once. Documents aren't looked at here: that is `evals.gold`.

Halves: a project is wholly in one, the same as in the question sets. PyTorch, which all three sets ask about, is split
by release: 2.8 and 2.9 are in `dev`, every other in `test`. `blind` is a third part, over every project and three
made-up ones: it was written from the notes alone when the test half had been seen, and shares no gold with the others.
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, Field

from evals.labelled_places import load_labels
from evals.question_set import Gold, GoldLine
from evals.suites import CLAIM_PAGES, CORPORA, CORPORA_PART, CORPUS, SEEDS, Suite
from retrieval.claims.model import Verdict

_QUESTIONS = Path(__file__).parents[1] / "questions"
_TEXTS = _QUESTIONS / "claims-texts.jsonl"


class ClaimType(StrEnum):
    """What is wrong with a claim."""

    TRUE = "true"
    FALSE_VERSION = "false_version"
    FALSE_NUMBER = "false_number"
    FALSE_POLARITY = "false_polarity"
    FALSE_NAME = "false_name"
    HALF_TRUE = "half_true"
    UNKNOWN = "unknown"
    """Plausible, but the notes don't say it."""


@dataclass(frozen=True, slots=True)
class ExpectedClaim:
    """A claim with its right verdict; `any_of`: one gold passage is enough evidence, otherwise all are needed.

    `start` and `end` count code points of the text that the claim is a sentence of; 0 and its length where it
    stands alone.
    """

    id: str
    project: str
    split: str
    type: ClaimType
    claim: str
    verdict: Verdict
    gold: tuple[Gold, ...]
    any_of: bool
    product: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ExpectedText:
    """A description or comment of several sentences, and the verdict of each that can be checked."""

    id: str
    suite: str
    project: str
    split: str
    text: str
    claims: tuple[ExpectedClaim, ...]


@dataclass(frozen=True, slots=True)
class ClaimSuite:
    """A claim file and the suite whose documents it speaks of."""

    name: str
    claims: Path
    notes: Suite

    @property
    def is_available(self) -> bool:
        """Whether claims and documents are on this machine; ../shared is beside some checkouts only."""
        return self.claims.is_file() and self.notes.documents.is_dir()


CLAIMS_CORPUS = ClaimSuite("claims-corpus", _QUESTIONS / "claims-corpus.jsonl", CORPUS)
CLAIMS_SEEDS = ClaimSuite("claims-seeds", _QUESTIONS / "claims-seeds.jsonl", SEEDS)
CLAIMS_CORPORA = ClaimSuite("claims-corpora", _QUESTIONS / "claims-corpora.jsonl", CORPORA)
CLAIMS_CORPORA_PART = ClaimSuite("claims-corpora-part", CLAIMS_CORPORA.claims, CORPORA_PART)
CLAIMS_PAGES = ClaimSuite("claims-pages", CLAIM_PAGES.questions, CLAIM_PAGES)

CLAIM_GATE_SUITES = (CLAIMS_CORPUS, CLAIMS_SEEDS, CLAIMS_CORPORA_PART, CLAIMS_PAGES)
CLAIM_FULL_SUITES = (CLAIMS_CORPUS, CLAIMS_SEEDS, CLAIMS_CORPORA, CLAIMS_PAGES)


def load_claims(suite: ClaimSuite) -> tuple[ExpectedClaim, ...]:
    """Load the suite's claims, only those about its projects where it names some.

    Raises:
        UsageError: the file can't be read, or has faults; all of them are listed by line.
    """
    claims = load_labels(suite.claims, parse_claim, name="claims")
    return tuple(claim for claim in claims if _is_of(suite.notes, claim.project))


def load_texts(suite: ClaimSuite) -> tuple[ExpectedText, ...]:
    """Load the texts of several sentences about the suite's documents.

    Raises:
        UsageError: as `load_claims`.
    """
    name = suite.claims.stem.removeprefix("claims-")
    texts = load_labels(_TEXTS, parse_text, name="texts of claims")
    return tuple(text for text in texts if text.suite == name and _is_of(suite.notes, text.project))


def parse_claim(line: str) -> ExpectedClaim:
    """Parse one line of a claim file.

    Raises:
        ValueError: not JSON, or not a claim.
    """
    entry = _ClaimLine.model_validate(json.loads(line))
    return _expected(entry, entry.id, entry.project, entry.split, start=0, end=len(entry.claim), product=entry.product)


def parse_text(line: str) -> ExpectedText:
    """Parse one line of the file of texts; each sentence is named by the text's id and its number.

    Raises:
        ValueError: not JSON, not a text, or a sentence that isn't at its place.
    """
    entry = _TextLine.model_validate(json.loads(line))
    for sentence in entry.claims:
        if entry.text[sentence.start : sentence.end] != sentence.claim:
            raise ValueError(f"the text doesn't hold {sentence.claim!r} at {sentence.start}")
    claims = tuple(
        _expected(one, f"{entry.id}.{number}", entry.project, entry.split, start=one.start, end=one.end, product=None)
        for number, one in enumerate(entry.claims, start=1)
    )
    return ExpectedText(entry.id, entry.suite, entry.project, entry.split, entry.text, claims)


class _Judged(BaseModel):
    claim: str = Field(min_length=1)
    type: ClaimType
    verdict: Verdict
    gold: list[GoldLine] = []
    any_of: bool = True


class _ClaimLine(_Judged):
    id: str = Field(min_length=1)
    project: str = Field(min_length=1)
    split: str = Field(pattern="^(dev|test|blind)$")
    product: str | None = None


class _SentenceLine(_Judged):
    start: int = Field(ge=0)
    end: int


class _TextLine(BaseModel):
    id: str = Field(min_length=1)
    suite: str = Field(pattern="^(corpus|seeds|corpora)$")
    project: str = Field(min_length=1)
    split: str = Field(pattern="^(dev|test)$")
    text: str = Field(min_length=1)
    claims: list[_SentenceLine] = Field(min_length=1)


def _expected(
    entry: _Judged, identity: str, project: str, split: str, *, start: int, end: int, product: str | None
) -> ExpectedClaim:
    gold = tuple(one.checked() for one in entry.gold)
    return ExpectedClaim(
        identity, project, split, entry.type, entry.claim, entry.verdict, gold, entry.any_of, product, start, end
    )


def _is_of(suite: Suite, project: str) -> bool:
    return not suite.projects or project in suite.projects
