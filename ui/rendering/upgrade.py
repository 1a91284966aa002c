"""An upgrade for a terminal, release by release, and as Markdown for a pull request, by kind of change."""

from collections.abc import Iterable, Iterator, Sequence

from corpus.ages import day_words
from corpus.model import Authority, Change
from corpus.plain_words import listed
from corpus.versions import Version
from retrieval.upgrades.model import Upgrade, UpgradeItem, Usage
from ui.rendering.answer_terminal import indented, render_words
from ui.rendering.markup import evidence_markdown, in_list, markdown_text, marked_text, place_markdown
from ui.rendering.words import AUTHORITY_WORDS, counted, document_name

_CHANGES: dict[Change | None, tuple[str, ...]] = {
    None: ("Used in your code", "change used in your code", "changes used in your code"),
    Change.SECURITY: ("Security fixes", "security fix", "security fixes"),
    Change.BREAKS: ("Breaking", "breaking change"),
    Change.REMOVED: ("Removed", "removal"),
    Change.DEPRECATED: ("Deprecated", "deprecation"),
    Change.DEFAULT: ("Changed defaults", "changed default"),
    Change.ACTION: ("Action needed", "action needed", "actions needed"),
    Change.REQUIREMENT: ("Requirements", "new requirement"),
    Change.BEHAVIOUR: ("Changed behaviour", "changed behaviour", "changes of behaviour"),
    Change.FIX: ("Fixed", "fix", "fixes"),
    Change.FEATURE: ("Added", "addition"),
    Change.HOUSEKEEPING: ("Housekeeping", "entry on housekeeping", "entries on housekeeping"),
}
CHANGE_WORDS = {change: heading for change, (heading, *_) in _CHANGES.items()}
"""Headings in the order of a list by kind; None is for changes of any kind that the code uses."""
_SHOWN_USAGES = 5
_NAMED_RELEASES = 4
_MAX_CHARACTERS = 60_000  # Limit of the Markdown: GitHub takes 65,536 in a description.


def items_of(upgrade: Upgrade) -> tuple[UpgradeItem, ...]:
    """Return all changes of an upgrade in its order: those of each release, then security fixes, then others."""
    return (*(item for release in upgrade.releases for item in release.items), *upgrade.security, *upgrade.other)


def sections_of(items: Iterable[UpgradeItem]) -> tuple[tuple[Change | None, tuple[UpgradeItem, ...]], ...]:
    """Group changes by kind, in the order of `CHANGE_WORDS`, without empty kinds; under None what the code uses."""
    by_kind: dict[Change | None, list[UpgradeItem]] = {change: [] for change in CHANGE_WORDS}
    for item in items:
        by_kind[None if item.usages else item.change].append(item)
    return tuple((change, tuple(changes)) for change, changes in by_kind.items() if changes)


def counted_upgrade(upgrade: Upgrade) -> str:
    """Count the changes by kind: `2 changes used in your code, 1 security fix and 1 deprecation`."""
    kinds = [counted(len(items), *_CHANGES[change][1:]) for change, items in sections_of(items_of(upgrade))]
    return listed(kinds) if kinds else "no changes listed"


def describe_releases(upgrade: Upgrade) -> str:
    """Return `in 2 releases: 5.1 (7 August 2024) and 5.2`; of many the first and last; "" without changes."""
    days = {c.version: c.date for c in (item.citation for item in (*upgrade.security, *upgrade.other)) if c.version}
    days |= {release.version: release.date for release in upgrade.releases}
    oldest = Version.parse("0")
    versions = sorted(days, key=lambda label: Version.try_parse(label) or oldest)
    named = [f"{label} ({day_words(day)})" if (day := days[label]) else label for label in versions]
    if not named:
        return ""
    which = listed(named) if len(named) <= _NAMED_RELEASES else f"from {named[0]} to {named[-1]}"
    return f"in {counted(len(named), 'release')}: {which}"


