"""Finds lines without markup that open releases ("v9.0.0 - April 5, 2024"): several of them, each of another version
and with something below it, are a document's headings."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from corpus.change_kinds import kind_of_heading
from corpus.dates import DateMention, find_dates, find_months, without_dates
from corpus.version_mentions import find_versions
from corpus.versions import DAY, Version
from ingest.blocks import HEADING, LIST_ITEM, PARAGRAPH, Block, ParsedText
from ingest.releases.package_entries import opens_package_entry
from ingest.releases.release_headings import (
    are_in_order,
    read_heading,
    read_release_heading,
    read_version_lead,
    version_of_heading,
)
from ingest.releases.version_lines import (
    AGAINST_ANOTHER,
    FROM_ANOTHER,
    LOOKS_BACK,
    PARTIAL_DATE,
    Subject,
    folded_words,
    states_pending,
)
from ingest.text_lines import plain_title

_MAX_CHARACTERS = 100
_MIN_STATED = 2
_MIN_BARE = 3
_UNTITLED_LEVEL = 2
_MAY_STATE = re.compile(rf"(?i)\A(?!\().*?(?:\d\.\d|\bunreleased\b|\b{DAY.pattern})")
_STATE = re.compile(r"(?i)\b(?:unreleased|tba|tbd|in progress|unknown|development release|trial)\b")
_BULLET = re.compile(r"^[*+•-]\s+")
_BOLD = re.compile(r"(?i)\s*\*\*((?:(?:release|version) )?v?(?P<version>\d[\w.+-]{0,60}))\*\*\s*")
_VERSION_FIELD = re.compile(r"(?i)(?:version|release)\s*:\s*(?P<version>\S+)")
_DATE_FIELD = r"(?:release[ -]?date|date|released(?: on)?)\s*:[^\r\n]{1,40}"
BETWEEN_RULES = re.compile(r"(?:[*-]\s+(?!\*))?([=\-*#~])\1{2,}\s+(?P<title>\S.*\S)\s+\1{3,}")
_FIRST_LINE = re.compile(r"[^\r\n]+")
_LIST_BELOW = re.compile(r"[ \t]*(?:\r\n?|\n)[ \t]*[*+•-][ \t]")
_DAY_LINE = re.compile(
    rf"(?i)[ \t]*(?:\r\n?|\n)[ \t]*(?P<day>(?:19|20)\d\d(?:[/.-][\dx]{{1,2}}){{2}}|{_DATE_FIELD})[ \t]*(?=[\r\n]|\Z)"
)
_SENTENCE = re.compile(r"\S(?:[^\n.!:]|\n(?!\s*\n)|[.!:](?!\s|\Z)){0,300}(?:[.!:](?=\s|\Z)|\Z)")
_MENTIONS_RELEASE = re.compile(r"(?i)\b(?:version|releas\w+|changes|notes|announc\w+|what['’]?s new)\b")
_MAX_LEAD = 40
_BLANK_LINE = re.compile(r"[ \t]*\r?\n[ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class _ReleaseLine:
    """The first line of a paragraph that may open a release; `end` is its end in the document's text."""

    title: str
    end: int
    subject: Subject
    bare: bool  # A version and nothing else.


def read_release_line(line: str) -> Subject | None:
    """Return the release of a line that is only a version, its date or state and the product's name, else None."""
    if len(line) > _MAX_CHARACTERS or not _MAY_STATE.search(line) or line.endswith((".", ",", ";", "!", "?")):
        return None
    subject = read_heading(line)
    if subject is None:
        return None
    is_dated = subject.version is not None and (subject.day is not None or PARTIAL_DATE.search(line))
    stated = subject.pending or subject.yanked or any(rx.search(line) for rx in (_STATE, FROM_ANOTHER, AGAINST_ANOTHER))
    return subject if is_dated or stated or opens_package_entry(line) or count_fields((line,)) else None


