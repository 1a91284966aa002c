"""What an ingest over the page needs besides its documents."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpus.embedding import Embedder
    from ingest.sources.connectors import Connectors


@dataclass(frozen=True, slots=True)
class IngestTools:
    """The index, and how to open what brings documents into it: where the work is done, and when it begins."""

    index: Path
    open_embedder: "Callable[[], Embedder]"
    open_connectors: "Callable[[], Connectors]"
