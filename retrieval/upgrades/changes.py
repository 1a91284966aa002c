"""What an upgrade brings to those who make it: every change of its range that breaks, removes, deprecates or asks.

Reads the stored passages alone: no vectors, no search, and no question whose words could miss one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from corpus.index_tables import TableReader
from corpus.model import Kind
from corpus.versions import Version
from retrieval.code_usage import CodeUsage
from retrieval.end_of_notes import end_of_notes
from retrieval.upgrades.bounds import Bounds, find_product, missing_releases, names_latest, read_bounds
from retrieval.upgrades.citing import cite_changes
from retrieval.upgrades.model import Upgrade, UpgradeItem, UpgradeRelease
from retrieval.upgrades.range_notes import range_notes
from retrieval.upgrades.reading import place_of, read_changes, release_of
from retrieval.upgrades.repeats import Told, fold_repeats
from retrieval.upgrades.used_items import keep_used
from retrieval.upgrades.vulnerabilities import newly_fixed


def list_upgrade(index: TableReader, product: str, start: str, end: str, *, code: CodeUsage | None = None) -> Upgrade:
    """The upgrade of a product between two versions as people write them ("v5", "4.2"; "latest" for the end).

    With `code`, only the items are kept that name something it uses, each with the places; a note counts the others.

    Raises:
        UsageError: an unknown product, a malformed version, or versions that aren't in order.
    """
    found = find_product(index.products, product)
    low, high = read_bounds(found, start, end)
    upgrade = list_changes(index, found.name, low, high)
    if names_latest(end) or any(high > newest.version for newest in found.releases[:1]):
        upgrade = replace(upgrade, notes=(*upgrade.notes, *end_of_notes(found, index)))
    return upgrade if code is None else keep_used(upgrade, code, names=(found.name, *found.aliases))


def list_changes(index: TableReader, product: str, start: Version, end: Version) -> Upgrade:
    """Everything that the notes of `product` in (`start`, `end`] say breaks, is removed, deprecated or needs action.

    Releases come in version order, their items most severe first, official sources before others. Nothing found gives
    no releases, and a note that says why.

    Raises:
        UsageError: the index doesn't have the product.
    """
    bounds = Bounds.between(find_product(index.products, product), start, end)
    reading = read_changes(index, bounds.product, bounds.hold)
    told = sorted(fold_repeats(reading.kept), key=place_of)
    ours, unsure = newly_fixed(reading.security, bounds, index)
    fixed = sorted(fold_repeats(ours), key=place_of)
    cited = cite_changes([*told, *fixed], index)
    items = [(one, item) for one, item in cited if item.kind is not Kind.SECURITY]
    noted = reading.noted
    texts = [passage.span.slice(index.document_text(passage.document.id)) for passage in noted]
    has_notes = frozenset(version for one in noted if one.items and (version := release_of(one)) is not None)
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
                bounds,
                has_notes,
                missing,
                listed={one.finding.version for one, _ in items},
                taken_back=len(reading.gone),
            ),
            *unsure,
        ),
    )


def _by_release(items: Sequence[tuple[Told, UpgradeItem]], bounds: Bounds) -> Iterator[UpgradeRelease]:
    dates = {one.version: one.date for one in bounds.product.releases}
    for version, group in groupby(items, key=lambda pair: pair[0].finding.version):
        yield UpgradeRelease(version.label, dates.get(version), tuple(item for _, item in group))
