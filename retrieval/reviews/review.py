"""The review of a diff: its bumps with the changes in their ranges, its symbols with what the notes say about them."""

import shlex
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count

from corpus.catalogue import CatalogueProduct
from corpus.deadline import waited_for
from corpus.dependencies.model import Ecosystem
from corpus.index.reader import IndexReader
from corpus.model import Change
from corpus.versions import Version
from retrieval.reviews.bumps import find_bumps, read_sides
from retrieval.reviews.diff import Diff
from retrieval.reviews.model import Bump, Review, ReviewedBump, Unknown
from retrieval.reviews.products import ProductNames
from retrieval.reviews.symbols import read_lines, review_symbols
from retrieval.reviews.unread import find_hidden, find_unexplained
from retrieval.upgrades.bounds import Bounds
from retrieval.upgrades.code_usage import CodeUsage
from retrieval.upgrades.model import SEVERITY, Upgrade, UpgradeItem
from retrieval.upgrades.upgrade_list import list_changes

_MOST_REASONS = 3


def review_diff(diff: Diff, index: IndexReader, *, code: CodeUsage | None = None) -> Review:
    """Review a diff by the release notes in `index`; a dependency without notes, or without two versions, is listed as
    unknown once, with the reason.

    Items that `code`, the repository's, or the diff's added lines use come first.
    """
    started = time.perf_counter()
    names = ProductNames(index.products)
    named: list[tuple[Bump, CatalogueProduct]] = []
    changed = find_bumps(files := read_sides(diff))
    unknown = [*find_hidden(diff), *find_unexplained(diff, files, changed)]
    for bump in changed:
        if (product := names.product_of(bump)) is not None:
            named.append((bump, product))
        elif names.is_client_of_server(bump):
            registry = "PyPI" if bump.ecosystem is Ecosystem.PYPI else bump.ecosystem.value
            detail = f"The {registry} package of its name is a client with versions of its own."
            unknown.append(Unknown(bump.name, f"The index has notes of the server. {detail}"))
        else:
            command = f"relnotes ingest NOTES --product {shlex.quote(bump.name)}"
            why = f"No release notes in the library. Add them: `{command}`."
            if namesake := names.namesake_of(bump):
                ends = " or ".join(filter(None, (bump.start, bump.end)))
                detail = f"The library's notes of {namesake.name} have no release {ends}".rstrip()
                why = f"{detail}. If it is another project, add its notes: `{command}`."
            unknown.append(Unknown(bump.name, why))
    used = [*filter(None, [code]), read_lines(diff.files, shown=False)]
    bumps: list[ReviewedBump] = []
    # Thousands of files may have the same range: its changes are listed only at the first.
    first_of: dict[tuple[str, Version, Version], int] = {}
    without_range: list[Bump] = []
    ranges: defaultdict[str, list[Bounds]] = defaultdict(list)
    for bump, product in waited_for(named):
        start, end = _parse(bump.start), _parse(bump.end)
        if start is None or end is None:
            without_range.append(bump)
        elif (first := first_of.setdefault((product.name, start, end), len(bumps))) < len(bumps):
            bumps.append(ReviewedBump(bump, product.name, bump.start or "", bump.end or "", same_as=first))
        else:
            low, high = min(start, end), max(start, end)
            ranges[product.name].append(Bounds.between(product, low, high))
            upgrade = list_changes(index, product.name, low, high)
            bumps.append(_reviewed(bump, product, upgrade, used, is_upgrade=start <= end))
    reviewed = {(entry.bump.name.casefold(), _parse(entry.bump.end)) for entry in bumps}
    unknown += [
        Unknown(bump.name, _no_range(bump))
        for bump in without_range
        if (bump.name.casefold(), _parse(bump.end)) not in reviewed
    ]
    numbers = count(1)

    def numbered(items: Iterable[UpgradeItem]) -> tuple[UpgradeItem, ...]:
        return tuple(replace(item, citation=replace(item.citation, n=next(numbers))) for item in items)

    return Review(
        bumps=tuple(replace(entry, items=numbered(entry.items), security=numbered(entry.security)) for entry in bumps),
        symbols=tuple(
            replace(symbol, citations=tuple(replace(citation, n=next(numbers)) for citation in symbol.citations))
            for symbol in review_symbols(read_lines(diff.files, shown=True), index, ranges)
        ),
        unknown=_by_name(unknown),
        elapsed_ms=1000 * (time.perf_counter() - started),
    )


def _by_name(unknown: Sequence[Unknown]) -> tuple[Unknown, ...]:
    """Return one entry for each name, in any case, with its first three reasons and the number of others."""
    reasons: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for entry in unknown:
        reasons[entry.name.casefold()].setdefault(entry.reason, entry.name)
    merged = []
    for why in reasons.values():
        shown, left = list(why)[:_MOST_REASONS], len(why) - _MOST_REASONS
        merged.append(Unknown(next(iter(why.values())), " ".join([*shown, *([f"({left} more.)"] if left > 0 else [])])))
    return tuple(merged)


def _reviewed(
    bump: Bump, product: CatalogueProduct, upgrade: Upgrade, code: Sequence[CodeUsage], *, is_upgrade: bool
) -> ReviewedBump:
    """Return the bump with its changes, used ones first; for a downgrade only the vulnerabilities that it reopens."""
    names = (product.name, *product.aliases)

    def with_usages(item: UpgradeItem) -> UpgradeItem:
        return replace(
            item, usages=next(filter(None, (used.usages_of(item.symbols, product=names) for used in code)), ())
        )

    security = upgrade.security
    if not is_upgrade:
        fixed = "vulnerability that was" if len(security) == 1 else "vulnerabilities that were"
        lost = f" It reopens {len(security)} {fixed} fixed." if security else ""
        undone = f"A downgrade from {_parse(bump.start)} to {_parse(bump.end)} undoes what the releases in between"
        upgrade = replace(upgrade, releases=(), missing_releases=(), notes=(f"{undone} brought.{lost}",))
    # A review is of what breaks; `upgrade` lists what else behaves otherwise.
    listed = (item for release in upgrade.releases for item in release.items)
    items = [with_usages(item) for item in listed if item.change is not Change.BEHAVIOUR]
    return ReviewedBump(
        bump,
        product.name,
        bump.start or "",
        bump.end or "",
        items=tuple(sorted(items, key=lambda item: (not item.usages, SEVERITY[item.change]))),
        security=tuple(map(with_usages, security)),
        missing_releases=upgrade.missing_releases,
        notes=upgrade.notes,
    )


def _no_range(bump: Bump) -> str:
    """Return the reason why a bump has no range of releases to look up."""
    place = f"{bump.file}:{bump.line}"
    if bump.start and bump.end:
        wrong = bump.end if _parse(bump.start) else bump.start
        return f"Not a version that can be compared: {wrong!r} ({place})."
    stated = f"No version is stated ({place})"
    if bump.end or bump.start:
        done, when = ("Added", "before") if bump.end else ("Removed", "after")
        stated = f"{done} at {bump.end or bump.start} ({place}), or no version is stated {when}"
    return f"{stated}: there is no range to look up."


def _parse(text: str | None) -> Version | None:
    return Version.try_parse(text) if text else None
