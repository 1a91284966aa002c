"""The contents of an index and its model, as `corpus.index.layout` reads and writes them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelStamp:
    """The embedding model an index is built with."""

    model_id: str
    digest: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of an index; one row for each field in the table `manifest`."""

    format_version: int
    model_id: str
    model_digest: str
    dimensions: int
    generation: int  # Counts commits, from 1.
    documents: int = 0
    passages: int = 0
    items: int = 0
    vectors_file: str = ""
    vectors_method: str = ""  # How the vectors are stored and searched, in words (`vector_index`).
    vectors_recall: float = 0.0
    """The share of the true nearest rows that a search finds, measured on the vectors themselves; 0 if not measured."""
    lexical_folder: str = ""
    columns_folder: str = ""
    store: str = "embedded"
    """The store that searches the index, as a `StoreChoice` is written: `embedded`, or a server's address."""
    store_generation: str = ""  # The server's name for this state; empty if embedded.
    created: str = ""  # ISO 8601, UTC.
    updated: str = ""

    @property
    def model(self) -> ModelStamp:
        """The model that the index was built with."""
        return ModelStamp(self.model_id, self.model_digest, self.dimensions)
