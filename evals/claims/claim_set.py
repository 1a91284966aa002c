"""Reads claim sets from JSON lines, and validates them.

A project is wholly in one half, the same as in the question sets. PyTorch, which all three sets are about, is split by
release: 2.8 and 2.9 are in `dev`, every other in `test`. `blind` is a third part, over every project and three invented
ones: it was written from the notes alone when the test half had been seen, and shares no gold with the others.
"""

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator
from pydantic.dataclasses import dataclass

from evals.labelled_places import Filled, Half, line_parser, load_labels
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
    """A claim with its right verdict; `any_of`: one gold passage is enough evidence, otherwise all are needed.

    `start` and `end` count code points of the text that the claim is a sentence of; for a single claim they are 0 and
    its length.
    """

    id: Filled
    project: Filled
    split: Annotated[str, Field(pattern="^(dev|test|blind)$")]
    type: ClaimType
    claim: Filled
    verdict: Verdict
    start: Annotated[int, Field(ge=0)]
    end: int
    gold: tuple[Gold, ...] = ()
    any_of: bool = True
    product: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _stands_alone_where_it_says_no_place(cls, line: Any) -> Any:
        return {"start": 0, "end": len(str(line.get("claim"))), **line} if isinstance(line, dict) else line


@dataclass(frozen=True, slots=True)
class ExpectedText:
    """A description or comment of several sentences, with the verdict of each checkable one; a sentence's id is the
    text's id and its number."""

    id: Filled
    suite: Annotated[str, Field(pattern="^(corpus|seeds|corpora)$")]
    project: Filled
    split: Half
    text: Filled
    claims: Annotated[tuple[ExpectedClaim, ...], Field(min_length=1)]

    @model_validator(mode="before")
    @classmethod
    def _sentences_are_about_its_project(cls, line: Any) -> Any:
        if not isinstance(line, dict):
            return line
        shared = {name: line.get(name) for name in ("project", "split")}
        numbered = enumerate(line.get("claims", ()), start=1)
        return line | {"claims": [claim | shared | {"id": f"{line.get('id')}.{n}"} for n, claim in numbered]}

    @model_validator(mode="after")
    def _holds_its_sentences(self) -> "ExpectedText":
        for sentence in self.claims:
            if self.text[sentence.start : sentence.end] != sentence.claim:
                raise ValueError(f"the text doesn't hold {sentence.claim!r} at {sentence.start}")
        return self


parse_claim = line_parser(ExpectedClaim)
parse_text = line_parser(ExpectedText)


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


def load_texts(suite: Suite) -> tuple[ExpectedText, ...]:
    """Load the texts of several sentences about the suite's documents.

    Raises:
        UsageError: as for `load_claims`.
    """
    name = suite.questions.stem.removeprefix("claims-")
    texts = load_labels(_QUESTIONS / "claims-texts.jsonl", parse_text, name="texts of claims")
    return tuple(
        text for text in texts if text.suite == name and (not suite.projects or text.project in suite.projects)
    )
