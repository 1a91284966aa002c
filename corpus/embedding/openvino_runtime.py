"""The default model on the CPU without torch: tokenizers and OpenVINO.

Two precisions. A single text, which is what a question is, is computed in float32, so that it has the same
vector on every machine. Many texts are computed in bfloat16 where the processor multiplies it natively: about
twice as fast on long texts, at a cosine to float32 of at least 0.9999 (99 % of top tens kept; neighbours whose
scores differ by less than a thousandth may change places). Elsewhere all is float32.
"""

import os
import threading
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.embedding.batches import distinct_texts, token_batches
from corpus.embedding.default_model import (
    DEFAULT_MODEL_ID,
    DIMENSIONS,
    MAX_TOKENS,
    ModelFiles,
    load_tokenizer,
    token_ids,
)
from corpus.embedding.export import ATTENTION_MASK, INPUT_IDS, open_graphs
from corpus.embedding.openvino_import import import_openvino
from corpus.errors import ModelError

_MAX_PADDED_TOKENS = 1024
"""Of a batch. Measured on two cores: 1,024 to 2,048 is fastest, and more only takes memory."""
_WINDOW = 1024
"""Texts tokenized at once: enough to sort by length, few enough that memory doesn't grow with the corpus."""
_HALF, _EXACT = "bf16", "f32"
_MAX_THREADS = 16
"""A model this small gains nothing from more."""


class BulkPrecision(StrEnum):
    """How many texts at once are computed."""

    FASTEST = "fastest"
    """bfloat16 where the processor has it, else float32."""
    EXACT = "exact"
    """float32."""


class OpenVinoEmbedder:
    """The default model as an `Embedder`; safe to share between threads, which then take turns."""

    def __init__(
        self, files: ModelFiles, *, cache_dir: Path, bulk_precision: BulkPrecision = BulkPrecision.FASTEST
    ) -> None:
        """Load the tokenizer and find the exported graphs; each is compiled when first needed.

        Raises:
            ModelError: the model can't be exported or loaded.
        """
        self.model_id = DEFAULT_MODEL_ID
        self.digest = files.digest
        self.dimensions = DIMENSIONS
        self.max_tokens = MAX_TOKENS
        self._tokenizer = load_tokenizer(files)
        self._graphs = open_graphs(files, cache_dir=cache_dir)
        self._bulk_precision = bulk_precision
        self._requests: dict[str, Any] = {}
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """See `Embedder.embed`.

        Raises:
            ModelError: OpenVINO can't load the exported graph.
        """
        distinct, places = distinct_texts(texts)
        repeats = np.bincount(places, minlength=len(distinct))
        precision = self._precision(len(distinct))
        vectors = np.empty((len(distinct), self.dimensions), np.float32)
        for first in range(0, len(distinct), _WINDOW):
            tokens = token_ids(self._tokenizer, distinct[first : first + _WINDOW])
            for batch in token_batches([len(row) for row in tokens], max_padded_tokens=_MAX_PADDED_TOKENS):
                rows = batch + first
                vectors[rows] = self._infer([tokens[position] for position in batch], precision=precision)
                if progress:
                    progress(int(repeats[rows].sum()))
        return vectors if len(distinct) == len(texts) else vectors[places]

    def _precision(self, count: int) -> str:
        fast = count > 1 and self._bulk_precision is BulkPrecision.FASTEST and _has_native_bfloat16()
        return _HALF if fast else _EXACT

    def _infer(self, tokens: Sequence[NDArray[np.int64]], *, precision: str) -> NDArray[np.float32]:
        input_ids = np.zeros((len(tokens), max(len(row) for row in tokens)), np.int64)
        attention_mask = np.zeros_like(input_ids)
        for position, row in enumerate(tokens):
            input_ids[position, : len(row)] = row
            attention_mask[position, : len(row)] = 1
        with self._lock:
            if precision not in self._requests:
                graph = self._graphs.half if precision == _HALF else self._graphs.exact
                self._requests[precision] = _compile(graph, precision=precision)
            request = self._requests[precision]
            request.infer({INPUT_IDS: input_ids, ATTENTION_MASK: attention_mask})
            # A copy: the request writes its next output over this one.
            return np.array(request.get_output_tensor(0).data, dtype=np.float32)


@cache
def _core() -> Any:
    """One OpenVINO core for the process: it owns the threads."""
    core = import_openvino().Core()
    core.set_property(
        "CPU",
        {
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_NUM_THREADS": min(_usable_cores(), _MAX_THREADS),
            # Pinned threads of two processes would crowd the same cores while others idle.
            "ENABLE_CPU_PINNING": False,
        },
    )
    return core


def _usable_cores() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # How schedulers (Ray, Slurm) tell a process its share of a machine that has many like it.
    share = os.environ.get("OMP_NUM_THREADS", "")
    return min(cores, int(share)) if share.isdecimal() and int(share) else cores


def _has_native_bfloat16() -> bool:
    return "BF16" in _core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")


def _compile(graph: Path, *, precision: str) -> Any:
    try:
        model = _core().compile_model(str(graph), "CPU", {"INFERENCE_PRECISION_HINT": precision})
        return model.create_infer_request()
    except RuntimeError as error:
        raise ModelError(
            f"Cannot load the exported model {str(graph)!r}: {error}. Delete that folder; it is exported again."
        ) from error
