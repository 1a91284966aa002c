"""How far an ingest is, what became of each source, what came in of each product, and what looks wrong in it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Protocol

from corpus.catalogue import CatalogueProduct, CatalogueRelease, ProductMention, group_products
from corpus.errors import IndexUnavailable
from corpus.index.source_records import SourceRecord
from corpus.index.speakers import Contests
from corpus.index.tables import TableReader
from corpus.model import ParsedDocument
from corpus.version_gaps import VersionGap, find_version_gaps
from corpus.versions import Version
from ingest.releases.lines import read_release_line
from ingest.sources.files import DocumentKey, FailedSource, SkippedSource, SourceListing
from ingest.sources.requests import Obtained, SourceState

_MIN_LINES = 5
_NAMED = 3
_VERSION_LINE = re.compile(r"(?m)^[^\w\r\n]{0,12}(?P<line>(?=[^\r\n]*\d\.\d)\w[^\r\n]{0,100}?)[^\w)\]\r\n]{0,12}$")


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
class ProductIntake:
    """What came in of one product; documents that hadn't changed don't count."""

    product: CatalogueProduct  # The documents that were added or updated, with their releases.
    gaps: tuple[VersionGap, ...]  # Versions left out between those that the whole index has of it now.


@dataclass(frozen=True, slots=True)
class SuspiciousSource:
    """A document that was ingested but may have been misread, and what speaks for it in one line."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class SourceOutcome:
    """One source that was named."""

    source: str  # A URI, or the path of a file or folder.
    state: SourceState
    documents: int  # How many the source gave, or the index keeps of it.
    changed: int  # How many of them are new or have changed.
    note: str  # What is to be known of it, or why it failed; empty where there is nothing.


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did; documents count once each."""

    added: int
    updated: int
    unchanged: int
    removed: int
    skipped: tuple[SkippedSource, ...]
    failed: tuple[FailedSource, ...]
    passages: int  # Passages in the index afterwards.
    seconds: float
    suspicious: tuple[SuspiciousSource, ...] = ()
    """Of the documents added or updated, those that were perhaps misread, and what speaks for it."""
    sources: tuple[SourceOutcome, ...] = ()  # Each source that was named, files and folders first.
    products: tuple[ProductIntake, ...] = ()  # What came in, by product.

    @property
    def succeeded(self) -> bool:
        """Whether at least one document was ingested or found unchanged."""
        return self.added + self.updated + self.unchanged > 0


def listing_failures(
    listings: Sequence[SourceListing], *, held: Mapping[DocumentKey, object]
) -> dict[DocumentKey, FailedSource]:
    """Return what couldn't be listed or fetched, or holds nothing; `held` decides what its message advises."""
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
    """Return the failure that explains why a document can't be read: its own, its file's, or that of a folder of it."""
    root, source = key
    holders = (source[:at] for at, character in enumerate(source) if character == "#")
    places = (source, *holders, *(folder.as_posix() for folder in PurePosixPath(source).parents))
    return next(((root, place) for place in places if (root, place) in failures), None)


def refusing_rebuild(failure: FailedSource) -> FailedSource:
    """Return the failure of a document that the index holds, told where a rebuild was asked for."""
    advice = "mend it, or take its old copy out with `relnotes docs remove`, and rebuild again"
    return replace(failure, error=f"{failure.error}; not rebuilt, for the index holds it and would lose it: {advice}")


