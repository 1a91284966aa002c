"""Every change in an upgrade's range that breaks, removes, deprecates or requires something.

It is read from the stored passages alone: no vectors, no search, and no question whose words could miss one.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import chain, groupby, islice

from corpus.ages import day_words
from corpus.catalogue import releases_out
from corpus.index.tables import TableReader
from corpus.model import Change
from corpus.plain_words import listed
from corpus.sections import grade_of_tag
from corpus.version_gaps import CALENDAR_MAJOR
from corpus.versions import Version
from retrieval.products.end_of_notes import end_of_notes, other_languages
from retrieval.products.known import find_product
from retrieval.upgrades.bounds import Bounds, missing_releases, name_first_releases, names_latest, read_range
from retrieval.upgrades.citing import cite_changes
from retrieval.upgrades.model import SEVERITY, Upgrade, UpgradeRelease
from retrieval.upgrades.released_changes import FOLDED, NotesReading, read_changes
from retrieval.upgrades.repeats import FoundChange, tell_once, vulnerabilities_of

_SHOWN_RELEASES = 3
_NAMES = {
    Change.FIX: ("fix", "fixes"),
    Change.FEATURE: ("addition", "additions"),
    Change.HOUSEKEEPING: ("entry on housekeeping", "entries on housekeeping"),
}
_SHOWN_SERIES = 5
"""At most so many series without notes are reported; numbers further apart aren't consecutive. A matter of display."""


def list_upgrade(index: TableReader, product: str, start: str, end: str, *, every: bool = False) -> Upgrade:
    """Return the upgrade of a product between two versions as people write them ("v5", "4.2"; "latest" for the end);
    if `every`, also with what asks nothing of those who upgrade.

    Raises:
        UsageError: an unknown product, a malformed version, or versions that aren't in order.
    """
    known = find_product(index.products, product)
    low, high = read_range(known, start, end)
    upgrade = list_changes(index, known.name, low, high, every=every)
    if names_latest(end) or any(high > newest.version for newest in releases_out(known.releases)[:1]):
        upgrade = replace(upgrade, notes=(*upgrade.notes, *end_of_notes(known, index)))
    return upgrade


def list_changes(index: TableReader, product: str, start: Version, end: Version, *, every: bool = False) -> Upgrade:
    """Return every change in the notes of `product` in (`start`, `end`] that breaks, removes, deprecates, asks or makes
    something behave otherwise. Each other entry is a fix, a feature or housekeeping: counted, and if `every`, listed.

    Releases come in version order, their items most severe first, official sources before others. If there are no
    changes, there are no releases, and a note says why.

    Raises:
        UsageError: the index doesn't have the product.
    """
    bounds = Bounds.between(find_product(index.products, product), start, end)
    reading = read_changes(index, bounds.product, bounds.hold)
    fixed, unsure = _newly_fixed(reading.security, bounds, index)
    others = reading.others()
    folded = [change for change in others if change.change in FOLDED]
    open_ones = [*reading.kept, *(change for change in others if change.change is Change.BEHAVIOUR)]
    apart = (open_ones, tell_once(fixed), folded if every else [])
    cited = cite_changes([*chain.from_iterable(sorted(some, key=_listing_order) for some in apart)], index)
    items = [(change.version, item) for change, item in cited if item.change not in (Change.SECURITY, *FOLDED)]
    bare = {passage.release for passage in reading.passages if passage.release and passage.items} - reading.noted
    missing, name = missing_releases(bounds, reading.noted, bare), bounds.product.name
    withdrawn = (release.version for release in reversed(bounds.product.releases) if release.yanked)
    yanked = [version.label for version in withdrawn if bounds.hold(version)]
    releases = tuple(
        UpgradeRelease(version.label, bounds.dates.get(version), tuple(item for _, item in group))
        for version, group in groupby(items, key=lambda pair: pair[0])
    )
    security = tuple(item for _, item in cited if item.change is Change.SECURITY)
    other = tuple(item for _, item in cited if item.change in FOLDED)
    marked = {version for version, item in items if item.change is not Change.BEHAVIOUR}
    notes = (
        *_range_notes(bounds, missing, bare, marked, reading),
        *other_languages(reading.passages, index),
        *(f"{name} {listed(yanked)} {'was' if len(yanked) == 1 else 'were'} yanked." for _ in yanked[:1]),
        *unsure,
        *_folded_note(() if every else folded),
    )
    return Upgrade(name, start.label, end.label, releases, security, missing, notes, other)


def _folded_note(folded: Sequence[FoundChange]) -> Iterator[str]:
    """Yield how many entries of each group aren't listed, if there are any."""
    counts = Counter(change.change for change in folded)
    kinds = [f"{counts[group]} {_NAMES[group][counts[group] > 1]}" for group in FOLDED if counts[group]]
    if kinds:
        yield f"Not listed: {listed(kinds)}."


