"""An upgrade for a terminal and as Markdown: release by release, the most severe first, each change with its place."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from retrieval.code_usage.model import Usage
from retrieval.upgrades.model import Change, Upgrade, UpgradeItem, UpgradeRelease
from ui.rendering.answer_terminal import render_words
from ui.rendering.markup import evidence_markdown, indented, markdown_text, marked_text
from ui.rendering.review.findings import RULE_HEADINGS, Rule, rule_of
from ui.rendering.words import counted, printable, speaker

_Key = TypeVar("_Key")
_CHANGES = {
    Change.REMOVED: ("Removed", "removal", "removals"),
    Change.BREAKS: ("Breaking", "breaking change", "breaking changes"),
    Change.REQUIREMENT: ("Requirements", "new requirement", "new requirements"),
    Change.DEFAULT: ("Changed defaults", "changed default", "changed defaults"),
    Change.ACTION: ("Action needed", "action needed", "actions needed"),
    Change.DEPRECATED: ("Deprecated", "deprecation", "deprecations"),
    Change.SECURITY: ("Security fixes", "security fix", "security fixes"),
}
CHANGE_WORDS = {change: heading for change, (heading, *_) in _CHANGES.items()}
"""Headings, most severe first."""
RULE_STYLES = {
    Rule.REMOVAL: "bold red",
    Rule.BREAKING: "bold red",
    Rule.DEPRECATION: "bold yellow",
    Rule.SECURITY: "bold",
}
_SHOWN_USAGES = 5


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
    return ", ".join(counted(count, *_CHANGES[change][1:]) for change, count in counts if count)


def render_upgrade(upgrade: Upgrade) -> RenderableType:
    """For a terminal: the releases of the range with their items by kind, the vulnerabilities fixed, gaps and notes."""
    head = Text(printable(f"{upgrade.product} {upgrade.start} → {upgrade.end}"), style="bold")
    head.append(f"  {counted_upgrade(upgrade)}", style="dim")
    parts: list[RenderableType] = [head]
    for release in upgrade.releases:
        dated = f"  {release.date.isoformat()}" if release.date else ""
        parts += [Text(""), Text(printable(release.version), style="bold blue").append(dated, style="dim")]
        for rule, items in group_items(release.items, by=lambda item: rule_of(item.kind)):
            parts.append(Padding(Text(RULE_HEADINGS[rule], style=RULE_STYLES[rule]), (0, 0, 0, 2)))
            parts += [line for item in items for line in item_lines(item, place=None)]
    if upgrade.security:
        parts += [Text(""), Text("Security fixes", style="bold")]
        parts += [line for item in upgrade.security for line in item_lines(item, place=item.citation.version)]
    if upgrade.missing_releases:
        missing = printable(", ".join(upgrade.missing_releases))
        parts += [Text(""), Text(f"Without notes in the index: {missing}", "yellow")]
    parts += [Text(printable(f"Note: {note}"), style="dim") for note in upgrade.notes]
    return Group(*parts)


def item_lines(item: UpgradeItem, *, place: str | None) -> Iterator[RenderableType]:
    """A change for a terminal with its source and what uses it; `place` stands before it, mostly a version."""
    line = Text("• ")
    if place:
        line.append(printable(f"{place} "), style="bold blue")
    yield Padding(line.append_text(render_words(item.summary)), (0, 0, 0, 4))
    citation = item.citation
    source = f"{citation.source}:{citation.start}-{citation.end} · {speaker(citation)}"
    again = f" · again in {', '.join(item.repeated_in)}" if item.repeated_in else ""
    yield Padding(Text(printable(source + again), style="dim"), (0, 0, 0, 6))
    for usage in item.usages[:_SHOWN_USAGES]:
        yield Padding(Text(printable(f"{usage.file}:{usage.line} uses {usage.symbol}"), style="cyan"), (0, 0, 0, 6))
    if len(item.usages) > _SHOWN_USAGES:
        yield Padding(Text(f"and {len(item.usages) - _SHOWN_USAGES} more places", style="cyan"), (0, 0, 0, 6))


def render_upgrade_markdown(upgrade: Upgrade) -> str:
    """To keep or to paste into a ticket: releases, vulnerabilities fixed, gaps and notes.

    Quotes stand in code blocks and everything else of strangers is escaped.
    """
    return "\n".join(_markdown(upgrade)) + "\n"


def item_markdown(item: UpgradeItem, *, place: str | None, with_quote: bool = True) -> Iterator[str]:
    """A change as an entry of a list, with its quote and place and what uses it; `place` stands before it."""
    yield f"- {f'**{markdown_text(place)}**: ' if place else ''}{marked_text(item.summary)}"
    yield from indented(evidence_markdown(item.citation, with_quote=with_quote))
    if item.usages:
        yield from ("", f"  Used in {_usages(item.usages)}")
    if item.repeated_in:
        yield from ("", f"  Told again in {markdown_text(', '.join(item.repeated_in))}")
    yield ""


def _markdown(upgrade: Upgrade) -> Iterator[str]:
    yield f"# Upgrade of {markdown_text(f'{upgrade.product} {upgrade.start} → {upgrade.end}')}"
    yield from ("", f"{counted_upgrade(upgrade)}.", "")
    if upgrade.missing_releases:
        yield from (f"Without notes in the index: {markdown_text(', '.join(upgrade.missing_releases))}.", "")
    for note in upgrade.notes:
        yield from (f"Note: {marked_text(note)}", "")
    for release in upgrade.releases:
        yield from _release(release)
    if upgrade.security:
        yield from (f"## {CHANGE_WORDS[upgrade.security[0].change]}", "")
        for item in upgrade.security:
            yield from item_markdown(item, place=item.citation.version)


def _release(release: UpgradeRelease) -> Iterator[str]:
    dated = f" ({release.date.isoformat()})" if release.date else ""
    yield from (f"## {markdown_text(release.version)}{dated}", "")
    for change, items in group_items(release.items, by=lambda item: item.change):
        yield from (f"### {CHANGE_WORDS[change]}", "")
        for item in items:
            yield from item_markdown(item, place=None)


def _usages(usages: Sequence[Usage]) -> str:
    places = [markdown_text(f"{usage.file}:{usage.line}") for usage in usages[:_SHOWN_USAGES]]
    more = len(usages) - len(places)
    return ", ".join(places) + (f" and {more} more" if more else "")
