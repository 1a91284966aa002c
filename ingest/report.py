"""Reports an ingest: its progress, the outcome of each source, each product's new releases, and suspicions."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePath, PurePosixPath
from typing import Protocol

from corpus.catalogue import CatalogueProduct, CatalogueRelease, ProductMention, group_products
from corpus.dates import find_dates, find_months, without_dates
from corpus.errors import IndexUnavailable
from corpus.index.source_records import SourceRecord
from corpus.index.tables import TableReader
from corpus.model import Claim, Document, ParsedDocument
from corpus.version_gaps import VersionGap, find_version_gaps
from ingest.releases.lines import read_release_line
from ingest.releases.subjects import name_by_place, read_place_name
from ingest.releases.version_lines import RELEASE_WORDS, folded_words
from ingest.sources.files import DocumentKey, FailedSource, SkippedSource, SourceListing
from ingest.sources.requests import Obtained, SourceState
from ingest.text_lines import plain_title

_MAX_NAMED = 3
_MAX_FURTHER_WORDS = 3
_MAX_INDENT = 20
_MAX_OPENING = 2_000
_VERSION_LINE = re.compile(r"(?m)^[^\w\r\n]{0,12}(?P<line>(?=[^\r\n]*\d\.\d)\w[^\r\n]{0,100}?)[^\w)\]\r\n]{0,12}$")


class IngestProgress(Protocol):
    """Is called with the progress of an ingest."""

    def phase(self, name: str, total: int) -> None:
        """Begin a phase: "Fetching", "Reading", "Embedding", "Labelling", "Writing", "Committing".

        `advance` counts up to `total`. An error raised here stops the ingest; after "Committing" begins, nothing does.
        """

    def advance(self, count: int) -> None:
        """Count `count` more steps of the phase as done."""


class Unwatched:
    """Progress that nobody watches."""

    def phase(self, name: str, total: int) -> None:
        """Ignore it."""

    def advance(self, count: int) -> None:
        """Ignore it."""


@dataclass(frozen=True, slots=True)
class ProductIntake:
    """What came in for one product; unchanged documents don't count."""

    product: CatalogueProduct  # Its added or updated documents, with their releases.
    gaps: tuple[VersionGap, ...]  # Versions missing between those that the whole index has now.


@dataclass(frozen=True, slots=True)
class SuspiciousSource:
    """A document that was ingested but may have been misread, and the reason to think so in one line."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class SourceOutcome:
    """The result for one source that was named."""

    source: str  # A URI, or the path of a file or folder.
    state: SourceState
    documents: int  # How many the source has, or the index keeps of it.
    changed: int  # How many of them are new or have changed.
    note: str  # What the user should know, or why it failed; empty for nothing.


@dataclass(frozen=True, slots=True)
class IngestReport:
    """The results of an ingest; each document counts once."""

    added: int
    updated: int
    unchanged: int
    removed: int
    skipped: tuple[SkippedSource, ...]
    failed: tuple[FailedSource, ...]
    passages: int  # Passages in the index afterwards.
    seconds: float
    suspicious: tuple[SuspiciousSource, ...] = ()
    """The added or updated documents that may have been misread, and the reason to think so."""
    sources: tuple[SourceOutcome, ...] = ()  # Each source that was named, files and folders first.
    products: tuple[ProductIntake, ...] = ()  # What came in, by product.

    @property
    def succeeded(self) -> bool:
        """Whether at least one document was ingested or found unchanged."""
        return self.added + self.updated + self.unchanged > 0


def listing_failures(
    listings: Sequence[SourceListing], *, indexed: Mapping[DocumentKey, object]
) -> dict[DocumentKey, FailedSource]:
    """Return failures of sources that can't be listed or fetched, or are empty; advice depends on keys `indexed`."""
    failures = {
        (listing.root, "." if failed.source == listing.root else failed.source): failed
        for listing in listings
        for failed in listing.failed
    }
    for listing in listings:
        if not (listing.sources or listing.failed or listing.is_current):
            count = sum(root == listing.root for root, _ in indexed)
            advice = (
                f"nothing was removed (use `relnotes docs remove` to take out what the index has of it: {count})"
                if count
                else "give a folder with release notes"
            )
            failures[listing.root, "."] = FailedSource(listing.root, f"holds no document; {advice}")
    return failures


