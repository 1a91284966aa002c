"""What counted for an answer, as the contract's JSON (docs/contract.md).

A form of its own beside the plain answer's: `explanation` is there only where it was asked for.
"""

from typing import Annotated

from pydantic import Field

from retrieval.model import Answer, Status
from ui.contract.answer import AnswerBody, Body


class SignalPointsBody(Body):
    """What one signal did for the decision to answer."""

    signal: str
    value: float
    typical: Annotated[float, Field(description="Its mean among questions whose answer was found")]
    points: Annotated[float, Field(description="Weight times (value - typical), in logits")]


class DecisionBody(Body):
    """Why there is an answer, or none."""

    probability: Annotated[float, Field(ge=0, le=1, description="Of the signals, before any rule")]
    threshold: Annotated[float, Field(ge=0, le=1, description="Below it nothing is answered")]
    status: Status
    by_confidence: Annotated[bool, Field(description="Whether the probability decided, not a rule")]
    signals: Annotated[tuple[SignalPointsBody, ...], Field(description="What spoke most against an answer first")]


class ContributionBody(Body):
    """What one feature added to a passage's score, beside the passages ranked with it."""

    feature: str
    value: float
    points: float


class PassagePointsBody(Body):
    """Why a passage stands where it stands."""

    place: Annotated[int, Field(ge=1, description="In `passages`, from 1")]
    product: str
    release: str | None
    search_score: float
    ranked_score: Annotated[float, Field(description="With what the ranker added")]
    contributions: Annotated[tuple[ContributionBody, ...], Field(description="Largest first, without the negligible")]


class ExplanationBody(Body):
    """What counted for the decision to answer, and for the order of the first passages."""

    decision: DecisionBody
    passages: tuple[PassagePointsBody, ...]


class ExplainedAnswerBody(AnswerBody):
    """A cited answer, and what counted for it."""

    explanation: ExplanationBody


def answer_body(answer: Answer) -> ExplainedAnswerBody | AnswerBody:
    """The body of `answer`, with its explanation where it has one."""
    return (AnswerBody if answer.explanation is None else ExplainedAnswerBody).model_validate(answer)
