"""What the notes say of one bump's range, ranked by whether the repository uses what they speak of."""

import shlex
from collections.abc import Iterable
from dataclasses import replace

from corpus.catalogue import CatalogueProduct
from corpus.index_store import IndexReader
from corpus.versions import Version
from retrieval.code_usage import CodeUsage
from retrieval.code_usage.arguments import arguments_of
from retrieval.code_usage.replacements import subjects_of
from retrieval.reviews.folding import NamedBump
from retrieval.reviews.model import Bump, ReviewedBump, Unknown
from retrieval.upgrades.changes import list_changes
from retrieval.upgrades.model import Change, Upgrade, UpgradeItem

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
        if end < start:
            return self._downgrade(named, start, end)
        upgrade = self._changes(product, start, end)
        items = [self._with_usages(item, product) for release in upgrade.releases for item in release.items]
        items.sort(key=lambda item: (not item.usages, _SEVERITY[item.change]))
        return ReviewedBump(
            bump=bump,
            product=product.name,
            start=bump.start or "",
            end=bump.end or "",
            items=tuple(items),
            security=tuple(self._with_usages(item, product) for item in upgrade.security),
            missing_releases=upgrade.missing_releases,
            notes=(*named.notes, *upgrade.notes),
        )

    def _downgrade(self, named: NamedBump, start: Version, end: Version) -> ReviewedBump:
        """A step back brings no changes of its own, but the holes that the range had mended."""
        bump, product = named.bump, named.product
        security = self._changes(product, end, start).security
        holes = "vulnerability that was" if len(security) == 1 else "vulnerabilities that were"
        lost = f" That reopens {len(security)} {holes} fixed." if security else ""
        return ReviewedBump(
            bump=bump,
            product=product.name,
            start=bump.start or "",
            end=bump.end or "",
            items=(),
            security=security,
            missing_releases=(),
            notes=(
                *named.notes,
                f"A downgrade, from {start} to {end}: what came with the releases between is undone.{lost}",
            ),
        )

    def _changes(self, product: CatalogueProduct, start: Version, end: Version) -> Upgrade:
        key = product.name, start, end
        if key not in self._upgrades:
            self._upgrades[key] = list_changes(self._index, product.name, start, end)
        return self._upgrades[key]

    def _with_usages(self, item: UpgradeItem, product: CatalogueProduct) -> UpgradeItem:
        names = (product.name, *product.aliases)
        symbols = subjects_of(item.summary, item.symbols)
        arguments = arguments_of(item.summary, symbols)
        for code in self._code:
            if usages := code.usages_of(symbols, product=names, arguments=arguments):
                return replace(item, usages=usages)
        return item


def without_notes(bump: Bump) -> Unknown:
    """A dependency of which the index has no notes, with the next step."""
    command = f"relnotes ingest NOTES --product {shlex.quote(bump.name)}"
    return Unknown(bump.name, f"No release notes in the index. Add them: `{command}`.")


def client_of_server(bump: Bump) -> Unknown:
    """A client that is named as the server whose notes the index has."""
    ecosystem = {"pypi": "PyPI", "npm": "npm"}[bump.ecosystem.value]
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
