"""Splits a document's blocks into releases.

A changelog opens a release with each release heading. A page without any is one release, of its identity's version.
"""

import math
import re
from calendar import month_name
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from corpus.change_kinds import kind_of_heading
from corpus.dates import day_without_year, find_dates, find_months, first_date
from corpus.model import Release, Span
from corpus.version_mentions import find_versions
from corpus.versions import DAY, Version, VersionConstraint
from ingest.blocks import HEADING, LIST_ITEM, MARKUP, PARAGRAPH, Block, Blocks, ParsedText
from ingest.releases.package_entries import read_macros, read_package_entry, stated_version
from ingest.releases.release_headings import (
    MIN_IN_ORDER,
    ReleaseFacts,
    are_in_order,
    points_to_older,
    read_heading,
    read_possible_release,
    read_release_heading,
    read_unnumbered_release,
    read_version_lead,
)
from ingest.releases.version_lines import (
    LOOKS_BACK,
    Subject,
    folded_words,
    move_target,
    name_words,
    states_pending,
    without_names,
)

_PERIOD = re.compile(r"(?:[A-Z][a-z]+ )?(?:19|20)\d\d")  # The heading of a month or a year, with releases below it.
_SERIES_NUMBERS = 2  # As many numbers make a series if its releases have more: "0.23" above "0.23.0".
_OTHER_TOPIC = re.compile(
    r"(?i)^\W*(?:how (?:to|do|can)|install|contributing|getting started|about|contact|roadmap|support|see also)\b"
    r"|\bfaqs?\b|\bfrequently asked|\blicen[cs]\w*\W*$|\bhot-?fix\b|\w\s*\?\W*$|^(?:\W*v?\d+(?:\.\d+)+)?\W*$"
    rf"|(?-i:\b(?:{'|'.join(month_name[1:])})\b(?! \d))"
)
"""Matches a heading about something else than the release above it."""
_STARTS_FROM = re.compile(
    r"(?i)(?:upgrad|updat|migrat)\w*\s+from\s+(?:[A-Za-z][\w.-]*\s+){0,3}v?(?P<version>\d{1,6}(?:\.\d{1,6}){0,3})\W*"
)
"""Matches a heading of a guide that names only the release to start from."""
_HELP = re.compile(r"(?i)\b(?:faqs?|questions|q ?& ?a|installation|requirements|screenshots|compatibility)\b")
"""Matches a heading below which a version opens no release."""
_IS_RELEASED = re.compile(r"(?i)[*+\s-]*(?:version|release) v?(?P<version>\d+(?:\.\w+)+)(?: released\b|\.?$)")


PENDING = "pending"  # In place of a vouched line's day: its release isn't out.


@dataclass(frozen=True, slots=True)
class ReleaseHeading:
    """A heading that opens a release; `block` is its position among the document's blocks."""

    block: int
    level: int
    subject: Subject


Headings = Sequence[ReleaseHeading]


