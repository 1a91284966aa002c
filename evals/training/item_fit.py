"""Fit the order of items: which sentence or entry that was read holds the answer, and how surely.

A logistic regression over the items of answerable questions, where one of them overlaps the gold, and over the nearest
items of near misses, which teach that near words alone are no answer. Each question of a suite weighs the same, each
near miss half.
"""

from collections.abc import Sequence

import numpy as np

from evals.training.examples import Example, Figures, shares
from evals.training.regression import fit_logistic
from retrieval.item_ranker import FEATURES, ItemRanker

BY_COSINE = ItemRanker(tuple(float(name == "cosine") for name in FEATURES), 0.0)
_STRENGTH = 1.0
_NEAREST = 8
_NEAR_MISS_SHARE = 0.5
_MIN_SHARE = 0.002
"""A figure that a smaller share of the items has, as an act that few questions of a form meet, teaches nothing."""


def fit_items(examples: Sequence[Example]) -> ItemRanker:
    """Weights and bias; an answerable question none of whose items overlaps the gold teaches nothing."""
    items, labels, weights_of = [], [], []
    for one, weight in zip(examples, shares(examples), strict=True):
        kept = np.arange(len(one.items))
        if not one.question.answerable:
            kept = np.argsort(-one.items @ BY_COSINE.weights, kind="stable")[:_NEAREST]
        elif not one.holds.any():
            continue
        share = 1.0 if one.question.answerable else _NEAR_MISS_SHARE
        items.append(one.items[kept])
        labels.append(one.holds[kept])
        weights_of.append(np.full(len(kept), weight * share / max(len(kept), 1)))
    weighed, table = np.concatenate(weights_of), np.vstack(items)
    table[:, np.count_nonzero(table, axis=0) < _MIN_SHARE * len(table)] = 0.0
    weights, bias = fit_logistic(table, np.concatenate(labels), strength=_STRENGTH, shares=weighed / weighed.mean())
    return ItemRanker(tuple(weights.tolist()), bias)


def answer_places(examples: Sequence[Example], ranker: ItemRanker) -> Figures:
    """The place (1 for the first) of the best item that overlaps the gold, infinite without one; shape (examples,)."""
    return np.array([_answer_place(one, ranker) for one in examples])


def _answer_place(example: Example, ranker: ItemRanker) -> float:
    order = np.argsort(-example.items @ ranker.weights, kind="stable")
    places = np.flatnonzero(example.holds[order])
    return float(places[0] + 1) if len(places) else float("inf")