def failure_covering(key: DocumentKey, failures: Mapping[DocumentKey, FailedSource]) -> DocumentKey | None:
    """Return the key of the failure that covers a document: its own, its file's, or a folder's around it; else None."""
    root, source = key
    containers = (source[:at] for at, character in enumerate(source) if character == "#")
    places = (source, *containers, *(folder.as_posix() for folder in PurePosixPath(source).parents))
    return next(((root, place) for place in places if (root, place) in failures), None)


def with_rebuild_refused(failure: FailedSource) -> FailedSource:
    """Return the failure of an indexed document with the reason why a rebuild was refused."""
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
    """Return the outcome of each source, and the record of when it was last in step with the index.

    `changed` counts documents by root. A failed source keeps its record; after a partial failure it is fetched whole.
    """
    now = datetime.now(UTC).isoformat(timespec="seconds")
    counts = Counter(root for root, _ in known)
    outcomes, records = [], []
    for source in obtained:
        root, state, note = source.listing.root, source.outcome, source.note
        errors = [failure.error for (failed_root, _), failure in failures.items() if failed_root == root]
        in_step = state in (SourceState.READ, SourceState.UNCHANGED) and (root, ".") not in failures
        # A source without notes isn't searched again before it changes.
        if in_step or (source.state and not counts[root]):
            records.append(
                SourceRecord(root, "" if in_step and errors else source.state, source.made_with, 0, now, note=note)
            )
        elif state is SourceState.GONE and (record := before.get(root)):
            records.append(replace(record, gone_since=record.gone_since or now))
        if state is SourceState.GONE:
            fate = "removed from the index" if prune else "kept in the index until `relnotes sync --prune`"
            documents = f"{counts[root]} {'document' if counts[root] == 1 else 'documents'}"
            note = "; ".join([*errors[:1], f"{documents} {fate}" if counts[root] else "nothing is indexed"])
        elif errors and len(errors) >= len(source.listing.sources):
            state, note = SourceState.FAILED, errors[0]
        elif errors:
            note = "; ".join(filter(None, (note, f"{len(errors)} of its documents failed: {errors[0]}")))
        count = len(source.listing.sources) or (0 if source.outcome is SourceState.GONE and prune else counts[root])
        outcomes.append(SourceOutcome(root, state, count, changed.get(root, 0), note))
    return tuple(outcomes), tuple(records)


def product_mention(parsed: ParsedDocument) -> ProductMention:
    """Return the product, names, passages and authority of a document, and its releases with a version."""
    document = parsed.document
    releases = tuple(
        CatalogueRelease(release.version, release.date, (document.source,), release.pending, release.yanked)
        for release in parsed.releases
        if release.version is not None
    )
    return ProductMention(document.product, document.aliases, len(parsed.passages), releases, document.authority)


def report_intake(
    mentions: Mapping[DocumentKey, ProductMention], index: Path
) -> tuple[tuple[ProductIntake, ...], tuple[SuspiciousSource, ...]]:
    """Return each product's intake as the index has it now, and the newer releases whose notes weren't read."""
    if not mentions:
        return (), ()
    try:
        with TableReader.open(index) as tables:
            products = tables.products
            missing = [(product.name, latest) for product in products if (latest := tables.unread_release(product))]
            indexed = {(document.root, document.source): document for document in tables.documents}
    except IndexUnavailable:
        # A full disk may prevent reading; the documents are committed all the same.
        return tuple(ProductIntake(product, ()) for product in group_products(mentions.values())), ()
    incoming = group_products(
        replace(new, product=old.product, aliases=old.aliases, authority=old.authority, is_contested=old.is_contested)
        for new, old in ((new, indexed[key]) for key, new in mentions.items())
    )
    pairs = (next((whole for whole in products if whole.is_called(product.name)), product) for product in incoming)
    intake = (
        ProductIntake(product, find_version_gaps(release.version for release in whole.releases))
        for product, whole in zip(incoming, pairs, strict=True)
    )
    unread = (SuspiciousSource(name, f"{latest} is out; its notes weren't read") for name, latest in missing)
    return tuple(intake), tuple(unread)