def split_releases(
    parsed: ParsedText, *, products: Sequence[str], version: Version | None, day: date | None
) -> tuple[Release, ...]:
    """Return the document's releases in order; their spans cover the whole text, disjoint.

    `version` and `day` are those of the document as a whole; they fill in what headings don't state. A document without
    release headings is one release. An empty text gives one empty release.
    """
    headings = find_release_headings(parsed, products=products)
    has_version = any(heading.subject.version for heading in headings)
    if headings and version and not has_version and not _is_preface(parsed.blocks[: headings[0].block]):
        headings = ()  # A post's section on what is still to come is part of the post.
    if version is None and all(not heading.subject.version or heading.subject.version.day for heading in headings):
        headings = tuple(_with_day_versions(headings))
    boundaries, facts = _boundaries(parsed.blocks, headings), ReleaseFacts(parsed)
    if not boundaries:
        titles = ((at, block.title) for at, block in enumerate(parsed.blocks) if block.is_heading)
        at, title = next(titles, (-1, ""))
        readings = (read_heading(name, products) for name in (parsed.front_matter.get("title", ""), title))
        pending = any(reading and reading.pending for reading in readings)
        pending |= day is None and facts.has_pending_notice(at)
        return (Release(version, version.label if version else "", day, Span(0, len(parsed.text)), pending=pending),)
    releases: list[Release] = []
    outer = _outer_headings(parsed.blocks)
    first = boundaries[0][0]
    candidate = headings[0].subject.version
    # The title above the release that the document is about has no notes of its own.
    no_notes = (MARKUP, HEADING) if candidate and candidate == version else (MARKUP,)
    if any(block.start < first and block.kind not in no_notes for block in parsed.blocks):
        is_candidate = candidate is not None and candidate.is_prerelease and candidate.base == version
        is_pending = is_candidate and _is_preface(parsed.blocks[: headings[0].block])
        releases.append(Release(version=None if is_pending else version, label="", date=day, span=Span(0, first)))
    else:
        boundaries[0] = (0, boundaries[0][1])
    ends = [start for start, _ in boundaries[1:]] + [len(parsed.text)]
    older_starts = {block.start for block in parsed.blocks if block.title and points_to_older(block.title)}
    for (start, heading), end in zip(boundaries, ends, strict=True):
        if heading is None:
            # After its sections on other releases, a guide continues with its own.
            is_own = start not in older_starts
            releases.append(Release(version if is_own else None, "", day if is_own else None, Span(start, end)))
            continue
        subject, title = heading.subject, parsed.blocks[heading.block].title
        day_stated = _release_date(facts, parsed, heading, end=end, outer=outer.get(heading.block))
        is_subject = subject.version is not None and subject.version == version
        releases.append(
            Release(
                version=subject.version,
                # Only the part with the heading has the label; text after nested releases has none.
                label=subject.label if start <= parsed.blocks[heading.block].start else "",
                date=day_stated or (day if is_subject else None),
                span=Span(start, end),
                yanked=subject.yanked
                or (subject.version is not None and facts.has_yanked_notice(heading.block, subject.version)),
                pending=subject.pending
                or (day_stated is None and (states_pending(title) or facts.has_pending_notice(heading.block))),
            )
        )
    return tuple(releases)


def _with_day_versions(headings: Headings) -> Iterator[ReleaseHeading]:
    """Yield the headings; in a log without numbers, each with its day as version ("Notes, 17 July 2026")."""
    is_log = len({heading.subject.day for heading in headings if heading.subject.day}) > 1
    for heading in headings:
        subject = heading.subject
        if is_log and subject.day and not subject.version:
            written = next((match[0] for match in DAY.finditer(subject.label)), subject.day.isoformat())
            heading = replace(heading, subject=replace(subject, version=Version.try_parse(written)))
        yield heading


def _outer_headings(blocks: Blocks) -> Mapping[int, Block]:
    """Map each heading's position to the nearest heading of a higher level above it; the outermost have none."""
    outer: dict[int, Block] = {}
    enclosing: list[Block] = []
    for position, block in enumerate(blocks):
        if block.is_heading:
            while enclosing and enclosing[-1].level >= block.level:
                enclosing.pop()
            if enclosing:
                outer[position] = enclosing[-1]
            enclosing.append(block)
    return outer


def _release_date(
    facts: ReleaseFacts, parsed: ParsedText, heading: ReleaseHeading, *, end: int, outer: Block | None
) -> date | None:
    """Return a release's date from its heading, below it, at its end, or from a heading above that is only a date."""
    subject, title = heading.subject, parsed.blocks[heading.block].title
    if subject.pending and read_package_entry(title):
        return None  # An unreleased entry is signed with the time of its last edit.
    # A date that reads alike in any order was read with the heading, or is a calendar version ("2024.8.2").
    ordered = set(find_dates(title, facts.order)) - set(find_dates(title))
    stated = min((mention.date for mention in ordered), default=subject.day) or facts.date_below(heading.block)
    if stated is None and subject.version is not None:
        stated = facts.date_in_prose(heading.block, subject.version) or facts.date_of_signature(heading.block, end)
    if stated is not None:
        return stated
    if outer and _PERIOD.fullmatch(outer.title):
        return next((month.date for month in find_months(outer.title)), None)
    outer_subject = read_possible_release(outer.title) if outer else None
    return outer_subject.day if outer_subject and outer_subject.version is None else None


