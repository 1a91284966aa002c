"""A review as Markdown for a comment: a table of the bumps, and a body for each that opens on a click.

Quotes stand in code blocks, everything else of strangers is escaped, so that no document can end a body, link or
mention anyone. A comment of a forge has a limit: what doesn't fit is counted, quotes going before items.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from retrieval.code_usage.model import Usage
from retrieval.model import Citation
from retrieval.reviews.model import Review, ReviewedBump, ReviewedSymbol, Unknown
from retrieval.upgrades.model import UpgradeItem
from ui.review_formats.disarming import fenced, html_text, markdown_text, web_address
from ui.review_formats.findings import Rule, place_of, rule_of

MAX_CHARACTERS = 60_000
"""GitHub takes 65,536 of a comment and a bot may add words of its own."""

_HEADINGS = {
    Rule.REMOVAL: "Removed",
    Rule.BREAKING: "Breaking",
    Rule.DEPRECATION: "Deprecated",
}
_SHOWN_USAGES = 5


@dataclass(frozen=True, slots=True)
class _Detail:
    """How much is shown; each step down is shorter."""

    with_quotes: bool
    max_items: int
    """Of one bump, of the symbols, of the unknown."""


_DETAILS = (
    _Detail(with_quotes=True, max_items=1_000),
    _Detail(with_quotes=True, max_items=40),
    _Detail(with_quotes=True, max_items=10),
    _Detail(with_quotes=False, max_items=40),
    _Detail(with_quotes=False, max_items=10),
    _Detail(with_quotes=False, max_items=2),
    _Detail(with_quotes=False, max_items=0),
)


def render_markdown(review: Review) -> str:
    """The whole review where it fits into a comment, else as much of it as does, with what is left out counted."""
    groups = _groups(review.bumps)
    for detail in _DETAILS:
        text = "\n".join(_lines(review, groups, detail))
        if len(text) <= MAX_CHARACTERS:
            return text
    # Thousands of bumps: whole rows of the table, as many as fit.
    kept = text[: MAX_CHARACTERS - 100].rsplit("\n", 1)[0]
    return f"{kept}\n\nThe rest doesn't fit into a comment; `relnotes review --format json` has it."


_Group = tuple[ReviewedBump, ...]


def _groups(bumps: Iterable[ReviewedBump]) -> tuple[_Group, ...]:
    """Bumps that several files make alike, together, in the order of the first."""
    groups: dict[tuple[str, str, str], list[ReviewedBump]] = {}
    for bump in bumps:
        groups.setdefault((bump.product, bump.start, bump.end), []).append(bump)
    return tuple(tuple(group) for group in groups.values())


def _lines(review: Review, groups: Sequence[_Group], detail: _Detail) -> Iterator[str]:
    yield "### Release Notes"
    yield ""
    if not groups and not review.symbols:
        yield "Nothing in this diff that the indexed release notes speak of."
        yield ""
    if groups:
        yield from _table(groups)
    for group in groups:
        yield from _body(group, detail)
    if review.symbols:
        yield from _symbols(review.symbols, detail)
    if review.unknown:
        yield from _unknown(review.unknown, detail)


def _table(groups: Sequence[_Group]) -> Iterator[str]:
    yield "| Product | Change | File | Removed | Breaking | Deprecated | Security fixes | In use here |"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for group in groups:
        bump = group[0]
        counts = [sum(rule_of(item.kind) is rule for item in bump.items) for rule in _HEADINGS]
        used = sum(bool(item.usages) for item in bump.items)
        change = f"{markdown_text(bump.start)} → {markdown_text(bump.end)}"
        files = ", ".join(markdown_text(f"{one.bump.file}:{one.bump.line}") for one in group)
        numbers = " | ".join(map(str, (*counts, len(bump.security), used)))
        yield f"| {markdown_text(bump.product)} | {change} | {files} | {numbers} |"
    yield ""


def _body(group: _Group, detail: _Detail) -> Iterator[str]:
    bump = group[0]
    total = len(bump.items) + len(bump.security)
    notes = tuple(dict.fromkeys(note for one in group for note in one.notes))
    if not (total or notes or bump.missing_releases):
        return
    counted = f"{total} {'change' if total == 1 else 'changes'}"
    yield "<details>"
    yield f"<summary>{html_text(f'{bump.product} {bump.start} → {bump.end}')}: {counted}</summary>"
    yield ""
    for note in notes:
        yield from (f"Note: {markdown_text(note)}", "")
    if bump.missing_releases:
        yield from (f"No notes in the index for {markdown_text(', '.join(bump.missing_releases))}.", "")
    left = detail.max_items
    for heading, items in _sections(bump):
        shown = items[:left]
        left -= len(shown)
        if shown:
            yield from (f"#### {heading}", "")
        for item in shown:
            yield from _item(item, detail)
    yield from _left_out(total - min(total, detail.max_items))
    yield from ("</details>", "")


def _sections(bump: ReviewedBump) -> Iterator[tuple[str, Sequence[UpgradeItem]]]:
    """The items under their headings: first what the repository uses, then by kind, what the range mends last."""
    yield "In use here", [item for item in bump.items if item.usages]
    unused = sorted((item for item in bump.items if not item.usages), key=lambda item: _rank(rule_of(item.kind)))
    for rule, items in groupby(unused, key=lambda item: rule_of(item.kind)):
        yield _HEADINGS.get(rule, "Security"), list(items)
    yield "Security fixes", bump.security


def _rank(rule: Rule) -> int:
    return [*_HEADINGS, Rule.SECURITY].index(rule)


def _item(item: UpgradeItem, detail: _Detail) -> Iterator[str]:
    yield f"- **{markdown_text(item.citation.version or item.citation.product)}**: {markdown_text(item.summary)}"
    yield from _indented(_evidence(item.citation, detail))
    if item.usages:
        yield from _indented(("", f"Used in {_usages(item.usages)}"))
    if item.repeated_in:
        yield from _indented(("", f"Told again in {markdown_text(', '.join(item.repeated_in))}"))
    yield ""


def _usages(usages: Sequence[Usage]) -> str:
    places = [markdown_text(f"{usage.file}:{usage.line}") for usage in usages[:_SHOWN_USAGES]]
    more = len(usages) - len(places)
    return ", ".join(places) + (f" and {more} more" if more else "")


def _evidence(citation: Citation, detail: _Detail) -> Iterator[str]:
    if detail.with_quotes:
        yield from ("", *fenced(citation.quote))
    place = markdown_text(place_of(citation))
    address = web_address(citation.url)
    yield from (
        "",
        f"[{place}]({address}) ({citation.authority.value})" if address else f"{place} ({citation.authority.value})",
    )


def _symbols(symbols: Sequence[ReviewedSymbol], detail: _Detail) -> Iterator[str]:
    yield "#### Touched symbols"
    yield ""
    for symbol in symbols[: detail.max_items]:
        where = f"{symbol.product}, {symbol.file}:{symbol.line}"
        yield "<details>"
        yield f"<summary><code>{html_text(symbol.symbol)}</code> ({html_text(where)})</summary>"
        yield ""
        for citation in symbol.citations:
            yield f"- **{markdown_text(citation.version or citation.product)}**"
            yield from _indented(_evidence(citation, detail))
            yield ""
        yield from ("</details>", "")
    yield from _left_out(len(symbols) - min(len(symbols), detail.max_items))


def _unknown(unknown: Sequence[Unknown], detail: _Detail) -> Iterator[str]:
    yield "<details>"
    yield f"<summary>Not covered by the index: {len(unknown)}</summary>"
    yield ""
    for one in unknown[: detail.max_items]:
        yield f"- **{markdown_text(one.name)}**: {markdown_text(one.reason)}"
    yield ""
    yield from _left_out(len(unknown) - min(len(unknown), detail.max_items))
    yield from ("</details>", "")


def _left_out(count: int) -> Iterator[str]:
    if count:
        yield from (f"{count} more: `relnotes review --format json` has them all.", "")


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" if line else "" for line in lines)
