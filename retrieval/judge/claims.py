"""Judgements by the cross-encoders: whether an item of the notes supports or refutes a claim or doesn't mention it, and
whether it answers a question with yes or no.

Trained by `python -m evals.training.entailment` on labelled claims, then for yes and no by `python -m
evals.training.yes_no` on labelled questions (evals/training/DATASHEET.md lists both).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from retrieval.judge.model import load_cross_encoder
from retrieval.judge.pairs import Side


class Slot(StrEnum):
    """The part in which a refuted claim differs from the notes."""

    VERSION = "version"
    NUMBER = "number"
    STATUS = "status"
    SUBJECT = "subject"
    REPLACEMENT = "replacement"
    CONDITION = "condition"
    DIRECTION = "direction"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict of one item on a claim: the probabilities that it supports it and that it contradicts it (the rest:
    it doesn't mention it), and the part that differs if it does."""

    supported: float
    contradicted: float
    slot: Slot

    @property
    def relevance(self) -> float:
        """The probability, 0 to 1, that the item supports or contradicts the claim."""
        return self.supported + self.contradicted


def judge_claims(pairs: Sequence[tuple[Side, Side]]) -> tuple[Judgement, ...]:
    """Return the judgement of each (claim, item) pair, in order.

    Raises:
        ModelError: the default embedding model, on which the judge is based, isn't installed or can't be read.
    """
    judged = []
    for logits in load_cross_encoder("claims").read(pairs):
        supported, contradicted = _probabilities(logits)
        judged.append(Judgement(supported, contradicted, tuple(Slot)[int(logits[3:].argmax())]))
    return tuple(judged)


def judge_yes_no(pairs: Sequence[tuple[Side, Side]]) -> tuple[tuple[float, float], ...]:
    """Return the probabilities `(yes, no)` for each (question, item) pair, in order; the rest is that it says neither.

    Raises:
        ModelError: the default embedding model, on which the judge is based, isn't installed or can't be read.
    """
    return tuple(map(_probabilities, load_cross_encoder("yes_no").read(pairs)))


def _probabilities(logits: NDArray[np.float32]) -> tuple[float, float]:
    exponentials = np.exp(logits[:3] - logits[:3].max())
    first, second, _ = map(float, exponentials / exponentials.sum())
    return first, second
