"""What the changes of an upgrade are called where people choose among them, and how they are grouped."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from retrieval.upgrades.model import Change, Upgrade, UpgradeItem

_Key = TypeVar("_Key")
CHANGE_WORDS = {
    Change.REMOVED: "Removed",
    Change.BREAKS: "Breaking",
    Change.REQUIREMENT: "Requirements",
    Change.DEFAULT: "Changed defaults",
    Change.ACTION: "Action needed",
    Change.DEPRECATED: "Deprecated",
    Change.SECURITY: "Security fixes",
}
"""Headings, most severe first."""
_COUNTED = {
    Change.REMOVED: ("removal", "removals"),
    Change.BREAKS: ("breaking change", "breaking changes"),
    Change.REQUIREMENT: ("new requirement", "new requirements"),
    Change.DEFAULT: ("changed default", "changed defaults"),
    Change.ACTION: ("action needed", "actions needed"),
    Change.DEPRECATED: ("deprecation", "deprecations"),
    Change.SECURITY: ("security fix", "security fixes"),
}


def group_items(
    items: Iterable[UpgradeItem], *, by: Callable[[UpgradeItem], _Key]
) -> tuple[tuple[_Key, tuple[UpgradeItem, ...]], ...]:
    """The items of each key in their order, the key of the first item first."""
    groups: dict[_Key, list[UpgradeItem]] = {}
    for item in items:
        groups.setdefault(by(item), []).append(item)
    return tuple((key, tuple(group)) for key, group in groups.items())


def counted_upgrade(upgrade: Upgrade) -> str:
    """`2 changes to mind, 1 security fix`, and of two counts the one that isn't 0; `0 changes to mind` for none."""
    count = sum(len(release.items) for release in upgrade.releases)
    fixes = counted(len(upgrade.security), "security fix", "security fixes") if upgrade.security else ""
    changes = counted(count, "change") + " to mind" if count or not fixes else ""
    return ", ".join(filter(None, (changes, fixes)))


def counted_changes(counts: Iterable[tuple[Change, int]]) -> str:
    """`2 removals, 1 deprecation`; "" for none."""
    return ", ".join(counted(count, *_COUNTED[change]) for change, count in counts if count)


def counted(count: int, one: str, many: str | None = None) -> str:
    """`1 change`, `2 changes`, `0 changes`."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
