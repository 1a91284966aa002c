"""Fit the decision to answer: a logistic regression of "the answer is right" on the signals of `retrieval.evidence`."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from evals.training.examples import Example, Figures, held_out, shares
from evals.training.item_fit import fit_logistic
from retrieval.evidence import Calibration, Evidence

Truths = NDArray[np.bool_]
SIGNALS = tuple(field.name for field in fields(Evidence))
MAX_REFUSED_SHARE = 0.07
"""Whoever gets a wrong answer can see from its quotes that it is one, whoever is refused a right one has to search by
hand. Of 1,013 questions typed by language models about projects of which nothing was learned, a share of .05 answers 15
of 74 that have no answer and .09 answers 6, where 6 % more of those that have one are refused."""
_STRENGTH = 0.3
_DIGITS = 4
_STEPS = 10_000
_BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Examples of nearly the same confidence: how many, what was said of them on average, and what was true."""

    examples: int
    confidence: float
    right_share: float


def fit_decision(examples: Sequence[Example]) -> Calibration:
    """Weights, bias, threshold, and the typical signals: their means where the answer is right."""
    found = [example for example in examples if example.evidence is not None]
    table, right = np.array([example.evidence for example in found]), np.array([example.right for example in found])
    columns = list(range(len(SIGNALS)))
    weights = np.zeros(len(SIGNALS))
    while True:
        kept, bias = fit_logistic(table[:, columns], right, strength=_STRENGTH, shares=shares(found))
        if (kept >= 0).all():
            break
        columns.pop(int(kept.argmin()))
    weights[columns] = kept
    certainties = [Calibration(tuple(weights), bias, 0.0).probability(signals) for signals in table[right]]
    return Calibration(
        weights=tuple(weights.tolist()),
        bias=bias,
        threshold=choose_threshold(certainties),
        typical=tuple(np.round(table[right].mean(axis=0), _DIGITS).tolist()),
    )


def choose_threshold(certainties: Sequence[float]) -> float:
    """The highest threshold, in steps of 1/10,000, that refuses at most `MAX_REFUSED_SHARE` of right answers with these
    confidences."""
    ranked = sorted(certainties)
    return math.floor(ranked[int(MAX_REFUSED_SHARE * len(ranked))] * _STEPS) / _STEPS


def confidences(examples: Sequence[Example], calibration: Calibration) -> Figures:
    """The confidence of each example, shape (examples,); 0 where nothing was found."""
    return np.array(
        [
            0.0 if example.evidence is None else calibration.probability(example.evidence.tolist())
            for example in examples
        ]
    )


def held_out_confidences(examples: Sequence[Example]) -> Figures:
    """The confidence of each example by a decision that was fitted on other folds' projects."""
    return held_out(examples, lambda others, asked: confidences(asked, fit_decision(others)))


def area_under_curve(is_positive: Truths, certainties: Figures) -> float:
    """How often a positive example is more certain than another, 0 to 1; ties count for a half."""
    positive, negative = certainties[is_positive][:, None], certainties[~is_positive][None, :]
    return float(((positive > negative) + 0.5 * (positive == negative)).mean())


def reliability(is_right: Truths, certainties: Figures) -> tuple[Bin, ...]:
    """Ten bins of equal width, the least certain first; empty ones are left out."""
    places = np.minimum((certainties * _BINS).astype(int), _BINS - 1)
    return tuple(
        Bin(int(chosen.sum()), float(certainties[chosen].mean()), float(is_right[chosen].mean()))
        for place in range(_BINS)
        if (chosen := places == place).any()
    )


def expected_error(bins: Sequence[Bin]) -> float:
    """The expected calibration error, 0 to 1: how far confidence is from the share that is right, over all examples.

    Source: Naeini, Cooper, Hauskrecht, Obtaining Well Calibrated Probabilities Using Bayesian Binning (AAAI 2015).
    """
    return sum(one.examples * abs(one.confidence - one.right_share) for one in bins) / sum(one.examples for one in bins)
