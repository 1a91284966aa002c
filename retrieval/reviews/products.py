"""Which product of the catalogue a dependency is: by its name, never by likeness.

A name is written in many ways, and images, actions, Composer, Go and Maven put owners before it. One that is only a
part of what the file says, or a nickname, counts where the versions are the product's. What runs as a server has
clients of the same name in the registries of packages, with versions of their own.

Bumps that a manifest and its lock state alike are said once: at the manifest, which people wrote.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from packaging.utils import canonicalize_name

from corpus.catalogue import CatalogueProduct
from corpus.dependencies.languages import GO_MAJOR
from corpus.dependencies.model import Ecosystem
from corpus.versions import Version
from retrieval.products.known import KnownProducts
from retrieval.products.names import NICKNAMES
from retrieval.reviews.model import Bump

_PACKAGES = frozenset(Ecosystem) - {Ecosystem.IMAGE, Ecosystem.ACTION, Ecosystem.TOOL}
_WHOLE = {"core", "framework"}  # A package that is called so is the product of its owner or of what stands before.
_MIN_NICKNAME_LENGTH = 4  # `py`, `pg`, `ts` are packages of their own.
_SERVERS = frozenset(
    """cassandra clickhouse consul docker elasticsearch etcd grafana influxdb kafka kubernetes mariadb memcached minio
    mongo mongodb mysql nats neo4j nginx nomad opensearch postgres postgresql prometheus rabbitmq redis valkey
    vault""".split()
)
_LOCK = re.compile(
    r".*(?:\.lock(?:ed|file|\.json)?|-lock\.(?:json|ya?ml)|shrinkwrap\.json)|pylock\.(?:.*\.)?toml", re.IGNORECASE
)


class ProductNames:
    """The products of a catalogue by every name they go by; built once for a review."""

    def __init__(self, catalogue: Sequence[CatalogueProduct]) -> None:
        self._known = KnownProducts.of(catalogue)
        aliases = {_folded(alias): product for product in catalogue for alias in product.aliases}
        self._named = aliases | {_folded(product.name): product for product in catalogue}

    def product_of(self, bump: Bump) -> CatalogueProduct | None:
        """Return the product that `bump` is about; None where the catalogue doesn't have it."""
        if self.is_client_of_server(bump):
            return None
        if (product := self._named.get(_folded(bump.name))) is not None:
            return product
        stated = [version for text in (bump.start, bump.end) if text and (version := Version.try_parse(text))]
        bounds = [version for bound in stated for version in (bound, bound.series)]
        for name in _other_names(bump):
            product = self._named.get(_folded(name))
            if product is None or (bump.ecosystem in _PACKAGES and _folded(product.name) in _SERVERS):
                continue
            if any(self._known.has_release(version, [product.name]) for version in bounds):
                return product
        return None

    def namesake_of(self, bump: Bump) -> CatalogueProduct | None:
        """Return the product that the dependency's last name names, whatever its versions; None for none."""
        found = (self._named.get(_folded(name)) for name in _other_names(bump))
        return next(filter(None, found), None)

    def is_client_of_server(self, bump: Bump) -> bool:
        """Return whether the dependency is a client, named as the server is that the catalogue has notes of."""
        name = _folded(bump.name)
        return bump.ecosystem in _PACKAGES and name in _SERVERS and name in self._named


def _other_names(bump: Bump) -> Iterator[str]:
    """Yield what else the dependency may be called, surest first."""
    owner, _, last = bump.name.removeprefix("@").rpartition("/")
    match bump.ecosystem:
        case Ecosystem.IMAGE:
            yield from (last, f"{last}.js")
        case Ecosystem.ACTION | Ecosystem.COMPOSER:
            yield last
        case Ecosystem.GO:
            yield GO_MAJOR.sub("", bump.name).rpartition("/")[2]
        case Ecosystem.MAVEN:
            yield from _artifact_names(*bump.name.rpartition(":")[::2])
        case Ecosystem.NUGET:
            # `Polly.Core` is polly, `Acme.Polly` isn't.
            yield from (bump.name[:at] for at, sign in reversed([*enumerate(bump.name)]) if sign == ".")
        case Ecosystem.NPM if not owner:
            # `htmx.org` is htmx.
            yield from (f"{last}.js", re.sub(r"\.(?:org|js|io)\Z", "", last))
    # `@angular/core` is angular; `@sentry/node` and `@types/node` aren't node.
    if bump.ecosystem in (Ecosystem.NPM, Ecosystem.COMPOSER) and last in (*_WHOLE, owner):
        yield owner
    for name in (bump.name, last if bump.ecosystem is not Ecosystem.NPM else ""):
        if len(name) >= _MIN_NICKNAME_LENGTH:
            yield from NICKNAMES.get(name.casefold(), ())


