"""Fit the decision to answer: a logistic regression of "there is an answer" on the signals of `retrieval.evidence`.

An answerable question whose gold isn't among the first five passages is left out: refusing it is right, answering it
isn't what the weights should learn. A signal that would count against an answer is left out as well, so that more
evidence never makes an answer less likely. The threshold is the highest that refuses at most `MAX_OVER_ABSTENTION` of
the answerable questions of the development halves.
"""

import math
from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from evals.training.examples import Example, balanced_shares
from retrieval.evidence import Calibration, Evidence

MAX_OVER_ABSTENTION = 0.06
SIGNALS = tuple(field.name for field in fields(Evidence))
_REGULARISATION = 0.1
_NATURAL = "natural"
_DIGITS = 4


def fit_decision(
    natural: Sequence[Example], development: Sequence[Example], *, signals: Sequence[str] = SIGNALS
) -> Calibration:
    """Weights, bias and threshold from natural questions and the development halves.

    Every suite of the development halves weighs the same, and the natural questions all together as much as one.
    """
    columns = [SIGNALS.index(name) for name in signals]
    halves = [[one for one in half if one.evidence is not None and teaches(one)] for half in (natural, development)]
    table = np.array([one.evidence for half in halves for one in half])
    labels = np.array([one.question.answerable for half in halves for one in half])
    shares = balanced_shares([[_NATURAL] * len(halves[0]) + [one.suite for one in halves[1]]])
    while True:
        centre, scale = table[:, columns].mean(axis=0), table[:, columns].std(axis=0) + 1e-9
        model = LogisticRegression(C=_REGULARISATION, max_iter=5000)
        model.fit((table[:, columns] - centre) / scale, labels, sample_weight=shares)
        found = model.coef_[0] / scale
        if (found >= 0).all():
            break
        columns.pop(int(found.argmin()))
    weights = np.zeros(len(SIGNALS))
    weights[columns] = found
    bias = float(model.intercept_[0] - found @ centre)
    open_door = Calibration(tuple(round(float(weight), _DIGITS) for weight in weights), round(bias, _DIGITS), 0.0)
    threshold = choose_threshold(development, confidences(development, open_door))
    return replace(open_door, threshold=math.floor(threshold * 10**_DIGITS) / 10**_DIGITS)


def teaches(example: Example) -> bool:
    """Whether a question has something to teach: its answer was retrieved, or there is none."""
    return example.retrieved or not example.question.answerable


def confidences(examples: Sequence[Example], calibration: Calibration) -> NDArray[np.float64]:
    """The confidence of each example, shape (examples,); 0 where nothing was found."""
    return np.array(
        [0.0 if one.evidence is None else calibration.probability(one.evidence.tolist()) for one in examples]
    )


def choose_threshold(examples: Sequence[Example], certainties: NDArray[np.float64]) -> float:
    """The highest threshold that refuses at most `MAX_OVER_ABSTENTION` of the answerable questions."""
    answerable = np.array([one.question.answerable for one in examples])
    ranked = np.sort(certainties[answerable])
    return float(ranked[int(MAX_OVER_ABSTENTION * len(ranked))])


def typical_signals(examples: Sequence[Example]) -> tuple[float, ...]:
    """The mean of each signal over the questions whose answer was retrieved: what a signal is held against."""
    table = np.array([one.evidence for one in examples if one.retrieved and one.evidence is not None])
    return tuple(round(float(value), _DIGITS) for value in table.mean(axis=0))


def area_under_curve(examples: Sequence[Example], certainties: NDArray[np.float64]) -> float:
    """How often an answerable question is more certain than one without an answer, 0 to 1; ties count for a half."""
    answerable = np.array([one.question.answerable for one in examples])
    positive, negative = certainties[answerable][:, None], certainties[~answerable][None, :]
    return float(((positive > negative) + 0.5 * (positive == negative)).mean())
