"""What a peer is: it takes documents, and gives ranked passages for a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

LISTED = 10
"""How many passages a peer returns for a question, as relnotes does."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A document as a peer gets it: the path that citations show, and the text that relnotes indexed too."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """A passage as a peer returns it. `start` is its offset in the document where the library keeps one."""

    path: str
    text: str
    start: int | None


class Peer(Protocol):
    """A library with its own splitter and retriever; used for one set of documents, then dropped."""

    def ingest(self, sources: Sequence[SourceText]) -> None:
        """Split, embed and index all documents; called once, before any search."""
        ...

    def search(self, question: str) -> tuple[Found, ...]:
        """The best `LISTED` passages, best first; fewer where there are no more."""
        ...
