"""What couldn't be read, and what that means for the documents that the index already holds."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from ingest.sources.files import FailedSource, SourceListing

DocumentKey = tuple[str, str]
"""The root and the source of a document."""


def listing_failures(
    listings: Sequence[SourceListing], *, held: Mapping[DocumentKey, object]
) -> dict[DocumentKey, FailedSource]:
    """What couldn't be listed or fetched; a folder or a source as a whole goes by "."."""
    failures = {
        (listing.root, "." if one.source == listing.root else one.source): one
        for listing in listings
        for one in listing.failed
    }
    for listing in listings:
        if listing.sources or listing.failed or listing.is_current:
            continue
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
