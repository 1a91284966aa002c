"""The default model on the CPU without torch: tokenizers and OpenVINO.

A single text, such as a question, is computed in float32, so that it has the same vector on every machine. Many texts
are computed several batches at once, in bfloat16 if the processor has it: about twice as fast on long texts, at a
cosine to float32 of at least 0.9999 (99 % of top tens unchanged; neighbours within a thousandth may swap).
"""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.embedding.default_model import ModelFiles
from corpus.embedding.graph import CompiledGraph, Layers, opset, packed
from corpus.embedding.protocol import Computed
from corpus.embedding.question_runtime import DefaultModel, let_go

_MAX_PADDED_TOKENS = 1024  # In a batch. Measured on two cores: 1,024 to 2,048 is fastest, and more only takes memory.
_WINDOW = 1024
"""Texts tokenized at once: enough to sort by length, and few enough that memory doesn't grow with the corpus."""


class OpenVinoEmbedder(DefaultModel):
    """The default model on OpenVINO."""

    def __init__(self, files: ModelFiles) -> None:
        """See `DefaultModel`; each graph is compiled when first needed."""
        super().__init__(files)
        self._lock = threading.Lock()
        self._graphs: dict[bool, CompiledGraph] = {}
        """The graph for a single text (False), and the one for several batches at once (True)."""

    def _compute(self, texts: Sequence[str]) -> Iterator[Computed]:
        """See `DefaultModel._compute`.

        Raises:
            ModelError: OpenVINO can't compile the graph.
        """
        if not texts:
            return
        if len(texts) == 1:
            yield np.zeros(1, np.intp), self._graph(is_bulk=False).infer(*packed(self._tokens(texts)))
            return
        graph = self._graph(is_bulk=True)
        pool = ThreadPoolExecutor(graph.streams)
        try:
            for first in range(0, len(texts), _WINDOW):
                tokens = self._tokens(texts[first : first + _WINDOW])
                batches = token_batches([len(row) for row in tokens], max_padded_tokens=_MAX_PADDED_TOKENS)
                computed = pool.map(
                    lambda batch, tokens=tokens: graph.infer(*packed([tokens[position] for position in batch])), batches
                )
                for batch, vectors in zip(batches, computed, strict=True):
                    yield batch + first, vectors
        finally:
            # The caller may have stopped midway.
            pool.shutdown(cancel_futures=True)

    def _graph(self, *, is_bulk: bool) -> CompiledGraph:
        with self._lock:
            if is_bulk not in self._graphs:
                example = packed([np.zeros(8, np.int64)])  # For one token OpenVINO would lay out the weights again.
                self._graphs[is_bulk] = CompiledGraph(self._build, example, is_bulk=is_bulk)
                let_go(self._weights)
            return self._graphs[is_bulk]

    def _build(self) -> tuple[Any, Sequence[Any]]:
        """Return the graph's output, finished vectors of length 1, and its inputs, the arrays of `packed` token ids."""
        ops = opset()
        ids, cells, places = (ops.parameter(shape, np.int64) for shape in ([-1], [-1, -1], [-1]))
        layers = Layers(self._weights, cells, places)
        means = layers.mean(layers.encode(layers.embed(ids)))
        return ops.normalize_l2(means, layers.constant(np.array([1])), eps=1e-24, eps_mode="max"), (ids, cells, places)


def token_batches(lengths: Sequence[int], *, max_padded_tokens: int) -> tuple[NDArray[np.intp], ...]:
    """Group texts of similar length so that a batch, padded to its longest, has at most `max_padded_tokens` tokens.

    Returns positions in `lengths`, each once, longest first (equal lengths in order); a text longer than the limit is a
    batch of its own. No lengths give no batches.
    """
    order = np.argsort(-np.asarray(lengths, np.intp), kind="stable")
    first, batches = 0, list[NDArray[np.intp]]()
    while first < len(order):
        size = max(1, max_padded_tokens // max(1, lengths[order[first]]))
        batches.append(order[first : first + size])
        first += size
    return tuple(batches)
