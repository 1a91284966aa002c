"""The products in an index under all their names, and their releases.

Documents that share a name or alias, in any case, are about one product; its most frequent name is the canonical one.
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
    """One version of a product in the index, with every source that has its notes."""

    version: Version
    date: date | None
    sources: tuple[str, ...]
    pending: bool = False
    """Whether it isn't out: every source or its own undated notes say so, or it is undated and newer than all in the
    project's own notes."""
    yanked: bool = False  # Its notes say that it was withdrawn.

    @property
    def is_candidate(self) -> bool:
        """Whether it is published for testing: a pre-release by its number, or marked as one by its publisher."""
        return self.version.is_prerelease or (self.pending and self.date is not None)


@dataclass(frozen=True, slots=True)
class CatalogueProduct:
    """A product in the index; `releases` newest first by version order."""

    name: str
    aliases: tuple[str, ...]  # Every other name it goes by, in any case; the canonical name excluded.
    releases: tuple[CatalogueRelease, ...]
    documents: int
    passages: int
    hearsay: tuple[CatalogueRelease, ...] = ()
    """Releases that only contested documents mention, newest first."""

    @property
    def named(self) -> tuple[CatalogueRelease, ...]:
        """All mentioned releases, `releases` before `hearsay`."""
        return *self.releases, *self.hearsay

    @property
    def finals(self) -> tuple[Version, ...]:
        """The versions that are no pre-releases, newest first."""
        return tuple(release.version for release in self.releases if not release.version.is_prerelease)

    def is_called(self, name: str) -> bool:
        """Return whether `name` is the product's name or one of its aliases, in any case."""
        folded = name.casefold()
        return folded == self.name.casefold() or any(folded == alias.casefold() for alias in self.aliases)


def final_releases(releases: Iterable[CatalogueRelease]) -> tuple[CatalogueRelease, ...]:
    """Return the releases that are no pre-releases, in their order; all of them if none is final."""
    candidates = tuple(releases)
    return tuple(release for release in candidates if not release.version.is_prerelease) or candidates


def largest_first(products: Iterable[CatalogueProduct]) -> list[CatalogueProduct]:
    """Return the products sorted by their number of passages, the largest first, then by name."""
    return sorted(products, key=lambda product: (-product.passages, product.name))


def product_fault(name: str) -> str | None:
    """Return the reason why `name` can't be a product's name ("is empty"); None if it can be."""
    if not name.strip():
        return "is empty"
    if len(name) > MAX_PRODUCT_CHARACTERS:
        return f"is over {MAX_PRODUCT_CHARACTERS} characters long"
    return "holds a line break or another control character" if _CONTROLS.search(name) else None


def check_product(name: str) -> None:
    """Raise an error for a name that no product can have.

    Raises:
        NotIndexed: `name` is blank, too long, or contains a control character: no index can have it.
    """
    if fault := product_fault(name):
        raise NotIndexed(f"The product {name[:_SHOWN_CHARACTERS]!r} {fault}. Give its name, or leave it out.")


def stable_releases(releases: Sequence[CatalogueRelease]) -> tuple[CatalogueRelease, ...]:
    """Return the final releases that are out, without withdrawn ones if any are left; candidates if none is final."""
    out = releases_out(releases)
    return final_releases(tuple(release for release in out if not release.yanked) or out)


def releases_out(releases: Sequence[CatalogueRelease]) -> tuple[CatalogueRelease, ...]:
    """Return the releases that are out, in their order; all if none is out."""
    return tuple(release for release in releases if not release.pending) or tuple(releases)


def newest_by_day(releases: Sequence[CatalogueRelease]) -> tuple[CatalogueRelease, ...]:
    """Return the latest dated releases in the newest version's series if that version is older than they are: a product
    may number two lines side by side, an SDK's and a runtime's. If the newest has no date, return the next one if
    dated. Empty if numbers and dates agree."""
    stable = stable_releases(releases)
    if not stable or (day := stable[0].date) is None:
        return tuple(release for release in stable[1:2] if release.date)
    line = stable[0].version.series
    series = [release for release in stable if release.version.series == line]
    last = max(release.date or date.min for release in series)
    return tuple(release for release in series if release.date == last) if last > day else ()


