"""Classify short texts into a few labels: multinomial logistic regression over a text's embedding and its words.

A model is a file of arrays (nothing pickled), fitted by `python -m evals.training.readers`. The weights of the
embedding belong to one embedding model: for any other, a second set of weights reads the words alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class TextClassifier:
    """A fitted model."""

    labels: tuple[str, ...]
    digest: str  # Of the embedding model that `vector_weights` belong to.
    terms: Mapping[str, int]  # Each known term's row in the weights.
    term_weights: NDArray[np.float32]
    """Shape (terms, labels); summed over a text's known terms and divided by the square root of their number."""
    vector_weights: NDArray[np.float32]  # Shape (dimensions, labels).
    bias: NDArray[np.float32]  # Shape (labels,).
    bare_term_weights: NDArray[np.float32]  # Like `term_weights`, for texts without a vector.
    bare_bias: NDArray[np.float32]

    @classmethod
    def load(cls, path: Path) -> "TextClassifier":
        """Return the model that `save` wrote to `path`.

        Raises:
            OSError, ValueError, KeyError: the file can't be read.
        """
        with np.load(path, allow_pickle=False) as arrays:
            words = str(arrays["terms"]).split("\n")
            return cls(
                labels=tuple(str(arrays["labels"]).split("\n")),
                digest=str(arrays["digest"]),
                terms=dict(zip(words, range(len(words)), strict=True)),
                **{name: arrays[name].astype(np.float32) for name in _WEIGHTS},
            )

    def save(self, path: Path) -> None:
        """Write the model, its weights as 16-bit floats.

        Raises:
            OSError: the file can't be written.
        """
        arrays = {name: getattr(self, name).astype(np.float16) for name in _WEIGHTS}
        texts = {"labels": "\n".join(self.labels), "terms": "\n".join(self.terms), "digest": self.digest}
        with path.open("wb") as file:
            # Not compressed: decompressing would take a thirtieth of the time of a first question.
            np.savez(file, allow_pickle=False, **arrays | {name: np.array(text) for name, text in texts.items()})

    def probabilities(
        self, texts: Sequence[Iterable[str]], vectors: NDArray[np.float32] | None, *, digest: str
    ) -> NDArray[np.float32]:
        """Return the probability of each label for each text, shape (texts, labels), rows of sum 1.

        Each of `texts` is its distinct terms; `vectors`, shape (texts, dimensions), are of the embedding model with
        `digest`, and ignored if the weights were trained with another one.
        """
        is_read = vectors is not None and digest == self.digest
        weights, bias = (self.term_weights, self.bias) if is_read else (self.bare_term_weights, self.bare_bias)
        logits = np.tile(bias, (len(texts), 1))
        for row, terms in enumerate(texts):
            known = [place for term in terms if (place := self.terms.get(term)) is not None]
            if known:
                logits[row] += weights[known].sum(axis=0) / np.sqrt(len(known))
        if is_read and vectors is not None:
            logits += vectors @ self.vector_weights
        powers = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
        shares: NDArray[np.float32] = powers / powers.sum(axis=1, keepdims=True)
        return shares


_WEIGHTS = ("term_weights", "vector_weights", "bias", "bare_term_weights", "bare_bias")


@lru_cache(maxsize=16)
def packaged_classifier(package: str, name: str) -> TextClassifier:
    """Return the model that a package ships as `name`.npz, read once.

    Raises:
        OSError, ValueError, KeyError: it can't be read.
    """
    with as_file(files(package).joinpath(f"{name}.npz")) as path:
        return TextClassifier.load(path)
