"""What the lines below a release's heading say of the release itself: when it came out, and that it was taken back."""

import re
from collections.abc import Iterator
from datetime import date

from corpus.versions import Version
from ingest.blocks import Block, BlockKind, ParsedText
from ingest.releases.dates import day_comes_first, find_dates
from ingest.releases.headings import read_release_heading
from ingest.releases.version_lines import read_version_line

_DATE_LINE_WORDS = frozenset(
    "released release date on published updated posted last publication first the of at by in day".split()
)
_DATE_LINE_CHARACTERS = 120
_DATE_LABEL = re.compile(
    r"\W*(?:(?:first|originally) )?(?:published|released|release[- ]date|posted|date)\W*(?:on\W+)?", re.I
)
_FAR_DATE_LABEL = re.compile(r"\W*(?:released|release[- ]date)\W*(?:on\W+)?", re.I)
_FAR_DATE_BLOCKS = 6
_SIGNATURE = re.compile(r"(?:—|–|--) +\S")
_OPENING_BLOCKS = 6
_NOTICE_BLOCKS = 2
_NUMBER = r"(?<![\w.])v?(?P<version>\d+(?:\.\w+)+)"
_WAS_RELEASED = re.compile(
    rf"{_NUMBER}\s+(?:was|is|has\s+been)\s+(?:first\s+)?(?:released|published)\s+(?:on\s+)?", re.I
)
_WAS_YANKED = re.compile(
    rf"(?:\bthis\s+(?:release|version)|{_NUMBER})\s+(?:was|is|has\s+been|had\s+to\s+be)\W{{1,4}}"
    r"(?:yanked|withdrawn|retracted)\b",
    re.I,
)


def day_first_in(parsed: ParsedText) -> bool | None:
    """Whether the dates that a document writes in numbers begin with the day, as its headings and its prose tell; its
    entries may be about dates."""
    texts = (one for one in parsed.blocks if one.kind in (BlockKind.HEADING, BlockKind.PARAGRAPH))
    return day_comes_first(parsed.text[one.start : one.end] for one in texts)


def date_below(parsed: ParsedText, heading: int, *, day_first: bool | None) -> date | None:
    """The date that stands alone or labelled right under a heading ("*January 14, 2025*", "Released: 2024-02-03").

    A heading of its own may hold it; a release date that is labelled as one may stand some blocks further down.
    """
    below = parsed.blocks[heading + 1 : heading + 1 + _FAR_DATE_BLOCKS]
    for position, block in enumerate(below):
        if block.kind is BlockKind.HEADING:
            names_version = read_version_line(parsed.blocks[heading].title, ()) is not None
            if position == 0 and names_version and (day := _date_alone(block.title, day_first=day_first)):
                return day
            if block.level <= parsed.blocks[heading].level or read_release_heading(block.title):
                return None
            continue
        text = parsed.text[block.start : block.end]
        mentions = find_dates(text, day_first=day_first)
        is_near = position < 2 and not any(one.kind is BlockKind.HEADING for one in below[:position])
        label = _DATE_LABEL if is_near else _FAR_DATE_LABEL
        if mentions and label.fullmatch(text, 0, mentions[0].span.start):
            return mentions[0].date
        if is_near and len(text) <= _DATE_LINE_CHARACTERS and (day := _date_alone(text, day_first=day_first)):
            return day
    return None


def date_of_signature(text: str, *, day_first: bool | None) -> date | None:
    """The date at the end of a release's notes in the line that signs them ("-- Jane <jane@example.org>  Tue, 09 Jan
    2024", "— Edinburgh, 2023-12-06")."""
    last = text.rstrip().rpartition("\n")[2].strip()
    mentions = (
        find_dates(last, day_first=day_first) if _SIGNATURE.match(last) and len(last) <= _DATE_LINE_CHARACTERS else ()
    )
    return mentions[0].date if len(mentions) == 1 and not last[mentions[0].span.end :].strip() else None


def date_told(parsed: ParsedText, heading: int, version: Version, *, day_first: bool | None) -> date | None:
    """The date that the introduction under a heading tells in a sentence ("Foo 2.4 was released on 3 May 2023")."""
    for block in _blocks_below(parsed, heading, _OPENING_BLOCKS):
        if block.kind is not BlockKind.PARAGRAPH:
            continue
        text = parsed.text[block.start : block.end]
        days = {mention.span.start: mention.date for mention in find_dates(text, day_first=day_first)}
        for told in _WAS_RELEASED.finditer(text) if days else ():
            if told.end() in days and Version.try_parse(told["version"]) == version:
                return days[told.end()]
    return None


def is_told_yanked(parsed: ParsedText, heading: int, version: Version) -> bool:
    """Whether a notice right under a heading says that this release was taken back ("**v1.2.3 was yanked**")."""
    return any(
        told["version"] is None or Version.try_parse(told["version"]) == version
        for block in _blocks_below(parsed, heading, _NOTICE_BLOCKS)
        if block.kind is BlockKind.PARAGRAPH
        for told in _WAS_YANKED.finditer(parsed.text, block.start, block.end)
    )


def _blocks_below(parsed: ParsedText, heading: int, count: int) -> Iterator[Block]:
    for block in parsed.blocks[heading + 1 : heading + 1 + count]:
        if block.kind is BlockKind.HEADING:
            return
        yield block


def _date_alone(text: str, *, day_first: bool | None) -> date | None:
    """The first date of a text that says nothing else."""
    mentions = find_dates(text, day_first=day_first)
    for mention in reversed(mentions):
        text = text[: mention.span.start] + " " + text[mention.span.end :]
    words = "".join(c if c.isalnum() else " " for c in text).casefold().split()
    return mentions[0].date if mentions and all(word in _DATE_LINE_WORDS for word in words) else None
