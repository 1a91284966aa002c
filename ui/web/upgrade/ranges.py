"""Which range of which product the form begins with: by what there is, or as an example."""

from dataclasses import dataclass

from corpus.catalogue import CatalogueProduct, largest_first
from corpus.dependencies.model import Dependency
from corpus.versions import Version
from retrieval.assistant import Assistant
from retrieval.upgrades.model import Upgrade
from ui.web.ask.kept import KeptByIndex

_TRIED_EXAMPLES = 4


@dataclass(frozen=True, slots=True)
class Range:
    """What the form says: a product, the release in use, and the one to move to; "" for what is open."""

    product: str
    start: str
    end: str


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


def example_upgrade(assistant: Assistant) -> Upgrade | None:
    """Of the products with most notes, the last step of the one that shows most kinds of change; None where no product
    has two releases."""
    ranged = [(product.name, *default_range(product)) for product in largest_first(assistant.catalogue())]
    steps = [step for step in ranged if all(step)][:_TRIED_EXAMPLES]
    return max((assistant.upgrade(*step) for step in steps), key=_worth, default=None)


def _worth(upgrade: Upgrade) -> tuple[int, int]:
    kinds = {item.change for release in upgrade.releases for item in release.items}
    return len(kinds) + bool(upgrade.security), -len(upgrade.missing_releases)


def is_behind(product: CatalogueProduct, dependency: Dependency) -> bool:
    """Whether the notes know of a newer release than the one that is stated."""
    newest, stated = Version.try_parse(default_range(product)[1]), Version.try_parse(dependency.version or "")
    return newest is not None and stated is not None and newest > stated


EXAMPLE = KeptByIndex(example_upgrade)
"""The upgrade that the page opens with, of each state of an index."""
