"""A review as Markdown for a comment: a table of the bumps, and a body for each that opens on a click.

Quotes stand in code blocks, everything else of strangers is escaped, so that no document can end a body, link or
mention anyone. A comment of a forge has a limit: what doesn't fit is counted, quotes going before items.
"""

from collections.abc import Iterable, Iterator, Sequence

from corpus.versions import Version
from retrieval.code_usage.model import Usage
from retrieval.model import Citation
from retrieval.reviews.model import Review, ReviewedBump, ReviewedSymbol, Unknown
from retrieval.upgrades.model import UpgradeItem
from ui.rendering.review_formats.disarming import fenced, html_text, markdown_text, marked_text, web_address
from ui.rendering.review_formats.findings import Rule, is_downgrade, place_of, rule_of
from ui.rendering.review_formats.fitting import Fold, ItemGroup, ItemText, fit_blocks

MAX_CHARACTERS = 60_000
"""GitHub takes 65,536 of a comment and a bot may add words of its own."""

_HEADINGS = {
    Rule.REMOVAL: "Removed",
    Rule.BREAKING: "Breaking",
    Rule.DEPRECATION: "Deprecated",
    Rule.SECURITY: "Security",
}
_SHOWN_USAGES = 5
_FIRST_USED = 10
_FIRST_SECURITY = 5
_CLOSING = "</details>\n\n"
Group = tuple[ReviewedBump, ...]


def render_markdown(review: Review) -> str:
    """The whole review where it fits into a comment, else as much of it as does, with what is left out counted."""
    groups = groups_of(review.bumps)
    head = "".join(f"{line}\n" for line in _head(review, groups))
    if len(head) > MAX_CHARACTERS - 500:
        # Thousands of bumps: whole rows of the table, as many as fit.
        kept = head[: MAX_CHARACTERS - 100].rsplit("\n", 1)[0]
        return f"{kept}\n\nThe rest doesn't fit into a comment; `relnotes review --format json` has it."
    blocks = [block for group in groups if (block := _body(group))]
    if review.symbols:
        blocks.append(_symbols(review.symbols))
    if review.unknown:
        blocks.append(_unknown(review.unknown))
    return head + fit_blocks(blocks, MAX_CHARACTERS - len(head))


def groups_of(bumps: Iterable[ReviewedBump]) -> tuple[Group, ...]:
    """Bumps that several files make alike, together, in the order of the first; `4.2` and `4.2.0` are alike."""
    groups: dict[tuple[str, Version | str, Version | str], list[ReviewedBump]] = {}
    for bump in bumps:
        start, end = Version.try_parse(bump.start) or bump.start, Version.try_parse(bump.end) or bump.end
        groups.setdefault((bump.product, start, end), []).append(bump)
    return tuple(tuple(group) for group in groups.values())


def _head(review: Review, groups: Sequence[Group]) -> Iterator[str]:
    yield from ("### Release Notes", "")
    if not groups and not review.symbols:
        yield from ("Nothing in this diff that the indexed release notes speak of.", "")
    if not groups:
        return
    yield "| Product | Change | File | Removed | Breaking | Deprecated | Security fixes | In use here |"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for group in groups:
        bump = group[0]
        counts = [sum(rule_of(item.kind) is rule for item in bump.items) for rule in tuple(_HEADINGS)[:3]]
        used = sum(bool(item.usages) for item in bump.items)
        change = f"{markdown_text(bump.start)} → {markdown_text(bump.end)}"
        files = ", ".join(markdown_text(f"{one.bump.file}:{one.bump.line}") for one in group)
        fixes = f"{len(bump.security)}{' lost' if is_downgrade(bump) and bump.security else ''}"
        numbers = " | ".join(map(str, (*counts, fixes, used)))
        yield f"| {markdown_text(bump.product)} | {change} | {files} | {numbers} |"
    yield ""


