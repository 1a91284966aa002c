"""What became of each source that was named: what failed, what is told to the user, what is remembered of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from corpus.errors import IndexNotFound
from corpus.index.source_records import SourceRecord
from corpus.index.tables import TableReader
from ingest.sources.fetching import Obtained, SourceState
from ingest.sources.files import DocumentKey, FailedSource, SourceListing


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


def listing_failures(
    listings: Sequence[SourceListing], *, held: Mapping[DocumentKey, object]
) -> dict[DocumentKey, FailedSource]:
    """What couldn't be listed or fetched; a folder or a source as a whole goes by "."."""
    failures = {
        (listing.root, "." if failed.source == listing.root else failed.source): failed
        for listing in listings
        for failed in listing.failed
    }
    for listing in listings:
        if not (listing.sources or listing.failed or listing.is_current):
            holdings = sum(root == listing.root for root, _ in held)
            advice = (
                f"nothing was removed (use `relnotes docs remove` to take out what the index has of it: {holdings})"
                if holdings
                else "give a folder with release notes"
            )
            failures[listing.root, "."] = FailedSource(listing.root, f"holds no document; {advice}")
    return failures


def failure_over(key: DocumentKey, failures: Mapping[DocumentKey, FailedSource]) -> DocumentKey | None:
    """The failure that explains why a document can't be read: its own, that of the file that holds it, or of a folder
    it lies in."""
    root, source = key
    holders = (source[:at] for at, character in enumerate(source) if character == "#")
    places = (source, *holders, *(folder.as_posix() for folder in PurePosixPath(source).parents))
    return next(((root, place) for place in places if (root, place) in failures), None)


def refusing_rebuild(failure: FailedSource) -> FailedSource:
    """The failure of a document that the index holds, told where a rebuild was asked for."""
    advice = "mend it, or take its old copy out with `relnotes docs remove`, and rebuild again"
    return replace(failure, error=f"{failure.error}; not rebuilt, for the index holds it and would lose it: {advice}")


def stored_source_records(index: Path) -> dict[str, SourceRecord]:
    """What the index at `index` remembers of each root; nothing where there is no index yet."""
    try:
        with TableReader.open(index) as tables:
            return {record.root: record for record in tables.source_records}
    except IndexNotFound:
        return {}


def tell_outcomes(
    obtained: Sequence[Obtained],
    *,
    failures: Mapping[DocumentKey, FailedSource],
    changed: Mapping[str, int],
    known: Mapping[DocumentKey, object],
    before: Mapping[str, SourceRecord],
    prune: bool,
) -> tuple[tuple[SourceOutcome, ...], tuple[SourceRecord, ...]]:
    """What became of each source; and what is to be remembered of it: when it was last in step with the index.

    `changed` counts its documents that came in anew. Whatever failed keeps its old time, and where only a part did, all
    of it is asked for the next time.
    """
    now = datetime.now(UTC).isoformat(timespec="seconds")
    kept = Counter(root for root, _ in known)
    outcomes, records = [], []
    for source in obtained:
        root, state, note = source.listing.root, source.outcome, source.note
        errors = [failure.error for (failed_root, _), failure in failures.items() if failed_root == root]
        in_step = state in (SourceState.READ, SourceState.UNCHANGED) and (root, ".") not in failures
        # One without notes isn't to be searched through again before it changes.
        if in_step or (source.state and not kept[root]):
            records.append(
                SourceRecord(root, "" if in_step and errors else source.state, source.made_with, 0, now, note=note)
            )
        elif state is SourceState.GONE and (old := before.get(root)):
            records.append(replace(old, gone_since=old.gone_since or now))
        if state is SourceState.GONE:
            fate = "removed from the index" if prune else "kept in the index until `relnotes sync --prune`"
            documents = f"{kept[root]} {'document' if kept[root] == 1 else 'documents'}"
            note = "; ".join([*errors[:1], f"{documents} {fate}" if kept[root] else "nothing is indexed"])
        elif errors and len(errors) >= len(source.listing.sources):
            state, note = SourceState.FAILED, errors[0]
        elif errors:
            note = f"{len(errors)} of its documents failed: {errors[0]}"
        count = len(source.listing.sources) or (0 if source.outcome is SourceState.GONE and prune else kept[root])
        outcomes.append(SourceOutcome(root, state, count, changed.get(root, 0), note))
    return tuple(outcomes), tuple(records)