def find_release_headings(parsed: ParsedText, *, products: Sequence[str]) -> tuple[ReleaseHeading, ...]:
    """Return the headings that open releases, in order.

    A heading that only may open one ("core v1.2", "1.2 - The big one") does if its neighbours do. A bare number deeper
    than the changelog's release level (`#### 3.9` under `## 0.115.0`) is a topic. The title of a changelog of one
    series ("1.4 Changelog") opens none, unless the whole document is about that version and only patch releases end it.
    """
    sure: list[ReleaseHeading] = []
    possible: list[ReleaseHeading] = []
    has_days = any(block.attributes.get("released") for block in parsed.blocks)
    last_day: date | None = None
    headings = [at for at, block in enumerate(parsed.blocks) if block.is_heading]
    outer_of = _outer_headings(parsed.blocks)
    # A heading above all others is the document's title.
    cover = parsed.blocks[headings[0]] if len(outer_of) == len(headings) - 1 else None
    skipped = {at for at, outer in outer_of.items() if outer is not cover and _HELP.search(outer.title)}
    for position in headings:
        block = parsed.blocks[position]
        if position in skipped:
            continue
        stated = block.attributes.get("version", "")
        if version := Version.try_parse(stated):
            released = block.attributes.get("released", "")
            # In a document with fields for the release day, an empty field means that the release isn't out.
            own_day = block.attributes.get("day")
            pending = own_day == PENDING or (has_days and not released and own_day is None)
            dated = Subject(version, stated, day=first_date(own_day or released), pending=pending)
            sure.append(ReleaseHeading(position, block.level, dated))
        elif subject := read_release_heading(block.title, products=products):
            sure.append(ReleaseHeading(position, block.level, subject))
        elif subject := read_possible_release(block.title, products=products):
            possible.append(ReleaseHeading(position, block.level, subject))
            last_day = subject.day if subject.version is None else None
        elif last_day and (day := day_without_year(block.title, near=last_day)):
            # In a log of days, a heading may leave out the year of the one above.
            possible.append(ReleaseHeading(position, block.level, Subject(label=block.title, day=day)))
            last_day = day
    sure = _without_series(sure)
    if sure:
        later = sorted([*sure[1:], *possible], key=lambda heading: heading.block)
        # The last heading of a log may only point to the series before it.
        is_preface = bool(later) and _is_preface(parsed.blocks[: later[0].block])
        listed = (later, later[:-1]) if is_preface else (later,)
        if any(_names_series(sure[0], rest) for rest in listed) and not _are_addenda(parsed, later):
            del sure[0]
        elif later and _heads_series(sure[0], later[0]):
            sure = [later[0], *(head for head in sure[1:] if head != later[0])]
    # Days and topics may be headings above the releases.
    top = _level_of_possible(parsed.blocks, [head for head in possible if head.subject.version]) if sure else None
    if sure and (top is None or min(heading.level for heading in sure) <= top):
        # At the level of releases, those with a date, without a name, or with a name that recurs.
        level = _usual_level(sure)
        level_mates = [heading for heading in possible if heading.level == level]
        names = Counter(heading.subject.product for heading in (*level_mates, *sure))
        likely = [h for h in level_mates if h.subject.day or not h.subject.product or names[h.subject.product] > 1]
    else:
        outermost = top or _level_of_possible(parsed.blocks, possible)
        likely = [heading for heading in possible if heading.level == outermost]
    regular = (head for head in _with_regular([*sure, *likely], parsed.blocks, products) if head.block not in skipped)
    heads = sorted(regular, key=lambda heading: heading.block)
    heads = [head for head, after in pairwise((*heads, None)) if head and not _heads_series(head, after)]
    heads = [*_without_repeats(heads, parsed.blocks)]
    versions = [head.subject.version for head in heads[1:] if head.subject.version]
    is_title = bool(heads) and heads[0].subject.label.isdecimal() and are_in_order(versions, may_rise=False, least=2)
    if is_title and _names_series(heads[0], heads[1:], beside=True):
        del heads[0]
    title = parsed.blocks[heads[0].block].title if heads else ""
    # A spec's macros give the newest entry's version only; older entries had other values.
    if "%" in title and (entry := read_package_entry(title, read_macros(parsed.text))):
        heads[0] = replace(heads[0], subject=replace(heads[0].subject, version=entry.version, label=entry.label))
    heads = list(_with_stated_versions(heads, parsed, products))
    heads = list(_without_topics(heads)) if heads else _signed_headings(parsed)
    heads = max(heads, _steps_from(parsed.blocks), key=len)
    more = ((at, read_unnumbered_release(parsed.blocks[at].title, products)) for at in _strays(parsed.blocks, heads))
    added = [ReleaseHeading(at, parsed.blocks[at].level, subject) for at, subject in more if subject]
    heads = [*_with_companions(heads, parsed.blocks, products)]
    return tuple(sorted([*heads, *added], key=lambda heading: heading.block))


