"""Reads claim sets from JSON lines, and validates them.

A project is wholly in one half, the same as in the question sets. PyTorch, which all three sets are about, is split by
release: 2.8 and 2.9 are in `dev`, every other in `test`. `blind` is a third part, over every project and three invented
ones: it was written from the notes alone when the test half had been seen, and shares no gold with the others.
"""

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field
from pydantic.dataclasses import dataclass

from evals.labelled_places import Filled, line_parser, load_labels
from evals.question_set import Gold
from evals.suites import BUNDLED, CORPORA, CORPORA_PART, SEEDS, Suite
from retrieval.claims.model import Verdict

_QUESTIONS = Path(__file__).parents[1] / "questions"


class ClaimType(StrEnum):
    """The kind of error in a claim."""

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
    """A claim with its right verdict; `any_of`: one gold passage is enough evidence, otherwise all are needed."""

    id: Filled
    project: Filled
    split: Annotated[str, Field(pattern="^(dev|test|blind)$")]
    type: ClaimType
    claim: Filled
    verdict: Verdict
    gold: tuple[Gold, ...] = ()
    any_of: bool = True
    product: str | None = None


parse_claim = line_parser(ExpectedClaim)


CLAIMS_BUNDLED, CLAIMS_SEEDS, CLAIMS_CORPORA, CLAIMS_CORPORA_PART = (
    replace(suite, name=f"claims-{suite.name}", questions=suite.questions.with_name(f"claims-{suite.questions.name}"))
    for suite in (BUNDLED, SEEDS, CORPORA, CORPORA_PART)
)
CLAIMS_PAGES = Suite("claims-pages", _QUESTIONS / "claims-pages.jsonl", _QUESTIONS / "claim_pages")
"""Invented release notes in the styles of a database, a framework and an orchestrator, for claims only."""
CLAIM_GATE_SUITES = (CLAIMS_BUNDLED, CLAIMS_SEEDS, CLAIMS_CORPORA_PART, CLAIMS_PAGES)
CLAIM_FULL_SUITES = (CLAIMS_BUNDLED, CLAIMS_SEEDS, CLAIMS_CORPORA, CLAIMS_PAGES)


def load_claims(suite: Suite) -> tuple[ExpectedClaim, ...]:
    """Load the suite's claims; if it names projects, only those about them.

    Raises:
        UsageError: the file can't be read, or has faults; all of them are listed by line.
    """
    claims = load_labels(suite.questions, parse_claim, name="claims")
    return tuple(claim for claim in claims if not suite.projects or claim.project in suite.projects)
