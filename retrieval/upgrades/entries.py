"""The entries stored at ingest, with their words."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from corpus.entry_words import lead_of
from corpus.index.stored import StoredPassage
from corpus.index.tables import TableReader
from corpus.model import Entry, Item
from corpus.plain_words import readable
from corpus.source_words import item_words
from corpus.versions import Version


@dataclass(frozen=True, slots=True)
class Atom:
    """An item of an entry."""

    passage: StoredPassage
    item: Item
    words: str  # The slice, with what it refers to in its place.

    @property
    def is_code(self) -> bool:
        """Whether it is code or a table's row, which aren't sentences."""
        return self.item.is_code or self.words.lstrip().startswith(("|", "+-", "+=", "==="))


@dataclass(frozen=True)
class NotedEntry:
    """An entry with the passage that it begins in and its items."""

    passage: StoredPassage
    stored: Entry
    text: str  # Of its document.
    items: tuple[tuple[StoredPassage, Item], ...]  # At least one, in order.

    @cached_property
    def version(self) -> Version | None:
        """The release that it is about: its passage's, or the one that its guide or its words name."""
        return self.passage.release or self.stored.release

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """Its items with their words."""
        media_type = self.passage.document.media_type
        return tuple(Atom(passage, item, item_words(item, self.text, media_type)) for passage, item in self.items)

    @property
    def first(self) -> Item:
        """Its first sentence, whose act a model has read; the first item if it has none."""
        return next((atom.item for atom in self.atoms if not atom.is_code), self.items[0][1])

    @property
    def title(self) -> str:
        """Its own heading; empty if it has none."""
        return self.stored.title

    @property
    def stem(self) -> str:
        """The line above its list, without markup; empty if there is none."""
        return readable(self.stored.stem.slice(self.text)).rstrip(" :") if self.stored.stem else ""

    @cached_property
    def lead(self) -> str:
        """Its main words, on one line."""
        words = (atom.words for atom in self.atoms if not atom.item.is_code)
        return lead_of(words, title=self.title, stem=self.stem)


def read_entries(passages: Iterable[StoredPassage], index: TableReader) -> Iterator[NotedEntry]:
    """Yield the entries of `passages`, which are in the order of the index."""
    for document, group in groupby(passages, key=lambda passage: passage.document.id):
        of_document = list(group)
        text = index.document_text(document)
        items = [(passage, item) for passage in of_document for item in passage.items]
        starts = [item.span.start for _, item in items]
        for passage, entries in zip(of_document, index.load_entries(of_document), strict=True):
            for entry in entries:
                first, end = bisect_left(starts, entry.span.start), bisect_left(starts, entry.span.end)
                yield NotedEntry(passage, entry, text, tuple(items[first:end]))
