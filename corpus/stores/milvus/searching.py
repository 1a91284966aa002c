"""Search in one generation on Milvus: the methods of `EmbeddedStore`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpus.stores.choice import StoreChoice
from corpus.stores.lexical_index import LexicalIndex
from corpus.stores.milvus.connection import CONNECT_TIMEOUT_S, connect, raising_unavailable, unusable
from corpus.stores.milvus.generations import ITEMS, PASSAGES, written_items
from corpus.stores.passage_table import PassageTable
from corpus.stores.protocol import Nearest, PassageFilter, PassageScores

if TYPE_CHECKING:
    from pymilvus import MilvusClient

_SEARCH_TIMEOUT_S = 15.0
_MOST_HITS = 16_384  # A server's limit for one search.


class MilvusStore:
    """A generation's collections; safe to share between threads."""

    def __init__(
        self, client: "MilvusClient", address: StoreChoice, name: str, *, table: PassageTable, lexical: LexicalIndex
    ) -> None:
        self._client = client
        self._address = address
        self._name = name
        self._items = written_items(table)
        self._table = table
        self.lexical = lexical

    @classmethod
    def open(cls, address: StoreChoice, name: str, *, table: PassageTable, lexical: LexicalIndex) -> "MilvusStore":
        """Connect to the generation `name`, and check that it exists; `lexical` has its terms.

        Raises:
            StoreUnavailable: the client isn't installed, the server doesn't answer, or hasn't the generation.
        """
        client = connect(address)
        try:
            store = cls(client, address, name, table=table, lexical=lexical)
            with raising_unavailable(address):
                for part in (f"{name}_{PASSAGES}", f"{name}_{ITEMS}"):
                    if not client.has_collection(part):
                        raise unusable(address, f"it has no collection {part}")
                    # Milvus Lite loads nothing when it starts; loading a loaded collection does nothing.
                    client.load_collection(part, timeout=CONNECT_TIMEOUT_S)
        except BaseException:
            client.close()
            raise
        return store

    def lexical_scores(self, tokens: Mapping[str, float], wanted: PassageFilter) -> PassageScores:
        """See `PassageStore`; only the best 16,384 matches are returned.

        Raises:
            StoreUnavailable: the server doesn't answer.
        """
        limit = min(len(self._table.ids), _MOST_HITS)
        question = self.lexical.question_vector(tokens)
        positions, scores = self._search(PASSAGES, question, wanted, limit=limit if question else 0)
        order = np.argsort(positions)
        order = order[~self._table.boilerplate[positions[order]]]
        return PassageScores(positions[order], scores[order])

    def nearest_items(self, vector: NDArray[np.float32], wanted: PassageFilter, *, limit: int) -> Nearest:
        """See `PassageStore`.

        Raises:
            StoreUnavailable: the server doesn't answer.
        """
        rows, cosines = self._search(ITEMS, vector, wanted, limit=min(limit, self._items, _MOST_HITS))
        order = np.lexsort((rows, -cosines))
        return rows[order], cosines[order]

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _search(
        self, part: str, vector: "NDArray[np.float32] | dict[int, float]", wanted: PassageFilter, *, limit: int
    ) -> Nearest:
        if not limit or () in (wanted.products, wanted.versions):
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        rows = self._table.item_passages if part == ITEMS else self._table.ids
        fields = (("product", wanted.products), ("version", wanted.versions))
        with raising_unavailable(self._address):
            hits = self._client.search(
                f"{self._name}_{part}",
                data=[vector],
                anns_field="vector",
                limit=limit,
                # Only numbers go into the filter.
                filter=" and ".join(f"{name} in {list(map(int, kept))}" for name, kept in fields if kept is not None),
                search_params={"metric_type": "IP"},
                output_fields=["id"],
                # A generation is complete before readers learn its name, so there is nothing to wait for.
                consistency_level="Eventually",
                timeout=_SEARCH_TIMEOUT_S,
            )[0]
        ids = np.fromiter((hit["id"] for hit in hits), np.int64)
        # Don't trust the server: each row must exist, and appear once.
        if len(ids) and (ids.min() < 0 or ids.max() >= len(rows) or len(np.unique(ids)) < len(ids)):
            raise unusable(self._address, f"{self._name}_{part} answers with rows that this index hasn't")
        return ids, np.fromiter((hit["distance"] for hit in hits), np.float32)
