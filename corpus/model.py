"""What release notes are: documents, releases, passages, and the words for their parts.

Offsets count Unicode code points in `Document.text`, half-open `[start, end)`, everywhere in the project.
"""

from dataclasses import dataclass
from datetime import date
from enum import IntEnum, StrEnum
from typing import Any

from corpus.versions import Version


class Authority(StrEnum):
    """Who wrote a document. Breaks ties and is shown with every citation."""

    OFFICIAL = "official"
    PROJECT = "project"
    DIGEST = "digest"
    NEWS = "news"
    ANALYST = "analyst"
    UNKNOWN = "unknown"

    @property
    def is_opinion(self) -> bool:
        """Whether the author reports on the software but doesn't make it."""
        return self in (Authority.NEWS, Authority.ANALYST)

    @property
    def weight(self) -> int:
        """Precedence, the highest first: official 5 … analyst 1, unknown 2 (unknown isn't opinion)."""
        return _AUTHORITY_WEIGHT[self]


_AUTHORITY_WEIGHT = {
    Authority.OFFICIAL: 5,
    Authority.PROJECT: 4,
    Authority.DIGEST: 3,
    Authority.NEWS: 2,
    Authority.UNKNOWN: 2,
    Authority.ANALYST: 1,
}


class Kind(StrEnum):
    """The kind of change that a passage reports: the categories of changelogs, folded to eight."""

    BREAKING = "breaking"
    REMOVAL = "removal"
    DEPRECATION = "deprecation"
    SECURITY = "security"
    FEATURE = "feature"
    PERFORMANCE = "performance"
    FIX = "fix"
    OTHER = "other"


class Act(StrEnum):
    """What happened, according to an item."""

    ADDED = "added"
    CHANGED = "changed"
    DEFAULT = "default"  # A default value or what is on by default changed.
    REQUIRES = "requires"
    DEPRECATED = "deprecated"
    REMOVED = "removed"
    REPLACED = "replaced"  # Renamed, moved, or to be replaced by something.
    FIXED = "fixed"
    SECURED = "secured"
    FASTER = "faster"
    REVERTED = "reverted"
    PLANNED = "planned"  # Announced for a later release.
    KNOWN_ISSUE = "known_issue"  # A fault or limit that the release has.
    OTHER = "other"  # No news: thanks, links, how to install, background.


class Section(StrEnum):
    """The kind of entries that the headings above an entry, or its own tag, announce."""

    BREAKS = "breaks"
    REMOVED = "removed"
    DEPRECATED = "deprecated"
    REMOVED_OR_DEPRECATED = "removed_or_deprecated"
    GUIDE = "guide"  # How to move to a release: not every word of it is a change.
    SECURITY = "security"
    FIX = "fix"
    FEATURE = "feature"
    POINTER = "pointer"  # A link into a guide to the release, which explains how to upgrade to it.
    SUMMARY = "summary"  # Highlights: what other sections report in full.
    INTRODUCTION = "introduction"  # Sentences that sections repeat in full, or that report no change.
    INTERFACE = "interface"  # Changes to an interface ("API changes"): what is new as well as what breaks.
    ALTERED = "altered"  # Changes to what existed before ("Changed"), including improvements.
    PERFORMANCE = "performance"
    HOUSEKEEPING = "housekeeping"  # Documentation, tests, builds.
    CREDITS = "credits"
    UNSORTED = "unsorted"  # Merged requests, experimental features: no kind of change.
    MIXED = "mixed"  # Several kinds ("Fixes and improvements"): each entry's own words decide.
    OPEN = "open"  # The headings name no kind: each entry's own words decide.


LISTED = frozenset({Section.BREAKS, Section.REMOVED, Section.DEPRECATED, Section.REMOVED_OR_DEPRECATED})
"""The sections that list what matters to those who upgrade."""

QUIET = frozenset({Section.PERFORMANCE, Section.HOUSEKEEPING, Section.UNSORTED})  # Their entries seldom do.


