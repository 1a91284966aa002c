"""Which store searches an index: the one in its own folder, or a server.

Addresses are imported where there is one: who asks an embedded index needn't wait for that.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpus.stores.milvus.address import MilvusAddress

EMBEDDED = "embedded"


@dataclass(frozen=True, slots=True)
class StoreChoice:
    """The store that a user or a manifest names; `str()` of it is how both write it."""

    milvus: "MilvusAddress | None" = None
    """None: FAISS and mapped postings in the index's folder."""

    @classmethod
    def parse(cls, text: str) -> "StoreChoice":
        """Read `embedded` or a server's address.

        Raises:
            UsageError: it is neither.
        """
        if text == EMBEDDED:
            return cls()
        from corpus.stores.milvus.address import MilvusAddress

        return cls(MilvusAddress.parse(text))

    def __str__(self) -> str:
        return str(self.milvus or EMBEDDED)
