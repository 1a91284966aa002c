"""An upgrade as HTML: how much there is, its releases, filters, and the changes by release and kind."""

from collections import Counter
from collections.abc import Iterable

from retrieval.upgrades.model import Change, Upgrade, UpgradeItem
from ui.rendering.upgrade import CHANGE_WORDS, counted_changes, group_items, render_upgrade_markdown
from ui.rendering.words import counted
from ui.web.addresses import file_name_of, markdown_address, page_query
from ui.web.html import render
from ui.web.surroundings import Around


def render_upgrade_html(upgrade: Upgrade, around: Around) -> str:
    """The whole upgrade, every quote in its surroundings."""
    ends = {"product": upgrade.product, "from": upgrade.start, "to": upgrade.end}
    items = [item for release in upgrade.releases for item in release.items]
    return render(
        "upgrade",
        "upgrade",
        upgrade=upgrade,
        title=f"{upgrade.product} {upgrade.start} → {upgrade.end}",
        said=_said(upgrade, items),
        releases=[
            (release, group_items(release.items, by=lambda item: item.change), _counts(release.items))
            for release in upgrade.releases
        ],
        counts=_counts([*items, *upgrade.security]),
        around=around,
        address=markdown_address(render_upgrade_markdown(upgrade)),
        file_name=file_name_of(*ends.values()),
        link=page_query("upgrade", **ends),
    )


def render_upgrade_hint(*, has_products: bool) -> str:
    """What the tab shows before it is used."""
    return render("upgrade", "hint", has_products=has_products)


def _said(upgrade: Upgrade, items: list[UpgradeItem]) -> str:
    where = f" in {counted(len(upgrade.releases), 'release')}"
    kinds = counted_changes(_counts(items))
    said = f"{counted(len(items), 'change')} to mind{where}: {kinds}." if kinds else "Nothing to mind in these notes."
    fixes = counted(len(upgrade.security), "security fix", "security fixes")
    return f"{said} {fixes} to gain." if upgrade.security else said


def _counts(items: Iterable[UpgradeItem]) -> tuple[tuple[Change, int], ...]:
    counts = Counter(item.change for item in items)
    return tuple((change, counts[change]) for change in CHANGE_WORDS)
