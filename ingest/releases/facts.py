"""What the lines below a release's heading say of the release itself: when it came out, and that it was taken back."""

import re
from collections.abc import Iterator
from datetime import date

from corpus.versions import Version
from ingest.blocks import Block, BlockKind, ParsedText
from ingest.releases.dates import DateMention, day_comes_first, find_dates
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


class ReleaseFacts:
    """Reads a document for what it tells of its releases; headings are named by their position among its blocks."""

    def __init__(self, parsed: ParsedText) -> None:
        self._parsed = parsed
        # Entries may be about dates.
        told = (block for block in parsed.blocks if block.kind in (BlockKind.HEADING, BlockKind.PARAGRAPH))
        self._day_first = day_comes_first(parsed.text[block.start : block.end] for block in told)

    def find_dates(self, text: str) -> tuple[DateMention, ...]:
        """The dates of a text, those in numbers read the way round that the document writes them."""
        return find_dates(text, day_first=self._day_first)

    def date_below(self, heading: int) -> date | None:
        """The date that stands alone or labelled right under a heading ("*January 14, 2025*", "Released: 2024-02-03").

        A heading that names a version may have another below it that is but the date. A release date that is labelled
        as one may stand some blocks further down.
        """
        names_version = read_version_line(self._parsed.blocks[heading].title, ()) is not None
        is_near = True
        for position, block in enumerate(self._parsed.blocks[heading + 1 : heading + 1 + _FAR_DATE_BLOCKS]):
            text = block.title or self._parsed.text[block.start : block.end]
            mentions = self.find_dates(text)
            is_date = bool(mentions) and len(text) <= _DATE_LINE_CHARACTERS and _says_nothing_else(text, mentions)
            if block.kind is BlockKind.HEADING:
                if position == 0 and names_version and is_date:
                    return mentions[0].date
                if block.level <= self._parsed.blocks[heading].level or read_release_heading(block.title):
                    return None
                is_near = False
                continue
            is_near = is_near and position < 2
            label = _DATE_LABEL if is_near else _FAR_DATE_LABEL
            if (is_near and is_date) or (mentions and label.fullmatch(text, 0, mentions[0].span.start)):
                return mentions[0].date
        return None

    def date_told(self, heading: int, version: Version) -> date | None:
        """The date that the introduction under a heading tells in a sentence ("Foo 2.4 was released on 3 May 2023")."""
        for block in self._prose_below(heading, _OPENING_BLOCKS):
            text = self._parsed.text[block.start : block.end]
            days = {mention.span.start: mention.date for mention in self.find_dates(text)}
            for told in _WAS_RELEASED.finditer(text) if days else ():
                if told.end() in days and Version.try_parse(told["version"]) == version:
                    return days[told.end()]
        return None

    def date_of_signature(self, heading: int, end: int) -> date | None:
        """The date in the line that signs the notes from a heading to `end` ("-- Jane <jane@example.org>  Tue, 09 Jan
        2024", "— Edinburgh, 2023-12-06")."""
        last = self._parsed.text[self._parsed.blocks[heading].start : end].rstrip().rpartition("\n")[2].strip()
        is_signature = _SIGNATURE.match(last) and len(last) <= _DATE_LINE_CHARACTERS
        mentions = self.find_dates(last) if is_signature else ()
        return mentions[0].date if len(mentions) == 1 and not last[mentions[0].span.end :].strip() else None

    def is_told_yanked(self, heading: int, version: Version) -> bool:
        """Whether a notice right under a heading says that this release was taken back ("**v1.2.3 was yanked**")."""
        return any(
            told["version"] is None or Version.try_parse(told["version"]) == version
            for block in self._prose_below(heading, _NOTICE_BLOCKS)
            for told in _WAS_YANKED.finditer(self._parsed.text, block.start, block.end)
        )

    def _prose_below(self, heading: int, count: int) -> Iterator[Block]:
        for block in self._parsed.blocks[heading + 1 : heading + 1 + count]:
            if block.kind is BlockKind.HEADING:
                return
            if block.kind is BlockKind.PARAGRAPH:
                yield block


def _says_nothing_else(text: str, mentions: tuple[DateMention, ...]) -> bool:
    for mention in reversed(mentions):
        text = text[: mention.span.start] + " " + text[mention.span.end :]
    words = "".join(c if c.isalnum() else " " for c in text).casefold().split()
    return all(word in _DATE_LINE_WORDS for word in words)
