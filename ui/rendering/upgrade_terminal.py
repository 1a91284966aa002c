"""An upgrade for a terminal: release by release, what is most severe first, each change with its place."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from corpus.model import Kind
from retrieval.upgrades.model import Upgrade, UpgradeItem, UpgradeRelease
from ui.rendering.terminal import render_words
from ui.rendering.upgrade_kinds import counted_upgrade, group_items
from ui.rendering.words import printable, speaker

_KIND_WORDS = {
    Kind.BREAKING: "Breaking",
    Kind.REMOVAL: "Removed",
    Kind.DEPRECATION: "Deprecated",
    Kind.SECURITY: "Security",
}
_STYLES = {Kind.BREAKING: "bold red", Kind.REMOVAL: "bold red", Kind.DEPRECATION: "bold yellow", Kind.SECURITY: "bold"}
_SHOWN_USAGES = 5


def render_upgrade(upgrade: Upgrade) -> RenderableType:
    """The releases of the range with their items by kind, the vulnerabilities fixed, gaps and notes."""
    head = Text(printable(f"{upgrade.product} {upgrade.start} → {upgrade.end}"), style="bold")
    head.append(f"  {counted_upgrade(upgrade)}", style="dim")
    parts: list[RenderableType] = [head]
    for release in upgrade.releases:
        parts += _release(release)
    if upgrade.security:
        parts += [Text(""), Text("Security fixes", style="bold")]
        parts += [line for item in upgrade.security for line in item_lines(item, place=item.citation.version)]
    if upgrade.missing_releases:
        parts += [
            Text(""),
            Text(f"Without notes in the index: {printable(', '.join(upgrade.missing_releases))}", "yellow"),
        ]
    parts += [Text(printable(f"Note: {note}"), style="dim") for note in upgrade.notes]
    return Group(*parts)


def _release(release: UpgradeRelease) -> Iterator[RenderableType]:
    head = Text(printable(f"{release.version}"), style="bold blue")
    head.append(f"  {release.date.isoformat()}" if release.date else "", style="dim")
    yield Text("")
    yield head
    for kind, items in group_items(release.items, by=lambda item: item.kind):
        yield Padding(Text(_KIND_WORDS[kind], style=_STYLES[kind]), (0, 0, 0, 2))
        for item in items:
            yield from item_lines(item, place=None)


def item_lines(item: UpgradeItem, *, place: str | None) -> Iterator[RenderableType]:
    """A change with its source and the places that use it; `place` stands before it, mostly a version."""
    line = Text("• ")
    if place:
        line.append(printable(f"{place} "), style="bold blue")
    line.append_text(render_words(item.summary))
    yield Padding(line, (0, 0, 0, 4))
    citation = item.citation
    source = f"{citation.source}:{citation.start}-{citation.end} · {speaker(citation)}"
    again = f" · again in {', '.join(item.repeated_in)}" if item.repeated_in else ""
    yield Padding(Text(printable(source + again), style="dim"), (0, 0, 0, 6))
    for usage in item.usages[:_SHOWN_USAGES]:
        yield Padding(Text(printable(f"{usage.file}:{usage.line} uses {usage.symbol}"), style="cyan"), (0, 0, 0, 6))
    if len(item.usages) > _SHOWN_USAGES:
        yield Padding(Text(f"and {len(item.usages) - _SHOWN_USAGES} more places", style="cyan"), (0, 0, 0, 6))
