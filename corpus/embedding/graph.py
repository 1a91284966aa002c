"""The default model's layers as OpenVINO graphs, built from weights in memory: nothing is exported, traced or cached.

The steps are BERT's (Devlin et al. 2019, arXiv:1810.04805), as in `corpus.embedding.question_runtime`. Graphs with
other weights read a question and an item together (`retrieval.judge.model`).
"""

import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.embedding.question_runtime import HEAD_SIZE, HEADS, LAYER_NORM_EPSILON, LAYERS
from corpus.errors import ModelError

Weights = Mapping[str, NDArray[np.float32]]
_MAX_THREADS = 16  # More threads don't speed up so small a model.
_MAX_STREAMS = 4  # Batches computed at once, each with its share of the threads and its own buffers.
_COMPILING = threading.Lock()
"""Locked until a graph has computed something once. OpenVINO's bindings look NumPy up when they first get an array, and
two threads that do so together deadlock."""
_AWAY = 1e9  # Subtracted from the attention scores of padding.


def import_openvino() -> Any:
    """Import OpenVINO without its telemetry; every import of it in this project goes through here.

    A plain import would write a client id into the user's home and send an event to a statistics service.
    """
    # None makes the import fail as if the package weren't installed; OpenVINO then uses its own stub.
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
    import openvino

    return openvino


def opset() -> Any:
    """Return the module of functions that make graph nodes."""
    import_openvino()
    from openvino import opset13

    return opset13


class Layers:
    """Nodes of the model's steps, over the tokens of texts, one text after another: rows of shape (tokens, 384).

    `cells` (texts, longest) and `places` (tokens) are those of `packed`. Only attention sees texts side by side,
    padded; all other steps are computed for tokens alone.
    """

    def __init__(self, weights: Weights, cells: Any, places: Any) -> None:
        self.ops, self._weights = opset(), weights
        self._cells, self._places = cells, places
        self._mask = self.ops.convert(self.ops.greater_equal(cells, self.constant(np.int64(0))), "f32")

    def constant(self, value: Any) -> Any:
        """Return a constant node; for a name, the weights of that name."""
        array = np.require(self._weights[value] if isinstance(value, str) else value, requirements=["C", "W"])
        return self.ops.constant(array, shared_memory=array.size > 1)

    def embed(self, ids: Any) -> Any:
        """Return the first layer's input for token ids of shape (tokens,), float32 of shape (tokens, 384)."""
        ops, axis = self.ops, self.constant(np.int64(0))
        longest = ops.gather(ops.shape_of(self._cells), self.constant(np.int64(1)), axis)
        words = ops.gather(self.constant("embeddings.word_embeddings.weight"), ids, axis)
        order = ops.floor_mod(self._places, longest)
        order = ops.gather(self.constant("embeddings.position_embeddings.weight"), order, axis)
        token_type = self.constant(self._weights["embeddings.token_type_embeddings.weight"][0])
        return ops.add(ops.add(words, order), token_type)

    def encode(self, rows: Any) -> Any:
        """Return the last hidden states, float32 of shape (tokens, 384)."""
        ops = self.ops
        padding = ops.multiply(ops.subtract(self._mask, self.constant(np.float32(1))), self.constant(np.float32(_AWAY)))
        penalty = ops.unsqueeze(padding, self.constant(np.array([1, 2])))
        states = self._normalised(rows, "embeddings.LayerNorm")
        for number in range(LAYERS):
            layer = f"encoder.layer.{number}"
            mixed = self._attend(states, penalty, f"{layer}.attention.self")
            attended = self.linear(mixed, f"{layer}.attention.output.dense")
            states = self._normalised(ops.add(attended, states), f"{layer}.attention.output.LayerNorm")
            inner = ops.gelu(self.linear(states, f"{layer}.intermediate.dense"), "erf")
            states = self._normalised(
                ops.add(self.linear(inner, f"{layer}.output.dense"), states), f"{layer}.output.LayerNorm"
            )
        return states

    def first(self, states: Any) -> Any:
        """Return the state of each text's first token, float32 of shape (texts, 384)."""
        return self.ops.gather(self._by_text(states), self.constant(np.int64(0)), self.constant(np.int64(1)))

    def mean(self, states: Any) -> Any:
        """Return the mean state of each text, float32 of shape (texts, 384)."""
        ops, tokens = self.ops, self.constant(np.array([1]))
        counted = ops.unsqueeze(self._mask, self.constant(np.array([2])))
        total = ops.reduce_sum(ops.multiply(self._by_text(states), counted), tokens, keep_dims=False)
        return ops.divide(total, ops.reduce_sum(counted, tokens, keep_dims=False))

    def linear(self, states: Any, name: str) -> Any:
        """Return states times the weights `NAME.weight`, plus `NAME.bias`."""
        product = self.ops.matmul(states, self.constant(f"{name}.weight"), transpose_a=False, transpose_b=True)
        return self.ops.add(product, self.constant(f"{name}.bias"))

    def _attend(self, states: Any, penalty: Any, name: str) -> Any:
        ops, order = self.ops, self.constant(np.array([0, 2, 1, 3]))
        head_shape = self.constant(np.array([0, 0, HEADS, HEAD_SIZE]))
        queries, keys, values = (
            ops.transpose(
                ops.reshape(self._by_text(self.linear(states, f"{name}.{part}")), head_shape, special_zero=True), order
            )
            for part in ("query", "key", "value")
        )
        scores = ops.matmul(queries, keys, transpose_a=False, transpose_b=True)
        scores = ops.multiply(scores, self.constant(np.float32(HEAD_SIZE**-0.5)))
        shares = ops.softmax(ops.add(scores, penalty), axis=-1)
        mixed = ops.transpose(ops.matmul(shares, values, transpose_a=False, transpose_b=False), order)
        side_by_side = ops.reshape(mixed, self.constant(np.array([-1, HEADS * HEAD_SIZE])), special_zero=True)
        return ops.gather(side_by_side, self._places, self.constant(np.int64(0)))

    def _by_text(self, states: Any) -> Any:
        """Return the rows of each text side by side, (texts, longest, 384); padding has an arbitrary row."""
        return self.ops.gather(states, self._cells, self.constant(np.int64(0)))

    def _normalised(self, states: Any, name: str) -> Any:
        ops, along = self.ops, self.constant(np.array([1]))
        normal = ops.mvn(states, along, normalize_variance=True, eps=LAYER_NORM_EPSILON, eps_mode="inside_sqrt")
        return ops.add(ops.multiply(normal, self.constant(f"{name}.weight")), self.constant(f"{name}.bias"))