def _without_series(sure: Headings) -> list[ReleaseHeading]:
    """Return the release headings without series ("6.x") above the releases; one that is first of all is to come."""
    series = [head for head in sure if head.subject.label.lower().endswith(".x") and not head.subject.day]
    numbered = [head for head in sure if head not in series]
    outermost = _usual_level(numbered) if numbered else 0
    kept = [head for head in sure if head not in series or head.level >= outermost]
    if kept and numbered and kept[0] in series:
        kept[0] = replace(kept[0], subject=Subject(label=kept[0].subject.label, pending=True))
    return kept


def _with_companions(headings: Headings, blocks: Blocks, products: Sequence[str]) -> Iterator[ReleaseHeading]:
    """Yield the headings; one of another package, whose version isn't between those around it, without its version."""
    names = name_words(products)
    for above, heading, below in zip((None, *headings), headings, (*headings[1:], None), strict=False):
        subject, is_other = heading.subject, not names.issuperset(folded_words(heading.subject.product))
        near = (each.subject for each in (above, below) if each and is_other)
        versions = [each.version for each in near if each.version and names.issuperset(folded_words(each.product))]
        if subject.version and len(versions) > 1 and not min(versions) <= subject.version <= max(versions):
            heading = replace(heading, subject=replace(subject, version=None, label=blocks[heading.block].title))
        yield heading


def _with_stated_versions(headings: Headings, parsed: ParsedText, products: Sequence[str]) -> Iterator[ReleaseHeading]:
    """Yield the headings; a package log's entry whose first line has no version gets the one that its items state."""
    for heading, after in pairwise((*headings, None)):
        if heading and not heading.subject.version and read_package_entry(parsed.blocks[heading.block].title):
            end = parsed.blocks[after.block].start if after else len(parsed.text)
            items = parsed.text[parsed.blocks[heading.block].end : end].splitlines()
            if version := stated_version("\n".join(without_names(item, products) for item in items)):
                heading = replace(heading, subject=replace(heading.subject, version=version, label=version.label))
        if heading:
            yield heading


