"""How much an item matters to the readers of a release, learned from examples (`evals.training.readers`)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpus.kinds import is_highlight
from corpus.model import Act, Kind
from corpus.text_classifier import packaged_classifier

_READ_PLACES = 5
_READ_CERTAINTY = 4


@dataclass(frozen=True, slots=True)
class Importance:
    """Probabilities, 0 to 1, that an item is among the first to be told."""

    headline: float
    """Of what is new."""
    breaking: float
    """Of what breaks, or must be minded."""


def importance_terms(
    terms: set[str], heading: Sequence[str], kind: Kind, number: int, act: Act, certainty: float
) -> set[str]:
    """What the readers look at: the terms of the reader of acts, with the item's act and its place in its passage."""
    return terms | {
        f"act={act.value}",
        f"act={act.value} kind={kind.value}",
        f"kind={kind.value}",
        f"number={min(number, _READ_PLACES)}",
        f"highlight={any(map(is_highlight, heading))}",
        f"certainty={int(certainty * _READ_CERTAINTY)} {act is Act.OTHER}",
    }


def read_importance(terms: Sequence[set[str]], vectors: NDArray[np.float32] | None, *, digest: str) -> list[Importance]:
    """How much each item matters, in order; `terms` are those of `importance_terms`, `vectors` as for `read_acts`."""
    if not terms:
        return []
    chances = []
    for name in ("headlines", "breaking"):
        reader = packaged_classifier("corpus", name)
        chances.append(reader.probabilities(terms, vectors, digest=digest)[:, reader.labels.index("y")].tolist())
    return [Importance(round(news, 3), round(breaks, 3)) for news, breaks in zip(*chances, strict=True)]
