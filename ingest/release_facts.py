"""What the lines below a release's heading say of the release itself: when it came out, and that it was taken back."""

import re
from collections.abc import Iterator
from datetime import date
from itertools import islice

from corpus.versions import Version
from ingest.blocks import Block, BlockKind, ParsedText
from ingest.dates import find_dates

_DATE_LINE_WORDS = frozenset(
    "released release date on published updated posted last publication first the of at by in day".split()
)
_DATE_LINE_CHARACTERS = 120
_DATE_LABEL = re.compile(
    r"\W*(?:(?:first|originally) )?(?:published|released|release date|posted|date)\W*(?:on\W+)?", re.I
)
_DATE_BLOCKS = 2
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


def date_below(parsed: ParsedText, heading: int) -> date | None:
    """The date that stands alone or labelled right under a heading ("*January 14, 2025*", "Released: 2024-02-03")."""
    for block in _blocks_below(parsed, heading, _DATE_BLOCKS):
        text = parsed.text[block.start : block.end]
        mentions = find_dates(text)
        if mentions and _DATE_LABEL.fullmatch(text, 0, mentions[0].span.start):
            return mentions[0].date
        if mentions and len(text) <= _DATE_LINE_CHARACTERS:
            for mention in reversed(mentions):
                text = text[: mention.span.start] + " " + text[mention.span.end :]
            words = "".join(c if c.isalpha() else " " for c in text).casefold().split()
            if all(word in _DATE_LINE_WORDS for word in words):
                return mentions[0].date
    return None


def date_told(parsed: ParsedText, heading: int, version: Version) -> date | None:
    """The date that the introduction under a heading tells in a sentence ("Foo 2.4 was released on 3 May 2023")."""
    for block in _blocks_below(parsed, heading, _OPENING_BLOCKS):
        if block.kind is not BlockKind.PARAGRAPH:
            continue
        text = parsed.text[block.start : block.end]
        days = {mention.span.start: mention.date for mention in find_dates(text)}
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
    for block in islice(parsed.blocks, heading + 1, heading + 1 + count):
        if block.kind is BlockKind.HEADING:
            return
        yield block
