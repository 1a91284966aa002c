"""Which range of which product the form begins with: by what there is, by somebody's files, or as an example."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.catalogue import CatalogueProduct, largest_first
from corpus.dependencies.model import Dependency
from corpus.plain_words import listed
from corpus.versions import Version
from retrieval.assistant import Assistant
from retrieval.upgrades.model import Upgrade

_TRIED_EXAMPLES = 4


@dataclass(frozen=True, slots=True)
class Range:
    """What the form says: a product, the release in use, and the one to move to; "" for what is open."""

    product: str
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class FilledRange:
    """A range that files fill in, and a line for people about each thing that they say of releases."""

    range: Range
    told: tuple[str, ...]


def default_range(product: CatalogueProduct) -> tuple[str, str]:
    """From the first release of the series before to the newest final one; "" for what there isn't.

    Without final releases, of those that there are.
    """
    versions = product.finals if len(product.finals) > 1 else tuple(release.version for release in product.releases)
    if not versions:
        return "", ""
    newest = versions[0]
    lower = [version for version in versions if version.series < newest.series]
    if lower:
        return [version for version in lower if version.series == lower[0].series][-1].label, newest.label
    return (versions[-1].label, newest.label) if len(versions) > 1 else ("", newest.label)


def fill_range(form: Range, stated: Sequence[tuple[CatalogueProduct, Dependency]]) -> FilledRange:
    """The form with the release that files state; of a product that they don't name, another one with most notes.

    `stated` are products with where the files state a release of each.
    """
    behind = [pair for pair in stated if _is_behind(*pair)]
    named = next((pair for pair in stated if pair[0].name == form.product), None)
    chosen = named or max(behind, key=lambda pair: pair[0].passages, default=None)
    if chosen is None:
        return FilledRange(form, ())
    product, dependency = chosen
    others = [f"{other.name} {found.version}" for other, found in behind if other is not product]
    more = f"Your files also name {listed(others)}. Pick another product above for its changes." if others else ""
    version = dependency.version or ""
    stated_there = f"{dependency.file}, line {dependency.line}, names {product.name} {version}"
    if not _is_behind(product, dependency):
        told = f"{stated_there}; the notes here know of nothing newer."
        return FilledRange(form, tuple(filter(None, (told, more))))
    is_kept = product.name == form.product and _is_newer(form.end, version)
    end = form.end if is_kept else default_range(product)[1]
    told = f"{stated_there}, so From is {version}."
    return FilledRange(Range(product.name, version, end), tuple(filter(None, (told, more))))


class ExampleUpgrade:
    """The upgrade that the tab opens with; chosen once for each state of the index."""

    def __init__(self) -> None:
        self._chosen: tuple[tuple[CatalogueProduct, ...], Upgrade | None] = ((), None)

    def of(self, assistant: Assistant) -> Upgrade | None:
        """Of the products with most notes, the last step of the one that shows most kinds of change; None where no
        product has two releases."""
        products, upgrade = self._chosen
        if products is not assistant.catalogue():
            products = assistant.catalogue()
            upgrade = max(_last_steps(products, assistant), key=_worth, default=None)
            self._chosen = products, upgrade
        return upgrade


def _last_steps(products: Sequence[CatalogueProduct], assistant: Assistant) -> list[Upgrade]:
    ranged = [(product, *default_range(product)) for product in largest_first(products)]
    steps = [(product.name, start, end) for product, start, end in ranged if start and end]
    return [assistant.upgrade(*step) for step in steps[:_TRIED_EXAMPLES]]


def _worth(upgrade: Upgrade) -> tuple[int, int]:
    kinds = {item.change for release in upgrade.releases for item in release.items}
    return len(kinds) + bool(upgrade.security), -len(upgrade.missing_releases)


def _is_behind(product: CatalogueProduct, dependency: Dependency) -> bool:
    """Whether the notes know of a newer release than the one that is stated."""
    return _is_newer(default_range(product)[1], dependency.version or "")


def _is_newer(label: str, than: str) -> bool:
    newer, older = Version.try_parse(label), Version.try_parse(than)
    return newer is not None and older is not None and newer > older
