"""The cross-encoder that reads a question or a claim together with an item of the notes.

The default embedding model reads both (Nogueira and Cho 2019, arXiv:1901.04085) with changes to its weights, kept as a
few steps each, and a vector added for each `Sign`: `python -m evals.training.entailment` learns those for claims,
`python -m evals.training.answers` from there those for questions (docs/decisions/0015).
"""

import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from corpus.embedding.default_model import DIMENSIONS, default_model_folder, load_tokenizer
from corpus.embedding.graph import CompiledGraph, Layers, opset, padded
from corpus.embedding.question_runtime import embedded, encode, map_weights
from corpus.errors import ModelError
from retrieval.judge.pairs import Side

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_logger = logging.getLogger(__name__)
ASKED_TOKENS, ITEM_TOKENS = 48, 112
CLS, SEP = 101, 102
_UNCOMPILED = 12  # Pairs that are read before a graph is compiled, which takes a third of a second.

Task: TypeAlias = Literal["answers", "claims", "yes_no"]


@lru_cache(maxsize=3)
def load_cross_encoder(task: Task) -> "CrossEncoder":
    """The model that the package ships for questions, for claims, or for yes and no, read once.

    Raises:
        ModelError: the default embedding model, on which it stands, isn't installed or can't be read.
    """
    with as_file(files("retrieval.judge").joinpath(f"{task}.npz")) as path, np.load(path) as arrays:
        return CrossEncoder({name: arrays[name].astype(np.float32) for name in arrays.files})


class CrossEncoder:
    """The model: at first in NumPy, which is ready at once, then on OpenVINO, three times as fast; safe to share."""

    def __init__(self, changes: Mapping[str, NDArray[np.float32]]) -> None:
        """Add `changes` to the default weights: `NAME` as it is, `NAME.steps` (out, in) times `NAME.size` (out, 1).

        `sign` (14, 384), `item` (384,), `head.weight` (outputs, 768) and `head.bias` (outputs,) are the model's own.

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
        self._weights = weights | {"head.weight": changes["head.weight"], "head.bias": changes["head.bias"]}
        self._tokenizer = load_tokenizer(folder)
        self._signs, self._item = changes["sign"], changes["item"]
        self._lock, self._read, self._may_compile = threading.Lock(), 0, True
        self._graph: CompiledGraph | None = None

    def read(self, pairs: Sequence[tuple[Side, Side]]) -> NDArray[np.float32]:
        """What the model puts out for each pair, in order: float32 of shape (pairs, outputs)."""
        if not pairs:
            return np.zeros((0, len(self._weights["head.bias"])), np.float32)
        rows = [self._rows(*pair) for pair in pairs]
        with self._lock:
            self._read += len(pairs)
            if self._graph is None and self._may_compile and self._read > _UNCOMPILED:
                try:
                    self._graph = CompiledGraph(self._build, padded(rows[:1]))
                except ModelError as error:
                    self._may_compile = False
                    _logger.warning("The judge goes on in NumPy: %s", error)
        return self._graph.infer(*padded(rows)) if self._graph else self._compute(rows)

    def _compute(self, rows: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
        lengths = [len(own) for own in rows]
        own = np.split(encode(np.concatenate(rows), lengths, self._weights), np.cumsum(lengths)[:-1], axis=1)
        read = np.stack([np.concatenate((one[:, 0], one.mean(axis=1))) for one in own])
        scores: NDArray[np.float32] = read @ self._weights["head.weight"].T + self._weights["head.bias"]
        return scores

    def _build(self) -> tuple[Any, Sequence[Any]]:
        """The graph from rows and mask to what the head puts out."""
        ops = opset()
        rows, mask = ops.parameter([-1, -1, DIMENSIONS], np.float32), ops.parameter([-1, -1], np.int64)
        layers = Layers(self._weights, mask)
        states = layers.encode(rows)
        first = ops.gather(states, layers.constant(np.int64(0)), layers.constant(np.int64(1)))
        return layers.linear(ops.concat([first, layers.mean(states)], axis=1), "head"), (rows, mask)

    def _rows(self, asked: Side, item: Side) -> NDArray[np.float32]:
        """What the first layer is given, float32 of shape (tokens, 384)."""
        first, first_signs = pair_tokens(self._tokenizer, asked, limit=ASKED_TOKENS)
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
