"""What an index covers: products under all their names, and their releases.

Documents whose names or aliases meet, in any case, are one product; the most frequent name is the canonical one.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from corpus.errors import NotIndexed
from corpus.model import Authority
from corpus.versions import Version

MAX_PRODUCT_CHARACTERS = 200
_SHOWN_CHARACTERS = 100
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class CatalogueRelease:
    """One version of a product in the index, with every place that has its notes."""

    version: Version
    date: date | None
    sources: tuple[str, ...]
    pending: bool = False
    """Nothing says that it is out: every place says that it isn't yet, or it is newer than all that the project's own
    notes hold, and only guides and plans name it."""
    yanked: bool = False  # Its notes say that it was taken back.

    @property
    def is_candidate(self) -> bool:
        """Whether it is out to be tried: by its number, or as whoever published it says."""
        return self.version.is_prerelease or (self.pending and self.date is not None)


@dataclass(frozen=True, slots=True)
class CatalogueProduct:
    """What the index covers of one product; `releases` newest first by version order."""

    name: str
    aliases: tuple[str, ...]  # Every other name it goes by, in any case; the canonical name excluded.
    releases: tuple[CatalogueRelease, ...]
    documents: int
    passages: int
    told: tuple[CatalogueRelease, ...] = ()
    """Those of which nobody tells who speaks for the product, newest first: they are told by who does."""

    @property
    def named(self) -> tuple[CatalogueRelease, ...]:
        """All that are told of, those of who speaks for the product first."""
        return *self.releases, *self.told

    @property
    def finals(self) -> tuple[Version, ...]:
        """The final releases, newest first."""
        return tuple(release.version for release in self.releases if not release.version.is_prerelease)

    def is_called(self, name: str) -> bool:
        """Return whether `name` is the product's name or one of its aliases, in any case."""
        wanted = name.casefold()
        return wanted == self.name.casefold() or any(wanted == alias.casefold() for alias in self.aliases)


def final_releases(releases: Iterable[CatalogueRelease]) -> tuple[CatalogueRelease, ...]:
    """Those that are no pre-releases, in their order; all of them where none is final."""
    found = tuple(releases)
    return tuple(release for release in found if not release.version.is_prerelease) or found


def largest_first(products: Iterable[CatalogueProduct]) -> list[CatalogueProduct]:
    """Return the products by how many passages they have."""
    return sorted(products, key=lambda product: (-product.passages, product.name))


def product_fault(name: str) -> str | None:
    """Return what keeps `name` from being a product's, as the end of a sentence; None where nothing does."""
    if not name.strip():
        return "is empty"
    if len(name) > MAX_PRODUCT_CHARACTERS:
        return f"is over {MAX_PRODUCT_CHARACTERS} characters long"
    return "holds a line break or another control character" if _CONTROLS.search(name) else None


def check_product(name: str) -> None:
    """Refuse what no product can be called.

    Raises:
        NotIndexed: `name` is blank, too long, or holds a control character: no index can have it.
    """
    if fault := product_fault(name):
        raise NotIndexed(f"The product {name[:_SHOWN_CHARACTERS]!r} {fault}. Give its name, or leave it out.")


def stable_releases(releases: Sequence[CatalogueRelease]) -> tuple[CatalogueRelease, ...]:
    """Return the final releases that are out and weren't withdrawn, newest first; withdrawn ones where there are no
    others, and candidates where none is final."""
    out = releases_out(releases)
    return final_releases(tuple(release for release in out if not release.yanked) or out)


def releases_out(releases: Sequence[CatalogueRelease]) -> tuple[CatalogueRelease, ...]:
    """Return the releases that are out, newest first: without those still to come; all where none is out."""
    return tuple(release for release in releases if not release.pending) or tuple(releases)


