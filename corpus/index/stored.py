"""The values that an index's readers return, and how its columns encode them."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from datetime import date
from functools import lru_cache

from corpus.ages import parse_day
from corpus.model import NOBODY, Authority, Claim, Item, Kind, Span, Speaker
from corpus.versions import Version


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """A stored document without its text."""

    id: int
    root: str
    source: str
    title: str
    product: str
    aliases: tuple[str, ...]
    version: str | None
    date: date | None
    authority: Authority
    url: str | None
    media_type: str
    sha256: str
    releases: int
    passages: int
    speaker: Speaker = NOBODY
    is_contested: bool = False  # Whether its product belongs to another origin, so that the project isn't its author.
    synced_at: str | None = None
    """ISO 8601, UTC: when its source last matched the index; None if unknown."""


def last_synced(documents: Iterable[DocumentSummary]) -> dict[str, str]:
    """Return when a source of each product last matched the index (ISO 8601, UTC); products without one are absent."""
    synced: dict[str, str] = {}
    for document in documents:
        if document.synced_at:
            synced[document.product] = max(document.synced_at, synced.get(document.product, ""))
    return synced


def text_sha256(text: str) -> str:
    """Return the SHA-256 (hex) of a text's UTF-8 bytes."""
    return hashlib.sha256(text.encode()).hexdigest()


def parse_date(value: object) -> date | None:
    """Parse a column's day, or the first day of its month; return None if the column is empty.

    Raises:
        ValueError: the column contains neither a day nor a month.
    """
    return parse_day(str(value)) if value else None


@lru_cache(maxsize=1024)
def parse_speaker(written: str) -> Speaker:
    """Parse a speaker from a column written by `write_speaker`.

    Raises:
        ValueError: it isn't a speaker.
    """
    values = json.loads(written)
    # Documents of earlier versions, until they are read again, have more claims and fields.
    claim = Claim.NAMED if values[1] == Claim.NAMED else Claim.TEXT
    return Speaker(values[0], claim, tuple(next(value for value in values if isinstance(value, list))))


def write_speaker(speaker: Speaker) -> str:
    """Return a speaker as the tables store it."""
    return json.dumps(astuple(speaker), ensure_ascii=False)


@lru_cache(maxsize=8192)
def parse_strings(written: str) -> tuple[str, ...]:
    """Parse a column's list of strings; cached because many rows have the same headings and empty lists.

    Raises:
        ValueError: the column contains no JSON list of strings.
    """
    strings = json.loads(written)
    if not isinstance(strings, list) or not all(isinstance(string, str) for string in strings):
        raise ValueError(f"must be a list of strings, got {written!r}")
    return tuple(strings)


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage as the index stores it; `position` is its row in every per-passage array."""

    position: int
    document: DocumentSummary
    span: Span
    release: Version | None  # None for text about no version.
    release_date: date | None
    heading: tuple[str, ...]
    kind: Kind
    items: tuple[Item, ...]
    symbols: tuple[str, ...]
    references: tuple[str, ...]
    versions: tuple[Version, ...]
    boilerplate: bool
    quoted: str = ""  # The project whose notes the document quotes here; empty for its own words.
    is_yanked: bool = False  # Its release was withdrawn.
    is_unreleased: bool = False  # Its release isn't out, or its heading announces coming changes.

    @property
    def is_foreign(self) -> bool:
        """Whether another project wrote this: a quoted one, or one whose claim to this product's name was contested."""
        return bool(self.quoted) or self.document.is_contested

    @property
    def is_own(self) -> bool:
        """Whether the product's own project wrote this, not a quoted project, a contested document or a reporter."""
        return not self.is_foreign and not self.document.authority.is_opinion

    @property
    def date(self) -> "date | None":
        """Its release's date; else the document's, unless that is about another release."""
        about = self.document.version
        if self.release_date is None and self.release and about and Version.parse(about) != self.release:
            return None
        return self.release_date or self.document.date

    @property
    def release_order(self) -> Version:
        """The release as a sort key; text about no version comes first."""
        return self.release or Version.parse("0")