class Change(StrEnum):
    """What a change does to those who upgrade, most severe first."""

    REMOVED = "removed"
    BREAKS = "breaks"
    REQUIREMENT = "requirement"  # A raised minimum or a dropped platform.
    DEFAULT = "default"
    ACTION = "action"  # The notes ask their readers to do something.
    DEPRECATED = "deprecated"
    SECURITY = "security"
    """A vulnerability that the release fixes: a reason to upgrade, listed apart from what an upgrade breaks."""
    BEHAVIOUR = "behaviour"  # None of these, but something that was there is otherwise now.
    FIX = "fix"
    FEATURE = "feature"
    HOUSEKEEPING = "housekeeping"  # Tests, documentation, tools; introductions and pointers.


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points in a document's text."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def slice(self, text: str) -> str:
        """Return the characters of `text` in this range."""
        return text[self.start : self.end]

    def holds(self, other: "Span") -> bool:
        """Return whether all of another range is in this one."""
        return self.start <= other.start and other.end <= self.end

    def meets(self, other: "Span") -> bool:
        """Return whether both have characters in common."""
        return self.start < other.end and other.start < self.end


class Claim(IntEnum):
    """The evidence for which product a document is about, the weakest first."""

    TEXT = 0  # Its text, a tag of its repository ("gizmo@1.2"), a name below the ingested folder, a `sources.toml`.
    NAMED = 2
    """The user: by a flag, the ingested folder's name, or by requesting a package or repository."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """The origin of a document, and the evidence that it is about its product."""

    origin: str = ""
    """`github:owner/repo`, `pypi:name`, a host, or a path: ending in a slash for a folder and the files in it."""
    claim: Claim = Claim.NAMED
    from_headings: tuple[str, ...] = ()  # Those of its aliases that only its headings mention.


NOBODY = Speaker()  # The default for documents made by hand.


@dataclass(frozen=True, slots=True)
class Document:
    """One source as read.

    `source` is what citations show: the path relative to the ingested root, or a connector's URI.
    `root` is the ingested root itself (two roots with the same relative path stay two documents).
    `sha256` is the hex digest of everything the indexed form depends on (bytes, metadata, format version).
    """

    root: str
    source: str
    title: str
    product: str
    aliases: tuple[str, ...]
    version: Version | None
    date: date | None
    authority: Authority
    url: str | None
    text: str
    sha256: str
    media_type: str  # One of `corpus.formats.FORMATS`.
    speaker: Speaker = NOBODY


@dataclass(frozen=True, slots=True)
class Release:
    """One version's notes inside a document; `version` is None for text about no version ("Unreleased", preface)."""

    version: Version | None
    label: str  # As written in the heading ("v2.45.1", "Unreleased"); empty for text before the first release.
    date: date | None
    span: Span
    yanked: bool = False
    pending: bool = False  # Its heading says that it isn't out yet.


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence, entry, code block or table of a passage: what is embedded, and what may be quoted whole."""

    span: Span
    retracted: bool = False
    """The document itself retracts this statement ("Updated …: removed the following sentence")."""
    is_code: bool = False  # Lines of code, which are read unchanged.
    opens: bool = True  # It begins a paragraph, an entry or a heading, and doesn't continue the one before.
    is_entry: bool = False  # It begins an entry of a list.
    depth: int = 0  # Depth of its list, 1 for the outermost; 0 outside of lists.
    act: Act = Act.OTHER  # What happened according to it, classified once it has a vector.
    certainty: float = 0.0  # The probability of the act, 0 to 1.
    headline: float = 0.0  # The probability that it belongs among the first news of its release, 0 to 1.
    breaking: float = 0.0  # Likewise among what breaks.

    @property
    def indent(self) -> int:
        """Indentation, in arbitrary units: what belongs to an entry has a greater one than the entry."""
        return 2 * self.depth - self.is_entry

    def stored(self) -> tuple[int, int, int, str, float, float, float]:
        """Return the values that tables and packed documents store; `of_stored` reverses this."""
        read = self.act.value, self.certainty, self.headline, self.breaking
        form = self.retracted + 2 * self.is_code + 4 * (not self.opens) + 8 * self.is_entry + 16 * self.depth
        return self.span.start, self.span.end, form, *read

    @classmethod
    def of_stored(
        cls, start: int, end: int, form: int, act: str, certainty: float, headline: float, breaking: float
    ) -> "Item":
        """Return the item whose values `stored` returned.

        Raises:
            ValueError, TypeError: the values aren't those of an item.
        """
        read = Act(act), float(certainty), float(headline), float(breaking)
        place = bool(form & 1), bool(form & 2), not form & 4, bool(form & 8), form >> 4
        return cls(Span(int(start), int(end)), *place, *read)


@dataclass(frozen=True, slots=True)
class Entry:
    """One change as its author wrote it: a list's entry with its continuation, a titled section with its explanation, a
    paragraph or a sentence of one. Introductions, pointers and thanks are no entries."""

    span: Span  # From its first item to its last, which may be in a later passage of its section.
    section: Section
    kind: Kind  # The head that it is listed under, decided by its section, its tag and its own words.
    change: Change | None = None  # What it does to those who upgrade; None if nothing of the kind.
    is_plain: bool = False  # Whether it counts even if its release has separate sections for what breaks.
    is_listed: bool = False  # An entry of its section's list, or all of the section: `section` applies to it.
    is_marked: bool = False  # The notes call it breaking, in its section's title or in the entry itself.
    leads: bool = False  # The notes list it among their highlights.
    reverts: bool = False  # It reverts an earlier change.
    shifts: bool = False  # Something is otherwise now, and `change` is None.
    title: str = ""  # The heading that belongs to this entry alone; empty if there is none.
    stem: Span | None = None  # The bare name that introduces its list ("gizmo/frontend.py").
    release: Version | None = None
    """The release that it is about, if it is in none: its guide's, or the one at the end of its words."""

    def stored(self) -> tuple[int, int, str, str, str, int, str, int, int, str]:
        """Return the values that tables and packed documents store; `of_stored` reverses this."""
        signs = self.is_plain, self.is_listed, self.is_marked, self.leads, self.reverts, self.shifts
        form = sum(sign << place for place, sign in enumerate(signs))
        stem = (self.stem.start, self.stem.end) if self.stem else (0, 0)
        change, release = self.change or "", self.release.label if self.release else ""
        return self.span.start, self.span.end, self.section, self.kind, change, form, self.title, *stem, release

    @classmethod
    def of_stored(cls, *values: Any) -> "Entry":
        """Return the entry whose values `stored` returned.

        Raises:
            ValueError, TypeError: the values aren't those of an entry.
        """
        start, end, section, kind, change, form, title, stem, stem_end, release = values
        return cls(
            Span(int(start), int(end)),
            Section(section),
            Kind(kind),
            Change(change) if change else None,
            is_plain=bool(form & 1),
            is_listed=bool(form & 2),
            is_marked=bool(form & 4),
            leads=bool(form & 8),
            reverts=bool(form & 16),
            shifts=bool(form & 32),
            title=str(title),
            stem=Span(int(stem), int(stem_end)) if stem_end else None,
            release=Version.parse(release) if release else None,
        )


@dataclass(frozen=True, slots=True)
class Passage:
    """The retrieval unit: a range of one document, inside one release.

    `items` are in order, disjoint and inside `span`; together they cover every word of it but its headings.
    """

    span: Span
    release: int  # Position in the document's tuple of releases.
    heading: tuple[str, ...]  # Heading path from the document's title down, without markup.
    kind: Kind
    items: tuple[Item, ...]
    symbols: tuple[str, ...]
    references: tuple[str, ...]  # `#123` for issues and PRs, `CVE-2024-1234`, `PEP 649`.
    versions: tuple[Version, ...]  # Versions that the text mentions besides its own release's.
    boilerplate: bool = False
    """Disclosures, newsletters, navigation: stored so that every offset is accounted for, never quoted."""
    quoted: str = ""
    """The project whose notes the document quotes here ("lodash"), which aren't news of its own; else empty."""
    entries: tuple[Entry, ...] = ()  # Those that begin in it, in order.


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document with its structure, without vectors: what ingest passes to the index."""

    document: Document
    releases: tuple[Release, ...]
    passages: tuple[Passage, ...]
