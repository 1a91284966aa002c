"""Search of one generation on Milvus: the two legs as `corpus.stores.protocol` wants them.

A reader keeps to the collections that its manifest names, whatever the aliases say by then. Of the index's folder it
needs the tables, the columns and the terms; of vectors and postings nothing.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corpus.index.stored import PassageTable
from corpus.stores.item_search import Nearest
from corpus.stores.milvus.address import MilvusAddress
from corpus.stores.milvus.collections import ITEMS, PASSAGES, count_rows, search_parameters
from corpus.stores.milvus.connection import CONNECT_TIMEOUT_S, SEARCH_TIMEOUT_S, connect, telling_faults, unusable
from corpus.stores.milvus.term_table import TermTable
from corpus.stores.milvus.writing import written_items
from corpus.stores.protocol import PassageFilter, PassageScores

if TYPE_CHECKING:
    from pymilvus import MilvusClient

_MOST_HITS = 16_384
"""That a server gives to one search."""


class MilvusStore:
    """A generation's collections; safe to share between threads."""

    def __init__(
        self, client: "MilvusClient", address: MilvusAddress, name: str, *, table: PassageTable, terms: TermTable
    ) -> None:
        self._client = client
        self._address = address
        self._name = name
        self._items = written_items(table)
        self._table = table
        self.lexical = terms

    @classmethod
    def open(cls, address: MilvusAddress, name: str, *, table: PassageTable, terms: TermTable) -> "MilvusStore":
        """Connect to the generation `name`, and see that it is whole.

        Raises:
            UsageError: the client isn't installed.
            StoreUnavailable: the server doesn't answer, or hasn't the generation.
        """
        client = connect(address)
        try:
            store = cls(client, address, name, table=table, terms=terms)
            with telling_faults(address):
                for part, rows in ((ITEMS, store._items), (PASSAGES, terms.filled_passages)):
                    if not client.has_collection(f"{name}_{part}"):
                        raise unusable(address, f"it has no collection {name}_{part}")
                    # Milvus Lite loads nothing by itself when it starts; where it is loaded already, nothing is done.
                    client.load_collection(f"{name}_{part}", timeout=CONNECT_TIMEOUT_S)
                    if (found := count_rows(client, f"{name}_{part}")) != rows:
                        raise unusable(address, f"{name}_{part} holds {found} rows of {rows}")
        except BaseException:
            client.close()
            raise
        return store

    def lexical_scores(self, tokens: Mapping[str, float], wanted: PassageFilter) -> PassageScores:
        """See `SearchStore.lexical_scores`; of more than 16,384 matches the best are told. The server multiplies, our
        terms tell with what.

        Raises:
            StoreUnavailable: the server doesn't answer.
        """
        passages, weights = len(self._table.ids), self.lexical.question_weights(tokens)
        if not weights or () in (wanted.products, wanted.versions):
            return PassageScores(np.zeros(0, np.int64), np.zeros(0, np.float32))
        found, scores = _search(
            self._client,
            self._address,
            f"{self._name}_{PASSAGES}",
            weights,
            rows=passages,
            limit=min(passages, _MOST_HITS),
            expression=_expression(wanted),
            parameters={"metric_type": "IP", "params": {}},
        )
        order = np.argsort(found)
        order = order[~self._table.boilerplate[found[order]]]
        return PassageScores(found[order], scores[order])

    def nearest_items(self, vector: NDArray[np.float32], wanted: PassageFilter, *, limit: int) -> Nearest:
        """See `SearchStore.nearest_items`.

        Raises:
            StoreUnavailable: the server doesn't answer.
        """
        limit = min(limit, self._items, _MOST_HITS)
        if not limit or () in (wanted.products, wanted.versions):
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        rows, cosines = _search(
            self._client,
            self._address,
            f"{self._name}_{ITEMS}",
            vector,
            rows=len(self._table.item_passages),
            limit=limit,
            expression=_expression(wanted),
            parameters=search_parameters(limit, rows=self._items),
        )
        order = np.lexsort((rows, -cosines))
        return rows[order], cosines[order]

    def close(self) -> None:
        """Let the connection go."""
        self._client.close()


def _search(
    client: "MilvusClient",
    address: MilvusAddress,
    collection: str,
    vector: "NDArray[np.float32] | dict[int, float]",
    *,
    rows: int,
    limit: int,
    expression: str,
    parameters: dict[str, Any],
) -> Nearest:
    with telling_faults(address):
        hits = client.search(
            collection,
            data=[vector],
            anns_field="vector",
            limit=limit,
            filter=expression,
            search_params=parameters,
            output_fields=["id"],
            # What a generation holds was there before any reader heard of it, so that there is nothing to wait for.
            consistency_level="Eventually",
            timeout=SEARCH_TIMEOUT_S,
        )[0]
        ids = np.fromiter((hit["id"] for hit in hits), np.int64)
        # Whoever answers is a server of others: what it names must be there, once.
        if len(ids) and (ids.min() < 0 or ids.max() >= rows or len(np.unique(ids)) < len(ids)):
            raise unusable(address, f"{collection} answers with rows that this index hasn't")
        return ids, np.fromiter((hit["distance"] for hit in hits), np.float32)


def _expression(wanted: PassageFilter) -> str:
    """A filter of numbers only."""
    fields = (("product", wanted.products), ("version", wanted.versions))
    return " and ".join(f"{name} in {[int(one) for one in numbers]}" for name, numbers in fields if numbers is not None)
