"""What release notes are: documents, releases, passages, and the words for their parts.

Offsets count Unicode code points in `Document.text`, half-open `[start, end)`, everywhere in the project.
"""

from dataclasses import dataclass
from datetime import date
from enum import IntEnum, StrEnum

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
    DEFAULT = "default"
    """A default value or what is on by default changed."""
    REQUIRES = "requires"
    DEPRECATED = "deprecated"
    REMOVED = "removed"
    REPLACED = "replaced"
    """Renamed, moved, or to be replaced by something."""
    FIXED = "fixed"
    SECURED = "secured"
    FASTER = "faster"
    REVERTED = "reverted"
    PLANNED = "planned"
    """Announced for a later release."""
    KNOWN_ISSUE = "known_issue"
    """A fault or limit that the release has."""
    OTHER = "other"
    """No news: thanks, links, how to install, background."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points in a document's text."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def slice(self, text: str) -> str:
        """The characters of `text` in this range."""
        return text[self.start : self.end]

    def holds(self, other: "Span") -> bool:
        """Whether all of another range is in this one."""
        return self.start <= other.start and other.end <= self.end

    def meets(self, other: "Span") -> bool:
        """Whether both have characters in common."""
        return self.start < other.end and other.start < self.end


class Claim(IntEnum):
    """What says which product a document is about, the weakest first."""

    TAG = 0
    """A tag of a repository ("gizmo@1.2")."""
    STRANGER = 1
    """The text of a page, or of what a saved file or an archive holds."""
    TEXT = 2
    """The text of a file of the user's."""
    NAME = 3
    """The name of the package or repository that was asked for."""
    USER = 4
    """The user: by a flag, a `sources.toml`, or the name of a folder or file of theirs."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """From where a document comes, and by what right it speaks for its product."""

    origin: str = ""
    """`github:owner/repo`, `pypi:name`, a host, or a path that ends with a slash for a folder and with `/*` for the
    files of one."""
    claim: Claim = Claim.USER
    own: str = ""
    """What its product is called where another origin has it; empty where it goes by the same name."""
    told: tuple[str, ...] = ()
    """Those of its aliases that only its headings tell."""
    kin: tuple[str, ...] = ()
    """Other origins that a package's metadata names as its project's."""
    since: int = 0
    """The generation of the index that first held a document of this origin."""


NOBODY = Speaker()
"""Who speaks in what was made by hand."""


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
    media_type: str
    """One of `corpus.formats.FORMATS`."""
    speaker: Speaker = NOBODY


@dataclass(frozen=True, slots=True)
class Release:
    """One version's notes inside a document; `version` is None for text about no version ("Unreleased", preface)."""

    version: Version | None
    label: str
    """As written in the heading ("v2.45.1", "Unreleased"); empty for text before the first release."""
    date: date | None
    span: Span
    yanked: bool = False
    pending: bool = False
    """Its heading says that it isn't out yet."""


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence, entry, code block or table of a passage: what is embedded, and what may be quoted whole."""

    span: Span
    retracted: bool = False
    """The document itself takes this statement back ("Updated …: removed the following sentence")."""
    is_code: bool = False
    """Lines of code, which are read as they stand."""
    opens: bool = True
    """It begins a paragraph, an entry or a heading, and doesn't go on with the sentence before."""
    act: Act = Act.OTHER
    """What it says happened, read once it has a vector."""
    certainty: float = 0.0
    """The probability of the act, 0 to 1."""
    headline: float = 0.0
    """The probability that it is among the first to be told of what a release brings, 0 to 1."""
    breaking: float = 0.0
    """Likewise of what breaks."""

    def stored(self) -> tuple[int, int, int, str, float, float, float]:
        """As tables and packed documents keep it."""
        read = self.act.value, self.certainty, self.headline, self.breaking
        return self.span.start, self.span.end, self.retracted + 2 * self.is_code + 4 * (not self.opens), *read

    @classmethod
    def of_stored(
        cls, start: int, end: int, form: int, act: str, certainty: float, headline: float, breaking: float
    ) -> "Item":
        """The item that `stored` gave.

        Raises:
            ValueError, TypeError: the values are no item's.
        """
        read = Act(act), float(certainty), float(headline), float(breaking)
        return cls(Span(int(start), int(end)), bool(form & 1), bool(form & 2), not form & 4, *read)


@dataclass(frozen=True, slots=True)
class Passage:
    """The retrieval unit: a range of one document, inside one release.

    `items` are in order, disjoint and inside `span`; together they cover every word of it but its headings.
    """

    span: Span
    release: int
    """Position in the document's tuple of releases."""
    heading: tuple[str, ...]
    """Heading path from the document's title down, without markup."""
    kind: Kind
    items: tuple[Item, ...]
    symbols: tuple[str, ...]
    references: tuple[str, ...]
    """`#123` for issues and PRs, `CVE-2024-1234`, `PEP 649`."""
    versions: tuple[Version, ...]
    """Versions that the text mentions beside its own release's."""
    boilerplate: bool = False
    """Disclosures, newsletters, navigation: stored so that every offset is accounted for, never quoted."""
    quoted: str = ""
    """Whose notes these are where the document quotes another project's ("lodash"): no news of its own; else empty."""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document with its structure, before vectors: what ingest hands to the index."""

    document: Document
    releases: tuple[Release, ...]
    passages: tuple[Passage, ...]
