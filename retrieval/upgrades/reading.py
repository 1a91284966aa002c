"""The changes that the notes of some releases tell to who upgrades, read off the stored passages: no vectors, no
search, and no question whose words could miss one.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from corpus.catalogue import CatalogueProduct
from corpus.index.stored import StoredPassage
from corpus.index.tables import TableReader
from corpus.symbols import find_symbols
from corpus.versions import Version
from retrieval.quoting.commit_records import is_commit, without_authors
from retrieval.upgrades.entries import Entry, read_entries
from retrieval.upgrades.guides import guided_release, stated_release
from retrieval.upgrades.model import Change
from retrieval.upgrades.repeats import (
    FoundChange,
    ToldChange,
    numbers_of,
    reverted,
    significant_words,
    without_details,
)
from retrieval.upgrades.scopes import LISTED, Scope
from retrieval.upgrades.selection import calls_breaking, change_of, is_signed, security_of

_SEVERITY = {change: place for place, change in enumerate(Change)}
_SYMBOLS = 20
_GUIDE_PASSAGES = 3000
"""Of the passages about no release, so many are looked at for guides."""
_SEARCHED_NAME = re.compile(r"(?<=:`)([~!]*)\.(?=[A-Za-z_])")
"""The dot of a reference is no part of the name."""
_REPLACEMENT = re.compile(
    r"(?:\b(?:in favou?r of|replaced (?:by|with)|superseded by|renamed to|moved to|migrate to"
    r"|(?:please |you can )?use(?: the)?)|->|\u2192)(?=\s+[`:*\w]).*?(?=[.;,)]\s|[.;)]?$)",
    re.IGNORECASE | re.DOTALL,
)
"""Names of what takes the place of what changed: code that has them already isn't touched."""


@dataclass(frozen=True, slots=True)
class NotesReading:
    """What the notes of some releases tell to who upgrades."""

    findings: tuple[FoundChange, ...]
    """Each entry that breaks, removes, deprecates or asks, in the order of the index."""
    security: tuple[FoundChange, ...]
    """Those on vulnerabilities."""
    gone: frozenset[int]
    """The positions of the findings that a later release of these takes back."""
    noted: tuple[StoredPassage, ...]
    """The passages that are about a release."""

    @property
    def kept(self) -> tuple[FoundChange, ...]:
        """The findings that no later release takes back."""
        return tuple(one for number, one in enumerate(self.findings) if number not in self.gone)


def read_changes(index: TableReader, product: CatalogueProduct, holds: Callable[[Version], bool]) -> NotesReading:
    """The changes in the notes of those releases of `product` that `holds` says belong; repeats aren't folded yet."""
    passages = _passages_of(index, product, holds)
    entries = _entries(passages, index, product, holds)
    findings, security = _findings(entries)
    noted = tuple(passage for passage in passages if release_of(passage) is not None)
    return NotesReading(tuple(findings), tuple(security), reverted(findings, entries), noted)


def place_of(told: ToldChange) -> tuple[Version, bool, int, int]:
    """The order of what is listed: by release, what the notes themselves call breaking first, then most severe first,
    official sources before others."""
    finding = told.finding
    authority = finding.entry.passage.document.authority
    return finding.version, not calls_breaking(finding.entry), _SEVERITY[finding.change], -authority.weight


def _passages_of(
    index: TableReader, product: CatalogueProduct, holds: Callable[[Version], bool]
) -> tuple[StoredPassage, ...]:
    """The passages of the range's releases, of the guides that lead to them and of pages that name them, in the order
    of the index; boilerplate left out."""
    table = index.passages
    place = index.products.index(product)
    inside = np.array([version is not None and holds(version) for version in table.distinct_versions], dtype=bool)
    of_none = np.array([version is None for version in table.distinct_versions], dtype=bool)
    ours = (table.products == place) & ~table.boilerplate
    noted = np.flatnonzero(ours & inside[table.version_codes])
    unnoted = np.flatnonzero(ours & of_none[table.version_codes])[:_GUIDE_PASSAGES]
    beside = (one for one in index.load_passages([int(position) for position in unnoted]) if _leads_into(one, holds))
    both = (*index.load_passages([int(position) for position in noted]), *beside)
    return tuple(sorted(both, key=lambda passage: passage.position))


def _leads_into(passage: StoredPassage, holds: Callable[[Version], bool]) -> bool:
    release = guided_release(passage.heading)
    return any(map(holds, passage.versions)) if release is None else holds(release)


def release_of(passage: StoredPassage) -> Version | None:
    """The release that a passage tells of: its own, or the one that its guide leads to."""
    return Version.parse(passage.release) if passage.release else guided_release(passage.heading)


def _entries(
    passages: Sequence[StoredPassage],
    index: TableReader,
    product: CatalogueProduct,
    holds: Callable[[Version], bool],
) -> list[tuple[Version, Entry]]:
    names = frozenset(
        word for name in (product.name, *product.aliases) for word in (name.casefold(), *name.casefold().split())
    )
    return [
        (version, entry)
        for entry in read_entries(passages, index, names)
        if (version := release_of(entry.passage) or stated_release(entry.lead)) is not None
        and holds(version)
        and not all(atom.item.retracted for atom in entry.atoms)
    ]


def _findings(entries: Sequence[tuple[Version, Entry]]) -> tuple[list[FoundChange], list[FoundChange]]:
    """The entries that matter, and the vulnerabilities that are fixed."""
    listing = {version for version, entry in entries if entry.scope is Scope.BREAKS and entry.is_listed}
    marking = {entry.passage.document.id for _, entry in entries if entry.scope not in LISTED and is_signed(entry)}
    findings: list[FoundChange] = []
    security: list[FoundChange] = []
    for version, entry in entries:
        if security_of(entry):
            security.append(_finding(entry, Change.SECURITY, version))
            continue
        has_marks = entry.passage.document.id in marking
        if change := change_of(entry, has_lists=version in listing, has_marks=has_marks):
            findings.append(_finding(entry, change, version))
    return without_details(findings), security


def _finding(entry: Entry, change: Change, version: Version) -> FoundChange:
    words = without_authors(" ".join((entry.title, *(atom.words for atom in entry.atoms[:3]))))
    words = _SEARCHED_NAME.sub(r"\1", words)
    about = _REPLACEMENT.sub(" ", words)
    return FoundChange(
        entry,
        change,
        version,
        symbols=tuple(one for one in find_symbols(about) or find_symbols(words) if not is_commit(one))[:_SYMBOLS],
        words=significant_words(entry.lead),
        numbers=numbers_of(entry.lead),
    )
