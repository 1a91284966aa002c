"""What a Ray cluster's workers do: parse documents, embed them, and send them back packed.

Nothing here imports Ray, and nothing is read or written but what a row holds and what the model needs.
"""

import pickle
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import pyarrow

from corpus.embedding import Embedder
from corpus.errors import RelnotesError, SourceError
from corpus.index.commit import fingerprint
from corpus.index.packed_documents import pack_document
from ingest.encoding import ChangedSource, encode_parsed, parse_document
from ingest.pipeline import PIPELINE_VERSION


class State(StrEnum):
    """How far a row is, which says what its payload is."""

    SOURCE = "source"
    """A pickled `ChangedSource`."""
    ENCODED = "encoded"
    """A document of `pack_document`."""
    FAILED = "failed"
    """Why it can't be parsed, in one line."""
    UNUSABLE = "unusable"
    """Why the worker is of no use, in one line."""


@dataclass(frozen=True, slots=True)
class Row:
    """One document on its way through the cluster."""

    name: str
    state: State
    payload: bytes


def pack_source(name: str, changed: ChangedSource) -> Row:
    """A document as it is sent."""
    return Row(name, State.SOURCE, pickle.dumps(changed))


def rows_to_table(rows: Sequence[Row]) -> pyarrow.Table:
    """Rows as they travel."""
    columns = [[row.name for row in rows], [row.state.value for row in rows], [row.payload for row in rows]]
    kinds = (pyarrow.string(), pyarrow.string(), pyarrow.large_binary())
    arrays = [pyarrow.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    return pyarrow.table(arrays, names=["name", "state", "payload"])


def table_to_rows(table: pyarrow.Table) -> tuple[Row, ...]:
    """The rows of a table."""
    return tuple(Row(row["name"], State(row["state"]), row["payload"]) for row in table.to_pylist())


def encoding_seal(digest: str) -> str:
    """What must be the same on every machine for documents to be encoded alike; `digest` is the model's."""
    return fingerprint(PIPELINE_VERSION, digest)


class DocumentEncoder:
    """Parses documents and embeds them with a model that it opens once; a Ray actor."""

    def __init__(self, open_embedder: Callable[[], Embedder], seal: str) -> None:
        """Open the model; its `encoding_seal` must be `seal`. One that can't be used is told with each document."""
        self._fault = ""
        try:
            self._embedder = open_embedder()
        except RelnotesError as error:
            self._fault = str(error)
        else:
            if encoding_seal(self._embedder.digest) != seal:
                self._fault = (
                    "it has another relnotes or another embedding model than this machine. Install and set the same "
                    "ones on both."
                )

    def __call__(self, table: pyarrow.Table) -> pyarrow.Table:
        """Encode the documents of a table."""
        rows = table_to_rows(table)
        if self._fault:
            fault = f"Cannot encode on {platform.node()!r}: {self._fault}".encode()
            return rows_to_table([Row(row.name, State.UNUSABLE, fault) for row in rows])
        parsed, failed = {}, []
        for row in rows:
            changed: ChangedSource = pickle.loads(row.payload)  # noqa: S301 - made by our own driver
            try:
                parsed[row.name] = parse_document(changed, embed=self._embedder.embed)
            except SourceError as error:
                failed.append(Row(row.name, State.FAILED, str(error).encode()))
        encoded = zip(parsed, encode_parsed(list(parsed.values()), embedder=self._embedder), strict=True)
        done = [Row(name, State.ENCODED, pack_document(document)) for name, document in encoded]
        return rows_to_table([*done, *failed])