@dataclass(frozen=True, slots=True)
class ProductMention:
    """How one document names its product, and what the document contains about it."""

    product: str
    aliases: tuple[str, ...]
    passages: int
    releases: tuple[CatalogueRelease, ...]
    authority: Authority = Authority.OFFICIAL
    """Whether these are the project's own release notes: a guide may mention a release that isn't out."""
    is_contested: bool = False  # Whether the product belongs to another origin.

    @property
    def voice(self) -> int:
        """How much its facts about releases count: 2 for most documents, 1 for opinion, 0 for contested ones."""
        return 0 if self.is_contested else 1 if self.authority.is_opinion else 2


def group_products(mentions: Iterable[ProductMention]) -> tuple[CatalogueProduct, ...]:
    """Group documents that share a name or alias into products, sorted by name; empty for no documents."""
    groups: list[list[ProductMention]] = []
    group_of: dict[str, int] = {}
    for mention in mentions:
        keys = {name.casefold() for name in (mention.product, *mention.aliases) if name}
        touched = sorted({group_of[key] for key in keys if key in group_of})
        target = touched[0] if touched else len(groups)
        if not touched:
            groups.append([])
        for merged in touched[1:]:
            groups[target].extend(groups[merged])
            groups[merged] = []
            for key, group in group_of.items():
                if group == merged:
                    group_of[key] = target
        groups[target].append(mention)
        group_of.update(dict.fromkeys(keys, target))
    products = (_product_of_group(group) for group in groups if group)
    return tuple(sorted(products, key=lambda product: product.name.casefold()))


def _product_of_group(group: Sequence[ProductMention]) -> CatalogueProduct:
    """Merge a group's documents into one product, with the most frequent name and each release's most trusted facts."""
    names = Counter(mention.product for mention in group if not mention.is_contested)
    name = max(names or [group[0].product], key=lambda candidate: (names[candidate], candidate))
    other_names = {alias for mention in group for alias in (mention.product, *mention.aliases)} - {name, ""}
    reports: dict[Version, list[tuple[int, CatalogueRelease]]] = {}
    # If other releases have numbers, days are only the dates of a journal or of news.
    is_numbered = any(not release.version.day for mention in group for release in mention.releases)
    for mention in group:
        if is_numbered and all(release.version.day for release in mention.releases):
            continue
        for release in mention.releases:
            reports.setdefault(release.version, []).append((mention.voice, release))
    noted = [r for m in group if m.authority in (Authority.OFFICIAL, Authority.UNKNOWN) for r in m.releases]
    newest = max((release.version for release in noted), default=max(reports, default=None))
    releases: tuple[list[CatalogueRelease], ...] = [], []
    for version in sorted(reports, reverse=True):
        loudest = max(voice for voice, _ in reports[version])
        trusted = [release for voice, release in reports[version] if voice == loudest]
        day = min((release.date for release in trusted if release.date), default=None)
        is_planned = day is None and newest is not None and version > newest
        sources = tuple(sorted({source for _, release in reports[version] for source in release.sources}))
        # A guide may name a release that isn't out.
        own_notes = [r for r in noted if r.version == version] if not day and any(r.pending for r in trusted) else ()
        pending, yanked = is_planned or all(r.pending for r in own_notes or trusted), any(r.yanked for r in trusted)
        releases[loudest == 0].append(CatalogueRelease(trusted[0].version, day, sources, pending, yanked))
    return CatalogueProduct(
        name=name,
        aliases=tuple(sorted(other_names)),
        releases=tuple(releases[0]),
        hearsay=tuple(releases[1]),
        documents=len(group),
        passages=sum(mention.passages for mention in group),
    )