def _artifact_names(group: str, artifact: str) -> Iterator[str]:
    """Yield what a Maven artifact may be a part of: itself, and what its name begins with where its group is called so
    too; of the id of a Gradle plugin, its parts."""
    if not group:
        *_, above, last = ("", *artifact.split("."))
        # `org.acmeframework.boot`
        yield f"{above.removesuffix('framework')}-{last}"
        yield from reversed(artifact.split("."))
    words = re.split(r"[-_]", artifact)
    for end in range(len(words), 0, -1):
        if end == len(words) or words[end:] == ["core"] or all(word in group for word in words[:end]):
            yield "-".join(words[:end])


def _folded(name: str) -> str:
    return canonicalize_name(name.casefold().replace(" ", "-")).strip("-")


@dataclass(frozen=True, slots=True)
class NamedBump:
    """A bump of a product that the catalogue has, with what other files state of it."""

    bump: Bump
    product: CatalogueProduct
    notes: tuple[str, ...] = ()


def fold_locks(named: Sequence[NamedBump]) -> tuple[NamedBump, ...]:
    """Return the bumps without those of locks that a manifest, or a lock before them, speaks for, in their order; a
    note of what speaks keeps the lock's own versions.

    A lock counts as a manifest's where it lies in the same folder or above, as that of a workspace does. Two manifests
    that state one bump stay two: each line is somebody's to change.
    """
    alike: dict[tuple[object, ...], NamedBump] = {}
    for entry in named:
        alike.setdefault((entry.product.name, entry.bump.file, *_ends(entry.bump)), entry)
    files = {entry.bump.file for entry in named}

    def is_lock(entry: NamedBump) -> bool:
        path = PurePosixPath(entry.bump.file)
        # pip-tools writes `requirements.txt` from the `requirements.in` beside it.
        return is_lock_name(path.name) or (path.suffix == ".txt" and str(path.with_suffix(".in")) in files)

    def folder_of(entry: NamedBump) -> str:
        return "".join(entry.bump.file.rpartition("/")[:2])

    locks = {key for key, entry in alike.items() if is_lock(entry)}
    folders = {folder_of(alike[key]) for key in locks}
    depths = {len(folder) for folder in folders}
    notes: defaultdict[tuple[object, ...], list[str]] = defaultdict(list)
    # What speaks for the locks of a folder, and for those that state two versions: the first of each, for a diff may
    # have thousands.
    speaking: dict[tuple[object, object], tuple[object, ...]] = {}
    for key, entry in sorted(alike.items(), key=lambda pair: pair[0] in locks):
        bump, of = entry.bump, (entry.product.name, entry.bump.ecosystem)
        folder, versions = folder_of(entry), _ends(bump)
        if key in locks and (known := speaking.get((of, folder)) or speaking.get((of, versions))):
            before = f"from {bump.start} " if bump.start else ""
            notes[known].append(f"{bump.file}:{bump.line} moves it {before}to {bump.end or 'no stated version'}.")
            continue
        notes[key] = [*entry.notes]
        if bump.start and bump.end:
            above = {folder[:depth] for depth in depths} & folders
            for spoken_for in [versions] if key in locks else above:
                speaking.setdefault((of, spoken_for), key)
    return tuple(replace(alike[key], notes=tuple(notes[key])) for key in alike if key in notes)


def _ends(bump: Bump) -> tuple[Version | str | None, ...]:
    return tuple(end and (Version.try_parse(end) or end) for end in (bump.start, bump.end))


def is_lock_name(name: str) -> bool:
    """Return whether a file of this name is the lock of a package manager."""
    return _LOCK.fullmatch(name) is not None