def count_fields(lines: Sequence[str]) -> int:
    """Return how many of the first lines are fields of a release: "Version: 1.1.0", below it "Date: 2026-06-20"."""
    field = _VERSION_FIELD.fullmatch(lines[0])
    if field is None or Version.try_parse(field["version"]) is None:
        return 0
    return 1 + (len(lines) > 1 and re.fullmatch(_DATE_FIELD, lines[1], re.IGNORECASE) is not None)


def read_ruled_release(line: str) -> Subject | None:
    """Return the release of a line that has its title between rules ("--- mpv 0.40.0 ---"), else None."""
    ruled = BETWEEN_RULES.fullmatch(line)
    subject = read_heading(ruled["title"]) if ruled else None
    return replace(subject, label=ruled["title"]) if ruled and subject and subject.version else None


def with_release_lines(parsed: ParsedText) -> ParsedText:
    """Return the document with its unmarked release lines as headings, each apart from the text set tight below it.

    None becomes one if they are few, only list versions, or a third repeat versions of headings. Offsets don't change.
    """
    parsed = _with_one_level(parsed)
    opening: dict[int, _ReleaseLine] = {}
    for at in range(len(parsed.blocks)):
        above = opening[at - 1].subject.version if at - 1 in opening else version_of_heading(parsed.blocks[at - 1])
        line = _opening_line(parsed, at)
        # The day right below a release's heading is that release's.
        if line and not (at and above and not above.day and _begins_with_day(line.title)):
            opening[at] = line
    lines = opening or _release_sentences(parsed)
    stated = {line.subject.version for line in lines.values() if not line.bare}
    versions = {line.subject.version.label for line in lines.values() if line.subject.version}
    if len(stated) < _MIN_STATED and len(versions) < _MIN_BARE:
        return parsed
    headings = [(block.level, version) for block in parsed.blocks if (version := version_of_heading(block))]
    repeated = versions & {version.label for _, version in headings}
    ends = [*sorted(lines), len(parsed.blocks)]
    with_text = sum(after - at > 1 or lines[at].end < parsed.blocks[at].end for at, after in pairwise(ends))
    # If few lines have text below them, they only list versions; releases of one day share their notes.
    least = len(lines) // 3 if with_text >= _MIN_BARE else len(lines) // 2
    if 3 * len(repeated) >= len(versions) > 0 or with_text <= least:
        return parsed
    level, count = Counter(level for level, _ in headings).most_common(1)[0] if headings else (0, 0)
    if count < 2:
        levels = [block.level for block in parsed.blocks[: min(lines)] if block.is_heading]
        level = levels[-1] + 1 if levels else _UNTITLED_LEVEL
    return replace(parsed, blocks=tuple(_as_headings(parsed, lines, level=level)))


def _begins_with_day(line: str) -> bool:
    """Return whether a line begins with a day and names no version after it ("2024-05-30, 14 commits")."""
    days = find_dates(line)
    is_first = bool(days) and not any(map(str.isalnum, line[: days[0].span.start]))
    return is_first and not re.search(r"\d\.\d", without_dates(line, days))


def _with_one_level(parsed: ParsedText) -> ParsedText:
    """Return a plain-text document with its release headings on one level above their sections, which may look bolder
    ("** Bug" below "Release Notes - Gizmo - Version 1.10.1"); unchanged for one release, or if none is outranked."""
    if parsed.media_type != "text/plain":
        return parsed
    heads = {at: block for at, block in enumerate(parsed.blocks) if block.is_heading}
    forms: dict[tuple[str, int], dict[int, _ReleaseLine]] = {}
    for at, block in heads.items():
        if reading := read_version_lead(block.title):
            forms.setdefault((reading[0], block.level), {})[at] = _ReleaseLine(
                block.title, block.end, reading[1], bare=False
            )
    releases = max(forms.values(), key=len, default={})
    levels = [heads[at].level for at in releases]
    from_first = {at: block for at, block in heads.items() if at >= min(releases, default=0)}
    sections = Counter(block.title for at, block in from_first.items() if at not in releases)
    outranked = [at for at in releases if at + 1 in from_first and from_first[at + 1].level <= heads[at].level]
    is_repeated = any(sections[head.title] > 1 and head.level <= max(levels, default=0) for head in heads.values())
    if len(releases) < _MIN_STATED or not (is_repeated or len(outranked) == len(releases)):
        return parsed
    level = max(1, min(block.level for block in from_first.values()) - 1)
    return replace(parsed, blocks=tuple(_as_headings(parsed, releases, level=level)))


