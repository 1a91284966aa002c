"""A review as Markdown for a comment: a table of the bumps, and a body for each that opens on a click.

Quotes stand in code blocks, everything else of strangers is escaped, so that no document can end a body, link or
mention anyone. A comment of a forge has a limit: what doesn't fit is counted, quotes going before items.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from retrieval.reviews.model import Review, ReviewedSymbol, Unknown
from retrieval.upgrades.model import UpgradeItem
from ui.rendering.markup import evidence_markdown, html_text, indented, markdown_text, marked_text
from ui.rendering.review.findings import (
    RULE_HEADINGS,
    Bumps,
    groups_of,
    is_downgrade,
    notes_of,
    rule_of,
    sections_of,
)
from ui.rendering.upgrade import item_markdown
from ui.rendering.words import counted

MAX_CHARACTERS = 60_000
"""GitHub takes 65,536 of a comment and a bot may add words of its own."""
_LEFT_OUT = "`relnotes review --format json` has them all."
_OF_A_CUT = 80
"""Characters that a line takes which says what was left out."""
_FIRST = {"In use here": 10, "Security fixes": 5}
_CLOSING = "</details>\n\n"


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry, without and with its quote; both end in a line end."""

    short: str
    long: str


@dataclass(frozen=True, slots=True)
class _Section:
    """Entries under a heading; `first` of them go before those of other sections."""

    heading: str
    entries: tuple[_Entry, ...]
    first: int = 0


@dataclass(frozen=True, slots=True)
class _Body:
    """What opens on a click: the sections between two texts."""

    opening: str
    sections: tuple[_Section, ...]
    closing: str

    @property
    def least(self) -> int:
        """Characters where no entry is shown."""
        headings = sum(len(section.heading) + _OF_A_CUT for section in self.sections)
        return len(self.opening) + len(self.closing) + headings + _OF_A_CUT

    @property
    def wish(self) -> int:
        """Characters that all entries take with their quotes."""
        return sum(len(entry.long) for section in self.sections for entry in section.entries)


def render_markdown(review: Review) -> str:
    """The whole review where it fits into a comment, else as much of it as does, with what is left out counted."""
    groups = groups_of(review.bumps)
    head = _text(_head(review, groups))
    if len(head) > MAX_CHARACTERS - 500:
        # Thousands of bumps: whole rows of the table, as many as fit.
        kept = head[: MAX_CHARACTERS - 100].rsplit("\n", 1)[0]
        return f"{kept}\n\nThe rest doesn't fit into a comment; `relnotes review --format json` has it."
    bodies = [body for group in groups if (body := _body(group))]
    if review.symbols:
        symbols = tuple(
            _Entry(*(_text(_symbol(symbol, with_quote=quoted)) for quoted in (False, True)))
            for symbol in review.symbols
        )
        bodies.append(_Body("#### Touched symbols\n\n", (_Section("", symbols),), ""))
    if review.unknown:
        bodies.append(_unknown(review.unknown))
    return head + _fitted(bodies, MAX_CHARACTERS - len(head))


def _head(review: Review, groups: Sequence[Bumps]) -> Iterator[str]:
    yield from ("### Release Notes", "")
    if not groups and not review.symbols:
        yield from ("The release notes say nothing about what this diff changes.", "")
    if not groups:
        return
    yield "| Product | Change | File | Removed | Breaking | Deprecated | Security fixes | In use here |"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for group in groups:
        bump = group[0]
        counts = [sum(rule_of(item.kind) is rule for item in bump.items) for rule in tuple(RULE_HEADINGS)[:3]]
        used = sum(bool(item.usages) for item in bump.items)
        change = f"{markdown_text(bump.start)} → {markdown_text(bump.end)}"
        files = ", ".join(markdown_text(f"{reviewed.bump.file}:{reviewed.bump.line}") for reviewed in group)
        fixes = f"{len(bump.security)}{' lost' if is_downgrade(bump) and bump.security else ''}"
        numbers = " | ".join(map(str, (*counts, fixes, used)))
        yield f"| {markdown_text(bump.product)} | {change} | {files} | {numbers} |"
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
    opening = [
        "<details>",
        f"<summary>{html_text(f'{bump.product} {bump.start} → {bump.end}')}: {count}</summary>",
        "",
    ]
    for note in notes:
        opening += (f"Note: {marked_text(note)}", "")
    if bump.missing_releases:
        opening += (f"No notes for {markdown_text(', '.join(bump.missing_releases))}.", "")
    sections = (
        _Section(f"#### {heading}\n\n", tuple(map(_item, items)), _FIRST.get(heading.removesuffix(" lost"), 0))
        for _, heading, items in sections_of(bump)
    )
    return _Body(_text(opening), tuple(sections), _CLOSING)


def _item(item: UpgradeItem) -> _Entry:
    place = item.citation.version or item.citation.product
    return _Entry(*(_text(item_markdown(item, place=place, with_quote=quoted)) for quoted in (False, True)))


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


def _unknown(unknown: Sequence[Unknown]) -> _Body:
    lines = (f"- **{markdown_text(name.name)}**: {marked_text(name.reason)}\n" for name in unknown)
    opening = f"<details>\n<summary>No release notes for {counted(len(unknown), 'name')}</summary>\n\n"
    return _Body(opening, (_Section("", tuple(_Entry(line, line) for line in lines)),), f"\n{_CLOSING}")


def _fitted(bodies: Sequence[_Body], characters: int) -> str:
    """The bodies within a length, each with its share of it; where not even their bare frames fit, those that do."""
    kept: list[_Body] = []
    left = characters - _OF_A_CUT
    for body in bodies:
        if body.least > left:
            break
        kept.append(body)
        left -= body.least
    shown: dict[int, str] = {}
    # What a short body leaves of its share goes to the others.
    for rank, n in enumerate(sorted(range(len(kept)), key=lambda n: kept[n].wish)):
        share = min(kept[n].wish, left // (len(kept) - rank))
        shown[n] = _shown(kept[n], share)
        left -= share
    more = len(bodies) - len(kept)
    text = "".join(shown[n] for n in range(len(kept)))
    return f"{text}{more} more: {_LEFT_OUT}\n" if more else text


def _shown(body: _Body, left: int) -> str:
    """The body with as many entries as fit, and their quotes where there is room after that.

    First what goes first of each section, then one of each section at a time.
    """
    order = [entry for section in body.sections for entry in section.entries[: section.first]]
    order += _in_turn([section.entries[section.first :] for section in body.sections])
    shown: dict[int, str] = {}
    for entry in order:
        if len(entry.short) <= left:
            shown[id(entry)] = entry.short
            left -= len(entry.short)
    for entry in order:
        if id(entry) in shown and len(entry.long) - len(entry.short) <= left:
            shown[id(entry)] = entry.long
            left -= len(entry.long) - len(entry.short)
    lines = [body.opening]
    for section in body.sections:
        texts = [shown[id(entry)] for entry in section.entries if id(entry) in shown]
        lines += [section.heading, *texts]
        if more := len(section.entries) - len(texts):
            lines.append(f"- and {more} more\n\n")
    if more := len(order) - len(shown):
        lines.append(f"{more} left out: {_LEFT_OUT}\n\n")
    return "".join((*lines, body.closing))


def _in_turn(rows: Sequence[Sequence[_Entry]]) -> Iterator[_Entry]:
    for n in range(max(map(len, rows), default=0)):
        yield from (row[n] for row in rows if n < len(row))


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
