"""Rule-based ways to list what a bump brings, over the same parsed entries of the same notes as relnotes'.

- `grep`: every entry of the range's releases that holds a word such as "removed" or "deprecated".
- `headings`: every entry that stands under a heading with such a word.
- `slice`: every entry of every release of the range: what Renovate shows in a pull request.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.versions import Version
from evals.upgrades.bump_set import LabelledBump

_WORDS = re.compile(
    r"\b(?:break(?:s|ing)?|broken|(?:in)?compatib(?:le|ility)|remov(?:e[ds]?|al|als|ing)|drop(?:s|ped)?|"
    r"deprecat(?:e[ds]?|ion|ions|ing)|no longer|must now|now requires?|obsolete|renamed?|"
    r"minimum (?:supported )?version)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NotesEntry:
    """One entry of the notes: a range of a source as the index keeps it, and the words there."""

    source: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A rule with the name that tables call it by."""

    name: str
    lists: Callable[[StoredPassage, str], bool]
    """Whether it lists an entry, by its passage and its words."""


PEERS = (
    NamedRule("keyword grep", lambda _, words: _WORDS.search(words) is not None),
    NamedRule("headings", lambda passage, _: any(_WORDS.search(heading) for heading in passage.heading[1:])),
    NamedRule("whole slice", lambda _passage, _words: True),
)


def list_entries(peer: NamedRule, index: IndexReader, bump: LabelledBump) -> tuple[NotesEntry, ...]:
    """The entries that a peer lists for a bump, in the order of the documents; none where the product is unknown."""
    return tuple(
        NotesEntry(passage.document.source, item.span.start, item.span.end, words)
        for passage in _passages_of(index, bump)
        for item in passage.items
        for words in (item.span.slice(index.document_text(passage.document.id)),)
        if peer.lists(passage, words)
    )


def _passages_of(index: IndexReader, bump: LabelledBump) -> Iterator[StoredPassage]:
    """The passages of the releases in (start, end], pre-releases of the end included."""
    low, high = Version.parse(bump.start), Version.parse(bump.end)
    product = next((n for n, one in enumerate(index.products) if one.is_called(bump.product)), None)
    table = index.passages
    chosen = [
        position
        for position in np.flatnonzero(table.products == product).tolist()
        if (version := table.version_of(position)) is not None and low < version.base <= high
    ]
    return (passage for passage in index.load_passages(chosen) if not passage.boilerplate)