class CompiledGraph:
    """A graph with one output, ready to compute `streams` batches at once; further calls wait."""

    def __init__(
        self, build: Callable[[], tuple[Any, Sequence[Any]]], example: Sequence[NDArray[Any]], *, is_bulk: bool = False
    ) -> None:
        """Compile the output and inputs that `build` returns, and compute the `example` once on each stream; bulk
        graphs have several streams, in bfloat16 if the processor has it.

        Raises:
            ModelError: OpenVINO can't compile it.
        """
        threads = min(usable_cores(), _MAX_THREADS)
        self.streams = min(_MAX_STREAMS, threads) if is_bulk else 1
        self._free: SimpleQueue[Any] = SimpleQueue()
        try:
            with _COMPILING:
                core, (output, inputs) = openvino_core(), build()
                is_half = is_bulk and "BF16" in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
                config = {
                    "INFERENCE_PRECISION_HINT": "bf16" if is_half else "f32",
                    "INFERENCE_NUM_THREADS": threads,
                    "NUM_STREAMS": self.streams,
                }
                model = core.compile_model(import_openvino().Model([output], list(inputs)), "CPU", config)
                for request in [model.create_infer_request() for _ in range(self.streams)]:
                    request.infer(example)
                    self._free.put(request)
        except (RuntimeError, ImportError, OSError) as error:
            raise ModelError(f"Cannot compile the model: {error}. Check the installed openvino.") from error

    def infer(self, *inputs: NDArray[Any]) -> NDArray[np.float32]:
        """Return the output for the inputs, in their order."""
        request = self._free.get()
        try:
            request.infer(inputs)
            # Copy, because the request overwrites its output next time.
            return np.array(request.get_output_tensor(0).data, dtype=np.float32)
        finally:
            self._free.put(request)


def packed(rows: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    """Return (rows, cells, places): all token rows, one text after another; for each text the numbers of its rows, -1
    after its last, in shape (texts, longest); and the position of each row's number in the flattened `cells`."""
    lengths = np.array([len(tokens) for tokens in rows])
    is_token = np.arange(lengths.max()) < lengths[:, np.newaxis]
    cells = np.full(is_token.shape, -1, np.int64)
    cells[is_token] = np.arange(lengths.sum())
    return np.concatenate(rows), cells, np.flatnonzero(is_token)


@cache
def openvino_core() -> Any:
    """Return the process's only OpenVINO core, which owns the threads."""
    core = import_openvino().Core()
    # Pinned threads of two processes would share cores while others idle.
    core.set_property("CPU", {"ENABLE_CPU_PINNING": False})
    return core


def usable_cores() -> int:
    """Return how many threads may compute at once: the usable cores, or OMP_NUM_THREADS if that is fewer."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # Schedulers (Ray, Slurm) set this to a process's share of the machine.
    share = os.environ.get("OMP_NUM_THREADS", "")
    return min(cores, int(share)) if share.isdecimal() and int(share) else cores
