"""Whether an item of the notes bears a claim out, refutes it or says nothing of it: a small cross-encoder.

The default embedding model reads claim and item together (Nogueira and Cho 2019, arXiv:1901.04085) with
changes to its weights, kept as a few steps each, and a vector added for each `Sign`. It was fitted by
`python -m evals.training.entailment` on labelled claims (evals/training/DATASHEET.md tells which).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpus.embedding.default_model import default_model_folder, load_tokenizer
from corpus.embedding.question_runtime import embedded, encode, map_weights
from retrieval.claims.pairs import Side

if TYPE_CHECKING:
    from tokenizers import Tokenizer

CLAIM_TOKENS, ITEM_TOKENS = 48, 112
CLS, SEP = 101, 102


class Slot(StrEnum):
    """In what a refuted claim differs from the notes."""

    VERSION = "version"
    NUMBER = "number"
    STATUS = "status"
    SUBJECT = "subject"
    REPLACEMENT = "replacement"
    CONDITION = "condition"
    DIRECTION = "direction"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one item makes of a claim: the probabilities that it bears it out and that it refutes it, what is left being
    that it is silent; and where the claim differs if it does."""

    supported: float
    contradicted: float
    slot: Slot

    @property
    def said(self) -> float:
        """How surely the item says anything of the claim, 0 to 1."""
        return self.supported + self.contradicted


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How sure the model must be that an item bears a claim out, or that it refutes it, for the verdict to stand."""

    supported: float
    contradicted: float


@lru_cache(maxsize=1)
def load_thresholds() -> Thresholds:
    """What `python -m evals.training.verdicts` fitted to the model that the package ships, read once."""
    raw = json.loads(files("retrieval.claims").joinpath("thresholds.json").read_text(encoding="utf-8"))
    return Thresholds(raw["supported"]["threshold"], raw["contradicted"]["threshold"])


@lru_cache(maxsize=1)
def load_entailment() -> "EntailmentModel":
    """The model that the package ships, read once.

    Raises:
        ModelError: the default embedding model, on which it stands, isn't installed or can't be read.
    """
    with as_file(files("retrieval.claims").joinpath("entailment.npz")) as path, np.load(path) as arrays:
        return EntailmentModel({name: arrays[name].astype(np.float32) for name in arrays.files})


class EntailmentModel:
    """The cross-encoder in NumPy; safe to share between threads."""

    def __init__(self, changes: Mapping[str, NDArray[np.float32]]) -> None:
        """Add `changes` to the default weights: `NAME` as it is, `NAME.steps` (out, in) times `NAME.size` (out, 1).

        `sign` (14, 384), `item` (384,), `head.weight` (10, 768) and `head.bias` (10,) are the model's own: three
        verdicts, then the slots of `Slot` in their order.

        Raises:
            ModelError: the default model isn't installed or can't be read.
        """
        folder = default_model_folder()
        weights = dict(map_weights(folder / "model.safetensors"))
        for name, change in changes.items():
            if name.endswith(".steps"):
                weight = name.removesuffix(".steps")
                weights[weight] = weights[weight] + change * changes[f"{weight}.size"]
            elif name in weights:
                weights[name] = weights[name] + change
        self._weights = weights
        self._tokenizer = load_tokenizer(folder)
        self._signs, self._item = changes["sign"], changes["item"]
        self._head, self._bias = changes["head.weight"], changes["head.bias"]

    def judge(self, pairs: Sequence[tuple[Side, Side]]) -> tuple[Judgement, ...]:
        """What the item of each pair makes of its claim, in order."""
        if not pairs:
            return ()
        read = [self._read(*pair) for pair in pairs]
        states = encode(np.concatenate(read), [len(rows) for rows in read], self._weights)
        judged = []
        start = 0
        for rows in read:
            own = states[:, start : start + len(rows)]
            start += len(rows)
            logits = self._head @ np.concatenate((own[:, 0], own.mean(axis=1))) + self._bias
            chances = np.exp(logits[:3] - logits[:3].max())
            supported, contradicted, _ = map(float, chances / chances.sum())
            judged.append(Judgement(supported, contradicted, tuple(Slot)[int(logits[3:].argmax())]))
        return tuple(judged)

    def _read(self, claim: Side, item: Side) -> NDArray[np.float32]:
        """What the first layer is given, float32 of shape (tokens, 384)."""
        first, first_signs = pair_tokens(self._tokenizer, claim, limit=CLAIM_TOKENS)
        second, second_signs = pair_tokens(self._tokenizer, item, limit=ITEM_TOKENS)
        ids = np.array((CLS, *first, SEP, *second, SEP))
        rows = embedded(ids, self._weights) + self._signs[[0, *first_signs, 0, *second_signs, 0]]
        rows[len(first) + 2 :] += self._item
        return rows


def pair_tokens(tokenizer: "Tokenizer", side: Side, *, limit: int) -> tuple[list[int], list[int]]:
    """The first `limit` tokens of a side and their signs, without special tokens."""
    encoding = tokenizer.encode(side.text, add_special_tokens=False)
    signs: list[int] = []
    waiting: Iterator[tuple[int, int, int]] = iter(side.signs)
    start, end, sign = next(waiting, (len(side.text), len(side.text), 0))
    for at, _ in encoding.offsets[:limit]:
        while end <= at < len(side.text):
            start, end, sign = next(waiting, (len(side.text), len(side.text) + 1, 0))
        signs.append(int(sign) if start <= at < end else 0)
    return encoding.ids[:limit], signs
