"""The learned order of items: which sentence or entry of the passages found answers a question, and how surely.

Linear over the figures of `retrieval.search.item_features` and over which act answers which form of question; fitted by
`make train` on questions whose answer's place is known (`item_ranker.json`), so that the score is the log-odds that an
item holds the answer.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from operator import attrgetter

from corpus.model import Act
from retrieval.model import Form
from retrieval.search.item_features import ItemFeatures

_FIGURES = tuple(field.name for field in fields(ItemFeatures) if field.name not in ("form", "act"))
_PAIRS = {(form, act): place for place, (form, act) in enumerate((form, act) for form in Form for act in Act)}
FEATURES = (*_FIGURES, *(f"{form.value} told by {act.value}" for form, act in _PAIRS))
_figures = attrgetter(*_FIGURES)


def feature_row(features: ItemFeatures) -> list[float]:
    """The figures in the order of `FEATURES`, the item's act under the question's form marked."""
    pairs = [0.0] * len(_PAIRS)
    pairs[_PAIRS[features.form, features.act]] = 1.0
    return [*_figures(features), *pairs]


@dataclass(frozen=True, slots=True)
class ItemRanker:
    """Weights in the order of `FEATURES`, and a bias."""

    weights: tuple[float, ...]
    bias: float

    @classmethod
    def of(cls, named: Mapping[str, float], bias: float) -> "ItemRanker":
        """From named weights.

        Raises:
            KeyError: one is missing; run `make train`.
        """
        return cls(tuple(float(named[name]) for name in FEATURES), bias)

    def score(self, features: ItemFeatures) -> float:
        """The probability, 0 to 1, that an item with these figures holds the answer."""
        act_weight = self.weights[len(_FIGURES) + _PAIRS[features.form, features.act]]
        logit = self.bias + act_weight + sum(w * x for w, x in zip(self.weights, _figures(features), strict=False))
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, logit))))


@lru_cache(maxsize=1)
def load_item_ranker() -> ItemRanker:
    """The committed weights.

    Raises:
        KeyError: the file lacks a figure; run `make train`.
    """
    raw = json.loads(files("retrieval.search").joinpath("item_ranker.json").read_text(encoding="utf-8"))
    return ItemRanker.of(raw["weights"], float(raw["bias"]))
