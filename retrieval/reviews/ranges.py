"""What the notes say of one bump's range, ranked by whether the repository uses what they speak of."""

import shlex
from collections.abc import Iterable
from dataclasses import replace

from corpus.catalogue import CatalogueProduct
from corpus.dependencies.model import Ecosystem
from corpus.index.reader import IndexReader
from corpus.versions import Version
from retrieval.code_usage import CodeUsage
from retrieval.reviews.folding import NamedBump
from retrieval.reviews.model import Bump, ReviewedBump, Unknown
from retrieval.upgrades.changes import list_changes
from retrieval.upgrades.model import Change, Upgrade, UpgradeItem
from retrieval.upgrades.used_items import usages_in

_SEVERITY = {change: place for place, change in enumerate(Change)}


class RangeReader:
    """Looks ranges up in one index; each range once, however many files state it."""

    def __init__(self, index: IndexReader, code: Iterable[CodeUsage]) -> None:
        self._index = index
        self._code = tuple(code)
        self._upgrades: dict[tuple[str, Version, Version], Upgrade] = {}

    def review(self, named: NamedBump) -> ReviewedBump | Unknown:
        """The bump with what its range brings; unknown where the file states no range."""
        bump, product = named.bump, named.product
        start, end = _parse(bump.start), _parse(bump.end)
        if start is None or end is None:
            return Unknown(bump.name, _no_range(bump))
        is_upgrade = start <= end
        upgrade = self._changes(product, min(start, end), max(start, end))
        releases = upgrade.releases if is_upgrade else ()
        items = [self._with_usages(item, product) for release in releases for item in release.items]
        security = upgrade.security
        return ReviewedBump(
            bump=bump,
            product=product.name,
            start=bump.start or "",
            end=bump.end or "",
            items=tuple(sorted(items, key=lambda item: (not item.usages, _SEVERITY[item.change]))),
            security=tuple(self._with_usages(item, product) for item in security) if is_upgrade else security,
            missing_releases=upgrade.missing_releases if is_upgrade else (),
            notes=(*named.notes, *(upgrade.notes if is_upgrade else (_undone(start, end, len(security)),))),
        )

    def _changes(self, product: CatalogueProduct, start: Version, end: Version) -> Upgrade:
        key = product.name, start, end
        if key not in self._upgrades:
            self._upgrades[key] = list_changes(self._index, product.name, start, end)
        return self._upgrades[key]

    def _with_usages(self, item: UpgradeItem, product: CatalogueProduct) -> UpgradeItem:
        names = (product.name, *product.aliases)
        return replace(item, usages=next(filter(None, (usages_in(code, item, names) for code in self._code)), ()))


def _undone(start: Version, end: Version, holes: int) -> str:
    """A step back brings no changes of its own, but the holes that the range had mended."""
    mended = "vulnerability that was" if holes == 1 else "vulnerabilities that were"
    lost = f" That reopens {holes} {mended} fixed." if holes else ""
    return f"A downgrade, from {start} to {end}: what came with the releases between is undone.{lost}"


def without_notes(bump: Bump) -> Unknown:
    """A dependency of which the index has no notes, with the next step."""
    command = f"relnotes ingest NOTES --product {shlex.quote(bump.name)}"
    return Unknown(bump.name, f"No release notes in the index. Add them: `{command}`.")


def client_of_server(bump: Bump) -> Unknown:
    """A client that is named as the server whose notes the index has."""
    ecosystem = "PyPI" if bump.ecosystem is Ecosystem.PYPI else bump.ecosystem.value
    reason = (
        f"The index has notes of the server. The {ecosystem} package of its name is a client with versions of its own."
    )
    return Unknown(bump.name, reason)


def _no_range(bump: Bump) -> str:
    place = f"{bump.file}:{bump.line}"
    if bump.start and bump.end:
        wrong = bump.end if _parse(bump.start) else bump.start
        return f"Not a version that can be compared: {wrong!r} ({place})."
    if bump.end:
        return f"Added at {bump.end} ({place}), or no version is stated before: there is no range to look up."
    if bump.start:
        return f"Removed at {bump.start} ({place}), or no version is stated after: there is no range to look up."
    return f"No version is stated ({place}): there is no range to look up."


def _parse(text: str | None) -> Version | None:
    return Version.try_parse(text) if text else None
