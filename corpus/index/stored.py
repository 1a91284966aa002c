"""What an index gives back: the values that readers hand out, and the stamp of the model it was built with."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import Field, astuple, dataclass, fields
from datetime import date
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.index.mapped_arrays import map_array
from corpus.model import NOBODY, Authority, Claim, Item, Kind, Span, Speaker
from corpus.versions import Version

_VERSIONS = "distinct_versions.json"


@dataclass(frozen=True, slots=True)
class ModelStamp:
    """The embedding model an index is built with."""

    model_id: str
    digest: str
    dimensions: int


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
    is_contested: bool = False
    """Whether another origin has its product, so that it isn't the project that speaks."""
    synced_at: str | None = None
    """ISO 8601, UTC: when its source was last found to hold this; None in an index that doesn't know."""


def last_synced(documents: Iterable[DocumentSummary]) -> dict[str, str]:
    """For each product, when a source of it was last in step with the index (ISO 8601, UTC); unknown ones lack."""
    synced: dict[str, str] = {}
    for document in documents:
        if document.synced_at:
            synced[document.product] = max(document.synced_at, synced.get(document.product, ""))
    return synced


def text_sha256(text: str) -> str:
    """SHA-256 (hex) of a text's UTF-8 bytes."""
    return hashlib.sha256(text.encode()).hexdigest()


def parse_date(value: object) -> date | None:
    """A day as the tables keep it; None where there is none.

    Raises:
        ValueError: it isn't one.
    """
    return date.fromisoformat(str(value)) if value else None


@lru_cache(maxsize=1024)
def parse_speaker(written: str) -> Speaker:
    """A column's speaker, as `write_speaker` wrote it.

    Raises:
        ValueError: it is none.
    """
    values = json.loads(written)
    origin, claim, own, told, kin, since = values
    return Speaker(origin, Claim(claim), own, tuple(told), tuple(kin), since)


def write_speaker(speaker: Speaker) -> str:
    """A speaker as the tables keep it."""
    return json.dumps(astuple(speaker), ensure_ascii=False)


@lru_cache(maxsize=8192)
def parse_strings(written: str) -> tuple[str, ...]:
    """A column's list of strings; headings and empty lists are the same in many rows.

    Raises:
        ValueError: it is no such list.
    """
    strings = json.loads(written)
    if not isinstance(strings, list) or not all(isinstance(string, str) for string in strings):
        raise ValueError(f"must be a list of strings, got {written!r}")
    return tuple(strings)


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage as the index keeps it; `position` is its row in every per-passage array."""

    position: int
    document: DocumentSummary
    span: Span
    release: str | None
    """The release's version label; None for text about no version."""
    release_date: date | None
    heading: tuple[str, ...]
    kind: Kind
    items: tuple[Item, ...]
    symbols: tuple[str, ...]
    references: tuple[str, ...]
    versions: tuple[Version, ...]
    boilerplate: bool
    quoted: str = ""
    """Whose notes the document quotes here; empty where they are its own."""

    @property
    def is_foreign(self) -> bool:
        """Whether another project says this: one that is quoted, or one that has no right to speak for this product."""
        return bool(self.quoted) or self.document.is_contested

    @property
    def is_own(self) -> bool:
        """Whether the project itself says this of its release: no other one, and no reporter."""
        return not self.is_foreign and not self.document.authority.is_opinion

    @property
    def date(self) -> "date | None":
        """Its release's date; else the document's, unless that is about another release."""
        about = self.document.version
        if self.release_date is None and self.release and about and Version.parse(about) != Version.parse(self.release):
            return None
        return self.release_date or self.document.date

    @property
    def release_order(self) -> Version:
        """The release as a sort key; text about no version comes first."""
        return Version.parse(self.release or "0")


# Without slots: what is worked out of the columns has its place in the instance.
@dataclass(frozen=True)
class PassageTable:
    """Per-passage columns, all of length n, for filtering and scoring without reading the tables."""

    ids: NDArray[np.int64]
    products: NDArray[np.int32]
    """Position in `IndexReader.products`."""
    distinct_versions: tuple[Version | None, ...]
    """Each release as written, once: there are few, so that what is worked out for each serves all passages."""
    version_codes: NDArray[np.int32]
    """Position in `distinct_versions`."""
    kind_codes: NDArray[np.int8]
    """Position in `tuple(Kind)`."""
    authority_weights: NDArray[np.int8]
    boilerplate: NDArray[np.bool_]
    item_offsets: NDArray[np.int64]
    """Shape (n + 1,): items of passage i are the rows item_offsets[i] … item_offsets[i + 1] - 1 of the vectors."""
    item_passages: NDArray[np.int32]
    """For each row of the vectors the position of its passage."""

    @classmethod
    def open(cls, folder: Path) -> "PassageTable":
        """Map the files that `write` left in `folder`, a file a column: opening an index reads no rows.

        Raises:
            OSError, ValueError, UsageError: they can't be read.
        """
        labels = json.loads((folder / _VERSIONS).read_text("utf-8"))
        arrays = {field.name: map_array(folder / f"{field.name}.npy") for field in _array_fields()}
        return cls(distinct_versions=parse_versions(labels), **arrays)

    def write(self, folder: Path) -> None:
        """Write the columns into `folder`, which exists.

        Raises:
            OSError: the disk doesn't take them.
        """
        for field in _array_fields():
            np.save(folder / f"{field.name}.npy", getattr(self, field.name), allow_pickle=False)
        labels = [None if version is None else version.label for version in self.distinct_versions]
        (folder / _VERSIONS).write_text(json.dumps(labels), "utf-8")

    def version_of(self, position: int) -> Version | None:
        """The release of one passage; None for text about no version."""
        return self.distinct_versions[int(self.version_codes[position])]

    def product_runs(self, products: Sequence[int]) -> NDArray[np.int64]:
        """Where the passages of some products lie: shape (runs, 2), the first of each run and the one after its last,
        ascending. A document's passages lie together, so that others are not looked at."""
        owners, bounds = self._runs
        wanted = np.array(sorted(set(products)), owners.dtype)
        first, end = np.searchsorted(owners, wanted), np.searchsorted(owners, wanted, side="right")
        found = [bounds[start:stop] for start, stop in zip(first.tolist(), end.tolist(), strict=True)]
        runs: NDArray[np.int64] = np.concatenate([np.zeros((0, 2), np.int64), *found])
        return runs[np.argsort(runs[:, 0], kind="stable")]

    @cached_property
    def _runs(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The products of all runs, ascending, and the bounds of each."""
        starts = np.flatnonzero(np.diff(self.products, prepend=-1))
        bounds = np.stack([starts, np.append(starts, len(self.products))[1:]], axis=1)
        owners = self.products[starts]
        order = np.argsort(owners, kind="stable")
        return owners[order], bounds[order]


def _array_fields() -> list[Field[object]]:
    return [field for field in fields(PassageTable) if field.name != "distinct_versions"]


def parse_versions(labels: Iterable[str | None]) -> tuple[Version | None, ...]:
    """The versions of releases as they are written; None for no version.

    Raises:
        UsageError: one can't be read.
    """
    return tuple(None if label is None else Version.parse(label) for label in labels)