def _newly_fixed(
    security: Sequence[FoundChange], bounds: Bounds, index: TableReader
) -> tuple[list[FoundChange], list[str]]:
    """Return the fixes that the end surely has and the start's series didn't have, and notes on uncertain ones."""
    start, series, names_of = bounds.start, bounds.end.series, vulnerabilities_of
    telling: defaultdict[str, set[Version]] = defaultdict(set)
    named = {name for fix in security for name in names_of(fix.entry)}
    everywhere = index.release_positions(bounds.product.name, lambda release: release is not None) if named else ()
    for passage in index.load_passages(everywhere):
        for reference in named.intersection(passage.references):
            telling[reference].add(passage.release_order)
    newest = {name: max(versions).series for name, versions in telling.items()}
    # Without dates, what a later series tells of too may have been carried back after that series began.
    sure = [
        fix
        for fix in security
        if fix.version in bounds.dates
        or (of_fix := fix.version.series) == series
        or all(newest.get(name, of_fix) <= of_fix for name in names_of(fix.entry))
    ]
    known = frozenset().union(*(names_of(fix.entry) for fix in sure))
    had = {name for name, versions in telling.items() if any(v <= start and v.series == start.series for v in versions)}
    notes = []
    if unsure := sorted({fix.version for fix in security if fix not in sure and names_of(fix.entry) - known}):
        shown = [version.label for version in unsure[:_SHOWN_RELEASES]] + ["others"] * (len(unsure) > _SHOWN_RELEASES)
        notes.append(
            f"Vulnerabilities fixed in {bounds.product.name} {listed(shown)} aren't listed: the notes give no dates, so"
            f" whether {bounds.end} has those fixes isn't known."
        )
    return [fix for fix in sure if not (names := names_of(fix.entry)) or names - had], notes


def _range_notes(
    bounds: Bounds, missing: Sequence[str], bare: Set[Version], changed: Set[Version], reading: NotesReading
) -> Iterator[str]:
    """Yield the remarks on the list: releases without notes or changes, and what was left out."""
    product, releases, has_notes = bounds.product, bounds.product.releases, reading.noted
    if not has_notes:
        covered = f" The notes cover {releases[-1].version} to {releases[0].version}." if releases else ""
        yield (
            f"There are no notes here of {product.name} between {bounds.start} and {bounds.end}, so an empty list"
            f" doesn't mean that nothing breaks.{covered}"
        )
        return
    noted_majors = {version.release[0] for version in has_notes}
    first = (version for version in bare if not (any(version.release[1:]) or version.is_prerelease))
    begun = sorted(version for version in first if version.release[0] > bounds.start.release[0])
    quiet = sorted(noted_majors - {version.release[0] for version in (*changed, *begun, bounds.start)}) * bool(changed)
    if (begun or quiet) and max(noted_majors) < CALENDAR_MAJOR:
        silent = listed([*(version.label for version in begun), *map(str, quiet)])
        yield f"Nothing in the notes of {product.name} {silent} is marked as breaking: check pages that they link to."
    if not changed:
        shown = f"{len(has_notes)} release{'s' if len(has_notes) > 1 else ''} of {product.name} in this range"
        read = ": read the other changes" if reading.others() else ""
        yield f"Nothing in the notes of {shown} is marked as breaking, removed or deprecated{read}."
    yield from name_first_releases(product, (bounds.start, bounds.end))
    if count := len(reading.taken_back):
        changes = "change is" if count == 1 else "changes are"
        yield f"{count} {changes} left out because a later release of the range takes back what changed."
    between = range(bounds.start.release[0] + 1, bounds.end.release[0])
    # One more than are told: anybody may name an end that is numbers without end away.
    absent = [*islice((f"{major}.x" for major in between if major not in noted_majors), _SHOWN_SERIES + 1)]
    if 0 < len(absent) <= _SHOWN_SERIES:
        yield f"There are no notes here of any {' or '.join(absent)} release."
    if bounds.end.is_prerelease and bounds.end not in has_notes:
        yield f"{product.name} {bounds.end} has no notes of its own here: read those of {bounds.end.base}."
    if bounds.end.label in missing:
        yield f"There are no notes here of {product.name} {bounds.end}; the newest in this range is {max(has_notes)}."
    left, reached = bounds.dates.get(bounds.start), bounds.dates.get(bounds.end)
    if left is not None and reached is not None and reached < left:
        yield (
            f"{product.name} {bounds.end} ({day_words(reached)}) came out before {bounds.start} ({day_words(left)}):"
            f" it lacks what the {bounds.start.series} series fixed after that."
        )
    if releases and bounds.start < releases[-1].version:
        yield f"The notes here begin with {product.name} {releases[-1].version}: nothing is known of what came before."


def _listing_order(change: FoundChange) -> tuple[Version, bool, bool, int, int, int]:
    """Return the sort key of the list: by release, what the notes call breaking first and housekeeping last, then most
    severe first, then by the project's own tags and the source's authority."""
    is_marked, authority = change.entry.stored.is_marked, change.entry.passage.document.authority
    grade = 0 if is_marked else grade_of_tag(change.entry.lead)
    severity = SEVERITY[change.change or Change.HOUSEKEEPING]
    return change.version, not is_marked, grade > 1, severity, grade, -authority.weight
