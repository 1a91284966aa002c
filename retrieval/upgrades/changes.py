"""What an upgrade brings to those who make it: every change of its range that breaks, removes, deprecates or asks.

Reads the stored passages alone: no vectors, no search, and no question whose words could miss one.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from corpus.index_tables import TableReader
from corpus.model import Kind
from corpus.stored import StoredPassage
from corpus.symbols import find_symbols
from corpus.versions import Version
from retrieval.code_usage import CodeUsage
from retrieval.commit_records import is_commit, without_authors
from retrieval.upgrades.bounds import Bounds, find_product, missing_releases, read_bounds
from retrieval.upgrades.citing import cite_changes
from retrieval.upgrades.entries import Entry, read_entries
from retrieval.upgrades.guides import guided_release, stated_release
from retrieval.upgrades.model import Change, Upgrade, UpgradeItem, UpgradeRelease
from retrieval.upgrades.range_notes import range_notes
from retrieval.upgrades.repeats import (
    Finding,
    Told,
    fold_repeats,
    numbers_of,
    reverted,
    significant_words,
    tickets_of,
    without_details,
)
from retrieval.upgrades.scopes import LISTED, Scope
from retrieval.upgrades.selection import change_of, is_signed, security_of
from retrieval.upgrades.used_items import keep_used
from retrieval.upgrades.vulnerabilities import newly_fixed

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


def list_upgrade(index: TableReader, product: str, start: str, end: str, *, code: CodeUsage | None = None) -> Upgrade:
    """The upgrade of a product between two versions as people write them ("v5", "4.2"; "latest" for the end).

    With `code`, only the items are kept that name something it uses, each with the places; a note counts the others.

    Raises:
        UsageError: an unknown product, a malformed version, or versions that aren't in order.
    """
    found = find_product(index.products, product)
    upgrade = list_changes(index, found.name, *read_bounds(found, start, end))
    return upgrade if code is None else keep_used(upgrade, code, names=(found.name, *found.aliases))


def list_changes(index: TableReader, product: str, start: Version, end: Version) -> Upgrade:
    """Everything that the notes of `product` in (`start`, `end`] say breaks, is removed, deprecated or needs action.

    Releases come in version order, their items most severe first, official sources before others. Nothing found gives
    no releases, and a note that says why.

    Raises:
        UsageError: the index doesn't have the product.
    """
    bounds = Bounds.between(find_product(index.products, product), start, end)
    passages = _passages_of(index, bounds)
    entries = _entries(passages, index, bounds)
    findings, security = _findings(entries)
    gone = reverted(findings, entries)
    told = sorted(fold_repeats([one for number, one in enumerate(findings) if number not in gone]), key=_place)
    ours, unsure = newly_fixed(security, bounds, index)
    fixed = sorted(fold_repeats(ours), key=_place)
    cited = cite_changes([*told, *fixed], index)
    items = [(one, item) for one, item in cited if item.kind is not Kind.SECURITY]
    noted = [passage for passage in passages if _release_of(passage) is not None]
    texts = [passage.span.slice(index.document_text(passage.document.id)) for passage in noted]
    has_notes = frozenset(version for one in noted if one.items and (version := _release_of(one)) is not None)
    missing = missing_releases(bounds, has_notes, noted, texts)
    return Upgrade(
        product=bounds.product.name,
        start=start.label,
        end=end.label,
        releases=tuple(_by_release(items, bounds)),
        security=tuple(item for _, item in cited if item.kind is Kind.SECURITY),
        missing_releases=missing,
        notes=(
            *range_notes(
                bounds, has_notes, missing, listed={one.finding.version for one, _ in items}, taken_back=len(gone)
            ),
            *unsure,
        ),
    )


def _passages_of(index: TableReader, bounds: Bounds) -> tuple[StoredPassage, ...]:
    """The passages of the range's releases, of the guides that lead to them and of pages that name them, in the order
    of the index; boilerplate left out."""
    table = index.passages
    place = index.products.index(bounds.product)
    inside = np.array([version is not None and bounds.hold(version) for version in table.distinct_versions], dtype=bool)
    of_none = np.array([version is None for version in table.distinct_versions], dtype=bool)
    ours = (table.products == place) & ~table.boilerplate
    noted = np.flatnonzero(ours & inside[table.version_codes])
    unnoted = np.flatnonzero(ours & of_none[table.version_codes])[:_GUIDE_PASSAGES]
    beside = (one for one in index.load_passages([int(position) for position in unnoted]) if _leads_into(one, bounds))
    both = (*index.load_passages([int(position) for position in noted]), *beside)
    return tuple(sorted(both, key=lambda passage: passage.position))


def _leads_into(passage: StoredPassage, bounds: Bounds) -> bool:
    release = guided_release(passage.heading)
    return any(map(bounds.hold, passage.versions)) if release is None else bounds.hold(release)


def _release_of(passage: StoredPassage) -> Version | None:
    return Version.parse(passage.release) if passage.release else guided_release(passage.heading)


def _entries(passages: Sequence[StoredPassage], index: TableReader, bounds: Bounds) -> list[tuple[Version, Entry]]:
    names = frozenset(
        word
        for name in (bounds.product.name, *bounds.product.aliases)
        for word in (name.casefold(), *name.casefold().split())
    )
    return [
        (version, entry)
        for entry in read_entries(passages, index, names)
        if (version := _release_of(entry.passage) or stated_release(entry.lead)) is not None
        and bounds.hold(version)
        and not all(atom.item.retracted for atom in entry.atoms)
    ]


def _findings(entries: Sequence[tuple[Version, Entry]]) -> tuple[list[Finding], list[Finding]]:
    """The entries that matter, and the vulnerabilities that are fixed."""
    listing = {version for version, entry in entries if entry.scope is Scope.BREAKS and entry.is_listed}
    marking = {entry.passage.document.id for _, entry in entries if entry.scope not in LISTED and is_signed(entry)}
    findings: list[Finding] = []
    security: list[Finding] = []
    for version, entry in entries:
        if security_of(entry):
            security.append(_finding(entry, Change.SECURITY, version))
            continue
        has_marks = entry.passage.document.id in marking
        if change := change_of(entry, has_lists=version in listing, has_marks=has_marks):
            findings.append(_finding(entry, change, version))
    return without_details(findings), security


def _finding(entry: Entry, change: Change, version: Version) -> Finding:
    words = without_authors(" ".join((entry.title, *(atom.words for atom in entry.atoms[:3]))))
    words = _SEARCHED_NAME.sub(r"\1", words)
    about = _REPLACEMENT.sub(" ", words)
    return Finding(
        entry,
        change,
        version,
        symbols=tuple(one for one in find_symbols(about) or find_symbols(words) if not is_commit(one))[:_SYMBOLS],
        words=significant_words(entry.lead),
        numbers=numbers_of(entry.lead),
        tickets=tickets_of(entry),
    )


def _place(told: Told) -> tuple[Version, int, int]:
    """The order of what is listed: by release, most severe first, official sources before others."""
    finding = told.finding
    authority = finding.entry.passage.document.authority
    return finding.version, _SEVERITY[finding.change], -authority.weight


def _by_release(items: Sequence[tuple[Told, UpgradeItem]], bounds: Bounds) -> Iterator[UpgradeRelease]:
    dates = {one.version: one.date for one in bounds.product.releases}
    for version, group in groupby(items, key=lambda pair: pair[0].finding.version):
        yield UpgradeRelease(version.label, dates.get(version), tuple(item for _, item in group))
