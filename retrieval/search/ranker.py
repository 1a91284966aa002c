"""The learned ranker: which of the first passages answers this question about this version.

A linear model over named features, in the units of the fused score: what it adds to a hit is the sum of each feature's
weight times how far the hit is from the mean of those ranked with it. Weights are learned from pairs of passages of
one question (RankNet's logistic loss; Burges et al. 2005) by `make train` and kept in `ranker.json`;
evals/results/JUDGEMENT.md has what they are worth, docs/decisions/0007 what trees and cross-encoders would be.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from importlib.resources import files
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from retrieval.search.hits import Hit
from retrieval.search.rank_features import RankFeatures
from retrieval.search.reading_features import ReadingFeatures

_SEARCH_FEATURES = tuple(field.name for field in fields(RankFeatures))
_READING_FEATURES = tuple(field.name for field in fields(ReadingFeatures))
# `asdict` copies what it takes apart: a hundred times as slow.
_of_search, _of_reading = attrgetter(*_SEARCH_FEATURES), attrgetter(*_READING_FEATURES)
RANKED_HITS = 20
"""How many hits are read and ranked anew; those after them stay where they are."""
FEATURES = (*_SEARCH_FEATURES, *_READING_FEATURES)


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one feature did for a hit: its value, and what it added to the score beside the hits ranked with it."""

    feature: str
    value: float
    points: float


@dataclass(frozen=True, slots=True)
class Ranker:
    """A linear model: `weights` are points of the fused score for one unit of a feature, by its name."""

    weights: Mapping[str, float]

    def contributions(
        self, hits: Sequence[Hit], readings: Sequence[ReadingFeatures]
    ) -> tuple[tuple[Contribution, ...], ...]:
        """What each feature with a weight adds to each hit; one row a hit, in order."""
        values = feature_matrix(hits, readings)
        points = (values - values.mean(axis=0)) * self._vector()
        used = [i for i, name in enumerate(FEATURES) if name in self.weights]
        return tuple(
            tuple(Contribution(FEATURES[i], float(values[row, i]), float(points[row, i])) for i in used)
            for row in range(len(hits))
        )

    def scores(self, features: NDArray[np.float64], fused: NDArray[np.float64]) -> NDArray[np.float64]:
        """New scores, shape (hits,), of hits with these features (hits, features) and fused scores (hits,)."""
        added: NDArray[np.float64] = (features - features.mean(axis=0)) @ self._vector()
        return fused + added

    def rank(self, hits: Sequence[Hit], readings: Sequence[ReadingFeatures]) -> tuple[Hit, ...]:
        """The hits that were read by their new scores, the others after them; ties by passage id.

        `readings` are of the first hits, in order. A hit that wasn't read keeps its score, but for what would put it
        above one that was.
        """
        read, rest = hits[: len(readings)], hits[len(readings) :]
        if not read:
            return tuple(hits)
        scores = self.scores(feature_matrix(read, readings), np.array([hit.score for hit in read]))
        scored = [replace(hit, score=score) for hit, score in zip(read, scores.tolist(), strict=True)]
        scored.sort(key=lambda hit: (-hit.score, hit.passage.position))
        lowest = scored[-1].score
        return (*scored, *(replace(hit, score=lowest) if hit.score > lowest else hit for hit in rest))

    def _vector(self) -> NDArray[np.float64]:
        return np.array([self.weights.get(name, 0.0) for name in FEATURES])


def feature_matrix(hits: Sequence[Hit], readings: Sequence[ReadingFeatures]) -> NDArray[np.float64]:
    """The features of some hits: shape (hits, features), float64, in the order of `FEATURES`."""
    rows = [(*_of_search(hit.features), *_of_reading(reading)) for hit, reading in zip(hits, readings, strict=True)]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(FEATURES))


@lru_cache(maxsize=1)
def load_ranker() -> Ranker:
    """The committed weights.

    Raises:
        KeyError: the file names a feature that there isn't; run `make train`.
    """
    raw = json.loads(files("retrieval.search").joinpath("ranker.json").read_text(encoding="utf-8"))
    unknown = set(raw["weights"]) - set(FEATURES)
    if unknown:
        raise KeyError(f"ranker.json names unknown features: {', '.join(sorted(unknown))}")
    return Ranker({name: float(weight) for name, weight in raw["weights"].items()})
