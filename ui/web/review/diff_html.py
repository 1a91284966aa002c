"""A review as HTML: the lines of a diff, and beside each what the release notes say of it."""

from collections.abc import Sequence
from itertools import groupby

from corpus.dependencies.model import Line
from retrieval.reviews.diff import Diff
from retrieval.reviews.model import Review, ReviewedBump, ReviewedSymbol, Unknown
from retrieval.upgrades.model import Change, UpgradeItem
from ui.cli.review_choices import ReviewFormat
from ui.rendering.review_formats import render_review
from ui.rendering.review_formats.findings import is_downgrade
from ui.rendering.review_formats.markdown import groups_of
from ui.rendering.upgrade_kinds import CHANGE_WORDS, counted
from ui.web.citation_cards import quote_words, render_evidence, render_words
from ui.web.escaping import escape
from ui.web.export_html import page_query, render_export, render_head
from ui.web.review.diff_lines import lines_at
from ui.web.surroundings import Around
from ui.web.upgrade.changes_html import render_evidence_of, render_gaps, render_notes
from ui.web.upgrade.timeline_html import change_mark

_FIRST = 6
_MOST = 60
"""Of one bump; the Upgrade tab has them all."""
_SHOWN_USAGES = 3


def render_review_html(review: Review, diff: Diff, around: Around) -> str:
    """The whole review of `diff`."""
    groups = groups_of(review.bumps)
    files = counted(len({one.path for one in diff.files}), "file")
    found = [
        counted(len(groups), "bump") if groups else "",
        counted(len(review.symbols), "touched symbol") if review.symbols else "",
    ]
    told = " and ".join(filter(None, found))
    said = f"The notes speak of {told}." if told else "Nothing in it that the indexed release notes speak of."
    missing = f" {counted(len(review.unknown), 'name')} not covered." if review.unknown else ""
    export = render_export(render_review(review, ReviewFormat.MARKDOWN) + "\n", file_name="review.md")
    symbols = "".join(
        _symbols(tuple(on_line), diff, around)
        for _, on_line in groupby(review.symbols, key=lambda one: (one.file, one.line))
    )
    return (
        f'<section class="rn-review" aria-label="Review">{render_head("Review of the diff", export)}'
        f'<p class="rn-summary" data-announce="{escape(said + missing)}">'
        f"Read as a diff of {files}. {said}{missing}</p>"
        + "".join(_bump(group, diff, around) for group in groups)
        + (f'<h3 class="rn-part">Touched symbols</h3>{symbols}' if symbols else "")
        + _unknown(review.unknown)
        + "</section>"
    )


def _bump(group: Sequence[ReviewedBump], diff: Diff, around: Around) -> str:
    bump = group[0]
    places = "".join(
        _place(one.bump.file, one.bump.line, diff, naming=one.bump.end or one.bump.start or one.bump.name)
        for one in group
    )
    notes = tuple(dict.fromkeys(note for one in group for note in one.notes))
    title = escape(f"{bump.product} {bump.start} → {bump.end}")
    fixes = counted(len(bump.security), "security fix", "security fixes") if bump.security else ""
    if is_downgrade(bump):
        count = f"A downgrade{f': {fixes} lost' if fixes else ''}."
    else:
        count = f"{counted(len(bump.items), 'change')} to mind{f', {fixes} to gain' if fixes else ''}. {_link(bump)}"
    security = sorted(bump.security, key=lambda item: not item.usages)
    return _row(
        places,
        f'<h3>{title}</h3><p class="rn-about">{count}</p>{render_gaps(bump.missing_releases)}{render_notes(notes)}'
        f"{_changes((*bump.items, *security), around)}",
    )


def _link(bump: ReviewedBump) -> str:
    query = page_query("upgrade", **{"product": bump.product, "from": bump.start, "to": bump.end})
    return f'<a href="{escape(query)}">Open in Upgrade</a>'


def _changes(items: Sequence[UpgradeItem], around: Around) -> str:
    shown = [f"<li>{_change(item, around)}</li>" for item in items[:_MOST]]
    first, more = shown[:_FIRST], shown[_FIRST:]
    left = len(items) - len(shown)
    rest = f'<p class="rn-about">{left:,} more are in Upgrade.</p>' if left else ""
    return (f'<ul class="rn-changes">{"".join(first)}</ul>' if first else "") + (
        f'<details class="rn-more"><summary>{len(more) + left:,} more</summary>'
        f'<ul class="rn-changes">{"".join(more)}</ul>{rest}</details>'
        if more
        else ""
    )


def _change(item: UpgradeItem, around: Around) -> str:
    used = [f"{usage.file}:{usage.line}" for usage in item.usages[:_SHOWN_USAGES]]
    more = f" and {len(item.usages) - _SHOWN_USAGES} more" if len(item.usages) > _SHOWN_USAGES else ""
    places = escape(", ".join(used))
    usage = f'<p class="rn-used"><strong>In use here:</strong> {places}{more}</p>' if used else ""
    card = render_evidence_of(item, around, about=item.citation.version or "", mark=_kind(item.change))
    return card + usage


def _kind(change: Change) -> str:
    return f'<span class="rn-what">{change_mark(change)} {CHANGE_WORDS[change]}</span>'


def _symbols(on_line: Sequence[ReviewedSymbol], diff: Diff, around: Around) -> str:
    first = on_line[0]
    place = _place(first.file, first.line, diff, naming=first.symbol.rpartition(".")[2])
    told = "".join(
        f"<h4><code>{escape(one.symbol)}</code> "
        f'<span class="rn-about">{escape(one.product)}</span></h4><ul class="rn-changes">'
        + "".join(
            "<li>"
            + render_evidence(cited, around(cited), words=quote_words(cited.quote), about=cited.version or "")
            + "</li>"
            for cited in one.citations
        )
        + "</ul>"
        for one in on_line
    )
    return _row(place, told)


def _row(left: str, right: str) -> str:
    return f'<div class="rn-beside"><div class="rn-left">{left}</div><div class="rn-right">{right}</div></div>'


def _place(file: str, number: int, diff: Diff, *, naming: str) -> str:
    shown = lines_at(diff, file, number, naming=naming)
    lines = _line("-", "rn-removed", shown.removed) + _line("+", "rn-added", shown.added)
    code = f'<pre class="rn-diff" tabindex="0">{lines}</pre>' if lines else ""
    return f'<p class="rn-at">{escape(file)}:{number}</p>{code}'


def _line(sign: str, style: str, line: Line | None) -> str:
    return "" if line is None else f'<span class="{style}">{sign} {escape(line.text)}</span>'


def _unknown(unknown: Sequence[Unknown]) -> str:
    if not unknown:
        return ""
    lines = "".join(f"<li><strong>{escape(one.name)}</strong>: {render_words(one.reason)}</li>" for one in unknown)
    return f'<h3 class="rn-part">Not covered by the index</h3><ul class="rn-unknown">{lines}</ul>'
