"""A project's own files: the releases that they pin, and the changes of an upgrade that affect the names they use."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

from corpus.catalogue import CatalogueProduct
from corpus.dependencies.dependency_files import read_dependencies
from corpus.dependencies.model import Dependency, Line
from corpus.errors import UsageError
from corpus.versions import Version
from retrieval.reviews.model import Bump
from retrieval.reviews.products import ProductNames, is_lock_name
from retrieval.upgrades.code_usage import MAX_LINES, CodeUsage, is_code
from retrieval.upgrades.model import Upgrade


class OwnFiles(NamedTuple):
    """A project's files, read: the words of its code, and the dependencies."""

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
    lines = {name: [Line(*line) for line in enumerate(text.split("\n"), start=1)] for name, text in texts.items()}
    # A lock has hundreds of package names as keys, which aren't used in the project's code.
    names = [name for name in texts if is_code(name) and not is_lock_name(PurePosixPath(name).name)]
    code = CodeUsage((name, line.number, line.text) for name in names for line in lines[name])
    dependencies = (dependency for name in texts for dependency in read_dependencies(name, lines[name]))
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


def mark_used(upgrade: Upgrade, product: CatalogueProduct, files: OwnFiles) -> Upgrade:
    """Return the upgrade, each item with the places where the files use the names it mentions."""
    names = (product.name, *product.aliases)
    releases = (replace(release, items=files.code.mark(release.items, product=names)) for release in upgrade.releases)
    security, other = (files.code.mark(items, product=names) for items in (upgrade.security, upgrade.other))
    return replace(upgrade, releases=tuple(releases), security=security, other=other)
