"""The cross-encoder that reads a question or a claim together with an item of the notes.

It is the default embedding model (Nogueira and Cho 2019, arXiv:1901.04085) with fine-tuned weights, stored as quantised
changes, and an embedding for each `Sign`: `python -m evals.training.entailment` trains it for claims, and `python -m
evals.training.answers` continues from there for questions (docs/decisions/0015).
"""

import logging
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from corpus.cache_folder import cache_folder
from corpus.embedding.default_model import DIMENSIONS, check_model_folder, default_model_folder, load_tokenizer
from corpus.embedding.graph import CompiledGraph, Layers, opset, packed, usable_cores
from corpus.embedding.question_runtime import embedded, encode, let_go, map_weights
from corpus.errors import ModelError
from corpus.file_digests import MEMORY_NAME, remembered_sha256
from retrieval.judge.pairs import Side

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_logger = logging.getLogger(__name__)
ASKED_TOKENS, ITEM_TOKENS = 48, 112
CLS, SEP = 101, 102
_UNCOMPILED = 12  # Pairs read before the graph is compiled, which takes a third of a second.
_TOGETHER = 4  # Pairs per batch: larger ones are no faster per pair, and the graph keeps the memory that they take.

Task: TypeAlias = Literal["answers", "claims", "yes_no"]


@lru_cache(maxsize=3)
def load_cross_encoder(task: Task) -> "CrossEncoder":
    """Return the packaged model for questions, for claims, or for yes and no, loaded once.

    Raises:
        ModelError: the default embedding model, on which it is based, isn't installed, is another or can't be read.
    """
    base = check_model_folder(default_model_folder(), cache_dir=cache_folder())
    with as_file(files("retrieval.judge").joinpath(f"{task}.npz")) as path, np.load(path) as changes:
        digest = remembered_sha256(path, memory=cache_folder() / MEMORY_NAME)
        kept = cache_folder() / "judge" / f"{task}-{digest[:16]}-{base.weights_sha256[:16]}.npy"
        weights = map_weights(base.folder / "model.safetensors")
        added = {name: changes[name].astype(np.float32) for name in ("head.weight", "head.bias", "sign", "item")}
        return CrossEncoder({**weights, **added, **_apply_changes(weights, changes, kept)}, load_tokenizer(base.folder))


def _apply_changes(
    weights: Mapping[str, NDArray[np.float32]], changes: Mapping[str, NDArray[Any]], kept: Path
) -> Mapping[str, NDArray[np.float32]]:
    """Return the changed weights: with `NAME` added, or `NAME.steps` (out, in) times `NAME.size` (out, 1).

    The sums are computed once and then mapped from the file `kept`; if it can't be written, each time.
    """
    names = [name for name in weights if name in changes or f"{name}.steps" in changes]
    ends = np.cumsum([weights[name].size for name in names])
    try:
        # OpenVINO accepts only writable memory: copy on write, and since nothing is written, pages are shared.
        together = np.asarray(np.load(kept, mmap_mode="c"))
        if together.shape != (ends[-1],) or together.dtype != np.float32:
            raise ValueError
    except Exception:  # NumPy raises many kinds of errors for incomplete files.
        together = np.concatenate([_changed_weight(weights[name], name, changes).ravel() for name in names])
        with suppress(OSError):
            kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with TemporaryDirectory(dir=kept.parent, prefix="tmp-") as folder:
                draft = Path(folder) / kept.name
                with draft.open("wb") as file:
                    np.save(file, together)
                    os.fsync(file.fileno())
                draft.replace(kept)
            for old in set(kept.parent.glob(f"{kept.name.split('-')[0]}-*")) - {kept}:
                old.unlink()
    parts = zip(names, np.split(together, ends[:-1]), strict=True)
    return {name: part.reshape(weights[name].shape) for name, part in parts}


