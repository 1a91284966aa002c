"""The default model on the CPU without torch: tokenizers and OpenVINO.

A single text, which is what a question is, is computed in float32, so that it has the same vector on every machine.
Many texts are computed several batches at once, in bfloat16 where the processor has it: about twice as fast on long
texts, at a cosine to float32 of at least 0.9999 (99 % of top tens kept; neighbours whose scores differ by less than a
thousandth may change places).
"""

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.embedding.default_model import DefaultModel, ModelFiles
from corpus.embedding.export import ATTENTION_MASK, EXACT_GRAPH, HALF_GRAPH, INPUT_IDS, import_openvino, open_graphs
from corpus.embedding.protocol import Computed
from corpus.errors import ModelError

_MAX_PADDED_TOKENS = 1024
"""Of a batch. Measured on two cores: 1,024 to 2,048 is fastest, and more only takes memory."""
_WINDOW = 1024
"""Texts tokenized at once: enough to sort by length, few enough that memory doesn't grow with the corpus."""
_MAX_THREADS = 16
"""A model this small gains nothing from more."""
_MAX_STREAMS = 4
"""Batches computed at once, each by its share of the threads; each has buffers of its own."""
_COMPILING = threading.Lock()
"""Held until a graph has computed something once. OpenVINO's bindings look NumPy up when they are first given an array,
and two threads that get there together wait for each other for ever."""


class OpenVinoEmbedder(DefaultModel):
    """The default model on OpenVINO."""

    def __init__(self, files: ModelFiles, *, cache_dir: Path) -> None:
        """Load the tokenizer and find the exported graphs; each is compiled when first needed.

        Raises:
            ModelError: the model can't be exported or loaded.
        """
        super().__init__(files)
        self._graphs = open_graphs(files, cache_dir=cache_dir)
        self._models: dict[bool, _CompiledModel] = {}
        """For a text alone (False), and for several batches at once (True)."""

    def _compute(self, texts: Sequence[str]) -> Iterator[Computed]:
        """See `DefaultModel._compute`.

        Raises:
            ModelError: OpenVINO can't load the exported graph.
        """
        if not texts:
            return
        if len(texts) == 1:
            yield np.zeros(1, np.intp), self._model(is_bulk=False).infer(self._tokens(texts))
            return
        model = self._model(is_bulk=True)
        pool = ThreadPoolExecutor(model.streams)
        try:
            for first in range(0, len(texts), _WINDOW):
                tokens = self._tokens(texts[first : first + _WINDOW])
                batches = token_batches([len(row) for row in tokens], max_padded_tokens=_MAX_PADDED_TOKENS)
                computed = pool.map(model.infer, ([tokens[position] for position in batch] for batch in batches))
                for batch, vectors in zip(batches, computed, strict=True):
                    yield batch + first, vectors
        finally:
            # The caller may have ended it midway.
            pool.shutdown(cancel_futures=True)

    def _model(self, *, is_bulk: bool) -> "_CompiledModel":
        with _COMPILING:
            if is_bulk not in self._models:
                is_half = is_bulk and "BF16" in _core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
                graph, precision = (HALF_GRAPH, "bf16") if is_half else (EXACT_GRAPH, "f32")
                self._models[is_bulk] = _CompiledModel(
                    self._graphs / graph, precision, streams=_MAX_STREAMS if is_bulk else 1
                )
            return self._models[is_bulk]


def token_batches(lengths: Sequence[int], *, max_padded_tokens: int) -> tuple[NDArray[np.intp], ...]:
    """Group texts of like length so that a batch, padded to its longest, has at most `max_padded_tokens` tokens.

    Returns positions in `lengths`, each once, longest first (equal lengths in order); a text longer than the
    budget is a batch of its own. No lengths give no batches.
    """
    order = np.argsort(-np.asarray(lengths, np.intp), kind="stable")
    batches = []
    first = 0
    while first < len(order):
        longest = max(1, lengths[order[first]])
        size = max(1, max_padded_tokens // longest)
        batches.append(order[first : first + size])
        first += size
    return tuple(batches)


class _CompiledModel:
    """A graph ready to compute `streams` batches at once; more wait for their turn."""

    def __init__(self, graph: Path, precision: str, *, streams: int) -> None:
        """Compile the graph, and compute something with each request.

        Raises:
            ModelError: OpenVINO can't load it.
        """
        threads = min(_usable_cores(), _MAX_THREADS)
        self.streams = min(streams, threads)
        self._free: SimpleQueue[Any] = SimpleQueue()
        try:
            config = {
                "INFERENCE_PRECISION_HINT": precision,
                "INFERENCE_NUM_THREADS": threads,
                "NUM_STREAMS": self.streams,
            }
            model = _core().compile_model(str(graph), "CPU", config)
            for _ in range(self.streams):
                self._free.put(model.create_infer_request())
                self.infer([np.zeros(1, np.int64)])
        except RuntimeError as error:
            raise ModelError(
                f"Cannot load the exported model {str(graph)!r}: {error}. Delete that folder; it is exported again."
            ) from error

    def infer(self, tokens: Sequence[NDArray[np.int64]]) -> NDArray[np.float32]:
        """The vectors of texts given by their tokens."""
        input_ids = np.zeros((len(tokens), max(len(row) for row in tokens)), np.int64)
        attention_mask = np.zeros_like(input_ids)
        for position, row in enumerate(tokens):
            input_ids[position, : len(row)] = row
            attention_mask[position, : len(row)] = 1
        request = self._free.get()
        try:
            request.infer({INPUT_IDS: input_ids, ATTENTION_MASK: attention_mask})
            # A copy: the request writes its next output over this one.
            return np.array(request.get_output_tensor(0).data, dtype=np.float32)
        finally:
            self._free.put(request)


@cache
def _core() -> Any:
    """One OpenVINO core for the process: it owns the threads."""
    core = import_openvino().Core()
    # Pinned threads of two processes would crowd the same cores while others idle.
    core.set_property("CPU", {"ENABLE_CPU_PINNING": False})
    return core


def _usable_cores() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # How schedulers (Ray, Slurm) tell a process its share of a machine that has many like it.
    share = os.environ.get("OMP_NUM_THREADS", "")
    return min(cores, int(share)) if share.isdecimal() and int(share) else cores