def _with_regular(known: Headings, blocks: Blocks, products: Sequence[str]) -> list[ReleaseHeading]:
    """Return the known release headings, and others that name versions in the same place and in order.

    On the level of releases, or if none are known, any name may precede the version, elsewhere only the product's. Two
    headings of a form suffice if the version ends them in brackets ("Breaking changes (44.0)"), or if none are known
    and they are half of the outermost headings that have neighbours.
    """
    opens = {heading.block: heading for heading in known}
    levels = Counter(block.level for block in blocks if block.is_heading)
    usual = _usual_level(known) if known else _outermost_shared(levels)
    outermost = min((heading.level for heading in known), default=0)
    names = name_words(products)
    places: dict[tuple[str, bool], dict[int, ReleaseHeading]] = {}
    for position, block in enumerate(blocks):
        is_near = not known or position in opens or block.level == usual
        if not block.is_heading or block.level < outermost:
            continue
        if reading := read_version_lead(block.title, products=products):
            before, subject = reading
            if is_near or set(before.split()) <= names:
                is_bracketed = bool(before) and block.title.endswith((f"{subject.label})", f"{subject.label}]"))
                heading = opens.get(position) or ReleaseHeading(position, block.level, subject)
                places.setdefault((before, is_bracketed), {})[position] = heading
    added: dict[int, ReleaseHeading] = {}
    for (before, is_bracketed), headings in places.items():
        versions = [heading.subject.version for heading in headings.values() if heading.subject.version]
        are_most = not known and 2 * sum(head.level == usual for head in headings.values()) >= levels[usual or 0] > 0
        are_few = bool(before) and is_bracketed
        may_rise = are_few or not opens.keys().isdisjoint(headings)
        if are_in_order(versions, may_rise=may_rise, least=2 if are_few or are_most else MIN_IN_ORDER):
            added |= headings
    added = {at: heading for at, heading in added.items() if at not in opens}
    # Below the releases found this way, versions are other products' ("Removed: macOS 10.15 support").
    innermost = math.inf if known else min((heading.level for heading in added.values()), default=0)
    return [*known, *(heading for heading in added.values() if heading.level <= innermost)]


def _heads_series(heading: ReleaseHeading, after: ReleaseHeading | None) -> bool:
    """Return whether a heading names only the series of the release that the heading right below it, on a deeper level,
    opens: "0.23" above "0.23.0", "Gizmo 4" above "4.2.1" with its date."""
    if after is None or after.block != heading.block + 1 or after.level <= heading.level or heading.subject.day:
        return False
    series, release = heading.subject.version, after.subject.version
    if series is None or release is None or len(series.release) >= len(release.release):
        return False
    if len(series.release) != _SERIES_NUMBERS and not after.subject.day:
        return False
    return VersionConstraint.exactly(series).contains(release)


def _is_preface(blocks: Blocks) -> bool:
    """Return whether the blocks above the first release are at most a title and prose."""
    return not has_sections(blocks) and all(block.kind is not LIST_ITEM for block in blocks)


def has_sections(blocks: Blocks) -> bool:
    """Return whether sections come before the first release, below the title: notes of a series, no log's preface."""
    return sum(block.is_heading for block in blocks) > 1


def _signed_headings(parsed: ParsedText) -> list[ReleaseHeading]:
    """Return the headings on who changed something, and when, above an item with the version; none if only one."""
    headings = []
    for position, (block, below) in enumerate(pairwise(parsed.blocks)):
        sentence = _IS_RELEASED.match(parsed.text, below.start, below.end) if block.is_heading else None
        if sentence and "@" in block.title and (day := first_date(block.title)):
            subject = Subject(Version.try_parse(sentence["version"]), sentence["version"], day=day)
            headings.append(ReleaseHeading(position, block.level, subject))
    return headings if len(headings) > 1 else []


def _steps_from(blocks: Blocks) -> list[ReleaseHeading]:
    """Return the sections of a guide that name the release that they start from, each as the one after it ("Upgrade
    from 2.0.53": 2.0.54); none unless they are in order."""
    headings = []
    for position, block in enumerate(blocks):
        if start := _STARTS_FROM.fullmatch(block.title):
            series, _, last = start["version"].rpartition(".")
            label = f"{series}.{int(last) + 1}".lstrip(".")
            headings.append(ReleaseHeading(position, block.level, Subject(Version.try_parse(label), label)))
    versions = [heading.subject.version for heading in headings if heading.subject.version]
    return headings if are_in_order(versions, may_rise=True) else []


def _usual_level(headings: Headings) -> int:
    """Return the most frequent level of the release headings, the outermost of equally frequent ones."""
    levels = Counter(heading.level for heading in headings)
    return max(levels, key=lambda level: (levels[level], -level))


def _outermost_shared(levels: Mapping[int, int]) -> int | None:
    """Return the outermost of the levels with more than one heading; `levels` counts headings."""
    return min((level for level, count in levels.items() if count > 1), default=None)


