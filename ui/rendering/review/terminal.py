"""A review for a terminal: bump by bump, what the code uses first, then the touched symbols and what isn't covered."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from retrieval.reviews.model import Review
from ui.rendering.review.findings import (
    Bumps,
    groups_of,
    is_downgrade,
    left_out,
    notes_of,
    nothing_found,
    places_of,
    sections_of,
)
from ui.rendering.upgrade import RULE_STYLES, Sources, item_lines, source_lines
from ui.rendering.words import counted, printable


def render_review_for_terminal(review: Review) -> RenderableType:
    """Return the bumps with their items by kind, the touched symbols and what the index can't speak of."""
    parts: list[RenderableType] = []
    sources: Sources = {}
    if not review.bumps and not review.symbols:
        parts.append(Text(nothing_found(review)))
    for group in groups_of(review.bumps):
        if parts:
            parts.append(Text(""))
        parts += _bump(group, sources)
    if review.symbols:
        parts += [Text(""), Text("Touched symbols", style="bold")]
    for symbol in review.symbols:
        line = Text(f"• {printable(symbol.symbol)}")
        line.append(printable(f"  {symbol.product}, {symbol.file}:{symbol.line}"), style="dim")
        parts.append(_indented(line))
        for citation in symbol.citations:
            quote = " ".join(printable(citation.quote).split())
            parts.append(_indented(Text(f"{printable(citation.version or citation.product)}: {quote}"), by=4))
    if review.unknown:
        parts += [Text(""), Text("Not looked up", style="bold")]
    for unknown in review.unknown:
        line = Text(f"• {printable(unknown.name)}  ").append(printable(unknown.reason), style="dim")
        parts.append(_indented(line))
    return Group(*parts, *source_lines(sources))


def _bump(group: Bumps, sources: Sources) -> Iterator[RenderableType]:
    bump = group[0]
    lost = is_downgrade(bump)
    fixes = counted(len(bump.security), "security fix", "security fixes")
    count = f"a downgrade, {fixes} lost" if lost else f"{counted(len(bump.items), 'change')}, {fixes}"
    head = Text(printable(f"{bump.product} {bump.start} → {bump.end}"), style="bold")
    head.append(f"  {count}  ", style="bold red" if lost and bump.security else "dim")
    head.append(printable(places_of(group)), style="dim")
    yield head
    for rule, heading, items in sections_of(bump):
        yield _indented(Text(heading, style="bold cyan" if rule is None else RULE_STYLES[rule]))
        for item in items:
            yield from item_lines(item, place=item.citation.version, sources=sources)
    if more := left_out(bump):
        yield _indented(Text(more, style="dim"))
    if bump.missing_releases:
        yield _indented(Text(printable(f"No notes for {', '.join(bump.missing_releases)}"), "yellow"))
    for note in notes_of(group):
        yield _indented(Text(printable(f"Note: {note}"), style="dim"))


def _indented(text: Text, *, by: int = 2) -> Padding:
    return Padding(text, (0, 0, 0, by))
