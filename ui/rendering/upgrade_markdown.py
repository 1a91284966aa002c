"""An upgrade as Markdown to keep or to paste into a ticket: release by release, each change with its quote and place.

Quotes stand in code blocks and everything else of strangers is escaped, as in the Markdown of a review.
"""

from collections.abc import Iterator

from retrieval.model import Citation
from retrieval.upgrades.model import Upgrade, UpgradeItem, UpgradeRelease
from ui.rendering.review_formats.disarming import fenced, markdown_text, marked_text, web_address
from ui.rendering.review_formats.findings import place_of
from ui.rendering.upgrade_kinds import CHANGE_WORDS, counted_upgrade, group_items


def render_upgrade_markdown(upgrade: Upgrade) -> str:
    """The whole upgrade: releases, vulnerabilities fixed, gaps and notes."""
    return "\n".join(_lines(upgrade)) + "\n"


def evidence_markdown(citation: Citation) -> Iterator[str]:
    """A citation's quote in a block, and under it where it stands."""
    yield from fenced(citation.quote)
    place, address = markdown_text(place_of(citation)), web_address(citation.url)
    yield from ("", f"{f'[{place}]({address})' if address else place} ({citation.authority.value})")


def _lines(upgrade: Upgrade) -> Iterator[str]:
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
            yield from _item(item, place=item.citation.version)


def _release(release: UpgradeRelease) -> Iterator[str]:
    dated = f" ({release.date.isoformat()})" if release.date else ""
    yield from (f"## {markdown_text(release.version)}{dated}", "")
    for change, items in group_items(release.items, by=lambda item: item.change):
        yield from (f"### {CHANGE_WORDS[change]}", "")
        for item in items:
            yield from _item(item, place=None)


def _item(item: UpgradeItem, *, place: str | None) -> Iterator[str]:
    yield f"- {f'**{markdown_text(place)}**: ' if place else ''}{marked_text(item.summary)}"
    again = f"Told again in {markdown_text(', '.join(item.repeated_in))}" if item.repeated_in else ""
    for line in ("", *evidence_markdown(item.citation), *(("", again) if again else ())):
        yield f"  {line}" if line else ""
    yield ""
