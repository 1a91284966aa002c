"""What release notes are: documents, releases, passages, and the words for their parts.

Offsets count Unicode code points in `Document.text`, half-open `[start, end)`, everywhere in the project.
"""

from dataclasses import dataclass
from datetime import date
from enum import IntEnum, StrEnum
from typing import Any

from corpus.versions import Version


class Authority(StrEnum):
    """Who speaks. Breaks ties, is shown beside every citation, decides which side of a conflict is official."""

    OFFICIAL = "official"
    PROJECT = "project"
    DIGEST = "digest"
    NEWS = "news"
    ANALYST = "analyst"
    UNKNOWN = "unknown"

    @property
    def is_opinion(self) -> bool:
        """Whether somebody speaks who reports of the software, and doesn't make it."""
        return self in (Authority.NEWS, Authority.ANALYST)

    @property
    def weight(self) -> int:
        """Precedence, higher speaks louder: official 5 … analyst 1, unknown 2 (unknown isn't opinion)."""
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
    """What a passage tells about: the categories of changelogs, folded to eight."""

    BREAKING = "breaking"
    REMOVAL = "removal"
    DEPRECATION = "deprecation"
    SECURITY = "security"
    FEATURE = "feature"
    PERFORMANCE = "performance"
    FIX = "fix"
    OTHER = "other"


class Act(StrEnum):
    """What an item says happened."""

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
    """What the headings above an entry, or its own tag, promise of it."""

    BREAKS = "breaks"
    REMOVED = "removed"
    DEPRECATED = "deprecated"
    REMOVED_OR_DEPRECATED = "removed_or_deprecated"
    GUIDE = "guide"  # How to move to a release: not every word of it is a change.
    SECURITY = "security"
    FIX = "fix"
    FEATURE = "feature"
    POINTER = "pointer"  # A link into a guide to the release, which tells what one must know to move to it.
    SUMMARY = "summary"  # Highlights: what other sections tell in full.
    INTRODUCTION = "introduction"  # Sentences that sections tell in full, or that tell no change.
    INTERFACE = "interface"  # Changes of an interface ("API changes"): what is new as well as what breaks.
    ALTERED = "altered"  # Changes in what was there before ("Changed"), improvements among them.
    PERFORMANCE = "performance"
    HOUSEKEEPING = "housekeeping"  # Documentation, tests, builds.
    CREDITS = "credits"
    UNSORTED = "unsorted"  # Merged requests, what is experimental: nothing of either kind.
    MIXED = "mixed"  # Several kinds ("Fixes and improvements"): each entry tells its own.
    OPEN = "open"  # Nothing: the entries speak for themselves.


LISTED = frozenset({Section.BREAKS, Section.REMOVED, Section.DEPRECATED, Section.REMOVED_OR_DEPRECATED})
"""The sections that exist to list what matters to who upgrades."""

