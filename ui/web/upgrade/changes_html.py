"""An upgrade as HTML: how much there is, a timeline, filters, and the changes by release and kind.

The filters work in the browser (`scripts/changes.js`): each change carries its kind, each section hides when empty.
"""

from collections import Counter
from collections.abc import Sequence

from corpus.catalogue import CatalogueProduct
from retrieval.upgrades.model import Change, Upgrade, UpgradeItem, UpgradeRelease
from ui.rendering.upgrade_kinds import CHANGE_WORDS, counted, counted_changes, group_items
from ui.rendering.upgrade_markdown import render_upgrade_markdown
from ui.web.citation_cards import render_date, render_evidence, render_words
from ui.web.escaping import escape
from ui.web.export_html import file_name_of, page_query, render_export, render_head
from ui.web.surroundings import Around
from ui.web.upgrade.timeline import read_timeline
from ui.web.upgrade.timeline_html import change_mark, render_timeline

_RELEASE = "rn-release-"


def render_upgrade_html(upgrade: Upgrade, product: CatalogueProduct, around: Around) -> str:
    """The whole upgrade of `product`, every quote in its surroundings."""
    title = f"{upgrade.product} {upgrade.start} → {upgrade.end}"
    changes = [item for release in upgrade.releases for item in release.items]
    everything = [*changes, *upgrade.security]
    export = render_export(
        render_upgrade_markdown(upgrade),
        file_name=file_name_of(upgrade.product, upgrade.start, upgrade.end),
        link=page_query("upgrade", **{"product": upgrade.product, "from": upgrade.start, "to": upgrade.end}),
    )
    return (
        f'<section class="rn-upgrade" aria-label="Upgrade">{render_head(title, export)}'
        f"{_summary(upgrade, changes, title)}{_cautions(upgrade)}"
        f"{render_timeline(read_timeline(product, upgrade), title=title, prefix=_RELEASE)}"
        f"{_filters(everything) if len(everything) > 1 else ''}"
        f"{''.join(_release(release, around) for release in upgrade.releases)}"
        f"{_security(upgrade.security, around)}</section>"
    )


def render_upgrade_hint(products: Sequence[CatalogueProduct]) -> str:
    """What the tab shows before it is used."""
    if not products:
        return '<p class="rn-hint">The index is empty. Add release notes with <code>relnotes ingest</code>.</p>'
    return (
        '<p class="rn-hint">Pick a product, the version you run and the one you want. The list has everything that the '
        "notes in between say breaks, is removed or deprecated, changes a default or needs action, each with its "
        "quote.</p>"
    )


def render_evidence_of(item: UpgradeItem, around: Around, *, about: str, mark: str = "") -> str:
    """A change as a card: its summary outside, with `mark` before and `about` after it, its quote inside."""
    again = f"again in {', '.join(item.repeated_in)}" if item.repeated_in else ""
    told = " · ".join(filter(None, (about, again)))
    return render_evidence(item.citation, around(item.citation), words=item.summary, about=told, mark=mark)


def render_gaps(missing: Sequence[str]) -> str:
    """The releases without notes, and what that means; nothing where there are none."""
    if not missing:
        return ""
    named = escape(", ".join(missing))
    said = f"<strong>Without notes in the index:</strong> {named}. What they break isn't listed here."
    return f'<p class="rn-gap">{said}</p>'


def render_notes(notes: Sequence[str]) -> str:
    """What is to be known of a list, one line each."""
    lines = "".join(f"<li>{render_words(note)}</li>" for note in notes)
    return f'<ul class="rn-notes">{lines}</ul>' if lines else ""


def _summary(upgrade: Upgrade, changes: Sequence[UpgradeItem], title: str) -> str:
    counts = Counter(item.change for item in changes)
    kinds = counted_changes((change, counts[change]) for change in CHANGE_WORDS)
    where = f" in {counted(len(upgrade.releases), 'release')}"
    said = f"{counted(len(changes), 'change')} to mind{where}: {kinds}." if kinds else "Nothing to mind in these notes."
    if upgrade.security:
        said += f" {counted(len(upgrade.security), 'security fix', 'security fixes')} to gain."
    return f'<p class="rn-summary" data-announce="{escape(f"{title}. {said}")}">{said}</p>'


def _cautions(upgrade: Upgrade) -> str:
    return render_gaps(upgrade.missing_releases) + render_notes(upgrade.notes)


def _filters(items: Sequence[UpgradeItem]) -> str:
    counts = Counter(item.change for item in items)
    chips = "".join(
        f'<label class="rn-pick"><input type="checkbox" data-filter="{change.value}">{change_mark(change)} '
        f"{words} <span>{counts[change]}</span></label>"
        for change, words in CHANGE_WORDS.items()
        if counts[change]
    )
    return (
        f'<div class="rn-filter"><fieldset><legend>Show only</legend>{chips}</fieldset>'
        '<label class="rn-find"><span>Containing</span><input type="search" data-filter-text autocomplete="off" '
        'placeholder="A word, a symbol, a version"></label>'
        f'<p class="rn-shown" role="status" data-shown>All {counted(len(items), "entry", "entries")} shown</p></div>'
    )


def _release(release: UpgradeRelease, around: Around) -> str:
    groups = "".join(
        f'<div class="rn-kind" data-group><h4>{change_mark(change)} {CHANGE_WORDS[change]} '
        f'<span class="rn-many">{len(items)}</span></h4><ul class="rn-changes">{_items(items, around)}</ul></div>'
        for change, items in group_items(release.items, by=lambda item: item.change)
    )
    version = escape(release.version)
    return (
        f'<section class="rn-release" data-group id="{escape(_RELEASE + release.version)}" tabindex="-1">'
        f'<h3>{version} <span class="rn-about">{render_date(release.date)}</span></h3>{groups}</section>'
    )


def _security(items: Sequence[UpgradeItem], around: Around) -> str:
    if not items:
        return ""
    listed = _items(items, around, with_version=True)
    return (
        f'<section class="rn-release" data-group><h3>{change_mark(Change.SECURITY)} {CHANGE_WORDS[Change.SECURITY]} '
        f'<span class="rn-many">{len(items)}</span></h3><p class="rn-about">Reasons to upgrade: what the range mends.'
        f'</p><ul class="rn-changes">{listed}</ul></section>'
    )


def _items(items: Sequence[UpgradeItem], around: Around, *, with_version: bool = False) -> str:
    return "".join(
        f'<li data-change="{item.change.value}">'
        f"{render_evidence_of(item, around, about=(item.citation.version or '') if with_version else '')}</li>"
        for item in items
    )
