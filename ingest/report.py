"""How far an ingest is, and what it did."""

from dataclasses import dataclass
from typing import Protocol

from ingest.intake import ProductIntake
from ingest.releases.suspicions import SuspiciousSource
from ingest.sources.files import FailedSource, SkippedSource
from ingest.sources.outcomes import SourceOutcome


class IngestProgress(Protocol):
    """Hears how far ingest is."""

    def phase(self, name: str, total: int) -> None:
        """A phase begins: "Fetching", "Reading", "Embedding", "Writing", "Committing".

        `total` is what `advance` will add up to. An error that this raises calls the ingest off; once it has let
        "Committing" begin, nothing does.
        """

    def advance(self, count: int) -> None:
        """`count` more are done."""


class Unwatched:
    """Progress that nobody watches."""

    def phase(self, name: str, total: int) -> None:
        """Ignore it."""

    def advance(self, count: int) -> None:
        """Ignore it."""


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did; documents count once each."""

    added: int
    updated: int
    unchanged: int
    removed: int
    skipped: tuple[SkippedSource, ...]
    failed: tuple[FailedSource, ...]
    passages: int
    """Passages in the index afterwards."""
    seconds: float
    suspicious: tuple[SuspiciousSource, ...] = ()
    """Of the documents added or updated, those that were perhaps misread, and what speaks for it."""
    sources: tuple[SourceOutcome, ...] = ()
    """Each source that was named, files and folders first."""
    products: tuple[ProductIntake, ...] = ()
    """What came in, by product."""

    @property
    def succeeded(self) -> bool:
        """Whether at least one document was ingested or found unchanged."""
        return self.added + self.updated + self.unchanged > 0
