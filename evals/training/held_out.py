"""Predictions for questions about projects that nothing was learned about."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from evals.training.decision_fit import SIGNALS, confidences, fit_decision, teaches
from evals.training.examples import Example
from evals.training.folds import FOLDS
from evals.training.learning import LearningSet, fold_of_example
from evals.training.ranker_fit import LEARNED_FEATURES, RANKED_DEPTH, STRENGTH, fit_ranker, reciprocal_ranks

Figures = NDArray[np.float64]
"""One figure an example."""
Predictor = Callable[[Sequence[Example]], Figures]


class HeldOut:
    """A figure for each example of a learning set, by a model that has seen no question about its project: neither a
    natural one nor one of a development half."""

    def __init__(
        self, found: LearningSet, natural: Sequence[Example], learn: Callable[[list[Example], list[Example]], Predictor]
    ) -> None:
        """Learn once for each fold left out, from natural questions and the development halves."""
        self._figures: dict[int, float] = {}
        for fold in range(FOLDS):
            predict = learn(
                [one for one in natural if fold_of_example(one) != fold],
                [one for one in found.development if fold_of_example(one) != fold],
            )
            chosen = [one for one in found.everything if fold_of_example(one) == fold]
            self._figures |= zip(map(id, chosen), predict(chosen).tolist(), strict=True)

    def of(self, examples: Sequence[Example]) -> Figures:
        """The figures of some of the examples, shape (examples,)."""
        return np.array([self._figures[id(one)] for one in examples])


def held_out_ranks(found: LearningSet, natural: Sequence[Example]) -> HeldOut:
    """Reciprocal ranks."""

    def learn(rest: list[Example], development: list[Example]) -> Predictor:
        ranker = fit_ranker(rest, development, names=LEARNED_FEATURES, strength=STRENGTH)
        return lambda examples: reciprocal_ranks(examples, ranker, depth=RANKED_DEPTH)

    return HeldOut(found, natural, learn)


def held_out_confidences(found: LearningSet, natural: Sequence[Example]) -> HeldOut:
    """Confidences of the decision to answer."""

    def learn(rest: list[Example], development: list[Example]) -> Predictor:
        calibration = fit_decision(rest, development)
        return lambda examples: confidences(examples, calibration)

    return HeldOut(found, natural, learn)


def held_out_trees(found: LearningSet, natural: Sequence[Example]) -> HeldOut:
    """What gradient boosting makes of the same signals and questions."""

    def learn(rest: list[Example], development: list[Example]) -> Predictor:
        usable = [one for one in (*rest, *development) if one.evidence is not None and teaches(one)]
        model = HistGradientBoostingClassifier(
            max_iter=120, learning_rate=0.04, max_leaf_nodes=4, min_samples_leaf=25, l2_regularization=5, random_state=0
        )
        model.fit(np.array([one.evidence for one in usable]), [one.question.answerable for one in usable])
        nothing = np.zeros(len(SIGNALS))

        def predict(examples: Sequence[Example]) -> Figures:
            if not examples:
                return np.zeros(0)
            table = np.array([nothing if one.evidence is None else one.evidence for one in examples])
            chances: Figures = model.predict_proba(table)[:, 1]
            return np.where([one.evidence is None for one in examples], 0.0, chances)

        return predict

    return HeldOut(found, natural, learn)
