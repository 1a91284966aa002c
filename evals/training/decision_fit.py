"""Fit the decision to answer: a logistic regression of "the answer is right" on the signals of `retrieval.evidence`."""

import math
from collections.abc import Sequence
from dataclasses import fields

import numpy as np

from evals.training.examples import Example, Figures, shares
from evals.training.item_fit import fit_logistic
from retrieval.evidence import Calibration, Evidence

SIGNALS = tuple(field.name for field in fields(Evidence))
MAX_REFUSED_SHARE = 0.07
"""Whoever gets a wrong answer can see from its quotes that it is one, whoever is refused a right one has to search by
hand. Of 1,013 questions typed by language models about projects of which nothing was learned, a share of .05 answers 15
of 74 that have no answer and .09 answers 6, where 6 % more of those that have one are refused."""
_STRENGTH = 0.3
_DIGITS = 4
_STEPS = 10_000


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