def _level_of_possible(blocks: Blocks, possible: Headings) -> int | None:
    """Return the outermost level with several headings, if half of them may open releases, at least two different."""
    heads = (block for block in blocks if block.is_heading and not _PERIOD.fullmatch(block.title))
    all_levels = Counter(block.level for block in heads)
    level = _outermost_shared(all_levels)
    at_level = [heading for heading in possible if heading.level == level]
    several = len({heading.subject.label for heading in at_level}) > 1
    return level if level is not None and several and len(at_level) * 2 >= all_levels[level] else None


def _without_topics(headings: Headings) -> Iterator[ReleaseHeading]:
    """Yield the headings but those that are bare numbers below a release, or repeat the release above."""
    usual = _usual_level(headings)
    at_level = Counter(heading.level for heading in headings)
    opened: list[ReleaseHeading] = []
    for heading in headings:
        opened = [outer for outer in opened if outer.level < heading.level]
        subject = heading.subject
        is_out_of_place = heading.level > usual or (opened and _major_number(heading) > _major_number(opened[-1]))
        # A topic would have neither a product's name nor three numbers.
        is_specific = subject.version and (subject.product or len(subject.version.release) > 2)
        is_to_come = subject.version is None and heading is headings[0]  # "Unreleased", above all releases.
        if is_out_of_place and not (subject.day or is_specific or is_to_come):
            continue
        if opened and _belongs_to_release(heading, opened[-1], level_count=at_level[heading.level]):
            continue
        opened.append(heading)
        yield heading


def _belongs_to_release(heading: ReleaseHeading, outer: ReleaseHeading, *, level_count: int) -> bool:
    """Return whether a heading below a release repeats its version, or is the only one on its level (`level_count` is
    how many there are) and names another package."""
    inner, above = heading.subject, outer.subject
    if inner.version == above.version and inner.day in (None, above.day):
        return True
    is_companion = inner.product and inner.product.casefold() != above.product.casefold() and above.version is not None
    return bool(is_companion) and not inner.day and level_count == 1


def has_addenda(parsed: ParsedText, headings: Headings) -> bool:
    """Return whether the document is about its first heading's release, with patch releases at its end."""
    return bool(headings) and _names_series(headings[0], headings[1:]) and _are_addenda(parsed, headings[1:])


def _are_addenda(parsed: ParsedText, headings: Headings) -> bool:
    """Return whether most of the text comes before these headings and they go from old to new, as if added later."""
    versions = [heading.subject.version for heading in headings if heading.subject.version]
    ascends = all(before <= after for before, after in pairwise(versions))
    return ascends and 2 * parsed.blocks[headings[0].block].start > len(parsed.text)


def _names_series(title: ReleaseHeading, later: Headings, *, beside: bool = False) -> bool:
    """Return whether the first heading names the series of all the releases below it, or `beside` it on its level."""
    version = title.subject.version
    if version is None or title.subject.day or len(version.release) > 2:
        return False
    width = len(version.release)
    named = [(heading.level, heading.subject.version) for heading in later if heading.subject.version]
    outer = min((level for level, _ in named), default=0)
    versions = {below for level, below in named if level == outer}
    return (
        outer + beside > title.level
        and any(len(below.release) > width for below in versions)
        and (len(versions) > 1 or any(below.is_prerelease for below in versions))
        and all(below.release[:width] == version.release for below in versions)
    )


def _major_number(heading: ReleaseHeading) -> int:
    return heading.subject.version.release[0] if heading.subject.version else -1


def _strays(blocks: Blocks, headings: Headings) -> frozenset[int]:
    """Return the positions of headings on the level of several releases that open none and belong to none above.

    Sections name a kind of changes, mention their release, recur in the document, or are the first below their release.
    If most releases have sections on their own level, only a heading that surely names something else is in the result.
    """
    opens = {heading.block: heading for heading in headings}
    if all(heading.subject.label not in blocks[heading.block].title for heading in headings):
        return frozenset()  # In a log that is signed day by day, the days below a release's are its own.
    at_level = Counter(heading.level for heading in headings)
    titles = Counter(block.title.casefold() for block in blocks if block.is_heading)
    sectioned: set[int] = set()
    outside: set[int] = set()
    current: ReleaseHeading | None = None
    for position, block in enumerate(blocks):
        if position in opens:
            current = opens[position]
        if not block.is_heading or not current or block.level != current.level or position in opens:
            continue
        is_first = _begins_notes(blocks, current, position)
        if is_first or titles[block.title.casefold()] > 1 or _is_section(block.title, current.subject.version):
            sectioned.add(current.block)
        elif at_level[block.level] > 1:
            outside.add(position)
    is_flat = 2 * len(sectioned) > len(headings)
    return frozenset(at for at in outside if not is_flat or _OTHER_TOPIC.search(blocks[at].title))


