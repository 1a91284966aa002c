"""Fit the ranker: which of two passages of one question answers it.

RankNet's loss over pairs (Burges et al. 2005) for a linear model: a logistic regression of the differences of their
features, each question weighing the same. The fused score is among the features and left unpenalised, so that what is
learned is a correction to it, in its own units; the more the rest is penalised, the nearer the ranking stays to the
search's own.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from evals.features import IRRELEVANT, RETRIEVES
from evals.training.examples import Example
from retrieval.ranker import FEATURES, Ranker

RANKED_DEPTH = 10
STRENGTH = 0.003
"""Chosen by cross-validation over projects among powers of ten and their triples: more changes nothing there."""
LEARNED_FEATURES = (
    "dense", "series_release", "mention", "kind", "heading", "coverage", "best_item", "item_in_context", "item_cosine",
    "item_agreement", "items_near", "names", "names_in_item", "telling_in_item", "pairs", "value", "symbol",
    "bare_title", "item_length", "fix", "since", "newest", "copies", "product_share", "first",
)  # fmt: skip
"""The rest of the features moved no weight beyond chance, or counted against what they stand for."""
_FREE = 100.0
"""How much wider than the others the fused score is scaled: its penalty is then negligible."""
_DIGITS = 4


def fit_ranker(examples: Sequence[Example], *, names: Iterable[str], strength: float) -> Ranker:
    """Weights for the features `names`, from the examples that have both a passage that answers and one that doesn't.

    `strength` is the inverse of the penalty on the corrections. Every suite weighs the same.
    """
    columns = [FEATURES.index(name) for name in names]
    differences, weights = _pairs(examples, columns)
    scale = differences.std(axis=0) + 1e-9
    scale[-1] /= _FREE
    scaled = differences / scale
    model = LogisticRegression(C=strength, fit_intercept=False, max_iter=2000)
    model.fit(
        np.vstack([scaled, -scaled]),
        np.repeat([1, 0], len(scaled)),
        sample_weight=np.concatenate([weights, weights]),
    )
    found = model.coef_[0] / scale
    points = found[:-1] / found[-1]
    return Ranker(
        {FEATURES[column]: round(float(value), _DIGITS) for column, value in zip(columns, points, strict=True)}
    )


def reciprocal_ranks(examples: Sequence[Example], ranker: Ranker, *, depth: int) -> NDArray[np.float64]:
    """1 / the place of the first passage that answers among the first `depth`, 0 where none is; shape (examples,)."""
    return np.array([_reciprocal_rank(example, ranker, depth) for example in examples])


def _reciprocal_rank(example: Example, ranker: Ranker, depth: int) -> float:
    if not len(example.scores):
        return 0.0
    order = np.argsort(-ranker.scores(example.features, example.scores), kind="stable")
    places = np.flatnonzero(example.relevance[order][:depth] == RETRIEVES)
    return 1.0 / (int(places[0]) + 1) if len(places) else 0.0


def _pairs(examples: Sequence[Example], columns: Sequence[int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The differences of (answering, other) pairs, the fused score last, and their weights, of mean 1."""
    blocks, weights, suites = [], [], []
    for example in examples:
        table = np.column_stack([example.features[:, columns], example.scores]) if len(example.scores) else None
        if table is None:
            continue
        answering, others = table[example.relevance == RETRIEVES], table[example.relevance == IRRELEVANT]
        if len(answering) and len(others):
            blocks.append((answering[:, None, :] - others[None, :, :]).reshape(-1, table.shape[1]))
            weights.append(np.full(len(blocks[-1]), 1 / len(blocks[-1])))
            suites.append(example.suite)
    shares = {suite: 1 / suites.count(suite) for suite in suites}
    balanced = np.concatenate([weight * shares[suite] for weight, suite in zip(weights, suites, strict=True)])
    return np.vstack(blocks), balanced / balanced.mean()
