"""Fit the ranker: which of two passages of one question answers it.

RankNet's loss over pairs (Burges et al. 2005) for a linear model: a logistic regression of the differences of their
features, each question weighing the same. The fused score is among the features and left unpenalised, so that what is
learned is a correction to it, in its own units; the more the rest is penalised, the nearer the ranking stays to the
search's own.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression

from evals.gold import IRRELEVANT, RETRIEVES
from evals.training.examples import Example, Figures
from retrieval.search.ranker import FEATURES, Ranker

RANKED_DEPTH = 10
STRENGTH = 0.0003
"""Of powers of ten and their triples the least that keeps three quarters of the best gain on natural questions, by
cross-validation over projects: beyond it the corrections grow tenfold for the rest."""
LEARNED_FEATURES = (
    "dense", "series_release", "mention", "kind", "heading", "coverage", "best_item", "item_in_context", "item_cosine",
    "item_agreement", "items_near", "names", "names_in_item", "telling_in_item", "pairs", "value", "symbol",
    "bare_title", "item_length", "fix", "since", "newest", "copies", "product_share", "first",
)  # fmt: skip
"""The rest of the features moved no weight beyond chance, or counted against what they stand for."""
_FREE = 100.0
"""How much wider than the others the fused score is scaled: its penalty is then negligible."""
_DIGITS = 4


def fit_ranker(
    examples: Sequence[Example], *, names: Iterable[str] = LEARNED_FEATURES, strength: float = STRENGTH
) -> Ranker:
    """Weights for the features `names`, from the examples that have both a passage that answers and one that doesn't.

    Natural questions and those of the development halves have half of the weight each: `split` tells them apart.
    `strength` is the inverse of the penalty on the corrections.
    """
    columns = [FEATURES.index(name) for name in names]
    blocks = [(example.question.split, found) for example in examples if len(found := _pairs(example, columns))]
    of_split = Counter(split for split, _ in blocks)
    differences = np.vstack([block for _, block in blocks])
    weights = np.concatenate([np.full(len(block), 1 / of_split[split] / len(block)) for split, block in blocks])
    scale = differences.std(axis=0) + 1e-9
    scale[-1] /= _FREE
    scaled = differences / scale
    model = LogisticRegression(C=strength, fit_intercept=False, max_iter=2000)
    model.fit(
        np.vstack([scaled, -scaled]),
        np.repeat([1, 0], len(scaled)),
        sample_weight=np.tile(weights / weights.mean(), 2),
    )
    found = model.coef_[0] / scale
    rounded = (round(float(value), _DIGITS) for value in found[:-1] / found[-1])
    return Ranker({FEATURES[column]: value for column, value in zip(columns, rounded, strict=True)})


def reciprocal_ranks(examples: Sequence[Example], ranker: Ranker, *, depth: int) -> Figures:
    """1 / the place of the first passage that answers among the first `depth`, 0 where none is; shape (examples,)."""
    return np.array([_reciprocal_rank(example, ranker, depth) for example in examples])


def _reciprocal_rank(example: Example, ranker: Ranker, depth: int) -> float:
    if not len(example.scores):
        return 0.0
    order = np.argsort(-ranker.scores(example.features, example.scores), kind="stable")
    places = np.flatnonzero(example.relevance[order][:depth] == RETRIEVES)
    return 1.0 / (int(places[0]) + 1) if len(places) else 0.0


def _pairs(example: Example, columns: Sequence[int]) -> Figures:
    """The differences of every (answering, other) pair of hits: shape (pairs, columns + 1), the fused score last."""
    if not len(example.scores):
        return np.zeros((0, len(columns) + 1))
    table = np.column_stack([example.features[:, columns], example.scores])
    answering, others = table[example.relevance == RETRIEVES], table[example.relevance == IRRELEVANT]
    pairs: Figures = (answering[:, None, :] - others[None, :, :]).reshape(-1, table.shape[1])
    return pairs
