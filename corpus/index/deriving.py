"""Making the derived files of an index from its tables, for any store that searches it; nothing is embedded."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.index.derived import write_derived
from corpus.index.faults import corrupt
from corpus.index.tables import TableReader
from corpus.manifest import Manifest
from corpus.stores.choice import StoreChoice
from corpus.stores.lexical_index import LexicalIndex
from corpus.stores.milvus.generations import write_generation
from corpus.stores.vector_index import is_one_file, write_item_vectors


def derive_files(
    connection: sqlite3.Connection, path: Path, *, previous: Manifest, store: StoreChoice | None
) -> Manifest:
    """Write the derived files of the tables' current contents, in a transaction that isn't committed yet.

    Returns the manifest that names them. `store` will search them; None keeps the current store.

    Raises:
        IndexCorrupt: a stored value can't be read.
        StoreUnavailable: the server that will search them refuses them.
        OSError: they can't be written to the disk.
    """
    table = TableReader(path, connection, previous).passages
    columns = write_derived(path, table.write, prefix="columns")
    manifest = replace(
        previous,
        generation=previous.generation + 1,
        documents=connection.execute("SELECT count(*) FROM documents").fetchone()[0],
        passages=len(table.ids),
        items=int(table.item_offsets[-1]),
        columns_folder=columns,
        updated=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    rows = connection.execute("SELECT tokens FROM passages ORDER BY id")
    lexical = LexicalIndex.from_tokens(tokens.split() for (tokens,) in rows)
    matrices = partial(_stored_vectors, connection, path, dimensions=manifest.dimensions)
    address = store or StoreChoice.parse(previous.store)
    if address.is_embedded:
        outcomes: list[tuple[str, float]] = []
        write = partial(write_item_vectors, count=manifest.items, dimensions=manifest.dimensions)
        suffix = ".faiss" if is_one_file(manifest.items) else ""
        vectors = write_derived(
            path, lambda draft: outcomes.append(write(draft, matrices)), prefix="vectors", suffix=suffix
        )
        (method, recall), generation = outcomes[0], ""
    else:
        vectors, method, recall = "", "as the server chooses", 0.0
        is_stated = store is not None
        generation = write_generation(
            address, previous=previous, is_stated=is_stated, table=table, matrices=matrices(), lexical=lexical
        )
        lexical = lexical.without_postings()
    terms = write_derived(path, lexical.write, prefix="lexical" if address.is_embedded else "terms")
    return replace(
        manifest,
        vectors_file=vectors,
        vectors_method=method,
        vectors_recall=round(recall, 4),
        lexical_folder=terms,
        store=str(address),
        store_generation=generation,
    )


def _stored_vectors(connection: sqlite3.Connection, path: Path, *, dimensions: int) -> Iterator[NDArray[np.float32]]:
    """Yield one matrix of vectors for each passage, in order; raise IndexCorrupt for one that is cut off."""
    for (blob,) in connection.execute("SELECT vectors FROM passages ORDER BY id"):
        if len(blob) % (4 * dimensions):
            raise corrupt(path, f"a passage has {len(blob)} bytes of vectors of {4 * dimensions} each")
        yield np.frombuffer(blob, dtype=np.float32).reshape(-1, dimensions)
