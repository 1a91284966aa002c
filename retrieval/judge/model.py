"""The cross-encoder that reads a question or a claim together with an item of the notes.

The default embedding model reads both (Nogueira and Cho 2019, arXiv:1901.04085) with changes to its weights, kept as a
few steps each, and a vector added for each `Sign`. `python -m evals.training.entailment` learns those for claims,
`python -m evals.training.answers` goes on from there with questions; what each is judged by is kept apart
(docs/decisions/0015).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from corpus.embedding.default_model import default_model_folder, load_tokenizer
from corpus.embedding.question_runtime import embedded, encode, map_weights
from retrieval.judge.pairs import Side

if TYPE_CHECKING:
    from tokenizers import Tokenizer

ASKED_TOKENS, ITEM_TOKENS = 48, 112
CLS, SEP = 101, 102

Task: TypeAlias = Literal["answers", "claims"]


@lru_cache(maxsize=2)
def load_cross_encoder(task: Task) -> "CrossEncoder":
    """The model that the package ships for questions or for claims, read once.

    Raises:
        ModelError: the default embedding model, on which it stands, isn't installed or can't be read.
    """
    with as_file(files("retrieval.judge").joinpath(f"{task}.npz")) as path, np.load(path) as arrays:
        return CrossEncoder({name: arrays[name].astype(np.float32) for name in arrays.files})


class CrossEncoder:
    """The model in NumPy; safe to share between threads."""

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
        self._weights = weights
        self._tokenizer = load_tokenizer(folder)
        self._signs, self._item = changes["sign"], changes["item"]
        self._head, self._bias = changes["head.weight"], changes["head.bias"]

    def read(self, pairs: Sequence[tuple[Side, Side]]) -> NDArray[np.float32]:
        """What the model puts out for each pair, in order: float32 of shape (pairs, outputs)."""
        found = np.zeros((len(pairs), len(self._bias)), np.float32)
        if not pairs:
            return found
        rows_of = [self._rows(*pair) for pair in pairs]
        states = encode(np.concatenate(rows_of), [len(rows) for rows in rows_of], self._weights)
        start = 0
        for place, rows in enumerate(rows_of):
            own = states[:, start : start + len(rows)]
            start += len(rows)
            found[place] = self._head @ np.concatenate((own[:, 0], own.mean(axis=1))) + self._bias
        return found

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
