"""Which product of the catalogue a dependency is: by its name, never by similarity.

Images, actions, Go and Maven put an owner before the name. A match by only a part of the written name, or by
a nickname, counts only if the product has the versions. Servers have clients of the same name in package registries,
with versions of their own.
"""

import re
from collections.abc import Iterator, Sequence

from packaging.utils import canonicalize_name

from corpus.catalogue import CatalogueProduct
from corpus.dependencies.languages import GO_MAJOR
from corpus.dependencies.model import Ecosystem
from corpus.versions import Version
from retrieval.products.known import KnownProducts
from retrieval.products.names import NICKNAMES
from retrieval.reviews.model import Bump

_PACKAGES = frozenset(Ecosystem) - {Ecosystem.IMAGE, Ecosystem.ACTION, Ecosystem.TOOL}
_WHOLE = {"core", "framework"}  # A package with this name is its owner's product (`@angular/core`).
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
    """The products of a catalogue by all their names; built once for a review."""

    def __init__(self, catalogue: Sequence[CatalogueProduct]) -> None:
        self._known = KnownProducts.of(catalogue)
        aliases = {_folded(alias): product for product in catalogue for alias in product.aliases}
        self._named = aliases | {_folded(product.name): product for product in catalogue}

    def product_of(self, bump: Bump) -> CatalogueProduct | None:
        """Return the product that `bump` is about; None if the catalogue lacks it or only has its server."""
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
        """Return the product with the surest of the dependency's other names, whatever its versions, or None."""
        return next(filter(None, (self._named.get(_folded(name)) for name in _other_names(bump))), None)

    def is_client_of_server(self, bump: Bump) -> bool:
        """Return whether the dependency is a package with the name of a server in the catalogue: its client."""
        name = _folded(bump.name)
        return bump.ecosystem in _PACKAGES and name in _SERVERS and name in self._named


def _other_names(bump: Bump) -> Iterator[str]:
    """Yield other names by which the catalogue may know the dependency, surest first."""
    owner, _, last = bump.name.removeprefix("@").rpartition("/")
    match bump.ecosystem:
        case Ecosystem.IMAGE:
            yield from (last, f"{last}.js")
        case Ecosystem.ACTION:
            yield last
        case Ecosystem.GO:
            yield GO_MAJOR.sub("", bump.name).rpartition("/")[2]
        case Ecosystem.MAVEN:
            yield from _artifact_names(*bump.name.rpartition(":")[::2])
        case Ecosystem.NPM if not owner:
            # `htmx.org` is htmx.
            yield from (f"{last}.js", re.sub(r"\.(?:org|js|io)\Z", "", last))
    # `@angular/core` is angular; `@sentry/node` and `@types/node` aren't node.
    if bump.ecosystem is Ecosystem.NPM and last in (*_WHOLE, owner):
        yield owner
    for name in (bump.name, last if bump.ecosystem is not Ecosystem.NPM else ""):
        if len(name) >= _MIN_NICKNAME_LENGTH:
            yield from NICKNAMES.get(name.casefold(), ())


def _artifact_names(group: str, artifact: str) -> Iterator[str]:
    """Yield names that the product of a Maven artifact or, without `group`, a Gradle plugin may have, surest first."""
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


def is_lock_name(name: str) -> bool:
    """Return whether a file name is that of a package manager's lock ("poetry.lock", "package-lock.json")."""
    return _LOCK.fullmatch(name) is not None
