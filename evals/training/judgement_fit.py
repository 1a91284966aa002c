"""Fit the order of items (which of them contains the answer, with what probability) and the decision to answer: a
logistic regression of "the answer is right" on the signals of `retrieval.answers.evidence`.

The order is a linear score whose softmax over a question's items puts most weight on those that overlap the gold
(ListNet's top-one probabilities; Cao et al. 2007), so that items compete only within a question. A logistic regression
on this score alone calibrates it, over the same items and over the nearest ones of near misses, which teach that near
words alone are no answer. Each question of a suite weighs the same, each near miss half.
"""

import math
from collections.abc import Sequence
from dataclasses import fields

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from evals.training.examples import Example, Figures, shares
from retrieval.answers.evidence import Calibration, Evidence
from retrieval.judge.answers import AnswerWeights
from retrieval.search.item_ranker import FEATURES, ItemRanker

Table = NDArray[np.float64]
_DIGITS = 4


def fit_logistic(
    table: Table, labels: NDArray[np.bool_], *, strength: float, shares: Table | None
) -> tuple[Table, float]:
    """Return the weight of each column of `table` (examples, columns) and the bias, in logits, rounded for a file.
    Columns are penalised alike, whatever their scale, more at lower `strength`; `shares` weigh the examples."""
    centre, scale = table.mean(axis=0), table.std(axis=0) + 1e-9
    model = LogisticRegression(C=strength, max_iter=5000).fit((table - centre) / scale, labels, sample_weight=shares)
    weights = model.coef_[0] / scale
    return np.round(weights, _DIGITS), round(float(model.intercept_[0] - weights @ centre), _DIGITS)


BY_COSINE = ItemRanker(tuple(float(name == "cosine") for name in FEATURES), 0.0)
_PENALTY = 0.003
_STEPS = 60
_NEAREST = 8
_NEAR_MISS_SHARE = 0.5
_LEAST_SPREAD = 1e-6
_MIN_SHARE = 0.002
"""A figure that is non-zero for a smaller share of the items isn't fitted, because they teach too little of it."""


def fit_items(examples: Sequence[Example]) -> ItemRanker:
    """Fit the ranker's weights and bias; answerable questions without an item that overlaps the gold are skipped."""
    items, labels, weights_of, teaching = [], [], [], []
    for example, weight in zip(examples, shares(examples), strict=True):
        kept = np.arange(len(example.items))
        if not example.question.answerable:
            kept = np.argsort(-example.items @ BY_COSINE.weights, kind="stable")[:_NEAREST]
        elif example.has_gold.any():
            teaching.append((example, weight))
        else:
            continue
        share = 1.0 if example.question.answerable else _NEAR_MISS_SHARE
        items.append(example.items[kept])
        labels.append(example.has_gold[kept])
        weights_of.append(np.full(len(kept), weight * share / max(len(kept), 1)))
    order = fit_order(
        [example.items for example, _ in teaching],
        [example.has_gold for example, _ in teaching],
        np.array([weight for _, weight in teaching]),
        penalty=_PENALTY,
    )
    weighed, scores = np.concatenate(weights_of), np.vstack(items) @ order[:, None]
    (slope,), bias = fit_logistic(scores, np.concatenate(labels), strength=1.0, shares=weighed / weighed.mean())
    return ItemRanker(tuple(np.round(slope * order, _DIGITS).tolist()), bias)


def fit_order(
    tables: Sequence[Figures], wanted_rows: Sequence[NDArray[np.bool_]], weights: Figures, *, penalty: float
) -> Figures:
    """Return the weight of each figure, shape (figures,), that makes the wanted rows likeliest in each table (rows,
    figures). `wanted_rows` has a mask (rows,) for each table, `weights` (tables,) weighs the tables. Figures are
    penalised alike, whatever their scale."""
    table, wanted = np.vstack(tables), np.concatenate(wanted_rows)
    sizes = np.array([len(rows) for rows in tables])
    starts, table_of = np.cumsum([0, *sizes[:-1]]), np.repeat(np.arange(len(tables)), sizes)
    # A figure that is the same for all items of a question can't order them.
    spread = (table - (np.add.reduceat(table, starts) / sizes[:, None])[table_of]).std(axis=0)
    used = (np.count_nonzero(table, axis=0) >= _MIN_SHARE * len(table)) & (spread > _LEAST_SPREAD)
    scale = spread[used]
    scaled = table[:, used] / scale
    weights = weights / weights.sum()

    def loss(order: Figures) -> tuple[float, Figures]:
        scores = scaled @ order
        likely = np.exp(scores - np.maximum.reduceat(scores, starts)[table_of])
        likely /= np.add.reduceat(likely, starts)[table_of]
        right = likely * wanted
        total = np.maximum(np.add.reduceat(right, starts), 1e-12)
        slope = scaled.T @ (weights[table_of] * (likely - right / total[table_of]))
        return float(penalty * order @ order - weights @ np.log(total)), 2 * penalty * order + slope

    order = np.zeros(table.shape[1])
    order[used] = minimize(loss, order[used], jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}).x / scale
    return order


def fit_answers(examples: Sequence[Example]) -> AnswerWeights:
    """Fit how much the order and the judge count for whether an item contains the answer, over all judged items."""
    table, has_gold = (
        np.vstack([example.judged for example in examples]),
        np.concatenate([example.judged_has_gold for example in examples]),
    )
    (item, answers), bias = fit_logistic(table, has_gold, strength=1.0, shares=None)
    return AnswerWeights(float(item), float(answers), bias)


SIGNALS = tuple(field.name for field in fields(Evidence))
MAX_REFUSED_SHARE = 0.05
"""The share of right answers that may be refused: wrong answers show in their quotes, refused ones cost a search by
hand. Of 1,013 questions typed by language models about projects not learned from, 74 have no answer. At .05, 15 of
these get one; at .09, 6 do, but 6 % more of the answerable questions are refused."""
_STRENGTH = 0.3
_THRESHOLD_STEPS = 10_000


def fit_decision(examples: Sequence[Example]) -> Calibration:
    """Fit weights (none below 0), bias and threshold, and the typical signals: their means over right answers."""
    used = [example for example in examples if example.evidence is not None]
    table, right = np.array([example.evidence for example in used]), np.array([example.right for example in used])
    columns = list(range(len(SIGNALS)))
    weights = np.zeros(len(SIGNALS))
    while True:
        kept, bias = fit_logistic(table[:, columns], right, strength=_STRENGTH, shares=shares(used))
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
    """Return the highest threshold, a multiple of 1/10,000, that refuses `MAX_REFUSED_SHARE` of these or fewer."""
    ranked = sorted(certainties)
    return math.floor(ranked[int(MAX_REFUSED_SHARE * len(ranked))] * _THRESHOLD_STEPS) / _THRESHOLD_STEPS


def confidences(examples: Sequence[Example], calibration: Calibration) -> Figures:
    """Return the confidence of each example, shape (examples,); 0 if nothing was found."""
    return np.array(
        [
            0.0 if example.evidence is None else calibration.probability(example.evidence.tolist())
            for example in examples
        ]
    )
