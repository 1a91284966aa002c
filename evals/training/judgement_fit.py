"""Fit the order of items (which sentence or entry that was read holds the answer, and how surely) and the decision to
answer: a logistic regression of "the answer is right" on the signals of `retrieval.answers.evidence`.

Of items first the order: a linear score whose softmax over the items of a question puts most weight on those that
overlap the gold (ListNet's top-one probabilities; Cao et al. 2007), so that an item is compared with the others of its
question and not with those of others. Then what the score is worth: a logistic regression on it alone, over the same
items and over the nearest ones of near misses, which teach that near words alone are no answer. Each question of a
suite weighs the same, each near miss half.
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
    """Return the weight of each column (examples, columns) and the bias, in logits, rounded for a file; columns are
    penalised alike, whatever their scale, the more the lower `strength`. `shares` weigh the examples."""
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
"""A figure that a smaller share of the items has, as an act that few questions of a form meet, teaches nothing."""


def fit_items(examples: Sequence[Example]) -> ItemRanker:
    """Weights and bias; an answerable question none of whose items overlaps the gold teaches nothing."""
    items, labels, weights_of, teaching = [], [], [], []
    for example, weight in zip(examples, shares(examples), strict=True):
        kept = np.arange(len(example.items))
        if not example.question.answerable:
            kept = np.argsort(-example.items @ BY_COSINE.weights, kind="stable")[:_NEAREST]
        elif example.holds.any():
            teaching.append((example, weight))
        else:
            continue
        share = 1.0 if example.question.answerable else _NEAR_MISS_SHARE
        items.append(example.items[kept])
        labels.append(example.holds[kept])
        weights_of.append(np.full(len(kept), weight * share / max(len(kept), 1)))
    order = fit_order(
        [one.items for one, _ in teaching],
        [one.holds for one, _ in teaching],
        np.array([weight for _, weight in teaching]),
        penalty=_PENALTY,
    )
    weighed, scores = np.concatenate(weights_of), np.vstack(items) @ order[:, None]
    (slope,), bias = fit_logistic(scores, np.concatenate(labels), strength=1.0, shares=weighed / weighed.mean())
    return ItemRanker(tuple(np.round(slope * order, _DIGITS).tolist()), bias)


def fit_order(
    tables: Sequence[Figures], holds: Sequence[NDArray[np.bool_]], weights: Figures, *, penalty: float
) -> Figures:
    """Return the weight of each figure, shape (figures,), that makes what is wanted likeliest among the rows of each
    table (rows, figures); `holds` (rows,) tells what that is, `weights` (tables,) how much each counts. Figures are
    penalised alike, whatever their scale."""
    table, wanted = np.vstack(tables), np.concatenate(holds)
    sizes = np.array([len(rows) for rows in tables])
    starts, asked = np.cumsum([0, *sizes[:-1]]), np.repeat(np.arange(len(tables)), sizes)
    # What is the same for all items of a question tells nothing of their order.
    spread = (table - (np.add.reduceat(table, starts) / sizes[:, None])[asked]).std(axis=0)
    used = (np.count_nonzero(table, axis=0) >= _MIN_SHARE * len(table)) & (spread > _LEAST_SPREAD)
    scale = spread[used]
    scaled = table[:, used] / scale
    weights = weights / weights.sum()

    def loss(order: Figures) -> tuple[float, Figures]:
        scores = scaled @ order
        likely = np.exp(scores - np.maximum.reduceat(scores, starts)[asked])
        likely /= np.add.reduceat(likely, starts)[asked]
        right = likely * wanted
        found = np.maximum(np.add.reduceat(right, starts), 1e-12)
        slope = scaled.T @ (weights[asked] * (likely - right / found[asked]))
        return float(penalty * order @ order - weights @ np.log(found)), 2 * penalty * order + slope

    order = np.zeros(table.shape[1])
    order[used] = minimize(loss, order[used], jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}).x / scale
    return order


def fit_answers(examples: Sequence[Example]) -> AnswerWeights:
    """What the order and the judge count for whether an item holds the answer, over all items that were judged."""
    table, holds = (
        np.vstack([one.judged for one in examples]),
        np.concatenate([one.judged_holds for one in examples]),
    )
    (item, answers), bias = fit_logistic(table, holds, strength=1.0, shares=None)
    return AnswerWeights(float(item), float(answers), bias)


def answer_places(examples: Sequence[Example], ranker: ItemRanker) -> Figures:
    """Return the place (1 for first) of the best item that overlaps the gold, else infinite; shape (examples,)."""
    orders = (np.argsort(-example.items @ ranker.weights, kind="stable") for example in examples)
    found = (np.flatnonzero(one.holds[order]) for one, order in zip(examples, orders, strict=True))
    return np.array([float(places[0] + 1) if len(places) else float("inf") for places in found])


SIGNALS = tuple(field.name for field in fields(Evidence))
MAX_REFUSED_SHARE = 0.05
"""Whoever gets a wrong answer can see from its quotes that it is one, whoever is refused a right one has to search by
hand. Of 1,013 questions typed by language models about projects of which nothing was learned, a share of .05 answers 15
of 74 that have no answer and .09 answers 6, where 6 % more of those that have one are refused."""
_STRENGTH = 0.3
_THRESHOLD_STEPS = 10_000


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
    """Return the highest threshold, in steps of 1/10,000, that refuses at most `MAX_REFUSED_SHARE` of right answers
    with these confidences."""
    ranked = sorted(certainties)
    return math.floor(ranked[int(MAX_REFUSED_SHARE * len(ranked))] * _THRESHOLD_STEPS) / _THRESHOLD_STEPS


def confidences(examples: Sequence[Example], calibration: Calibration) -> Figures:
    """Return the confidence of each example, shape (examples,); 0 where nothing was found."""
    return np.array(
        [
            0.0 if example.evidence is None else calibration.probability(example.evidence.tolist())
            for example in examples
        ]
    )