def _release_sentences(parsed: ParsedText) -> Mapping[int, _ReleaseLine]:
    """Return, by block position, the release lines in first sentences of paragraphs; none if headings open releases.
    The sentences differ only in their versions, which rise or fall ("The changes between gizmo-5.2 and gizmo-5.1."), or
    half of the paragraphs from the first with a version on begin with falling ones ("With version 1.14, …")."""
    if any(version_of_heading(block) or block.attributes.get("version") for block in parsed.blocks):
        return {}
    alike: dict[str, dict[int, _ReleaseLine]] = {}
    early: dict[int, _ReleaseLine] = {}
    paragraphs = 0
    for position, block in enumerate(parsed.blocks):
        # In plain text, a line that leads to a list may have been read as a heading.
        leads_to_list = parsed.media_type == "text/plain" and parsed.text[block.end - 1] == ":"
        is_prose = (block.kind is PARAGRAPH and not block.level) or (leads_to_list and block.is_heading)
        sentence = _SENTENCE.match(parsed.text, block.start, block.end) if is_prose else None
        words = plain_title(sentence[0]) if sentence else ""
        mentions = find_versions(words)
        paragraphs += is_prose and bool(early or mentions)
        if not sentence or not mentions:
            continue
        days = find_dates(words) or find_months(words)
        lead = words[: mentions[0].start]
        if len(lead) <= _MAX_LEAD and (LOOKS_BACK - {"before"}).isdisjoint(folded_words(lead)):
            whole, named = parsed.text[block.start : block.end], words[: mentions[0].end]
            block_days = find_dates(whole) or find_months(whole)
            # Markup may split the version, or an address contain it.
            ends = range(len(named), len(sentence[0]))
            end = next((end for end in ends if plain_title(whole[:end]).startswith(named)), len(sentence[0]))
            end = next((day.span.end for day in block_days if 0 <= day.span.start - end <= _MAX_LEAD // 2), end)
            end += len(whole[end : end + 2]) - len(whole[end : end + 2].lstrip(").,:;*_`"))
            early[position] = _sentence_line(mentions[0].version, block_days, block.start + end)
        if _MENTIONS_RELEASE.search(words):
            # Behind the day, each release may have a motto.
            has_day_behind = days and days[0].span.start > mentions[0].start
            rest = without_dates(words[: days[0].span.end] if has_day_behind else words, days).split()
            form = " ".join("#" if any(map(str.isdigit, word)) else word for word in rest)
            # "This document tells the changes between this version, gizmo-5.2-rc1, and the one before."
            numbers = (words[mention.start :].split()[0].rstrip(".,:;)") for mention in mentions)
            versions = [*filter(None, map(Version.try_parse, numbers))] or [mention.version for mention in mentions]
            is_first = "this" in folded_words(lead)
            line = _sentence_line(versions[0] if is_first else max(versions), days, sentence.end())
            alike.setdefault(form, {})[position] = line
    are_most = (alike or any(line.subject.day for line in early.values())) and 2 * len(early) >= paragraphs
    for lines, may_rise in (*((each, True) for each in alike.values()), *[(early, False)] * bool(are_most)):
        versions = [line.subject.version for line in lines.values() if line.subject.version]
        if are_in_order(versions, may_rise=may_rise, least=2):
            return lines
    return {}


def _sentence_line(version: Version, days: Sequence[DateMention], end: int) -> _ReleaseLine:
    """Return the release of a sentence that ends at `end`, with a title made of its version and day."""
    day = days[0].date if days else None
    title = f"Version {version}{f', {day}' if day else ''}"
    return _ReleaseLine(title, end, Subject(version, version.label, day=day), bare=False)


def _first_line(parsed: ParsedText, block: Block) -> tuple[str, int]:
    """Return a block's first line, plain and cut, and its end; else ("", start)."""
    line = _FIRST_LINE.match(parsed.text, block.start, min(block.end, block.start + 4 * _MAX_CHARACTERS))
    if line is None:
        return "", block.start
    return plain_title(line.group()), line.start() + len(line.group().rstrip())


def _opening_line(parsed: ParsedText, position: int) -> _ReleaseLine | None:
    """Return a paragraph's first line if it states a release, is between rules, or is a version alone above a list.

    A list item's counts only if its own list is below it, or if it is just a version and its date.
    """
    block, below = parsed.blocks[position], parsed.blocks[position + 1 : position + 2]
    above_list = bool(below) and below[0].kind is LIST_ITEM
    is_item = block.kind is LIST_ITEM and block.level == 1
    if not is_item and (block.kind is not PARAGRAPH or block.level):
        return None
    title, end = _first_line(parsed, block)
    below_day = _FIRST_LINE.match(parsed.text, end + 1, block.end)
    is_dated = not is_item and (_begins_with_day(title) or states_pending(title))
    lead = read_version_lead(plain_title(below_day[0])) if below_day and is_dated else None
    version = lead[1].version if lead and (not lead[0] or "@" in title) else None
    if below_day and version and "." in version.label:
        days = find_dates(title)
        line = _sentence_line(version, days, below_day.end())
        return line if days else replace(line, title=f"{line.title} (unreleased)")
    limit = min(block.end, block.start + 4 * _MAX_CHARACTERS)
    is_alone = above_list and end == block.end
    heads_list = above_list and below[0].level > 1 and bool(is_alone or _BLANK_LINE.match(parsed.text, end, block.end))
    if is_item:
        has_list = is_alone or heads_list or _LIST_BELOW.match(parsed.text, end, block.end)
        title = _BULLET.sub("", title) if has_list else ""
    elif ruled := read_ruled_release(title):
        return _ReleaseLine(ruled.label, end, ruled, bare=False)
    if not is_item and (dated := _DAY_LINE.match(parsed.text, end, limit)):
        joined = f"{title} {dated['day']}"
        if subject := read_release_line(joined):
            return _ReleaseLine(joined, dated.end("day"), subject, bare=False)
    is_flat = is_item and not heads_list
    if subject := read_release_line(title):
        is_release = not is_flat or (subject.day is not None and read_release_heading(title) is not None)
        return _ReleaseLine(title, end, subject, bare=False) if is_release else None
    bold = None if is_item else _BOLD.fullmatch(parsed.text, block.start, block.end)
    if bold and (version := Version.try_parse(bold["version"])):
        return _ReleaseLine(bold[1], end, Subject(version, bold[1]), bare=True)
    version = Version.try_parse(title.strip("[]")) if is_alone and not is_flat and _MAY_STATE.search(title) else None
    return _ReleaseLine(title, end, Subject(version, title), bare=True) if version else None


def _as_headings(parsed: ParsedText, lines: Mapping[int, _ReleaseLine], *, level: int) -> Iterator[Block]:
    """Yield the blocks with the lines as headings; other headings between two of them become sections of a release."""
    first, last = min(lines), max(lines)
    levels = {block.level for block in parsed.blocks[first:last] if block.title}
    for position, block in enumerate(parsed.blocks):
        if line := lines.get(position):
            yield Block(HEADING, block.start, line.end, level, line.title)
            if words := parsed.text[line.end : block.end].lstrip():
                title = words.partition("(")[0].strip(" :")
                # "In Gizmo 1.13 we fixed the following:"
                is_title = words.endswith(":") and "\n" not in words and kind_of_heading(title) is not None
                kind, depth = (HEADING, level + 1) if is_title else (PARAGRAPH, 0)
                yield Block(kind, block.end - len(words), block.end, depth, title * is_title)
        elif position > first and block.title and block.level in levels and not read_version_lead(block.title):
            yield replace(block, level=max(block.level, level + 1))
        else:
            yield block
