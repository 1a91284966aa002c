"""The learned order of items: which sentence or entry of the passages found answers a question, and how surely.

Linear over the figures of `retrieval.item_features`; fitted by `make train` on questions whose answer's place is known
(`item_ranker.json`), so that the score is the log-odds that an item holds the answer.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields
from functools import lru_cache
from importlib.resources import files

from retrieval.item_features import ItemFeatures

FEATURES = tuple(field.name for field in fields(ItemFeatures))


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
        logit = self.bias + sum(w * x for w, x in zip(self.weights, astuple(features), strict=True))
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, logit))))


@lru_cache(maxsize=1)
def load_item_ranker() -> ItemRanker:
    """The committed weights.

    Raises:
        KeyError: the file lacks a figure; run `make train`.
    """
    raw = json.loads(files("retrieval").joinpath("item_ranker.json").read_text(encoding="utf-8"))
    return ItemRanker.of(raw["weights"], float(raw["bias"]))
