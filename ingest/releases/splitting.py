"""Blocks to releases: which part of a document is which version's notes.

A changelog opens a release with each release heading; a page without any is one release of the version its identity
gives, or of none.
"""

import math
import re
from calendar import month_name
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from corpus.ages import Month
from corpus.change_kinds import kind_of_heading
from corpus.dates import day_without_year, find_dates, find_months, first_date
from corpus.model import Release, Span
from corpus.version_mentions import find_versions
from corpus.versions import DAY, Version, VersionConstraint
from ingest.blocks import Block, BlockKind, ParsedText
from ingest.releases.package_entries import read_macros, read_package_entry, stated_version
from ingest.releases.release_headings import (
    MIN_IN_ORDER,
    ReleaseFacts,
    come_in_order,
    points_to_older,
    read_named_release,
    read_possible_release,
    read_regular_line,
    read_release_beside,
    read_release_heading,
)
from ingest.releases.version_lines import LOOKS_BACK, MOVES, Subject, folded_words, move_target, without_names

_PERIOD = re.compile(r"(?:[A-Z][a-z]+ )?(?:19|20)\d\d")  # A month or a year, which releases are listed below.
_UPGRADES = MOVES | {"migration", "migrations", "upgrade", "upgrades"}
_SERIES_NUMBERS = 2  # Of a name that is but a series' where its releases have more: "0.23".
_ANOTHER = re.compile(
    r"^\W*(?:how (?:to|do|can)|install|contributing|getting started|about|contact|roadmap|support|see also)\b|\bfaqs?\b"
    rf"|\bfrequently asked|\blicen[cs]\w*\W*$|\bhot-?fix\b|\w\s*\?\W*$|(?-i:\b(?:{'|'.join(month_name[1:])})\b(?! \d))",
    re.IGNORECASE,
)
"""What a heading has that is about another thing than the release above it."""
_OF_RELEASE = re.compile(
    r"\bthis (?:release|version)\b|^\W*(?:credits|thank|acknowledge|authors|known issues|notes|summary|upgrading"
    r"|download|assets|checksums|artifacts|commits)",
    re.IGNORECASE,
)
_ASKED = re.compile(r"\b(?:faqs?|questions|q ?& ?a|installation|requirements|screenshots|compatibility)\b", re.I)
"""Below what a version is no release."""
_IS_RELEASED = re.compile(
    r"[*+\s-]*(?:version|release) v?(?P<version>\d+(?:\.\w+)+)(?: released\b|\.?$)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ReleaseHeading:
    """A heading that opens a release; `block` is its position among the document's blocks."""

    block: int
    level: int
    subject: Subject


def split_releases(
    parsed: ParsedText, *, products: Sequence[str], version: Version | None, day: date | None
) -> tuple[Release, ...]:
    """Return the document's releases in order; their spans cover the whole text, disjoint.

    `version` and `day` are what the document as a whole is about; they fill what headings leave open. A document
    without release headings is one release. An empty text gives one empty release.
    """
    headings = find_release_headings(parsed, products=products)
    has_version = any(one.subject.version for one in headings)
    if headings and version and not has_version and not _is_preface(parsed.blocks[: headings[0].block]):
        headings = ()  # What a post says is still to come is a section of it.
    has_months = any(isinstance(one.subject.day, Month) for one in headings)
    if (
        version is None
        and not has_months
        and all(not one.subject.version or one.subject.version.day for one in headings)
    ):
        headings = tuple(_named_by_day(headings))
    boundaries, facts = _boundaries(parsed.blocks, headings), ReleaseFacts(parsed)
    if not boundaries:
        titles = ((at, block.title) for at, block in enumerate(parsed.blocks) if block.kind is BlockKind.HEADING)
        at, title = next(titles, (-1, ""))
        reading = read_possible_release(title, products=products)
        pending = bool(reading and reading.pending) or (day is None and facts.has_pending_notice(at))
        return (Release(version, version.label if version else "", day, Span(0, len(parsed.text)), pending=pending),)
    releases: list[Release] = []
    outer = _outer_headings(parsed.blocks)
    first = boundaries[0][0]
    candidate = headings[0].subject.version
    # A title above the release that it's about is no notes of its own.
    bare = (BlockKind.MARKUP, BlockKind.HEADING) if candidate and candidate == version else (BlockKind.MARKUP,)
    if any(block.start < first and block.kind not in bare for block in parsed.blocks):
        leads = candidate is not None and candidate.is_prerelease and candidate.base == version
        isnt_out = leads and _is_preface(parsed.blocks[: headings[0].block])
        releases.append(Release(version=None if isnt_out else version, label="", date=day, span=Span(0, first)))
    else:
        boundaries[0] = (0, boundaries[0][1])
    ends = [start for start, _ in boundaries[1:]] + [len(parsed.text)]
    elsewhere = {block.start for block in parsed.blocks if block.title and points_to_older(block.title)}
    for (start, heading), end in zip(boundaries, ends, strict=True):
        if heading is None:
            # After it names other releases, a guide goes on about its own.
            own = start not in elsewhere
            releases.append(Release(version if own else None, "", day if own else None, Span(start, end)))
            continue
        subject = heading.subject
        day_stated = _date(facts, parsed, heading, end=end, outer=outer.get(heading.block))
        same = subject.version is not None and subject.version == version
        releases.append(
            Release(
                version=subject.version,
                # The label stands at the heading only; text below nested releases goes on without it.
                label=subject.label if start <= parsed.blocks[heading.block].start else "",
                date=day_stated or (day if same else None),
                span=Span(start, end),
                yanked=subject.yanked
                or (subject.version is not None and facts.has_yanked_notice(heading.block, subject.version)),
                pending=subject.pending or (day_stated is None and facts.has_pending_notice(heading.block)),
            )
        )
    return tuple(releases)


def _named_by_day(headings: Sequence[ReleaseHeading]) -> Iterator[ReleaseHeading]:
    """Yield the headings of a log without numbers, each release called by its day ("Release notes, 17 July 2026")."""
    is_log = len({one.subject.day for one in headings if one.subject.day}) > 1
    for heading in headings:
        subject = heading.subject
        if is_log and subject.day and not subject.version:
            written = next((one[0] for one in DAY.finditer(subject.label)), subject.day.isoformat())
            heading = replace(heading, subject=replace(subject, version=Version.try_parse(written)))
        yield heading


def _outer_headings(blocks: Sequence[Block]) -> Mapping[int, Block]:
    """By position: the nearest heading above each heading that stands on a higher level; none for the outermost."""
    found: dict[int, Block] = {}
    opened: list[Block] = []
    for position, block in enumerate(blocks):
        if block.kind is BlockKind.HEADING:
            while opened and opened[-1].level >= block.level:
                opened.pop()
            if opened:
                found[position] = opened[-1]
            opened.append(block)
    return found


def _date(
    facts: ReleaseFacts, parsed: ParsedText, heading: ReleaseHeading, *, end: int, outer: Block | None
) -> date | None:
    """A release's date: in its heading, below it, at its end, or in the heading above it that is a date alone."""
    subject, title = heading.subject, parsed.blocks[heading.block].title
    if subject.pending and read_package_entry(title):
        return None  # Signed when it was last written at.
    # A date that needs no order was read with the heading, or is a calendar version ("2024.8.2").
    other = set(find_dates(title, facts.order)) - set(find_dates(title))
    stated = min((mention.date for mention in other), default=subject.day) or facts.date_below(heading.block)
    if stated is None and subject.version is not None:
        stated = facts.date_in_prose(heading.block, subject.version) or facts.date_of_signature(heading.block, end)
    if stated is not None:
        return stated
    if outer and _PERIOD.fullmatch(outer.title):
        return next((month.date for month in find_months(outer.title)), None)
    possible = read_possible_release(outer.title) if outer else None
    return possible.day if possible and possible.version is None else None


def find_release_headings(parsed: ParsedText, *, products: Sequence[str]) -> tuple[ReleaseHeading, ...]:
    """Return the headings that open releases.

    A heading that only may open one ("core v1.2", "1.2 - The big one") does where its neighbours do. A bare number
    deeper than the changelog's own release level (`#### 3.9` under `## 0.115.0`) is a topic; the title of a changelog
    of one series ("1.4 Changelog") opens none, unless what it heads is the document, but for patch releases at its end.
    In a document without any, a guide's "6.0 to 7.0" opens 7.0.
    """
    sure: list[ReleaseHeading] = []
    possible: list[ReleaseHeading] = []
    has_days = any(block.attributes.get("released") for block in parsed.blocks)
    near: date | None = None
    asked = {at for at, above in _outer_headings(parsed.blocks).items() if _ASKED.search(above.title)}
    for position, block in enumerate(parsed.blocks):
        if block.kind is not BlockKind.HEADING or position in asked:
            continue
        stated = block.attributes.get("version", "")
        if version := Version.try_parse(stated):
            released = block.attributes.get("released", "")
            # Where a release's day has a place of its own, one that leaves it empty isn't out.
            read = Subject(version, stated, day=first_date(released), pending=has_days and not released)
            sure.append(ReleaseHeading(position, block.level, read))
        elif subject := read_release_heading(block.title, products=products):
            sure.append(ReleaseHeading(position, block.level, subject))
        elif subject := read_possible_release(block.title, products=products):
            possible.append(ReleaseHeading(position, block.level, subject))
            near = subject.day if subject.version is None else None
        elif near and (day := day_without_year(block.title, near=near)):
            # A log of days leaves out the year that the one above has.
            possible.append(ReleaseHeading(position, block.level, Subject(label=block.title, day=day)))
            near = day
    if len(sure) == 1 and _is_topic(sure[0], parsed.blocks):
        sure = []
    if sure:
        others = sorted([*sure[1:], *possible], key=lambda heading: heading.block)
        # The last heading of a log may only point to the series before it.
        is_preface = bool(others) and _is_preface(parsed.blocks[: others[0].block])
        listed = (others, others[:-1]) if is_preface else (others,)
        if any(_names_series(sure[0], some) for some in listed) and not _are_addenda(parsed, others):
            del sure[0]
        elif others and _heads_series(sure[0], others[0]):
            sure = [others[0], *(one for one in sure[1:] if one != others[0])]
    # Days and topics may stand above the releases.
    above = _level_of_possible(parsed.blocks, [one for one in possible if one.subject.version]) if sure else None
    if sure and (above is None or min(heading.level for heading in sure) <= above):
        # Those at the level of releases that carry a date, or no name, or a name that comes again.
        level = _usual_level(sure)
        here = [heading for heading in possible if heading.level == level]
        names = Counter(heading.subject.product for heading in (*here, *sure))
        likely = [one for one in here if one.subject.day or not one.subject.product or names[one.subject.product] > 1]
    else:
        outermost = above or _level_of_possible(parsed.blocks, possible)
        likely = [heading for heading in possible if heading.level == outermost]
    regular = (one for one in _with_regular([*sure, *likely], parsed.blocks, products) if one.block not in asked)
    found = sorted(regular, key=lambda heading: heading.block)
    found = [one for one, after in pairwise((*found, None)) if one and not _heads_series(one, after)]
    found = [*_without_repeats(found, parsed.blocks)]
    title = parsed.blocks[found[0].block].title if found else ""
    # The macros of a spec stand for what it is at; older entries were made at other versions.
    if "%" in title and (entry := read_package_entry(title, read_macros(parsed.text))):
        found[0] = replace(found[0], subject=replace(found[0].subject, version=entry.version, label=entry.label))
    found = list(_with_stated_versions(found, parsed, products))
    found = (
        list(_without_topics([*_without_starts(found, parsed.blocks)])) if found else _moves(parsed.blocks, products)
    )
    found = found or _signed(parsed) or _months(parsed.blocks)
    named = ((at, read_release_beside(parsed.blocks[at].title, products)) for at in _beside(parsed.blocks, found))
    added = [ReleaseHeading(at, parsed.blocks[at].level, subject) for at, subject in named if subject]
    return tuple(sorted([*found, *added], key=lambda heading: heading.block))


def _with_stated_versions(
    headings: Sequence[ReleaseHeading], parsed: ParsedText, products: Sequence[str]
) -> Iterator[ReleaseHeading]:
    """Yield the headings, each entry of a package's log that begins without a version with the one its items state."""
    for heading, after in pairwise((*headings, None)):
        if heading and not heading.subject.version and read_package_entry(parsed.blocks[heading.block].title):
            end = parsed.blocks[after.block].start if after else len(parsed.text)
            items = parsed.text[parsed.blocks[heading.block].end : end].splitlines()
            if version := stated_version("\n".join(without_names(item, products) for item in items)):
                heading = replace(heading, subject=replace(heading.subject, version=version, label=version.label))
        if heading:
            yield heading


def _with_regular(
    known: Sequence[ReleaseHeading], blocks: Sequence[Block], products: Sequence[str]
) -> list[ReleaseHeading]:
    """Return the known release headings, and those that name versions in the same place, in order with them.

    On the level of releases, or where none are known, any name may come before the version, elsewhere none but the
    product's. Two of a form are enough where the version ends it in brackets ("Breaking changes (44.0)"), or where none
    are known and they are half of the outermost headings that have neighbours.
    """
    opens = {heading.block: heading for heading in known}
    levels = Counter(block.level for block in blocks if block.kind is BlockKind.HEADING)
    usual = _usual_level(known) if known else _outermost_shared(levels)
    outermost = min((heading.level for heading in known), default=0)
    names = {word for name in products for word in folded_words(name)}
    places: dict[tuple[str, bool], dict[int, ReleaseHeading]] = {}
    called: set[str] = set()
    for position, block in enumerate(blocks):
        is_near = not known or position in opens or block.level == usual
        if block.kind is not BlockKind.HEADING or block.level < outermost:
            continue
        if found := read_regular_line(block.title, products=products):
            before, subject = found
            if is_near or set(before.split()) <= names:
                is_stated = bool(before) and block.title.endswith((f"{subject.label})", f"{subject.label}]"))
                heading = opens.get(position) or ReleaseHeading(position, block.level, subject)
                places.setdefault((before, is_stated), {})[position] = heading
        named = read_named_release(block.title) if is_near else None
        # What releases are called differs, what sections are called comes again.
        if named and named[0] not in called:
            heading = opens.get(position) or ReleaseHeading(position, block.level, named[1])
            places.setdefault(("", True), {})[position] = heading
            called.add(named[0])
    added: dict[int, ReleaseHeading] = {}
    for (before, is_stated), headings in places.items():
        versions = [heading.subject.version for heading in headings.values() if heading.subject.version]
        are_most = not known and 2 * sum(one.level == usual for one in headings.values()) >= levels[usual or 0] > 0
        are_few = bool(before) and is_stated
        may_rise = are_few or not opens.keys().isdisjoint(headings)
        if come_in_order(versions, may_rise=may_rise, least=2 if are_few or are_most else MIN_IN_ORDER):
            added |= headings
    added = {at: heading for at, heading in added.items() if at not in opens}
    # Below releases that are found so, versions are those of other things ("Removed: macOS 10.15 support").
    innermost = math.inf if known else min((heading.level for heading in added.values()), default=0)
    return [*known, *(heading for heading in added.values() if heading.level <= innermost)]


def _heads_series(heading: ReleaseHeading, after: ReleaseHeading | None) -> bool:
    """Return whether a heading names but the series of the release that the heading right below it, of a deeper level,
    opens: "0.23" above "0.23.0", "Gizmo 4" above "4.2.1" with its date."""
    if after is None or after.block != heading.block + 1 or after.level <= heading.level or heading.subject.day:
        return False
    series, release = heading.subject.version, after.subject.version
    if series is None or release is None or len(series.release) >= len(release.release):
        return False
    if len(series.release) != _SERIES_NUMBERS and not after.subject.day:
        return False
    return VersionConstraint.exactly(series).contains(release)


def _is_preface(blocks: Sequence[Block]) -> bool:
    """Return whether what stands above the first release is a title and prose at most."""
    return not has_sections(blocks) and all(block.kind is not BlockKind.LIST_ITEM for block in blocks)


def has_sections(blocks: Sequence[Block]) -> bool:
    """Return whether sections stand under the title above the first release: a series' own notes, no log's preface."""
    return sum(block.kind is BlockKind.HEADING for block in blocks) > 1


def _moves(blocks: Sequence[Block], products: Sequence[str]) -> list[ReleaseHeading]:
    """Return the headings of a guide that lead from one release to another, on their outermost level."""
    found = [
        ReleaseHeading(position, block.level, subject)
        for position, block in enumerate(blocks)
        if block.kind is BlockKind.HEADING
        and (subject := read_release_heading(move_target(block.title), products=products))
    ]
    outermost = min((heading.level for heading in found), default=0)
    return [heading for heading in found if heading.level == outermost]


def _signed(parsed: ParsedText) -> list[ReleaseHeading]:
    """Return the headings of a log that say who changed something, and when, above an item that says which version
    that was; none where but one does."""
    found = []
    for position, (block, below) in enumerate(pairwise(parsed.blocks)):
        sentence = _IS_RELEASED.match(parsed.text, below.start, below.end) if block.kind is BlockKind.HEADING else None
        if sentence and "@" in block.title and (day := first_date(block.title)):
            subject = Subject(Version.try_parse(sentence["version"]), sentence["version"], day=day)
            found.append(ReleaseHeading(position, block.level, subject))
    return found if len(found) > 1 else []


def _months(blocks: Sequence[Block]) -> list[ReleaseHeading]:
    """Return the headings of a log that are but months, each what that month brought; none where but one is."""
    titles = (
        (at, block, find_months(block.title)) for at, block in enumerate(blocks) if _PERIOD.fullmatch(block.title)
    )
    found = [
        ReleaseHeading(at, one.level, Subject(label=one.title, day=days[0].date)) for at, one, days in titles if days
    ]
    return found if len({heading.level for heading in found}) == 1 < len(found) else []


def _usual_level(headings: Sequence[ReleaseHeading]) -> int:
    """Return the level that most release headings have, the outer one of two."""
    levels = Counter(heading.level for heading in headings)
    return max(levels, key=lambda level: (levels[level], -level))


def _outermost_shared(levels: Mapping[int, int]) -> int | None:
    return min((level for level, count in levels.items() if count > 1), default=None)


def _level_of_possible(blocks: Sequence[Block], possible: Sequence[ReleaseHeading]) -> int | None:
    """Return the outermost level with several headings, if half of them may open releases, and two different ones."""
    heads = (block for block in blocks if block.kind is BlockKind.HEADING and not _PERIOD.fullmatch(block.title))
    all_levels = Counter(block.level for block in heads)
    level = _outermost_shared(all_levels)
    here = [heading for heading in possible if heading.level == level]
    several = len({heading.subject.label for heading in here}) > 1
    return level if level is not None and several and len(here) * 2 >= all_levels[level] else None


def _without_starts(headings: Sequence[ReleaseHeading], blocks: Sequence[Block]) -> Iterator[ReleaseHeading]:
    """Leave out the versions that a release's section on upgrading starts from ("## Upgrading from", "### 1.0.0")."""
    outer = _outer_headings(blocks)
    opened = {blocks[heading.block].start: heading.subject for heading in headings}
    starts = {blocks[at].start for at in outer if not _UPGRADES.isdisjoint(folded_words(blocks[at].title))}
    inside = {blocks[at].start: opened.get(above.start) for at, above in outer.items()}
    for heading in headings:
        section, inner = outer.get(heading.block), heading.subject.version
        release = inside.get(section.start) if section and section.start in starts else None
        if not (inner and release and (release.version is None or inner <= release.version)):
            yield heading


def _is_topic(heading: ReleaseHeading, blocks: Sequence[Block]) -> bool:
    """Return whether a heading is one whole number, and stands behind others of its level: "386" on a page on ports."""
    subject = heading.subject
    is_number = subject.version and len(subject.version.release) == 1 and not (subject.product or subject.day)
    before = (block for block in blocks[: heading.block] if block.kind is BlockKind.HEADING)
    return bool(is_number) and sum(block.level == heading.level for block in before) > 1


def _without_topics(headings: Sequence[ReleaseHeading]) -> Iterator[ReleaseHeading]:
    """Leave out bare numbers and the release's own version below a release."""
    usual = _usual_level(headings)
    at_level = Counter(heading.level for heading in headings)
    opened: list[ReleaseHeading] = []
    for heading in headings:
        opened = [outer for outer in opened if outer.level < heading.level]
        subject = heading.subject
        elsewhere = heading.level > usual or (opened and _major(heading) > _major(opened[-1]))
        # A topic would hold neither a product's name nor three components.
        is_telling = subject.version and (subject.product or len(subject.version.release) > 2)
        if elsewhere and not subject.day and not is_telling:
            continue
        if opened and _is_inside(heading, opened[-1], beside=at_level[heading.level]):
            continue
        opened.append(heading)
        yield heading


def _is_inside(heading: ReleaseHeading, outer: ReleaseHeading, *, beside: int) -> bool:
    """Return whether a heading below a release repeats its version, or names another package's and is the only one on
    its level, of which there are `beside`."""
    inner, ours = heading.subject, outer.subject
    if inner.version == ours.version and inner.day in (None, ours.day):
        return True
    is_companion = inner.product and inner.product.casefold() != ours.product.casefold() and ours.version is not None
    return bool(is_companion) and not inner.day and beside == 1


def has_addenda(parsed: ParsedText, headings: Sequence[ReleaseHeading]) -> bool:
    """Return whether the document is about its first heading's release, and tells of patch releases at its end."""
    return bool(headings) and _names_series(headings[0], headings[1:]) and _are_addenda(parsed, headings[1:])


def _are_addenda(parsed: ParsedText, headings: Sequence[ReleaseHeading]) -> bool:
    """Return whether most of the text stands above these headings and they go from old to new: added below."""
    versions = [heading.subject.version for heading in headings if heading.subject.version]
    ascends = all(before <= after for before, after in pairwise(versions))
    return ascends and 2 * parsed.blocks[headings[0].block].start > len(parsed.text)


def _names_series(title: ReleaseHeading, others: Sequence[ReleaseHeading]) -> bool:
    """Return whether the first heading names the series whose releases stand below it, none of another series."""
    version = title.subject.version
    if version is None or title.subject.day or len(version.release) > 2:
        return False
    width = len(version.release)
    named = [(other.level, other.subject.version) for other in others if other.subject.version]
    outer = min((level for level, _ in named), default=0)
    inner = {one for level, one in named if level == outer}
    return (
        outer > title.level
        and any(len(one.release) > width for one in inner)
        and (len(inner) > 1 or any(one.is_prerelease for one in inner))
        and all(one.release[:width] == version.release for one in inner)
    )


def _major(heading: ReleaseHeading) -> int:
    return heading.subject.version.release[0] if heading.subject.version else -1


def _beside(blocks: Sequence[Block], headings: Sequence[ReleaseHeading]) -> frozenset[int]:
    """Return the positions of headings that stand on the level of several releases and open none: what is below one
    belongs to no release above it.

    None are its sections: of a kind of changes, about that release, called as others of the document, or between such;
    where most releases have sections on their own level only what surely names another thing is none.
    """
    opens = {heading.block: heading for heading in headings}
    at_level = Counter(heading.level for heading in headings)
    titles = Counter(block.title.casefold() for block in blocks if block.kind is BlockKind.HEADING)
    sectioned: set[int] = set()
    found: set[int] = set()
    between: list[int] = []
    current: ReleaseHeading | None = None
    for position, block in enumerate(blocks):
        if position in opens:
            current, between = opens[position], []
        if block.kind is not BlockKind.HEADING or not current or block.level != current.level or position in opens:
            continue
        if titles[block.title.casefold()] > 1 or _is_section(block.title, current.subject.version):
            found.difference_update(between)
            sectioned.add(current.block)
        elif at_level[block.level] > 1:
            found.add(position)
            between += [position] * (current.block in sectioned)
    is_flat = 2 * len(sectioned) > len(headings)
    return frozenset(at for at in found if not is_flat or _ANOTHER.search(blocks[at].title))


def _is_section(title: str, release: Version | None) -> bool:
    """Return whether a heading beside a release's names a kind of changes, who made them, or that release."""
    if _ANOTHER.search(title) or move_target(title):
        return False
    if kind_of_heading(title) is not None or _OF_RELEASE.search(title):
        return True
    named = find_versions(title) if release is not None else ()
    looks_back = not LOOKS_BACK.isdisjoint(folded_words(title))
    return any(_is_part(one.version, release) or (looks_back and one.version < release) for one in named if release)


def _is_part(named: Version, release: Version) -> bool:
    """Return whether a version that a heading names is that of the release above it, its series or its candidate."""
    return named.base == release.base or VersionConstraint.exactly(named).contains(release)


def _without_repeats(headings: Sequence[ReleaseHeading], blocks: Sequence[Block]) -> Iterator[ReleaseHeading]:
    """Leave out the sections on their release's own level that name it: "Upgrade notes for 5.7" below "5.7.0"."""
    opened: ReleaseHeading | None = None
    for heading in headings:
        title, subject = blocks[heading.block].title, heading.subject
        if opened and opened.level == heading.level and subject.version and not subject.day:
            above, over = opened.subject.version, blocks[opened.block].title
            is_plain = kind_of_heading(over) is None and kind_of_heading(title) is not None
            if is_plain and above and _is_part(subject.version, above) and not _ANOTHER.search(title):
                continue
        opened = heading
        yield heading


def _boundaries(blocks: Sequence[Block], headings: Sequence[ReleaseHeading]) -> list[tuple[int, ReleaseHeading | None]]:
    """Where a release begins, or text about no release (with None), or what follows a final release's candidates."""
    opens = {heading.block: heading for heading in headings}
    beside = _beside(blocks, headings)
    boundaries: list[tuple[int, ReleaseHeading | None]] = []
    current: ReleaseHeading | None = None
    outer: ReleaseHeading | None = None
    for position, block in enumerate(blocks):
        if position in opens:
            opened = opens[position]
            if current and _leads_to(opened, current):
                outer = current
            elif outer and not _leads_to(opened, outer):
                outer = None
            current = opened
            boundaries.append((block.start, current))
        elif current and block.kind is BlockKind.HEADING and (position in beside or _ends(current, block)):
            current, outer = (outer if outer and block.level > outer.level else None), None
            boundaries.append((block.start, current))
    return boundaries


def _ends(current: ReleaseHeading, heading: Block) -> bool:
    """Return whether a heading of no kind of changes ends a release: by its level, or as it points to older ones."""
    leads_away = heading.level == current.level and points_to_older(heading.title)
    return (heading.level < current.level or leads_away) and kind_of_heading(heading.title) is None


def _leads_to(inner: ReleaseHeading, outer: ReleaseHeading) -> bool:
    """Return whether a heading below a release names one of the candidates that led to it."""
    candidate, final = inner.subject.version, outer.subject.version
    return bool(
        candidate and final and inner.level > outer.level and candidate.is_prerelease and candidate.base == final
    )