QUIET = frozenset({Section.PERFORMANCE, Section.HOUSEKEEPING, Section.UNSORTED})  # Whose entries seldom do.


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
    OTHER = "other"  # None of these: what is new or repaired, listed last where a range has little else.


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
    """What says which product a document is about, the weakest first."""

    TEXT = 0  # It itself, or a tag of its repository ("gizmo@1.2").
    FILE = 1  # The name of a file that was given alone, which may be whoever's it is.
    NAMED = 2
    """The user: by a flag, a `sources.toml`, the name of a folder, or as a package or repository that was asked for."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """From where a document comes, and by what right it speaks for its product."""

    origin: str = ""
    """`github:owner/repo`, `pypi:name`, a host, or a path that ends with a slash for a folder and with `/*` for the
    files of one."""
    claim: Claim = Claim.NAMED
    own: str = ""  # What its product is called where another origin has it; empty where it goes by the same name.
    from_headings: tuple[str, ...] = ()  # Those of its aliases that only its headings tell.
    kin: tuple[str, ...] = ()  # Other origins that a package's metadata names as its project's.
    since: int = 0  # Which of the index's origins it was, the first one lowest.


NOBODY = Speaker()  # Who speaks in what was made by hand.


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
    """The document itself takes this statement back ("Updated …: removed the following sentence")."""
    is_code: bool = False  # Lines of code, which are read as they stand.
    opens: bool = True  # It begins a paragraph, an entry or a heading, and doesn't go on with the sentence before.
    is_entry: bool = False  # It begins an entry of a list.
    depth: int = 0  # Of the list that it is in, 1 for the outermost; 0 outside of lists.
    act: Act = Act.OTHER  # What it says happened, read once it has a vector.
    certainty: float = 0.0  # The probability of the act, 0 to 1.
    headline: float = 0.0  # The probability that it is among the first to be told of what a release brings, 0 to 1.
    breaking: float = 0.0  # Likewise of what breaks.

    @property
    def indent(self) -> int:
        """How far in it stands: what belongs to an entry is further in than the entry."""
        return 2 * self.depth - self.is_entry

    def stored(self) -> tuple[int, int, int, str, float, float, float]:
        """As tables and packed documents keep it."""
        read = self.act.value, self.certainty, self.headline, self.breaking
        form = self.retracted + 2 * self.is_code + 4 * (not self.opens) + 8 * self.is_entry + 16 * self.depth
        return self.span.start, self.span.end, form, *read

    @classmethod
    def of_stored(
        cls, start: int, end: int, form: int, act: str, certainty: float, headline: float, breaking: float
    ) -> "Item":
        """Return the item that `stored` gave.

        Raises:
            ValueError, TypeError: the values are no item's.
        """
        read = Act(act), float(certainty), float(headline), float(breaking)
        place = bool(form & 1), bool(form & 2), not form & 4, bool(form & 8), form >> 4
        return cls(Span(int(start), int(end)), *place, *read)


@dataclass(frozen=True, slots=True)
class Entry:
    """One change as its author wrote it: a list's entry with what hangs on it, a titled section with its explanation, a
    paragraph or a sentence of one. Introductions, pointers and thanks are none."""

    span: Span  # From its first item to its last, which may be in a later passage of its section.
    section: Section
    kind: Kind  # The head that it is listed under: what its section, its tag and its own words say together.
    change: Change | None = None  # What it does to who upgrades; None where it does nothing of the kind.
    is_plain: bool = False  # Whether it does so even where its release has sections of their own for what breaks.
    is_listed: bool = False  # An entry of its section's list, or the whole of it: the section's promise holds for it.
    is_marked: bool = False  # The notes call it breaking, by their section or at the entry itself.
    leads: bool = False  # The notes put it first, among their highlights.
    reverts: bool = False  # It takes something back.
    title: str = ""  # The heading that is the entry's own; empty where none is.
    stem: Span | None = None  # The bare name that its list stands under ("gizmo/frontend.py").
    release: Version | None = None
    """The release that it tells of where it stands in none: of its guide, or that its words end in."""

    def stored(self) -> tuple[int, int, str, str, str, int, str, int, int, str]:
        """As tables and packed documents keep it."""
        signs = self.is_plain, self.is_listed, self.is_marked, self.leads, self.reverts
        form = sum(sign << place for place, sign in enumerate(signs))
        stem = (self.stem.start, self.stem.end) if self.stem else (0, 0)
        change, release = self.change or "", self.release.label if self.release else ""
        return self.span.start, self.span.end, self.section, self.kind, change, form, self.title, *stem, release

    @classmethod
    def of_stored(cls, *values: Any) -> "Entry":
        """Return the entry that `stored` gave.

        Raises:
            ValueError, TypeError: the values are no entry's.
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
    versions: tuple[Version, ...]  # Versions that the text mentions beside its own release's.
    boilerplate: bool = False
    """Disclosures, newsletters, navigation: stored so that every offset is accounted for, never quoted."""
    quoted: str = ""
    """Whose notes these are where the document quotes another project's ("lodash"): no news of its own; else empty."""
    entries: tuple[Entry, ...] = ()  # Those that begin in it, in order.


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document with its structure, before vectors: what ingest hands to the index."""

    document: Document
    releases: tuple[Release, ...]
    passages: tuple[Passage, ...]
