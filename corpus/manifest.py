"""What an index is made of, and by which model; `corpus.index.layout` reads and writes it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelStamp:
    """The embedding model an index is built with."""

    model_id: str
    digest: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the index is made of; one row for each field in the table `manifest`."""

    format_version: int
    model_id: str
    model_digest: str
    dimensions: int
    generation: int  # Counts commits, from 1.
    documents: int = 0
    passages: int = 0
    items: int = 0
    documents_sha256: str = ""  # Of the facts of all documents, the digests of their texts and rows among them.
    releases_sha256: str = ""  # Of what the catalogue reads of all releases.
    vectors_file: str = ""
    vectors_sha256: str = ""
    vectors_method: str = ""  # How the vectors are kept and searched, in words (`vector_index`).
    vectors_recall: float = 0.0
    """The share of the truly nearest rows that a search finds, measured on the vectors themselves; 0: not measured."""
    lexical_folder: str = ""
    lexical_sha256: str = ""
    columns_folder: str = ""
    columns_sha256: str = ""
    store: str = "embedded"
    """What searches the index, as a `StoreChoice` is written: `embedded`, or a server's address."""
    store_generation: str = ""  # What the server calls this state of the index; empty where it is embedded.
    created: str = ""  # ISO 8601, UTC.
    updated: str = ""

    @property
    def model(self) -> ModelStamp:
        """The model that the index was built with."""
        return ModelStamp(self.model_id, self.model_digest, self.dimensions)