def newest_by_day(releases: Sequence[CatalogueRelease]) -> tuple[CatalogueRelease, ...]:
    """Return the releases of the newest one's series that came out last, where that isn't the newest by its number: two
    rows of numbers stand beside each other, an SDK's and a runtime's. Where the newest has no date, the next one, if
    that has. None where numbers and days agree, and for no releases."""
    stable = stable_releases(releases)
    newest = next(iter(stable), None)
    if newest is None or newest.date is None:
        return tuple(release for release in stable[1:2] if release.date)
    row = [release for release in stable if release.version.series == newest.version.series]
    last = max(release.date or date.min for release in row)
    return tuple(release for release in row if release.date == last) if last > newest.date else ()


@dataclass(frozen=True, slots=True)
class ProductMention:
    """How one document names its product, and what of it the document holds."""

    product: str
    aliases: tuple[str, ...]
    passages: int
    releases: tuple[CatalogueRelease, ...]
    authority: Authority = Authority.OFFICIAL
    """Whether these are the project's own notes of its releases: a guide may speak of one that isn't out."""
    is_contested: bool = False  # Whether another origin speaks for its product.

    @property
    def voice(self) -> int:
        """Whose word counts, the highest first: who speaks for the product, who reports of it, and all others."""
        return 0 if self.is_contested else 1 if self.authority.is_opinion else 2


def group_products(mentions: Iterable[ProductMention]) -> tuple[CatalogueProduct, ...]:
    """Fold documents that share a name or alias into products, sorted by name.

    An empty input gives an empty tuple.
    """
    groups: list[list[ProductMention]] = []
    group_of: dict[str, int] = {}
    for mention in mentions:
        keys = {name.casefold() for name in (mention.product, *mention.aliases) if name}
        touched = sorted({group_of[key] for key in keys if key in group_of})
        target = touched[0] if touched else len(groups)
        if not touched:
            groups.append([])
        for other in touched[1:]:
            groups[target].extend(groups[other])
            groups[other] = []
            for key, group in group_of.items():
                if group == other:
                    group_of[key] = target
        groups[target].append(mention)
        group_of.update(dict.fromkeys(keys, target))
    products = (_fold_group(group) for group in groups if group)
    return tuple(sorted(products, key=lambda product: product.name.casefold()))


def _fold_group(group: Sequence[ProductMention]) -> CatalogueProduct:
    names = Counter(mention.product for mention in group if not mention.is_contested)
    name = max(names or [group[0].product], key=lambda candidate: (names[candidate], candidate))
    others = {alias for mention in group for alias in (mention.product, *mention.aliases)} - {name, ""}
    places: dict[Version, list[tuple[int, CatalogueRelease]]] = {}
    # Beside numbers days are but days: those of a journal, of news.
    is_numbered = any(not release.version.day for mention in group for release in mention.releases)
    for mention in group:
        if is_numbered and all(release.version.day for release in mention.releases):
            continue
        for release in mention.releases:
            places.setdefault(release.version, []).append((mention.voice, release))
    own = (mention for mention in group if mention.authority in (Authority.OFFICIAL, Authority.UNKNOWN))
    noted = {release.version for mention in own for release in mention.releases}
    # The last one that the project's own notes hold.
    newest = max(noted or places, default=None)
    releases: tuple[list[CatalogueRelease], ...] = [], []
    for version in sorted(places, reverse=True):
        loudest = max(voice for voice, _ in places[version])
        found = [release for voice, release in places[version] if voice == loudest]
        day = min((release.date for release in found if release.date), default=None)
        is_planned = day is None and newest is not None and version > newest
        sources = tuple(sorted({source for _, release in places[version] for source in release.sources}))
        pending, yanked = is_planned or all(one.pending for one in found), any(one.yanked for one in found)
        releases[loudest == 0].append(CatalogueRelease(found[0].version, day, sources, pending, yanked))
    return CatalogueProduct(
        name=name,
        aliases=tuple(sorted(others)),
        releases=tuple(releases[0]),
        told=tuple(releases[1]),
        documents=len(group),
        passages=sum(mention.passages for mention in group),
    )
