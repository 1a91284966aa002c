"""What became of each source that was named, told to the user and remembered for the next time."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from corpus.errors import IndexNotFound
from corpus.index.source_records import SourceRecord
from corpus.index.tables import TableReader
from ingest.sources.failures import DocumentKey
from ingest.sources.fetching import Obtained, SourceState
from ingest.sources.files import FailedSource, SourceListing


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


def tell_records(
    listings: Sequence[SourceListing],
    obtained: Sequence[Obtained],
    *,
    failures: Mapping[DocumentKey, FailedSource],
    known: Mapping[DocumentKey, object],
    before: Mapping[str, SourceRecord],
) -> tuple[SourceRecord, ...]:
    """What is to be remembered of each source: when it was last in step with the index.

    Whatever failed keeps its old time, and where only a part did, all of it is asked for the next time.
    """
    now = datetime.now(UTC).isoformat(timespec="seconds")
    failed = {root for root, _ in failures}
    kept = Counter(root for root, _ in known)
    records = [
        SourceRecord(listing.root, "", "", 0, now) for listing in listings if (listing.root, ".") not in failures
    ]
    for one in obtained:
        root = one.listing.root
        if one.outcome in (SourceState.READ, SourceState.UNCHANGED):
            state = "" if root in failed else one.state
            records.append(SourceRecord(root, state, one.made_with, 0, now, note=one.note))
        elif one.state and not kept[root]:
            # Without notes: not to be searched through again before it changes.
            error = failures[root, "."].error
            records.append(SourceRecord(root, one.state, one.made_with, 0, now, note=error))
        elif one.outcome is SourceState.GONE and (old := before.get(root)):
            records.append(replace(old, gone_since=old.gone_since or now))
    return tuple(records)


def tell_outcomes(
    listings: Sequence[SourceListing],
    obtained: Sequence[Obtained],
    *,
    failures: Mapping[DocumentKey, FailedSource],
    changed: Mapping[str, int],
    known: Mapping[DocumentKey, object],
    prune: bool,
) -> tuple[SourceOutcome, ...]:
    """What became of each source, files and folders first; `changed` counts its documents that came in anew."""
    kept = Counter(root for root, _ in known)
    outcomes = []
    told = [(listing, SourceState.READ, "") for listing in listings]
    told += [(one.listing, one.outcome, one.note) for one in obtained]
    for listing, got, note in told:
        root = listing.root
        state = got
        errors = [failure.error for (failed_root, _), failure in failures.items() if failed_root == root]
        if got is SourceState.GONE:
            fate = "removed from the index" if prune else "kept in the index until `relnotes sync --prune`"
            documents = f"{kept[root]} {'document' if kept[root] == 1 else 'documents'}"
            note = (f"{errors[0]}; " if errors else "") + (
                f"{documents} {fate}" if kept[root] else "nothing is indexed"
            )
        elif errors and len(errors) >= len(listing.sources):
            state, note = SourceState.FAILED, errors[0]
        elif errors:
            note = f"{len(errors)} of its documents failed: {errors[0]}"
        count = len(listing.sources) or (0 if got is SourceState.GONE and prune else kept[root])
        outcomes.append(SourceOutcome(root, state, count, changed.get(root, 0), note))
    return tuple(outcomes)