def render_upgrade(upgrade: Upgrade) -> str:
    """Render an upgrade for a terminal: changes by release and kind, security fixes, gaps, notes, numbered sources."""
    sources: dict[str, int] = {}  # The number of each source, in the order of first appearance.
    lines = [f"{upgrade.product} {upgrade.start} → {upgrade.end}  {counted_upgrade(upgrade)}"]
    for release in upgrade.releases:
        lines += ["", f"{release.version}  {release.date}" if release.date else release.version]
        for change, items in sections_of(release.items):
            lines.append(f"  {CHANGE_WORDS[change]}")
            lines += (_item_text(item, place="", sources=sources) for item in items)
    for kind, entries in sections_of((*upgrade.security, *upgrade.other)):
        lines += ["", CHANGE_WORDS[kind]]
        lines += (_item_text(item, place=f"{item.citation.version} ", sources=sources) for item in entries)
    if upgrade.missing_releases:
        lines += ["", f"No notes for: {', '.join(upgrade.missing_releases)}"]
    lines += (f"Note: {note}" for note in upgrade.notes)
    if sources:
        lines += ["", *(f"[{number}] {source}" for source, number in sources.items())]
    return "\n".join(lines)


def _item_text(item: UpgradeItem, *, place: str, sources: dict[str, int]) -> str:
    """Return a change's summary after `place`, and its source's number and range; a new source gets a number."""
    citation = item.citation
    named = f"{citation.source} · {document_name(citation)} ({AUTHORITY_WORDS[citation.authority]})"
    number = sources.setdefault(named, len(sources) + 1)
    again = f" · also in {', '.join(item.repeated_in)}" if item.repeated_in else ""
    source = f"  [{number}] {citation.start}-{citation.end}{again}"
    return indented(f"• {place}{render_words(item.summary)}\n{source}")


def render_upgrade_markdown(upgrade: Upgrade) -> str:
    """Render an upgrade for the description of a pull request: counts, gaps, notes, and the changes by kind, used ones
    first, each with its place. Changes that don't fit are left out and counted."""
    summary = f"{counted_upgrade(upgrade)} {describe_releases(upgrade)}".rstrip()
    head = [f"## Upgrade of {markdown_text(f'{upgrade.product} {upgrade.start} → {upgrade.end}')}"]
    head.append(f"{markdown_text(summary[:1].upper() + summary[1:])}.")
    if upgrade.missing_releases:
        head.append(f"No notes for: {markdown_text(', '.join(upgrade.missing_releases))}.")
    head += [f"Note: {marked_text(note)}" for note in upgrade.notes]
    text = "\n\n".join(head) + "\n"
    left_out = 0
    for change, items in sections_of(items_of(upgrade)):
        text += f"\n### {CHANGE_WORDS[change]} ({len(items)})\n\n"
        for item in items:
            entry = f"{_entry_markdown(item, with_kind=change is None)}\n"
            if len(text) + len(entry) > _MAX_CHARACTERS:
                left_out += 1
            else:
                text += entry
    if left_out:
        text += f"\n{counted(left_out, 'change')} left out: a description has no room for more.\n"
    return text


def item_markdown(item: UpgradeItem) -> Iterator[str]:
    """Yield a change as lines of a list entry: release and summary, quote with its place, usages, repeats."""
    yield f"- **{markdown_text(item.citation.version or item.citation.product)}**: {marked_text(item.summary)}"
    yield from in_list(evidence_markdown(item.citation))
    if item.usages:
        yield from ("", f"  Used in {_usages_text(item.usages)}")
    if item.repeated_in:
        yield from ("", f"  Also told in {markdown_text(', '.join(item.repeated_in))}")
    yield ""


def _entry_markdown(item: UpgradeItem, *, with_kind: bool) -> str:
    """Return a change as a list entry of one line: release, summary, usages, repeats, and a link to its source."""
    citation = item.citation
    # Official notes need no word about their authority.
    authority = "" if citation.authority is Authority.OFFICIAL else f", {citation.authority.value}"
    kind = f", {CHANGE_WORDS[item.change].lower()}" if with_kind else ""
    day = f" ({citation.date})" if citation.date else ""
    parts = [
        f"- **{markdown_text(citation.version or citation.product)}**{day}{kind}:",
        marked_text(item.summary),
        f"Used in {_usages_text(item.usages)}." if item.usages else "",
        f"Also told in {markdown_text(', '.join(item.repeated_in))}." if item.repeated_in else "",
        f"({place_markdown(citation)}{authority})",
    ]
    return " ".join(filter(None, parts))


def _usages_text(usages: Sequence[Usage]) -> str:
    places = [markdown_text(f"{usage.file}:{usage.line}") for usage in usages[:_SHOWN_USAGES]]
    more = len(usages) - len(places)
    return ", ".join(places) + (f" and {more} more" if more else "")
