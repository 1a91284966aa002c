"""Whether an item of the notes bears a claim out, refutes it or says nothing of it, and whether it answers a question
with yes or no, as the cross-encoders judge.

Fitted by `python -m evals.training.entailment` on labelled claims, and from there by `python -m evals.training.yes_no`
on labelled questions (evals/training/DATASHEET.md tells which).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from retrieval.judge.model import load_cross_encoder
from retrieval.judge.pairs import Side


class Slot(StrEnum):
    """In what a refuted claim differs from the notes."""

    VERSION = "version"
    NUMBER = "number"
    STATUS = "status"
    SUBJECT = "subject"
    REPLACEMENT = "replacement"
    CONDITION = "condition"
    DIRECTION = "direction"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one item makes of a claim: the probabilities that it bears it out and that it refutes it, what is left being
    that it is silent; and where the claim differs if it does."""

    supported: float
    contradicted: float
    slot: Slot

    @property
    def relevance(self) -> float:
        """How surely the item says anything of the claim, 0 to 1."""
        return self.supported + self.contradicted


def judge_claims(pairs: Sequence[tuple[Side, Side]]) -> tuple[Judgement, ...]:
    """Return what the item of each pair makes of its claim, in order.

    Raises:
        ModelError: the default embedding model, on which the judge stands, isn't installed or can't be read.
    """
    judged = []
    for logits in load_cross_encoder("claims").read(pairs):
        supported, contradicted = _chances(logits)
        judged.append(Judgement(supported, contradicted, tuple(Slot)[int(logits[3:].argmax())]))
    return tuple(judged)


def judge_yes_no(pairs: Sequence[tuple[Side, Side]]) -> tuple[tuple[float, float], ...]:
    """Return how surely the item of each pair answers its question with yes, and how surely with no, in order; what is
    left is that it doesn't tell.

    Raises:
        ModelError: the default embedding model, on which the judge stands, isn't installed or can't be read.
    """
    return tuple(map(_chances, load_cross_encoder("yes_no").read(pairs)))


def _chances(logits: NDArray[np.float32]) -> tuple[float, float]:
    chances = np.exp(logits[:3] - logits[:3].max())
    first, second, _ = map(float, chances / chances.sum())
    return first, second