def _body(group: Group) -> Fold | None:
    bump = group[0]
    total = len(bump.items) + len(bump.security)
    notes = tuple(dict.fromkeys(note for one in group for note in one.notes))
    if not (total or notes or bump.missing_releases):
        return None
    counted = f"{total} {'change' if total == 1 else 'changes'}"
    if is_downgrade(bump):
        counted = f"a downgrade{f', security fixes lost: {total}' if total else ''}"
    opening = [
        "<details>",
        f"<summary>{html_text(f'{bump.product} {bump.start} → {bump.end}')}: {counted}</summary>",
        "",
    ]
    for note in notes:
        opening += (f"Note: {marked_text(note)}", "")
    if bump.missing_releases:
        opening += (f"No notes in the index for {markdown_text(', '.join(bump.missing_releases))}.", "")
    return Fold("".join(f"{line}\n" for line in opening), tuple(_sections(bump)), _CLOSING)


def _sections(bump: ReviewedBump) -> Iterator[ItemGroup]:
    """The items under their headings: what the repository uses, what the range mends, then the others by kind."""
    lost = " lost" if is_downgrade(bump) else ""
    used = [item for item in bump.items if item.usages]
    unused = {
        rule: [item for item in bump.items if not item.usages and rule_of(item.kind) is rule] for rule in _HEADINGS
    }
    listed = (
        ("In use here", used, _FIRST_USED),
        (f"Security fixes{lost}", sorted(bump.security, key=lambda item: not item.usages), _FIRST_SECURITY),
        *((_HEADINGS[rule], items, 0) for rule, items in unused.items()),
    )
    for heading, items, first in listed:
        if items:
            yield ItemGroup(f"#### {heading}\n\n", tuple(map(_item, items)), first)


def _item(item: UpgradeItem) -> ItemText:
    return ItemText(
        *("".join(f"{line}\n" for line in _item_lines(item, with_quote=quoted)) for quoted in (False, True))
    )


def _item_lines(item: UpgradeItem, *, with_quote: bool) -> Iterator[str]:
    yield f"- **{markdown_text(item.citation.version or item.citation.product)}**: {marked_text(item.summary)}"
    yield from _indented(_evidence(item.citation, with_quote=with_quote))
    if item.usages:
        yield from _indented(("", f"Used in {_usages(item.usages)}"))
    if item.repeated_in:
        yield from _indented(("", f"Told again in {markdown_text(', '.join(item.repeated_in))}"))
    yield ""


def _usages(usages: Sequence[Usage]) -> str:
    places = [markdown_text(f"{usage.file}:{usage.line}") for usage in usages[:_SHOWN_USAGES]]
    more = len(usages) - len(places)
    return ", ".join(places) + (f" and {more} more" if more else "")


def _evidence(citation: Citation, *, with_quote: bool) -> Iterator[str]:
    if with_quote:
        yield from ("", *fenced(citation.quote))
    place = markdown_text(place_of(citation))
    address = web_address(citation.url)
    yield from (
        "",
        f"[{place}]({address}) ({citation.authority.value})" if address else f"{place} ({citation.authority.value})",
    )


def _symbols(symbols: Sequence[ReviewedSymbol]) -> Fold:
    pieces = (
        ItemText(*("".join(f"{line}\n" for line in _symbol(one, with_quote=quoted)) for quoted in (False, True)))
        for one in symbols
    )
    return Fold("#### Touched symbols\n\n", (ItemGroup("", tuple(pieces)),), "")


def _symbol(symbol: ReviewedSymbol, *, with_quote: bool) -> Iterator[str]:
    where = f"{symbol.product}, {symbol.file}:{symbol.line}"
    yield "<details>"
    yield f"<summary><code>{html_text(symbol.symbol)}</code> ({html_text(where)})</summary>"
    yield ""
    for citation in symbol.citations:
        yield f"- **{markdown_text(citation.version or citation.product)}**"
        yield from _indented(_evidence(citation, with_quote=with_quote))
        yield ""
    yield from ("</details>", "")


def _unknown(unknown: Sequence[Unknown]) -> Fold:
    lines = (f"- **{markdown_text(one.name)}**: {marked_text(one.reason)}\n" for one in unknown)
    pieces = tuple(ItemText(line, line) for line in lines)
    opening = f"<details>\n<summary>Not covered by the index: {len(unknown)}</summary>\n\n"
    return Fold(opening, (ItemGroup("", pieces),), f"\n{_CLOSING}")


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" if line else "" for line in lines)
