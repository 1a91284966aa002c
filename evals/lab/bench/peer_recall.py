"""How much of the exactly nearest passages a peer lists, by the texts that it gave."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.lab.bench.recall import LISTED, exact_recalls
from evals.lab.bench.texts import read_texts

_BLOCK_ROWS = 65_536


def listed_recall(
    listed: Sequence[Sequence[str]], questions: NDArray[np.float32], *, texts: Path, vectors: NDArray[np.float32]
) -> float:
    """Mean recall@10 of what was listed for each question, against exact products with all `vectors`.

    `questions` has the shape (questions, dimensions), `vectors` (passages, dimensions), a row a line of `texts`. Where
    passages have the same text, the one nearest to the question is taken for the listed one.
    """
    rows = _rows_of({text for one in listed for text in one}, texts)
    found = np.full((len(listed), LISTED), -1, np.int64)
    for number, (one, question) in enumerate(zip(listed, questions, strict=True)):
        nearest = [max(rows[text], key=lambda row: float(vectors[row] @ question)) for text in dict.fromkeys(one)]
        found[number, : len(nearest)] = nearest[:LISTED]
    (recall,) = exact_recalls(_blocks(vectors), questions, [found], [np.ones(len(vectors), np.bool_)])
    return recall


def _rows_of(wanted: set[str], texts: Path) -> dict[str, list[int]]:
    rows = defaultdict(list)
    for row, text in enumerate(read_texts(texts)):
        if text in wanted:
            rows[text].append(row)
    return rows


def _blocks(vectors: NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
    for first in range(0, len(vectors), _BLOCK_ROWS):
        yield vectors[first : first + _BLOCK_ROWS]
