"""The two collections of a generation, how they are named, made and swept away.

    relnotes_<index>_g<generation>_<random>_items      one row for each item that may be found: its vector
    relnotes_<index>_g<generation>_<random>_passages   one row for each passage that has tokens: its sparse vector
    relnotes_<index>_items, relnotes_<index>_passages  aliases of the newest generation's, for other clients

A generation's collections are written once and never changed, as a derived file isn't. Products and releases are
numbers, those of the generation's passage table: no text of a document becomes part of a filter.
"""

import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from corpus.stores.milvus.connection import CONNECT_TIMEOUT_S, WRITE_TIMEOUT_S

if TYPE_CHECKING:
    from pymilvus import MilvusClient

ITEMS = "items"
PASSAGES = "passages"

_NAME = re.compile(r"(relnotes_[0-9a-f]{12})_g\d+_[0-9a-f]{8}")
_PARTITIONS = 16
"""That products are hashed to."""
_FLAT_ROWS = 250_000
"""Up to here a scan gives the exact result in time; beyond, a graph (Malkov and Yashunin 2018) is searched."""


def new_name(generation: int, *, previous: str) -> str:
    """A name that no generation had yet; `previous` is one of the same index, or empty."""
    found = _NAME.fullmatch(previous)
    index = found[1] if found else f"relnotes_{secrets.token_hex(6)}"
    return f"{index}_g{generation}_{secrets.token_hex(4)}"


def make_items(client: "MilvusClient", name: str, *, dimensions: int) -> None:
    """Make the empty collection of item vectors."""
    from pymilvus import DataType

    _make(client, f"{name}_{ITEMS}", vector={"datatype": DataType.FLOAT_VECTOR, "dim": dimensions})


def make_passages(client: "MilvusClient", name: str) -> None:
    """Make the empty collection of passages' sparse vectors."""
    from pymilvus import DataType

    _make(client, f"{name}_{PASSAGES}", vector={"datatype": DataType.SPARSE_FLOAT_VECTOR})


def _make(client: "MilvusClient", collection: str, *, vector: dict[str, Any]) -> None:
    from pymilvus import DataType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("id", DataType.INT64, is_primary=True)
    schema.add_field("product", DataType.INT64, is_partition_key=True)
    schema.add_field("version", DataType.INT64)
    schema.add_field("vector", **vector)
    client.create_collection(collection, schema=schema, num_partitions=_PARTITIONS, timeout=WRITE_TIMEOUT_S)


def finish(client: "MilvusClient", collection: str, *, rows: int, is_sparse: bool) -> None:
    """Have a filled collection hold what was given to it, index it and load it."""
    client.flush(collection, timeout=WRITE_TIMEOUT_S)
    indexes = client.prepare_index_params()
    kind, parameters = _index(rows, is_sparse=is_sparse)
    indexes.add_index("vector", index_type=kind, metric_type="IP", params=parameters)
    client.create_index(collection, indexes, timeout=WRITE_TIMEOUT_S)
    client.load_collection(collection, timeout=WRITE_TIMEOUT_S)


def _index(rows: int, *, is_sparse: bool) -> tuple[str, dict[str, int]]:
    if is_sparse:
        return "SPARSE_INVERTED_INDEX", {}
    return ("FLAT", {}) if rows <= _FLAT_ROWS else ("HNSW", {"M": 16, "efConstruction": 200})


def search_method(rows: int) -> tuple[str, float]:
    """How the vectors of `rows` items are searched, in words, and recall where it is known (0: it isn't)."""
    return ("flat, on the server", 1.0) if rows <= _FLAT_ROWS else ("graph (HNSW), on the server", 0.0)


def search_parameters(limit: int, *, rows: int) -> dict[str, Any]:
    """How the vectors of `rows` items are searched for `limit` of them."""
    return {"metric_type": "IP", "params": {} if rows <= _FLAT_ROWS else {"ef": limit}}


def count_rows(client: "MilvusClient", collection: str) -> int:
    """How many rows a collection holds, whichever client wrote them."""
    answer = client.query(
        collection,
        filter="",
        output_fields=["count(*)"],
        consistency_level="Strong",
        timeout=CONNECT_TIMEOUT_S,
    )
    return int(answer[0]["count(*)"])


def point_aliases(client: "MilvusClient", name: str) -> None:
    """Let the index's aliases name the generation `name`."""
    from pymilvus.exceptions import MilvusException

    for part in (ITEMS, PASSAGES):
        alias = f"{_owner(name)}_{part}"
        try:
            client.alter_alias(f"{name}_{part}", alias, timeout=CONNECT_TIMEOUT_S)
        except MilvusException:
            client.create_alias(f"{name}_{part}", alias, timeout=CONNECT_TIMEOUT_S)


def drop_aliases(client: "MilvusClient", name: str) -> None:
    """Drop the aliases of the index that the generation `name` is of; nothing where there are none."""
    from pymilvus.exceptions import MilvusException

    for part in (ITEMS, PASSAGES):
        with suppress(MilvusException):
            client.drop_alias(f"{_owner(name)}_{part}", timeout=CONNECT_TIMEOUT_S)


def sweep(client: "MilvusClient", name: str, *, keep: Iterable[str]) -> None:
    """Drop the collections of the generations other than `keep` of the index that the generation `name` is of."""
    from pymilvus.exceptions import MilvusException

    kept, index = set(keep), _owner(name)
    for collection in client.list_collections(timeout=CONNECT_TIMEOUT_S):
        found = collection.rpartition("_")[0]
        if found in kept or not _NAME.fullmatch(found) or _owner(found) != index:
            continue
        # What an alias still names can't be dropped; the next commit will have moved it.
        with suppress(MilvusException):
            client.drop_collection(collection, timeout=WRITE_TIMEOUT_S)


def drop(client: "MilvusClient", name: str) -> None:
    """Drop one generation's collections, where they are there."""
    for part in (ITEMS, PASSAGES):
        client.drop_collection(f"{name}_{part}", timeout=WRITE_TIMEOUT_S)


def _owner(name: str) -> str:
    found = _NAME.fullmatch(name)
    return found[1] if found else name
