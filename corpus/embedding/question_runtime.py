"""The default model in NumPy, one text at a time: ready at once, for a process that asks a question and ends.

Nothing is compiled, and only the pages of the weights that the text's words need are read. The vectors are those of the
OpenVINO runtime in float32 (cosine at least 0.9999995), which computes many texts faster.
"""

import json
import mmap
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.embedding.default_model import DEFAULT_MODEL_ID, DIMENSIONS, ModelFiles, load_tokenizer
from corpus.embedding.protocol import Computed, embed_distinct
from corpus.errors import ModelError

LAYERS, HEADS, HEAD_SIZE = 6, 12, 32
LAYER_NORM_EPSILON = 1e-12

_Matrix = NDArray[np.float32]


class DefaultModel(ABC):
    """The default model as an `Embedder` without its computation; safe to share between threads."""

    def __init__(self, files: ModelFiles) -> None:
        """Load the tokenizer and map the weights into memory.

        Raises:
            ModelError: they can't be loaded.
        """
        self.model_id, self.digest, self.dimensions = DEFAULT_MODEL_ID, files.digest, DIMENSIONS
        self._tokenizer = load_tokenizer(files.folder)
        self._weights = map_weights(files.folder / "model.safetensors")

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """See `Embedder.embed`."""
        return embed_distinct(texts, self._compute, dimensions=self.dimensions, progress=progress)

    @abstractmethod
    def _compute(self, texts: Sequence[str]) -> Iterator[Computed]:
        """Yield positions of texts with their vectors, until all are done."""

    def _tokens(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """Return the token ids of each text, special tokens included."""
        # Half a surrogate pair (a mangled command line) is no Unicode text, and the tokenizer would refuse it.
        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        return [np.asarray(encoding.ids, np.int64) for encoding in self._tokenizer.encode_batch_fast(clean)]


class QuestionEmbedder(DefaultModel):
    """The default model in NumPy."""

    def _compute(self, texts: Sequence[str]) -> Iterator[Computed]:
        for row, ids in enumerate(self._tokens(texts)):
            mean = encode(embedded(ids, self._weights), self._weights).mean(axis=1)
            yield [row], mean / np.linalg.norm(mean)


@lru_cache(maxsize=1)
def map_weights(path: Path) -> Mapping[str, _Matrix]:
    """Map the float32 tensors of a safetensors file, by name; they are in memory once for all users.

    Raises:
        ModelError: the file can't be mapped.
    """
    try:
        # OpenVINO takes only writable memory; nothing is written, so the pages remain the file's.
        raw = np.asarray(np.memmap(path, np.uint8, mode="c"))
    except OSError as error:
        raise ModelError(f"Cannot read the model {str(path)!r}: {error.strerror or error}.") from error
    # The format: the header's length in eight bytes, the header as JSON with the tensors' offsets, then the tensors.
    start = 8 + int.from_bytes(raw[:8].tobytes(), "little")
    tensors = {name: each for name, each in json.loads(raw[8:start].tobytes()).items() if each.get("dtype") == "F32"}
    return {
        name: raw[start:][slice(*each["data_offsets"])].view("<f4").reshape(each["shape"])
        for name, each in tensors.items()
    }


def let_go(weights: Mapping[str, _Matrix]) -> None:
    """Release the memory pages of mapped weights; pages needed again are read again from the file."""
    for tensor in weights.values() if hasattr(mmap, "MADV_DONTNEED") else ():
        base: Any = tensor
        while isinstance(base, np.ndarray):
            base = base.base
        if isinstance(base, mmap.mmap):
            base.madvise(mmap.MADV_DONTNEED)


def embedded(ids: NDArray[np.int64], weights: Mapping[str, _Matrix]) -> _Matrix:
    """Return the first layer's input for the tokens of one text, float32 of shape (tokens, 384), not yet normalised."""
    states: _Matrix = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][: len(ids)]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    return states


def encode(rows: _Matrix, weights: Mapping[str, _Matrix]) -> _Matrix:
    """Return the model's last hidden states of one text, computed by the model's own steps.

    `rows` is float32 of shape (tokens, 384). Returns (384, tokens): inside, a column is a token and a row a dimension.
    """
    states = _layer_norm(rows.T, "embeddings.LayerNorm", weights)
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        mixed = _attend(states, f"{layer}.attention.self", weights)
        states += _linear(mixed, f"{layer}.attention.output.dense", weights)
        states = _layer_norm(states, f"{layer}.attention.output.LayerNorm", weights)
        inner = _linear(states, f"{layer}.intermediate.dense", weights)
        # GELU
        inner = inner * np.float32(0.5) * (1 + _erf(inner * np.float32(np.sqrt(0.5))))
        states += _linear(inner, f"{layer}.output.dense", weights)
        states = _layer_norm(states, f"{layer}.output.LayerNorm", weights)
    return states


def _linear(states: _Matrix, name: str, weights: Mapping[str, _Matrix]) -> _Matrix:
    product: _Matrix = weights[f"{name}.weight"] @ states
    product += weights[f"{name}.bias"][:, None]
    return product


def _attend(states: _Matrix, name: str, weights: Mapping[str, _Matrix]) -> _Matrix:
    queries, keys, values = (
        _linear(states, f"{name}.{part}", weights).reshape(HEADS, HEAD_SIZE, -1) for part in ("query", "key", "value")
    )
    shares = queries.transpose(0, 2, 1) @ keys
    shares /= np.float32(np.sqrt(HEAD_SIZE))
    shares -= shares.max(axis=2, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=2, keepdims=True)
    mixed: _Matrix = values @ shares.transpose(0, 2, 1)
    return mixed.reshape(states.shape)


def _layer_norm(states: _Matrix, name: str, weights: Mapping[str, _Matrix]) -> _Matrix:
    normal: _Matrix = states - states.mean(axis=0)
    normal /= np.sqrt(np.square(normal).mean(axis=0) + np.float32(LAYER_NORM_EPSILON))
    normal *= weights[f"{name}.weight"][:, None]
    normal += weights[f"{name}.bias"][:, None]
    return normal


def _erf(values: _Matrix) -> _Matrix:
    """Return the error function to within 1.5e-7 (Abramowitz and Stegun, 7.1.26), which NumPy lacks."""
    sizes = np.abs(values)
    t = 1 / (1 + np.float32(0.3275911) * sizes)
    powers = np.zeros_like(t)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        powers += np.float32(factor)
        powers *= t
    powers *= np.exp(-sizes * sizes)
    error: _Matrix = np.copysign(1 - powers, values)
    return error