def _begins_notes(blocks: Blocks, release: ReleaseHeading, at: int) -> bool:
    """Return whether a heading is the first below a release's, at most prose between, and no topic of its own."""
    between = (blocks[place].kind for place in range(release.block + 1, at))
    is_first = all(kind in (PARAGRAPH, MARKUP) for kind in between)
    return is_first and not _OTHER_TOPIC.search(blocks[at].title)


def _is_section(title: str, release: Version | None) -> bool:
    """Return whether a heading on a release's level names a kind of changes, their authors, or that release."""
    if _OTHER_TOPIC.search(title) or move_target(title):
        return False
    if kind_of_heading(title) is not None:
        return True
    named = find_versions(title) if release is not None else ()
    looks_back = not LOOKS_BACK.isdisjoint(folded_words(title))
    return any(_covers(hit.version, release) or (looks_back and hit.version < release) for hit in named if release)


def _covers(named: Version, release: Version) -> bool:
    """Return whether a version in a heading is the release's own, its series, or its candidate."""
    return named.base == release.base or VersionConstraint.exactly(named).contains(release)


def _without_repeats(headings: Headings, blocks: Blocks) -> Iterator[ReleaseHeading]:
    """Yield the headings but sections that name the release above on its level: "Upgrade notes for 5.7" below 5.7.0."""
    opened: ReleaseHeading | None = None
    for heading in headings:
        title, subject = blocks[heading.block].title, heading.subject
        if opened and opened.level == heading.level and subject.version and not subject.day:
            above, title_above = opened.subject.version, blocks[opened.block].title
            is_plain = kind_of_heading(title_above) is None and kind_of_heading(title) is not None
            if is_plain and above and _covers(subject.version, above):
                continue
        opened = heading
        yield heading


def _boundaries(blocks: Blocks, headings: Headings) -> list[tuple[int, ReleaseHeading | None]]:
    """Return each part's start and release heading: None outside releases, the final's again after its candidates."""
    opens = {heading.block: heading for heading in headings}
    strays = _strays(blocks, headings)
    boundaries: list[tuple[int, ReleaseHeading | None]] = []
    current: ReleaseHeading | None = None
    outer: ReleaseHeading | None = None
    for position, block in enumerate(blocks):
        if position in opens:
            opened = opens[position]
            if current and _is_candidate_below(opened, current):
                outer = current
            elif outer and not _is_candidate_below(opened, outer):
                outer = None
            current = opened
            boundaries.append((block.start, current))
        elif current and (position in strays or _ends_release(blocks, current, position)):
            current, outer = (outer if outer and block.level > outer.level else None), None
            boundaries.append((block.start, current))
    return boundaries


def _ends_release(blocks: Blocks, current: ReleaseHeading, at: int) -> bool:
    """Return whether a heading of no kind of changes ends a release, by its level or by pointing to older releases."""
    title, level = blocks[at].title, blocks[at].level
    leads_away = level == current.level and points_to_older(title)
    may_end = title and (level < current.level or leads_away) and kind_of_heading(title) is None
    return bool(may_end) and not _begins_notes(blocks, current, at)


def _is_candidate_below(inner: ReleaseHeading, outer: ReleaseHeading) -> bool:
    """Return whether a heading below a final release names one of its candidates."""
    candidate, final = inner.subject.version, outer.subject.version
    return bool(
        candidate and final and inner.level > outer.level and candidate.is_prerelease and candidate.base == final
    )
