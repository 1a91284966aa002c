"""The cross-encoder that reads a question or a claim together with an item of the notes.

The default embedding model reads both (Nogueira and Cho 2019, arXiv:1901.04085) with changes to its weights, kept as a
few steps each, and a vector added for each `Sign`: `python -m evals.training.entailment` learns those for claims,
`python -m evals.training.answers` from there those for questions (docs/decisions/0015).
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
_UNCOMPILED = 12  # Pairs that are read before a graph is compiled, which takes a third of a second.
_TOGETHER = 4  # Pairs that a graph reads at once: more are no faster each, and it keeps the memory that they took.

Task: TypeAlias = Literal["answers", "claims", "yes_no"]


@lru_cache(maxsize=3)
def load_cross_encoder(task: Task) -> "CrossEncoder":
    """Return the model that the package ships for questions, for claims, or for yes and no, read once.

    Raises:
        ModelError: the default embedding model, on which it stands, isn't installed, is another or can't be read.
    """
    base = check_model_folder(default_model_folder(), cache_dir=cache_folder())
    with as_file(files("retrieval.judge").joinpath(f"{task}.npz")) as path, np.load(path) as changes:
        digest = remembered_sha256(path, memory=cache_folder() / MEMORY_NAME)
        kept = cache_folder() / "judge" / f"{task}-{digest[:16]}-{base.weights_sha256[:16]}.npy"
        weights = map_weights(base.folder / "model.safetensors")
        own = {name: changes[name].astype(np.float32) for name in ("head.weight", "head.bias", "sign", "item")}
        return CrossEncoder({**weights, **own, **_changed(weights, changes, kept)}, load_tokenizer(base.folder))


def _changed(
    weights: Mapping[str, NDArray[np.float32]], changes: Mapping[str, NDArray[Any]], kept: Path
) -> Mapping[str, NDArray[np.float32]]:
    """Change the weights: add `NAME` as it is, and for `NAME.steps` (out, in) these times `NAME.size` (out, 1).

    Added up once, they are mapped from the file `kept`; where it can't be written they are added up again each time.
    """
    names = [name for name in weights if name in changes or f"{name}.steps" in changes]
    ends = np.cumsum([weights[name].size for name in names])
    try:
        # OpenVINO takes only what may be written to; nothing is, and pages stay those of the file.
        together = np.asarray(np.load(kept, mmap_mode="c"))
        if together.shape != (ends[-1],) or together.dtype != np.float32:
            raise ValueError
    except Exception:  # Whatever NumPy says of a file that isn't whole.
        together = np.concatenate([_sum(weights[name], name, changes).ravel() for name in names])
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


def _sum(weight: NDArray[np.float32], name: str, changes: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
    change = changes[name] if name in changes else changes[f"{name}.steps"] * changes[f"{name}.size"].astype(np.float32)
    return weight + change.astype(np.float32)


class CrossEncoder:
    """The model: at first in NumPy, which is ready at once, then on OpenVINO, three times as fast; safe to share."""

    def __init__(self, weights: Mapping[str, NDArray[np.float32]], tokenizer: "Tokenizer") -> None:
        """`weights` are the default model's and its own: `sign` (14, 384), `item` (384,), `head.weight` (outputs, 768)
        and `head.bias` (outputs,)."""
        self._weights, self._tokenizer = weights, tokenizer
        self._signs, self._item = weights["sign"], weights["item"]
        self._lock, self._read, self._may_compile = threading.Lock(), 0, True
        self._graph: CompiledGraph | None = None

    def read(self, pairs: Sequence[tuple[Side, Side]]) -> NDArray[np.float32]:
        """Return what the model puts out for each pair, in order: float32 of shape (pairs, outputs)."""
        if not pairs:
            return np.zeros((0, len(self._weights["head.bias"])), np.float32)
        rows = [self._rows(*pair) for pair in pairs]
        self._read += len(pairs)
        if self._read > _UNCOMPILED:
            self.compile()
        if (graph := self._graph) is not None:
            parts = [rows[first : first + _TOGETHER] for first in range(0, len(rows), _TOGETHER)]
            return np.concatenate([graph.infer(*packed(part)) for part in parts])

        def compute(own: NDArray[np.float32]) -> NDArray[np.float32]:
            states = encode(own, self._weights)
            read = np.concatenate((states[:, 0], states.mean(axis=1)))
            scores: NDArray[np.float32] = self._weights["head.weight"] @ read + self._weights["head.bias"]
            return scores

        with ThreadPoolExecutor(usable_cores()) as pool:
            return np.stack(list(pool.map(compute, rows)))

    def compile(self) -> None:
        """Compile the graph now, that no question has to wait for it; where that fails, it goes on in NumPy."""
        with self._lock:
            if self._graph is None and self._may_compile:
                try:
                    self._graph = CompiledGraph(self._build, packed([self._rows(Side("", ()), Side("", ()))]))
                    let_go(self._weights)  # The graph has the layers in an order of its own.
                except ModelError as error:
                    self._may_compile = False
                    _logger.warning("The judge goes on in NumPy: %s", error)

    def _build(self) -> tuple[Any, Sequence[Any]]:
        """Return the graph from what `packed` gives of rows to what the head puts out."""
        ops = opset()
        rows = ops.parameter([-1, DIMENSIONS], np.float32)
        cells, places = (ops.parameter(shape, np.int64) for shape in ([-1, -1], [-1]))
        layers = Layers(self._weights, cells, places)
        states = layers.encode(rows)
        read = ops.concat([layers.first(states), layers.mean(states)], axis=1)
        return layers.linear(read, "head"), (rows, cells, places)

    def _rows(self, asked: Side, item: Side) -> NDArray[np.float32]:
        """Return what the first layer is given, float32 of shape (tokens, 384)."""
        first, first_signs = pair_tokens(self._tokenizer, asked, limit=ASKED_TOKENS)
        second, second_signs = pair_tokens(self._tokenizer, item, limit=ITEM_TOKENS)
        ids = np.array((CLS, *first, SEP, *second, SEP))
        rows = embedded(ids, self._weights) + self._signs[[0, *first_signs, 0, *second_signs, 0]]
        rows[len(first) + 2 :] += self._item
        return rows


def pair_tokens(tokenizer: "Tokenizer", side: Side, *, limit: int) -> tuple[list[int], list[int]]:
    """Return the first `limit` tokens of a side and their signs, without special tokens."""
    encoding = tokenizer.encode(side.text, add_special_tokens=False)
    signs: list[int] = []
    waiting: Iterator[tuple[int, int, int]] = iter(side.signs)
    start, end, sign = next(waiting, (len(side.text), len(side.text), 0))
    for at, _ in encoding.offsets[:limit]:
        while end <= at < len(side.text):
            start, end, sign = next(waiting, (len(side.text), len(side.text) + 1, 0))
        signs.append(int(sign) if start <= at < end else 0)
    return encoding.ids[:limit], signs
