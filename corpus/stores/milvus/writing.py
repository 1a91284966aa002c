"""One generation of an index written to Milvus: beside the one that readers search, which stays as it is.

The caller names the generation in the manifest once all of it is there, and only then lets the aliases follow. A writer
that dies before leaves collections that no manifest names; the next one drops them.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corpus.index.stored import PassageTable
from corpus.stores.milvus.address import MilvusAddress
from corpus.stores.milvus.collections import (
    ITEMS,
    PASSAGES,
    count_rows,
    drop,
    drop_aliases,
    finish,
    make_items,
    make_passages,
    point_aliases,
    sweep,
)
from corpus.stores.milvus.connection import WRITE_TIMEOUT_S, check_version, connect, telling_faults, unusable
from corpus.stores.milvus.term_table import TermTable

if TYPE_CHECKING:
    from pymilvus import MilvusClient

_BATCH_ROWS = 1000
"""Of 4,096 dimensions 16 MB, a quarter of what a server takes in one message."""


@dataclass(frozen=True, slots=True)
class MilvusWriter:
    """Writes generations of one index to one address; `is_stated`: the user named the address for this very change."""

    address: MilvusAddress
    is_stated: bool = False

    def write(
        self,
        name: str,
        *,
        table: PassageTable,
        matrices: Iterable[NDArray[np.float32]],
        tokens: Iterable[Sequence[str]],
        terms: TermTable,
        dimensions: int,
    ) -> None:
        """Write the generation `name`: all of `table`, with a matrix of item vectors and the tokens of each passage.

        What was written is taken back where it can't be completed.

        Raises:
            StoreUnavailable: the server doesn't take it.
        """
        with self._connected() as client:
            check_version(client, self.address)
            try:
                make_items(client, name, dimensions=dimensions)
                make_passages(client, name)
                self._fill(client, f"{name}_{ITEMS}", _item_rows(table, matrices), is_sparse=False)
                self._fill(client, f"{name}_{PASSAGES}", _passage_rows(table, tokens, terms), is_sparse=True)
            except BaseException:
                with suppress(Exception):
                    drop(client, name)
                raise

    def publish(self, name: str) -> None:
        """Let the aliases name the generation `name`.

        Raises:
            StoreUnavailable: the server doesn't answer.
        """
        with self._connected() as client:
            point_aliases(client, name)

    def withdraw(self, name: str) -> None:
        """Drop every generation of the index that `name` is one of, and its aliases.

        Raises:
            StoreUnavailable: the server doesn't answer.
        """
        with self._connected() as client:
            drop_aliases(client, name)
            sweep(client, name, keep=())

    def check(self) -> None:
        """See that the server answers and takes what would be written.

        Raises:
            StoreUnavailable: it doesn't.
        """
        with self._connected() as client:
            check_version(client, self.address)

    def sweep(self, *, keep: Sequence[str]) -> None:
        """Drop the generations of an index other than `keep`, which names one at least.

        Raises:
            StoreUnavailable: the server doesn't answer.
        """
        with self._connected() as client:
            sweep(client, keep[0], keep=keep)

    @contextmanager
    def _connected(self) -> "Iterator[MilvusClient]":
        with telling_faults(self.address), closing(connect(self.address, is_stated=self.is_stated)) as client:
            yield client

    def _fill(
        self, client: "MilvusClient", collection: str, rows: Iterable[dict[str, Any]], *, is_sparse: bool
    ) -> None:
        total = 0
        for batch in _batches(rows):
            client.insert(collection, batch, timeout=WRITE_TIMEOUT_S)
            total += len(batch)
        finish(client, collection, rows=total, is_sparse=is_sparse)
        if (found := count_rows(client, collection)) != total:
            raise unusable(self.address, f"{collection} holds {found} rows of {total}")


def written_items(table: PassageTable) -> int:
    """How many items of `table` a generation holds: those that may be found."""
    return int(np.count_nonzero(~table.boilerplate[table.item_passages]))


def _item_rows(table: PassageTable, matrices: Iterable[NDArray[np.float32]]) -> Iterator[dict[str, Any]]:
    for position, matrix in enumerate(matrices):
        if table.boilerplate[position]:
            continue
        row = int(table.item_offsets[position])
        place = _place(table, position)
        for number, vector in enumerate(matrix):
            yield {"id": row + number, **place, "vector": vector}


def _passage_rows(table: PassageTable, tokens: Iterable[Sequence[str]], terms: TermTable) -> Iterator[dict[str, Any]]:
    for position, passage in enumerate(tokens):
        # No server takes an empty sparse vector.
        if passage:
            yield {"id": position, **_place(table, position), "vector": terms.passage_weights(passage)}


def _place(table: PassageTable, position: int) -> dict[str, int]:
    return {"product": int(table.products[position]), "version": int(table.version_codes[position])}


def _batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    iterator = iter(rows)
    while batch := list(islice(iterator, _BATCH_ROWS)):
        yield batch