def _changed_weight(weight: NDArray[np.float32], name: str, changes: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
    change = changes[name] if name in changes else changes[f"{name}.steps"] * changes[f"{name}.size"].astype(np.float32)
    return weight + change.astype(np.float32)


class CrossEncoder:
    """The model: first in NumPy, which needs no start-up, then on OpenVINO, three times as fast. Thread-safe."""

    def __init__(self, weights: Mapping[str, NDArray[np.float32]], tokenizer: "Tokenizer") -> None:
        """Use the model's `weights` and `sign` (14, 384), `item` (384,), `head.weight` (outputs, 768), `head.bias`."""
        self._weights, self._tokenizer = weights, tokenizer
        self._signs, self._item = weights["sign"], weights["item"]
        self._lock, self._read, self._may_compile = threading.Lock(), 0, True
        self._graph: CompiledGraph | None = None

    def read(self, pairs: Sequence[tuple[Side, Side]]) -> NDArray[np.float32]:
        """Return the model's outputs for each pair, in order: float32 of shape (pairs, outputs)."""
        if not pairs:
            return np.zeros((0, len(self._weights["head.bias"])), np.float32)
        rows = [self._embed_pair(*pair) for pair in pairs]
        self._read += len(pairs)
        if self._read > _UNCOMPILED:
            self.compile()
        if (graph := self._graph) is not None:
            parts = [rows[first : first + _TOGETHER] for first in range(0, len(rows), _TOGETHER)]
            return np.concatenate([graph.infer(*packed(part)) for part in parts])

        def compute(embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
            states = encode(embeddings, self._weights)
            pooled = np.concatenate((states[:, 0], states.mean(axis=1)))
            scores: NDArray[np.float32] = self._weights["head.weight"] @ pooled + self._weights["head.bias"]
            return scores

        with ThreadPoolExecutor(usable_cores()) as pool:
            return np.stack(list(pool.map(compute, rows)))

    def compile(self) -> None:
        """Compile the graph now, so that no question waits for it; if that fails, stay with NumPy."""
        with self._lock:
            if self._graph is None and self._may_compile:
                try:
                    self._graph = CompiledGraph(self._build, packed([self._embed_pair(Side("", ()), Side("", ()))]))
                    let_go(self._weights)  # The graph has its own copy of the layers.
                except ModelError as error:
                    self._may_compile = False
                    _logger.warning("The judge goes on in NumPy: %s", error)

    def _build(self) -> tuple[Any, Sequence[Any]]:
        """Return the graph from the output of `packed` to the head's outputs, with its parameters."""
        ops = opset()
        rows = ops.parameter([-1, DIMENSIONS], np.float32)
        cells, places = (ops.parameter(shape, np.int64) for shape in ([-1, -1], [-1]))
        layers = Layers(self._weights, cells, places)
        states = layers.encode(rows)
        pooled = ops.concat([layers.first(states), layers.mean(states)], axis=1)
        return layers.linear(pooled, "head"), (rows, cells, places)

    def _embed_pair(self, question: Side, item: Side) -> NDArray[np.float32]:
        """Return the input of the first layer, float32 of shape (tokens, 384)."""
        first, first_signs = pair_tokens(self._tokenizer, question, limit=ASKED_TOKENS)
        second, second_signs = pair_tokens(self._tokenizer, item, limit=ITEM_TOKENS)
        ids = np.array((CLS, *first, SEP, *second, SEP))
        rows = embedded(ids, self._weights) + self._signs[[0, *first_signs, 0, *second_signs, 0]]
        rows[len(first) + 2 :] += self._item
        return rows


def pair_tokens(tokenizer: "Tokenizer", side: Side, *, limit: int) -> tuple[list[int], list[int]]:
    """Return the first `limit` token ids of a side and the sign of each, without special tokens."""
    encoding = tokenizer.encode(side.text, add_special_tokens=False)
    signs: list[int] = []
    ranges: Iterator[tuple[int, int, int]] = iter(side.signs)
    start, end, sign = next(ranges, (len(side.text), len(side.text), 0))
    for offset, _ in encoding.offsets[:limit]:
        while end <= offset < len(side.text):
            start, end, sign = next(ranges, (len(side.text), len(side.text) + 1, 0))
        signs.append(int(sign) if start <= offset < end else 0)
    return encoding.ids[:limit], signs
