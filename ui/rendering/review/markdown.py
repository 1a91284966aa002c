"""A review as Markdown for a comment: a table of the bumps, and a body for each that opens on a click.

Quotes are in code blocks, and all other untrusted text is escaped, so that no document can close a body, link or
mention anyone. Forges limit comments: bodies that don't fit are left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from corpus.model import Change
from retrieval.reviews.model import Review, ReviewedSymbol, Unknown
from ui.rendering.markup import evidence_markdown, html_text, in_list, markdown_text, marked_text
from ui.rendering.review.findings import (
    MAX_BUMP_ITEMS,
    Bumps,
    Rule,
    groups_of,
    is_downgrade,
    notes_of,
    places_of,
    rule_of,
)
from ui.rendering.upgrade import CHANGE_WORDS, item_markdown, sections_of
from ui.rendering.words import counted

MAX_CHARACTERS = 60_000  # GitHub takes 65,536 in a comment, and a bot may add its own words.
_CUT_NOTE_CHARACTERS = 100  # Room for the line that counts what was left out.
_MAX_ROWS = 50
_MAX_UNKNOWN = 100
_COUNTED = (Rule.REMOVAL, Rule.BREAKING, Rule.DEPRECATION)
_ALL = "`relnotes review --format json` has them all"


def render_markdown(review: Review) -> str:
    """Render the review, or as many of its bodies as fit into a comment and a count of the rest."""
    groups = groups_of(review.bumps)
    head = "".join(_table(review, groups))
    symbols = ["#### Touched symbols\n\n", *(_join_lines(_symbol_lines(symbol)) for symbol in review.symbols)]
    bodies = symbols if review.symbols else []
    bodies += [text for group in groups if (text := _join_lines(_bump_lines(group)))]
    if review.unknown:
        bodies.append(_join_lines(_unknown_lines(review.unknown)))
    room = MAX_CHARACTERS - len(head) - _CUT_NOTE_CHARACTERS
    fitting = sum(size <= room for size in accumulate(map(len, bodies)))
    more = len(bodies) - fitting
    return "".join((head, *bodies[:fitting], f"{more} more: {_ALL}.\n" if more else ""))


def _unknown_lines(unknown: Sequence[Unknown]) -> Iterator[str]:
    yield from ("<details>", f"<summary>Not looked up: {counted(len(unknown), 'name')}</summary>", "")
    yield from (f"- **{markdown_text(entry.name)}**: {marked_text(entry.reason)}" for entry in unknown[:_MAX_UNKNOWN])
    if len(unknown) > _MAX_UNKNOWN:
        yield f"- {len(unknown) - _MAX_UNKNOWN} more: {_ALL}."
    yield from ("", "</details>", "")


def _table(review: Review, groups: Sequence[Bumps]) -> Iterator[str]:
    yield "### Release Notes\n\n"
    if not groups and not review.symbols:
        more = "; some of it couldn't be looked up" if review.unknown else ""
        yield f"The release notes say nothing about what this diff changes{more}.\n\n"
    if not groups:
        return
    yield "| Product | Change | File | Removed | Breaking | Deprecated | Security fixes | In use here |\n"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |\n"
    for group in groups[:_MAX_ROWS]:
        bump = group[0]
        counts = [sum(rule_of(item.kind) is rule for item in bump.items) for rule in _COUNTED]
        used = sum(bool(item.usages) for item in bump.items)
        change = f"{markdown_text(bump.start)} → {markdown_text(bump.end)}"
        fixes = f"{len(bump.security)}{' lost' if is_downgrade(bump) and bump.security else ''}"
        numbers = " | ".join(map(str, (*counts, fixes, used)))
        places = markdown_text(places_of(group))
        yield f"| {markdown_text(bump.product)} | {change} | {places} | {numbers} |\n"
    if len(groups) > _MAX_ROWS:
        yield f"| {len(groups) - _MAX_ROWS} more: {_ALL} |\n"
    yield "\n"


def _bump_lines(group: Bumps) -> Iterator[str]:
    bump = group[0]
    total = len(bump.items) + len(bump.security)
    notes = notes_of(group)
    if not (total or notes or bump.missing_releases):
        return
    count = counted(total, "change")
    if is_downgrade(bump):
        count = f"a downgrade{f', security fixes lost: {total}' if total else ''}"
    move = html_text(f"{bump.product} {bump.start} → {bump.end}")
    yield from ("<details>", f"<summary>{move}: {count}</summary>", "")
    for note in notes:
        yield from (f"Note: {marked_text(note)}", "")
    if bump.missing_releases:
        yield from (f"No notes for {markdown_text(', '.join(bump.missing_releases))}.", "")
    left = MAX_BUMP_ITEMS
    for change, items in sections_of((*bump.items, *bump.security)):
        is_lost = change is Change.SECURITY and is_downgrade(bump)
        yield from (f"#### {CHANGE_WORDS[change]}{' lost' * is_lost}", "") if left > 0 else ()
        for item in items[: max(left, 0)]:
            yield from item_markdown(item)
        left -= len(items)
    if total > MAX_BUMP_ITEMS:
        yield from (f"{total - MAX_BUMP_ITEMS} more: {_ALL}.", "")
    yield from ("</details>", "")


def _symbol_lines(symbol: ReviewedSymbol) -> Iterator[str]:
    where = f"{symbol.product}, {symbol.file}:{symbol.line}"
    yield from ("<details>", f"<summary><code>{html_text(symbol.symbol)}</code> ({html_text(where)})</summary>", "")
    for citation in symbol.citations:
        yield f"- **{markdown_text(citation.version or citation.product)}**"
        yield from in_list(evidence_markdown(citation))
        yield ""
    yield from ("</details>", "")


def _join_lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
