"""A review as Markdown for a comment: a table of the bumps, and a body for each that opens on a click.

Quotes stand in code blocks, everything else of strangers is escaped, so that no document can end a body, link or
mention anyone. A comment of a forge has a limit: what doesn't fit is counted, quotes going before items.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TypeAlias

from retrieval.reviews.model import Review, ReviewedSymbol
from ui.rendering.markup import evidence_markdown, html_text, indented, markdown_text, marked_text
from ui.rendering.review.findings import (
    SHOWN_FILES,
    Bumps,
    groups_of,
    is_downgrade,
    notes_of,
    nothing_found,
    places_of,
    sections_of,
)
from ui.rendering.rules import RULE_HEADINGS, rule_of
from ui.rendering.upgrade import item_markdown
from ui.rendering.words import counted

MAX_CHARACTERS = 60_000  # GitHub takes 65,536 of a comment and a bot may add words of its own.
_LEFT_OUT = "`relnotes review --format json` has them all."
_OF_A_CUT = 80  # Characters that a line takes which says what was left out.
_ALL = 1_000_000
_CUTS = ((_ALL, _ALL), (_ALL, 16), (_ALL, 4), (_ALL, 0), (256, 0), (64, 0), (16, 0), (4, 0), (1, 0), (0, 0))
"""How many entries of each section are shown, and how many of them with their quotes: the first that fits."""
_CLOSING = "</details>\n\n"
_Entry: TypeAlias = tuple[str, str]  # One entry, without and with its quote; both end in a line end.


_Body: TypeAlias = tuple[str, Sequence[tuple[str, Sequence[_Entry]]], str]
"""What opens on a click: entries under headings between two texts."""


def _cut(body: _Body, *, shown: int, quoted: int) -> str:
    """Return the body with the first entries of each section; what is left out is counted."""
    opening, sections, closing = body
    lines = [opening]
    for heading, entries in sections:
        lines += (heading, *(long if n < quoted else short for n, (short, long) in enumerate(entries[:shown])))
        if more := len(entries[shown:]):
            lines.append(f"- and {more} more\n\n")
    if left := sum(len(entries[shown:]) for _, entries in sections):
        lines.append(f"{left} left out: {_LEFT_OUT}\n\n")
    return "".join((*lines, closing))


def render_markdown(review: Review) -> str:
    """Render the whole review where it fits into a comment, else as much as does, and count what is left out."""
    groups = groups_of(review.bumps)
    head = _text(_head(review, groups, files=SHOWN_FILES))
    if len(head) > MAX_CHARACTERS // 2:
        head = _text(_head(review, groups, files=1))
    if len(head) > MAX_CHARACTERS - 500:
        # Thousands of bumps: whole rows of the table, as many as fit.
        kept = head[: MAX_CHARACTERS - 100].rsplit("\n", 1)[0]
        return f"{kept}\n\nThe rest doesn't fit into a comment; `relnotes review --format json` has it."
    bodies = [body for group in groups if (body := _body(group))]
    if review.symbols:
        symbols = [
            (_text(_symbol(symbol, with_quote=False)), _text(_symbol(symbol, with_quote=True)))
            for symbol in review.symbols
        ]
        bodies.insert(0, ("#### Touched symbols\n\n", [("", symbols)], ""))
    if review.unknown:
        lines = [f"- **{markdown_text(name.name)}**: {marked_text(name.reason)}\n" for name in review.unknown]
        title = f"Not looked up: {counted(len(review.unknown), 'name')}"
        opening = f"<details>\n<summary>{title}</summary>\n\n"
        bodies.append((opening, [("", [(line, line) for line in lines])], f"\n{_CLOSING}"))
    for shown, quoted in _CUTS:
        texts = [_cut(body, shown=shown, quoted=quoted) for body in bodies]
        if len(head) + sum(map(len, texts)) <= MAX_CHARACTERS:
            return head + "".join(texts)
    # Hundreds of bumps: as many bodies as fit without an entry.
    sizes = accumulate(map(len, texts), initial=len(head))
    fitting = sum(size <= MAX_CHARACTERS - _OF_A_CUT for size in sizes) - 1
    return f"{head}{''.join(texts[:fitting])}{len(texts) - fitting} more: {_LEFT_OUT}\n"


def _head(review: Review, groups: Sequence[Bumps], *, files: int) -> Iterator[str]:
    yield from ("### Release Notes", "")
    if not groups and not review.symbols:
        yield from (nothing_found(review), "")
    if not groups:
        return
    yield "| Product | Change | File | Removed | Breaking | Deprecated | Security fixes | In use here |"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for group in groups:
        bump = group[0]
        counts = [sum(rule_of(item.kind) is rule for item in bump.items) for rule in tuple(RULE_HEADINGS)[:3]]
        used = sum(bool(item.usages) for item in bump.items)
        change = f"{markdown_text(bump.start)} → {markdown_text(bump.end)}"
        fixes = f"{len(bump.security)}{' lost' if is_downgrade(bump) and bump.security else ''}"
        numbers = " | ".join(map(str, (*counts, fixes, used)))
        places = markdown_text(places_of(group, most=files))
        yield f"| {markdown_text(bump.product)} | {change} | {places} | {numbers} |"
    yield ""


def _body(group: Bumps) -> _Body | None:
    bump = group[0]
    total = len(bump.items) + len(bump.security)
    notes = notes_of(group)
    if not (total or notes or bump.missing_releases):
        return None
    count = counted(total, "change")
    if is_downgrade(bump):
        count = f"a downgrade{f', security fixes lost: {total}' if total else ''}"
    opening = ["<details>", f"<summary>{html_text(f'{bump.product} {bump.start} → {bump.end}')}: {count}</summary>", ""]
    for note in notes:
        opening += (f"Note: {marked_text(note)}", "")
    if bump.missing_releases:
        opening += (f"No notes for {markdown_text(', '.join(bump.missing_releases))}.", "")
    sections = []
    for _, heading, items in sections_of(bump):
        entries = [(_text(item_markdown(item, with_quote=False)), _text(item_markdown(item))) for item in items]
        sections.append((f"#### {heading}\n\n", entries))
    return _text(opening), sections, _CLOSING


def _symbol(symbol: ReviewedSymbol, *, with_quote: bool) -> Iterator[str]:
    where = f"{symbol.product}, {symbol.file}:{symbol.line}"
    yield "<details>"
    yield f"<summary><code>{html_text(symbol.symbol)}</code> ({html_text(where)})</summary>"
    yield ""
    for citation in symbol.citations:
        yield f"- **{markdown_text(citation.version or citation.product)}**"
        yield from indented(evidence_markdown(citation, with_quote=with_quote))
        yield ""
    yield from ("</details>", "")


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
