"""How much of the exact nearest items the search of items finds, over all rows and under a filter of about 1 %.

Exact is a float32 product with every stored vector, read from the tables block by block. A found row counts where its
exact product reaches that of the tenth best: of rows with the very same vector none is more right than another.
"""

import random
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.cache_folder import cache_folder
from corpus.embedding import open_embedder
from corpus.index.reader import IndexReader
from corpus.stores.protocol import PassageFilter
from evals.lab.bench.grown_corpora import grown_corpora, sizes_option
from evals.lab.questions import varied_questions
from evals.lab.trials import CountTable, TrialFindings

LISTED = 10
_QUESTIONS = 200
_FILTER_SHARE = 0.01
_LEAST = 0.98
_BLOCK_PASSAGES = 4_096
_SAME = 1e-5
"""Products that differ by less are equal: sums of float32 in another order do."""


def add_options(parser: ArgumentParser) -> None:
    """What this trial can be told."""
    sizes_option(parser, [40_000, 1_000_000])


def run(options: Namespace) -> TrialFindings:
    """Measure at each size, in a process of its own, whose memory ends with it."""
    records = []
    for size in options.sizes:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            records.append(pool.submit(measure_recall, grown_corpora(size).index).result())
    items, unfiltered, filtered, share = records[-1]
    measured = f"{unfiltered:.4f}, and {filtered:.4f} with {100 * share:.1f} % of {items:,} items"
    holds = min(unfiltered, filtered) >= _LEAST
    rows = tuple(
        (f"{items:,}", f"{unfiltered:.4f}", f"{filtered:.4f}", f"{100 * share:.2f} %")
        for items, unfiltered, filtered, share in records
    )
    return TrialFindings(
        title="What the search of items finds",
        summary=(("recall@10 of the search of items", f"≥ {_LEAST}, under a filter of 1 % too", measured, holds),),
        tables=(CountTable(("items", "recall@10", "under a filter", "which leaves"), rows),),
        notes=(
            f"The ten nearest items by the index's own search, of {_QUESTIONS} questions, beside an exact float32 "
            "product with every stored vector; over all items, and where a filter leaves the items of a few products.",
        ),
    )


def measure_recall(index: Path) -> tuple[int, float, float, float]:
    """How many items there are, the mean recall@10 over the questions without and with a filter, and the share of all
    items that it leaves."""
    vectors = open_embedder(cache_dir=cache_folder()).embed(varied_questions(_QUESTIONS))
    with IndexReader.open(index) as reader:
        table = reader.passages
        filters = (PassageFilter(), PassageFilter(products=_few_products(reader)))
        allowed = [wanted.lets_through(table, slice(None))[table.item_passages] for wanted in filters]
        found = [_nearest(reader, vectors, wanted) for wanted in filters]
        whole, filtered = exact_recalls(_stored_vectors(reader), vectors, found, allowed)
        return reader.manifest.items, whole, filtered, float(allowed[1].mean())


def _stored_vectors(reader: IndexReader) -> Iterator[NDArray[np.float32]]:
    """Every item's vector in row order, those of some thousand passages at a time."""
    total = reader.manifest.passages
    for first in range(0, total, _BLOCK_PASSAGES):
        yield np.concatenate(reader.load_vectors(range(first, min(first + _BLOCK_PASSAGES, total))))


def _nearest(reader: IndexReader, vectors: NDArray[np.float32], wanted: PassageFilter) -> NDArray[np.int64]:
    """The items found for each vector; -1 where there are fewer than ten."""
    found = np.full((len(vectors), LISTED), -1, np.int64)
    for place, vector in enumerate(vectors):
        rows, _ = reader.store.nearest_items(vector, wanted, limit=LISTED)
        found[place, : len(rows)] = rows
    return found


def _few_products(reader: IndexReader) -> tuple[int, ...]:
    """Products taken by chance, as many as fit into a hundredth of all items; the smallest one where none does."""
    table = reader.passages
    items_of = np.bincount(table.products[table.item_passages], minlength=len(reader.products))
    room = _FILTER_SHARE * items_of.sum()
    chosen: list[int] = []
    for product in random.Random(11).sample(range(len(items_of)), len(items_of)):  # noqa: S311 - a choice, not a secret
        if items_of[product] and items_of[chosen].sum() + items_of[product] <= room:
            chosen.append(product)
    smallest = int(np.argmin(np.where(items_of > 0, items_of, items_of.sum() + 1)))
    return tuple(sorted(chosen)) or (smallest,)


def exact_recalls(
    blocks: Iterable[NDArray[np.float32]],
    vectors: NDArray[np.float32],
    found: Sequence[NDArray[np.int64]],
    allowed: Sequence[NDArray[np.bool_]],
) -> tuple[float, ...]:
    """The mean recall@10 of each array of found rows, among the rows that the array `allowed` beside it allows.

    `blocks` are all rows in order; `vectors` has the shape (questions, dimensions), each of `found` (questions, 10).
    """
    best = [np.full((len(vectors), LISTED), -np.inf, np.float32) for _ in found]
    reached = [np.full(rows.shape, -np.inf, np.float32) for rows in found]
    first = 0
    for block in blocks:
        products = vectors @ block.T
        for number, rows in enumerate(found):
            seen = products[:, allowed[number][first : first + len(block)]]
            best[number] = np.partition(np.hstack([best[number], seen]), -LISTED, axis=1)[:, -LISTED:]
            asked, places = np.nonzero((rows >= first) & (rows < first + len(block)))
            reached[number][asked, places] = products[asked, rows[asked, places] - first]
        first += len(block)
    return tuple(_recall(own, top) for own, top in zip(reached, best, strict=True))


def _recall(reached: NDArray[np.float32], best: NDArray[np.float32]) -> float:
    """The mean share of the best that was found; -inf stands for none in either."""
    is_found = np.isfinite(reached) & (reached >= best.min(axis=1, keepdims=True) - _SAME)
    return float(np.mean(is_found.sum(axis=1) / np.isfinite(best).sum(axis=1)))
