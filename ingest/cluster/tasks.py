"""What a Ray cluster's workers do: parse documents, embed them, and send them back packed.

Rows are sources on their way; each worker changes their state. Nothing here imports Ray, and nothing is read or written
but what a row holds and what the model needs.
"""

import pickle
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

import pyarrow

from corpus.embedding import Embedder
from corpus.errors import RelnotesError, SourceError
from corpus.index.packed_documents import pack_document
from corpus.model import ParsedDocument
from ingest.encoding import ChangedSource
from ingest.one_process import embed_items, join_vectors
from ingest.parsing import parse_document


class State(StrEnum):
    """How far a row is, which says what its payload is."""

    SOURCE = "source"
    """A pickled `ChangedSource`."""
    PARSED = "parsed"
    """A pickled `ParsedDocument`."""
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


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """What must be the same on every machine for documents to be encoded alike."""

    pipeline_version: str
    python: str


def pack_source(name: str, changed: ChangedSource) -> Row:
    """A document as it is sent."""
    return Row(name, State.SOURCE, pickle.dumps(changed))


def rows_to_table(rows: Sequence[Row]) -> pyarrow.Table:
    """Rows as they travel."""
    columns = [[one.name for one in rows], [one.state.value for one in rows], [one.payload for one in rows]]
    kinds = (pyarrow.string(), pyarrow.string(), pyarrow.large_binary())
    arrays = [pyarrow.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    return pyarrow.table(arrays, names=["name", "state", "payload"])


def table_to_rows(table: pyarrow.Table) -> tuple[Row, ...]:
    """The rows of a table."""
    return tuple(Row(one["name"], State(one["state"]), one["payload"]) for one in table.to_pylist())


def tell_node() -> NodeFacts:
    """The facts of the machine that this runs on."""
    from ingest.pipeline import PIPELINE_VERSION

    return NodeFacts(PIPELINE_VERSION, platform.python_version())


def parse_table(table: pyarrow.Table) -> pyarrow.Table:
    """Parse the sources of a table; one that asks for the model stays a source, to be parsed where the model is."""
    return rows_to_table([_parse_row(row, embed=_ask_model) for row in table_to_rows(table)])


class _ModelAsked(RelnotesError):
    """A document can't be split without the model."""


def _ask_model(texts: Sequence[str]) -> NoReturn:  # noqa: ARG001 - stands where a model would
    raise _ModelAsked("the model is somewhere else")


def _parse_row(row: Row, *, embed: Callable[..., object]) -> Row:
    if row.state is not State.SOURCE:
        return row
    changed: ChangedSource = pickle.loads(row.payload)  # noqa: S301 - made by our own driver
    try:
        parsed = parse_document(changed, embed=embed)  # type: ignore[arg-type]
    except SourceError as error:
        return Row(row.name, State.FAILED, str(error).encode())
    except _ModelAsked:
        return row
    return Row(row.name, State.PARSED, pickle.dumps(parsed))


class DocumentEncoder:
    """Embeds parsed documents with a model that it opens once; a Ray actor."""

    def __init__(self, open_embedder: Callable[[], Embedder], digest: str) -> None:
        """Open the model, whose digest must be `digest`; one that can't be used is told with each document."""
        self._fault = ""
        try:
            self._embedder = open_embedder()
        except RelnotesError as error:
            self._fault = str(error)
        else:
            if self._embedder.digest != digest:
                self._fault = "it has another embedding model than this machine. Install or set the same one on both."

    def __call__(self, table: pyarrow.Table) -> pyarrow.Table:
        """Encode the documents of a table; those that failed pass through."""
        rows = table_to_rows(table)
        if self._fault:
            fault = f"Cannot encode on {platform.node()!r}: {self._fault}".encode()
            return rows_to_table([Row(one.name, State.UNUSABLE, fault) for one in rows])
        rows = tuple(_parse_row(one, embed=self._embedder.embed) for one in rows)
        parsed = [one for one in rows if one.state is State.PARSED]
        documents: list[ParsedDocument] = [pickle.loads(one.payload) for one in parsed]  # noqa: S301 - made by us
        encoded = join_vectors(documents, embed_items(documents, embedder=self._embedder), digest=self._embedder.digest)
        done = [Row(row.name, State.ENCODED, pack_document(one)) for row, one in zip(parsed, encoded, strict=True)]
        return rows_to_table([*done, *(one for one in rows if one.state is State.FAILED)])
