"""What became of each source that was named, told to the user and remembered for the next time."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from corpus.errors import IndexNotFound
from corpus.index_tables import TableReader
from corpus.model import ParsedDocument
from corpus.source_records import SourceRecord, write_source_records
from ingest.failures import DocumentKey
from ingest.fetching import Obtained, SourceState
from ingest.sources import FailedSource, SourceListing


@dataclass(frozen=True, slots=True)
class SourceOutcome:
    """One source that was named."""

    source: str
    """A URI, or the path of a file or folder."""
    state: SourceState
    documents: int
    """How many the source gave, or the index keeps of it."""
    changed: int
    """How many of them are new or have changed."""
    note: str
    """What is to be known of it, or why it failed; empty where there is nothing."""


def stored_source_records(index: Path) -> dict[str, SourceRecord]:
    """What the index at `index` remembers of each root; nothing where there is no index yet."""
    try:
        with TableReader.open(index) as tables:
            return {one.root: one for one in tables.source_records}
    except IndexNotFound:
        return {}


def remember_sources(
    index: Path,
    listings: Sequence[SourceListing],
    obtained: Sequence[Obtained],
    *,
    failures: Mapping[DocumentKey, FailedSource],
) -> None:
    """Write down when each source was last in step with the index; the caller holds the write lock.

    Whatever failed keeps its old time, and where only a part did, all of it is asked for the next time.
    """
    now = datetime.now(UTC).isoformat(timespec="seconds")
    failed = {root for root, _ in failures}
    before = stored_source_records(index)
    records = [
        SourceRecord(listing.root, "", "", 0, now) for listing in listings if (listing.root, ".") not in failures
    ]
    for one in obtained:
        root = one.listing.root
        if one.outcome in (SourceState.READ, SourceState.UNCHANGED):
            state = "" if root in failed else one.state
            records.append(SourceRecord(root, state, one.made_with, 0, now, note=one.note))
        elif one.outcome is SourceState.GONE and (old := before.get(root)):
            records.append(replace(old, gone_since=old.gone_since or now))
    write_source_records(index, records)


def tell_outcomes(
    listings: Sequence[SourceListing],
    obtained: Sequence[Obtained],
    *,
    failures: Mapping[DocumentKey, FailedSource],
    parsed: Sequence[ParsedDocument],
    known: Mapping[DocumentKey, object],
    prune: bool,
) -> tuple[SourceOutcome, ...]:
    """What became of each source, files and folders first."""
    changed = Counter(one.document.root for one in parsed)
    kept = Counter(root for root, _ in known)
    of_failures = Counter(root for root, _ in failures)
    outcomes = []
    for listing in listings:
        whole = failures.get((listing.root, "."))
        state = SourceState.FAILED if whole or of_failures[listing.root] > len(listing.sources) else SourceState.READ
        outcomes.append(
            SourceOutcome(
                listing.root, state, len(listing.sources), changed[listing.root], whole.error if whole else ""
            )
        )
    for one in obtained:
        root, whole = one.listing.root, failures.get((one.listing.root, "."))
        note = whole.error if whole else one.note
        if one.outcome is SourceState.GONE and kept[root]:
            told = "removed from the index" if prune else "kept in the index until `relnotes sync --prune`"
            note = f"{note}; its {kept[root]} documents are {told}"
        state = SourceState.FAILED if whole and one.outcome is SourceState.READ else one.outcome
        outcomes.append(SourceOutcome(root, state, len(one.listing.sources) or kept[root], changed[root], note))
    return tuple(outcomes)
