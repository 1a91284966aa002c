"""The changes that the notes of some releases tell to who upgrades, read off the stored passages."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from corpus.catalogue import CatalogueProduct
from corpus.deadline import waited_for
from corpus.index.stored import StoredPassage
from corpus.index.tables import TableReader
from corpus.plain_words import SEARCHED_NAME, one_line
from corpus.symbols import find_symbols
from corpus.versions import Version
from retrieval.products.names import PLATFORMS
from retrieval.quoting.said_words import is_commit, without_authors
from retrieval.upgrades.classification import change_of, has_sign, security_of
from retrieval.upgrades.entries import Entry, read_entries
from retrieval.upgrades.model import Change
from retrieval.upgrades.repeats import FoundChange, numbers_of, reverted, significant_words, without_details
from retrieval.upgrades.section_headings import LISTED, Scope
from retrieval.upgrades.usages import subjects_of

_SYMBOLS = 20
_GUIDE_PASSAGES = 3000  # Of the passages about no release, so many are looked at for guides.
_TO = re.compile(
    r"(?:\bto|->|\u2192)\s+(?:the\s+)?(?P<name>(?:[A-Za-z][\w.-]*\s+){0,3}?)"
    r"v?(?P<end>\d+(?:\.(?:\d+|x))*(?:[-.]?(?:a|b|rc|alpha|beta)\.?\d+)?)(?![\w.]*\d)",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"\b(?:removed|dropped|deleted|discontinued|deprecated|disabled|renamed|replaced|changed|became|made)\b"
    r"[\w ,-]{0,40}?\b(?:in|with|as of|since) (?:(?:release|version) )?v?(?P<version>\d+(?:\.\d+)+)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NotesReading:
    """What the notes of some releases tell to who upgrades."""

    kept: tuple[FoundChange, ...]
    """Each entry that breaks, removes, deprecates or asks and that no later release takes back, in index order."""
    taken_back: int  # How many those are.
    security: tuple[FoundChange, ...]  # Those on vulnerabilities.
    noted: tuple[StoredPassage, ...]  # The passages that are about a release.


def read_changes(index: TableReader, product: CatalogueProduct, holds: Callable[[Version], bool]) -> NotesReading:
    """The changes in the notes of those releases of `product` that `holds` says belong, in the guides that lead to them
    and on pages that name them, in the order of the index; repeats aren't folded yet."""

    def leads_into(passage: StoredPassage) -> bool:
        release = guided_release(passage.heading, passage.document.product)
        return any(map(holds, passage.versions)) if release is None else holds(release)

    beside = filter(leads_into, index.load_passages(positions_in(index, product, None)[:_GUIDE_PASSAGES]))
    own = index.load_passages(positions_in(index, product, holds))
    stated = (passage for passage in (*own, *beside) if not passage.is_foreign)
    passages = sorted(stated, key=lambda passage: passage.position)
    names = frozenset(
        word for name in (product.name, *product.aliases) for word in (name.casefold(), *name.casefold().split())
    )
    entries = [
        (version, entry)
        for entry in waited_for(read_entries(passages, index, names))
        if (version := release_of(entry.passage) or stated_release(entry.lead)) is not None
        and holds(version)
        and not all(atom.item.retracted for atom in entry.atoms)
    ]
    listing = {version for version, entry in entries if entry.scope is Scope.BREAKS and entry.is_listed}
    marking = {entry.passage.document.id for _, entry in entries if entry.scope not in LISTED and has_sign(entry)}
    found, security = [], []
    for version, entry in waited_for(entries):
        has_marks = entry.passage.document.id in marking
        if security_of(entry):
            security.append(_finding(entry, Change.SECURITY, version))
        elif change := change_of(entry, has_lists=version in listing, has_marks=has_marks):
            found.append(_finding(entry, change, version))
    findings = without_details(found)
    gone = reverted(findings, entries)
    return NotesReading(
        tuple(finding for number, finding in enumerate(findings) if number not in gone),
        len(gone),
        tuple(security),
        tuple(passage for passage in passages if release_of(passage) is not None),
    )


def positions_in(index: TableReader, product: CatalogueProduct, holds: Callable[[Version], bool] | None) -> list[int]:
    """The passages of those releases of `product` that `holds` says belong, or of no release; boilerplate left out."""
    table = index.passages
    versions = table.distinct_versions
    wanted = np.array([one is None if holds is None else one is not None and holds(one) for one in versions], bool)
    ours = (table.products == index.products.index(product)) & ~table.boilerplate
    return [int(position) for position in np.flatnonzero(ours & wanted[table.version_codes])]


def release_of(passage: StoredPassage) -> Version | None:
    """The release that a passage tells of: its own, or the one that its guide leads to."""
    return (
        Version.parse(passage.release) if passage.release else guided_release(passage.heading, passage.document.product)
    )


def _finding(entry: Entry, change: Change, version: Version) -> FoundChange:
    words = without_authors(" ".join((entry.title, *(atom.words for atom in entry.atoms[:3]))))
    # The dot of a reference is no part of the name.
    words = SEARCHED_NAME.sub(r"\g<marks>", words)
    names = [name for name in find_symbols(words) if not is_commit(name)]
    return FoundChange(
        entry,
        change,
        version,
        symbols=subjects_of(words, names)[:_SYMBOLS],
        words=significant_words(entry.lead),
        numbers=numbers_of(entry.lead),
    )


def stated_release(words: str) -> Version | None:
    """The release that an entry ends with as the one that made its change: 8.2 of "The old parser (removed in 8.2)"."""
    found = _STATED.search(words)
    return Version.try_parse(found["version"]) if found else None


def guided_release(heading: Sequence[str], product: str) -> Version | None:
    """The release that the innermost telling heading leads to: 13.0 of "Upgrading to 13.0 from 12.x"; none of what the
    product runs on ("Upgrading to Python 3.12")."""
    return next(
        (version for title in reversed(heading) if (version := _release_of(title, product.casefold())) is not None),
        None,
    )


@lru_cache(maxsize=4096)
def _release_of(title: str, product: str) -> Version | None:
    leads = _TO.search(one_line(title))
    if leads is None or not PLATFORMS.isdisjoint(set(leads["name"].casefold().split()) - set(product.split())):
        return None
    return Version.try_parse(leads["end"].replace(".x", ""))