def find_suspicions(parsed: ParsedDocument) -> Iterator[str]:
    """Yield a warning for each thing that looks wrong in a document, gravest first, worded alike for every document."""
    versioned = [release for release in parsed.releases if release.version]
    dated = {release.version for release in versioned if release.date}
    undated = list(dict.fromkeys(str(release.version) for release in versioned if release.version not in dated))
    if product := _product_of_folder(parsed.document):
        yield f"product taken from the folder's name: {product}; --product names it"
    if missed := _missed_releases(parsed):
        yield missed
    elif not versioned:
        yield "no version was found; name it with --version, or in a sources.toml"
    if versioned and not dated:
        yield "no release has a date; a sources.toml can tell the document's"
    elif undated:
        has = "has" if len(undated) == 1 else "have"
        more = f" and {len(undated) - _MAX_NAMED} more" if len(undated) > _MAX_NAMED else ""
        named = f"{', '.join(undated[:_MAX_NAMED])}{more}"
        yield f"{len(undated)} of {len({release.version for release in versioned})} releases {has} no date: {named}"


def _product_of_folder(document: Document) -> str:
    """Return the product of a lone file that nothing names but the folder that it lies in; else empty."""
    root, product = PurePath(document.root), document.product
    is_lone = root.is_absolute() and root.name == document.source and document.speaker.claim is Claim.TEXT
    by_place = name_by_place(document.source, root=document.root)
    is_named = read_place_name(root.stem) or product.casefold() in document.text[:_MAX_OPENING].casefold()
    return product if is_lone and product == by_place and not is_named else ""


def _missed_releases(parsed: ParsedDocument) -> str:
    """Return a warning with the lines that read as releases whose versions no release has; "" if there are none.

    These have a version and its day or state.
    """
    missed = find_missed_lines(parsed)
    if not missed:
        return ""
    lines, were = ("line reads as a release", "was") if len(missed) == 1 else ("lines read as releases", "were")
    named = ", ".join(f"line {number} ({line})" for number, line in missed[:_MAX_NAMED])
    more = " …" if len(missed) > _MAX_NAMED else ""
    return (
        f"{len(missed)} {lines} and {were} not taken: {named}{more}; if they are, write such lines as headings "
        '("## 1.2.0 (2024-01-31)")'
    )


def find_missed_lines(parsed: ParsedDocument) -> list[tuple[int, str]]:
    """Return the number and text of each line outside code and quotations that reads as a release and opens none.

    Lines with words besides are returned only if there are several.
    """
    text, known = parsed.document.text, {None, *(release.version for release in parsed.releases)}
    lines = _version_lines(parsed)
    words: dict[re.Match[str], int] = {}
    for match, line in lines.items():
        subject = read_release_line(line)
        goes_on = text[match.end() : match.end() + _MAX_INDENT].lstrip()[:1].islower()
        if subject and subject.version not in known and not goes_on:
            words[match] = len(_further_words(line, (parsed.document.product, *parsed.document.aliases)))
    several = sum(0 < count <= _MAX_FURTHER_WORDS for count in words.values()) > 1
    missed = [match for match, count in words.items() if count <= _MAX_FURTHER_WORDS * several]
    return [
        (text.count("\n", 0, match.start("line")) + 1, lines[match])
        for match in sorted(missed, key=lambda match: match.start())
    ]


def _version_lines(parsed: ParsedDocument) -> Mapping[re.Match[str], str]:
    """Return the lines with a version outside code and quotations, without markup."""
    other = [item.span for each in parsed.passages for item in each.items if item.is_code or each.quoted]
    return {
        match: plain_title(match["line"])
        for match in _VERSION_LINE.finditer(parsed.document.text)
        if not any(span.start <= match.start("line") < span.end for span in other)
    }


def _further_words(line: str, names: Iterable[str]) -> set[str]:
    """Return the words of a line other than its date, its version, the product's names and usual ones of releases."""
    rest = without_dates(line, find_dates(line) or find_months(line))
    usual = RELEASE_WORDS.union(*map(folded_words, names))
    return {word for word in folded_words(rest) if word not in usual and not any(map(str.isdigit, word))}
