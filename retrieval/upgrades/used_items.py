"""An upgrade cut to what a body of code uses, with the places where it does."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.code_usage import CodeUsage, Usage
from retrieval.code_usage.told_names import arguments_of, subjects_of
from retrieval.upgrades.model import Change, Upgrade, UpgradeItem, UpgradeRelease

_ALL_CODE = frozenset({Change.REQUIREMENT})
"""A raised minimum concerns all code, whatever it uses."""


def keep_used(upgrade: Upgrade, code: CodeUsage, *, names: Sequence[str]) -> Upgrade:
    """The items that name something `code` uses, each with its places, and those that concern all code; a note says how
    many others there are. `names` are the product's. Vulnerabilities stay, with their places where there are any.
    """
    releases = tuple(
        UpgradeRelease(release.version, release.date, items)
        for release in upgrade.releases
        if (items := tuple(_used(release.items, code, names)))
    )
    kept = sum(len(release.items) for release in releases)
    left_out = sum(len(release.items) for release in upgrade.releases) - kept
    notes = [*upgrade.notes, *code.notes]
    if left_out:
        files = "1 file" if len(code.files) == 1 else f"{len(code.files)} files"
        notes.append(
            f"{left_out} change{'s' if left_out > 1 else ''} left out that name{'' if left_out > 1 else 's'} nothing"
            f" the code uses ({files} read); a change that names no code may matter all the same."
        )
    security = tuple(replace(item, usages=usages_in(code, item, names)) for item in upgrade.security)
    return replace(upgrade, releases=releases, security=security, notes=tuple(notes))


def _used(items: Sequence[UpgradeItem], code: CodeUsage, names: Sequence[str]) -> Iterator[UpgradeItem]:
    for item in items:
        usages = usages_in(code, item, names)
        if usages or item.change in _ALL_CODE:
            yield replace(item, usages=usages)


def usages_in(code: CodeUsage, item: UpgradeItem, names: Sequence[str]) -> tuple[Usage, ...]:
    """Where code uses what an item is about; `names` are the product's."""
    # Code that uses what an item offers in place of something isn't concerned by it.
    symbols = subjects_of(item.summary, item.symbols)
    return code.usages_of(symbols, product=names, arguments=arguments_of(item.summary, symbols))
