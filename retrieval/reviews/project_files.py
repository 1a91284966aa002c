"""A project's own files: the releases that they pin, and the changes of an upgrade that affect the names they use."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

from corpus.catalogue import CatalogueProduct
from corpus.dependencies.dependency_files import read_dependencies
from corpus.dependencies.model import Dependency, Line
from corpus.errors import UsageError
from corpus.versions import Version
from retrieval.code_usage.code import MAX_LINES, CodeUsage, read_code
from retrieval.reviews.model import Bump
from retrieval.reviews.products import ProductNames, is_lock_name
from retrieval.upgrades.model import Upgrade, UpgradeItem
from retrieval.upgrades.usages import usages_in

_UPPER_BOUND = re.compile(r"<(?P<includes>=?)\s*v?(?P<version>\d[\w.]*)")


class OwnFiles(NamedTuple):
    """A project's files, read: the names used in code, and the dependencies."""

    code: CodeUsage
    dependencies: tuple[Dependency, ...]


def read_own_files(texts: Mapping[str, str]) -> OwnFiles:
    """Read files from their texts by name.

    Raises:
        UsageError: they have too many lines.
    """
    texts = {name: text.replace("\r\n", "\n").replace("\r", "\n") for name, text in texts.items()}
    if sum(text.count("\n") for text in texts.values()) > MAX_LINES:
        raise UsageError(f"These files have more than {MAX_LINES:,} lines. Leave generated ones out, or send fewer.")
    # A lock has hundreds of package names as keys, which aren't used in the project's code.
    code = read_code((name, text) for name, text in texts.items() if not is_lock_name(PurePosixPath(name).name))
    dependencies = (
        dependency
        for name, text in texts.items()
        for dependency in read_dependencies(name, [Line(*line) for line in enumerate(text.split("\n"), start=1)])
    )
    return OwnFiles(code, tuple(dependencies))


def releases_in_use(
    files: OwnFiles, products: Sequence[CatalogueProduct]
) -> tuple[tuple[tuple[CatalogueProduct, Dependency], ...], tuple[str, ...]]:
    """Return the products whose release the files state, each once with its dependency line, preferably in a lock; then
    the names of dependencies that aren't in the catalogue."""
    names = ProductNames(products)
    in_use: dict[str, tuple[CatalogueProduct, Dependency]] = {}
    unknown: dict[str, None] = {}
    for stated in sorted(files.dependencies, key=lambda entry: not is_lock_name(PurePosixPath(entry.file).name)):
        bump = Bump(stated.name, stated.ecosystem, stated.version, None, stated.file, stated.line)
        product = names.product_of(bump)
        if product is None:
            unknown.setdefault(stated.name)
        elif stated.version is not None and Version.try_parse(stated.version) is not None:
            in_use.setdefault(product.name, (product, stated))
    return tuple(in_use.values()), tuple(unknown)


def mark_used(
    upgrade: Upgrade, product: CatalogueProduct, files: OwnFiles, stated: Dependency | None = None
) -> Upgrade:
    """Return the upgrade, each item with the places where the files use the names it mentions; with notes about a
    `stated` upper bound that excludes its end, and about files that couldn't be read."""
    names = (product.name, *product.aliases)

    def mark(item: UpgradeItem) -> UpgradeItem:
        return replace(item, usages=usages_in(files.code, item, names))

    releases = (replace(release, items=tuple(map(mark, release.items))) for release in upgrade.releases)
    security, other = (tuple(map(mark, items)) for items in (upgrade.security, upgrade.other))
    notes = (*(_bound_notes(stated, upgrade.end) if stated else ()), *upgrade.notes, *files.code.notes)
    return replace(upgrade, releases=tuple(releases), security=security, notes=notes, other=other)


def _bound_notes(stated: Dependency, end: str) -> Iterator[str]:
    """Yield a note for each upper bound of `stated` that excludes the version `end`; none for alternatives (`|`)."""
    for bound in _UPPER_BOUND.finditer(stated.pin) if "|" not in stated.pin else ():
        highest, wanted = Version.try_parse(bound["version"]), Version.parse(end)
        if highest and (wanted > highest or (wanted == highest and not bound["includes"])):
            place = f"{stated.file}, line {stated.line}"
            yield f"{place}, asks for {stated.name} {bound[0]}, which leaves {end} out: change that bound, too."