def report_outcomes(
    obtained: Sequence[Obtained],
    *,
    failures: Mapping[DocumentKey, FailedSource],
    changed: Mapping[str, int],
    known: Mapping[DocumentKey, object],
    before: Mapping[str, SourceRecord],
    prune: bool,
) -> tuple[tuple[SourceOutcome, ...], tuple[SourceRecord, ...]]:
    """Return what became of each source; and what is to be remembered of it: when it was last in step with the index.

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


def mention(parsed: ParsedDocument) -> ProductMention:
    """Return what a document says of its product."""
    document = parsed.document
    releases = tuple(
        CatalogueRelease(release.version, release.date, (document.source,), release.pending, release.yanked)
        for release in parsed.releases
        if release.version is not None
    )
    return ProductMention(document.product, document.aliases, len(parsed.passages), releases, document.authority)


def report_intake(
    mentions: Mapping[DocumentKey, ProductMention], index: Path, *, before: Contests
) -> tuple[tuple[ProductIntake, ...], tuple[SuspiciousSource, ...]]:
    """Return what came in with the documents of `mentions`, by product, as the index at `index` holds them now; and
    which origins began to speak for a product that came from another one, beside those of `before`.

    Without gaps and origins where the index can't be read.
    """
    if not mentions:
        return (), ()
    try:
        with TableReader.open(index) as tables:
            held, contests = tables.products, tables.contests
            beyond = [(one.name, out) for one in held if (out := tables.unread_release(one))]
            granted = {(document.root, document.source): document for document in tables.documents}
    except IndexUnavailable:
        # A disk without room for a reader: what came in is committed all the same.
        return tuple(ProductIntake(product, ()) for product in group_products(mentions.values())), ()
    came = group_products(
        replace(new, product=own.product, aliases=own.aliases, authority=own.authority, is_contested=own.is_contested)
        for new, own in ((new, granted[key]) for key, new in mentions.items())
    )
    wholes = (next((whole for whole in held if whole.is_called(product.name)), product) for product in came)
    intake = (
        ProductIntake(product, find_version_gaps(release.version for release in whole.releases))
        for product, whole in zip(came, wholes, strict=True)
    )
    new = (contest for key, contest in contests.items() if key not in before and contest.claim.strength[0])
    unread = (SuspiciousSource(name, f"{out} is out; its notes weren't read") for name, out in beyond)
    return tuple(intake), (*(SuspiciousSource(one.claim.document.source, str(one)) for one in new), *unread)


def suspect(parsed: ParsedDocument) -> Iterator[SuspiciousSource]:
    """All that looks wrong in a document, in the order of its weight; the same reason is worded the same way.

    None of it is a failure: it is told so that somebody looks."""
    source, versioned = parsed.document.source, [one for one in parsed.releases if one.version]
    dated = {one.version for one in versioned if one.date}
    undated = list(dict.fromkeys(one.label for one in versioned if one.version not in dated))
    if missed := _missed_releases(parsed):
        yield missed
    elif not versioned:
        yield SuspiciousSource(source, "no version was found; name it with --version, or in a sources.toml")
    if versioned and not dated:
        yield SuspiciousSource(source, "no release has a date; a sources.toml can tell the document's")
    elif undated:
        has = "has" if len(undated) == 1 else "have"
        more = f" and {len(undated) - _NAMED} more" if len(undated) > _NAMED else ""
        named = f"{', '.join(undated[:_NAMED])}{more}"
        yield SuspiciousSource(
            source,
            f"{len(undated)} of {len({one.version for one in versioned})} releases {has} no date: {named}",
        )


def _missed_releases(parsed: ParsedDocument) -> SuspiciousSource | None:
    """Suspect a document with one versioned release at most, where five lines at least name other versions."""
    found = {release.version for release in parsed.releases if release.version}
    if len(found) > 1:
        return None
    lines = [match["line"] for match in _VERSION_LINE.finditer(parsed.document.text)]
    subjects = {line: read_release_line(line) for line in lines}
    # A number alone on its line may be code's output, or the end of a wrapped one.
    bare = (Version.try_parse(line) for line, subject in subjects.items() if subject is None and line.startswith("v"))
    versions = {*(subject.version for subject in subjects.values() if subject), *bare} - found - {None}
    if len(versions) < _MIN_LINES:
        return None
    releases = "only one release was found" if found else "no release with a version was found"
    return SuspiciousSource(
        parsed.document.source,
        f"{releases}, but {len(versions)} lines look like headings of releases; check with `relnotes docs show`, and "
        'write such lines as headings ("## 1.2.0 (2024-01-31)") if they are',
    )
