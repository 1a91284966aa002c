"""The generations of an index on Milvus, one for each manifest (docs/decisions/0016-beyond-one-machine.md).

A generation is written before the manifest names it; the one before stays for its readers until the next is written.
Then it is dropped, with leftovers of writers that died. Products and releases are numbers from the generation's passage
table: no text becomes part of a filter.
"""

import re
import secrets
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corpus.manifest import Manifest
from corpus.stores.choice import StoreChoice
from corpus.stores.lexical_index import LexicalIndex
from corpus.stores.milvus.connection import CONNECT_TIMEOUT_S, connected
from corpus.stores.passage_table import PassageTable

if TYPE_CHECKING:
    from pymilvus import MilvusClient

ITEMS = "items"
PASSAGES = "passages"

_WRITE_TIMEOUT_S = 600.0  # For one batch, or until one collection's index is built.
_NAME = re.compile(r"(relnotes_[0-9a-f]{12})_g\d+_[0-9a-f]{8}")
_PARTITIONS = 16  # Products are hashed to them.
_BATCH_ROWS = 1000  # With 4,096 dimensions 16 MB, a quarter of a server's limit for one message.


def check_store(store: StoreChoice) -> None:
    """Check that a store's server answers, before its contents are made; the embedded store needs no check.

    Raises:
        StoreUnavailable: its client isn't installed, or it doesn't answer.
    """
    if not store.is_embedded:
        with connected(store, is_stated=True):
            pass


def write_generation(
    address: StoreChoice,
    *,
    previous: Manifest,
    is_stated: bool,
    table: PassageTable,
    matrices: Iterable[NDArray[np.float32]],
    lexical: LexicalIndex,
) -> str:
    """Write the state after `previous` to `address`, beside the one that readers search, and return its name there.

    Raises:
        StoreUnavailable: the server refuses it; what was written is removed by the next write.
    """
    index = _index_of(previous.store_generation) or f"relnotes_{secrets.token_hex(6)}"
    name = f"{index}_g{previous.generation + 1}_{secrets.token_hex(4)}"
    with connected(address, is_stated=is_stated) as client:
        # First, so that writers that die again and again don't fill the server.
        _sweep(client, index, keep=previous.store_generation)
        _fill(client, f"{name}_{ITEMS}", _item_rows(table, matrices), dimensions=previous.dimensions)
        _fill(client, f"{name}_{PASSAGES}", _passage_rows(table, lexical), dimensions=None)
    return name


def written_items(table: PassageTable) -> int:
    """Return how many items of `table` a generation contains: those in no boilerplate."""
    return int(np.count_nonzero(~table.boilerplate[table.item_passages]))


def _fill(client: "MilvusClient", collection: str, rows: Iterator[dict[str, Any]], *, dimensions: int | None) -> None:
    """Create, fill, index and load a collection; its vectors are sparse if `dimensions` is None."""
    from pymilvus import DataType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("id", DataType.INT64, is_primary=True)
    schema.add_field("product", DataType.INT64, is_partition_key=True)
    schema.add_field("version", DataType.INT64)
    if dimensions is None:
        schema.add_field("vector", DataType.SPARSE_FLOAT_VECTOR)
    else:
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimensions)
    client.create_collection(collection, schema=schema, num_partitions=_PARTITIONS, timeout=_WRITE_TIMEOUT_S)
    while batch := list(islice(rows, _BATCH_ROWS)):
        client.insert(collection, batch, timeout=_WRITE_TIMEOUT_S)
    client.flush(collection, timeout=_WRITE_TIMEOUT_S)
    indexes = client.prepare_index_params()
    kind = "SPARSE_INVERTED_INDEX" if dimensions is None else "AUTOINDEX"
    indexes.add_index("vector", index_type=kind, metric_type="IP")
    client.create_index(collection, indexes, timeout=_WRITE_TIMEOUT_S)
    client.load_collection(collection, timeout=_WRITE_TIMEOUT_S)


def _item_rows(table: PassageTable, matrices: Iterable[NDArray[np.float32]]) -> Iterator[dict[str, Any]]:
    for position, matrix in enumerate(matrices):
        if not table.boilerplate[position]:
            columns = _filter_columns(table, position)
            for row, vector in enumerate(matrix, int(table.item_offsets[position])):
                yield {"id": row, **columns, "vector": vector}


def _passage_rows(table: PassageTable, lexical: LexicalIndex) -> Iterator[dict[str, Any]]:
    for position, vector in enumerate(lexical.passage_vectors()):
        # No server takes an empty sparse vector.
        if vector:
            yield {"id": position, **_filter_columns(table, position), "vector": vector}


def _filter_columns(table: PassageTable, position: int) -> dict[str, int]:
    return {"product": int(table.products[position]), "version": int(table.version_codes[position])}


def _sweep(client: "MilvusClient", index: str, *, keep: str) -> None:
    """Drop the collections of an index's generations other than `keep`."""
    for collection in client.list_collections(timeout=CONNECT_TIMEOUT_S):
        generation = collection.rpartition("_")[0]
        if generation != keep and _index_of(generation) == index:
            client.drop_collection(collection, timeout=_WRITE_TIMEOUT_S)


def _index_of(name: str) -> str:
    """Return the index that a generation's name belongs to; empty if it is no such name."""
    match = _NAME.fullmatch(name)
    return match[1] if match else ""
