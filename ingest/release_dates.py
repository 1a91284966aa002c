"""When a release was: the date that stands below its heading, or where its maintainer signs it.

Dates in headings themselves are read with them (`ingest.release_headings`).
"""

import re
from datetime import date

from ingest.blocks import BlockKind, ParsedText
from ingest.dates import find_dates
from ingest.release_headings import read_release_heading
from ingest.version_lines import read_version_line

_DATE_LINE_WORDS = frozenset(
    "released release date on published updated posted last publication first the of at by in day".split()
)
_DATE_LINE_CHARACTERS = 120
_DATE_LABEL = re.compile(
    r"\W*(?:(?:first|originally) )?(?:published|released|release[- ]date|posted|date)\W*(?:on\W+)?", re.I
)
_FAR_DATE_LABEL = re.compile(r"\W*(?:released|release[- ]date)\W*(?:on\W+)?", re.I)
_FAR_BLOCKS = 6
_SIGNATURE = re.compile(r"(?m)^[ \t]*-- .*<[^<>\s]+>\s+(?=[A-Z][a-z]{2},)")


def date_below(parsed: ParsedText, heading: int) -> date | None:
    """The date that stands alone or labelled right under a heading ("*January 14, 2025*", "Released: 2024-02-03").

    A heading of its own may hold it; a release date that is labelled as one may stand some blocks further down.
    """
    below = parsed.blocks[heading + 1 : heading + 1 + _FAR_BLOCKS]
    for position, block in enumerate(below):
        if block.kind is BlockKind.HEADING:
            names_version = read_version_line(parsed.blocks[heading].title, ()) is not None
            if position == 0 and names_version and (day := _date_alone(block.title)):
                return day
            if block.level <= parsed.blocks[heading].level or read_release_heading(block.title):
                return None
            continue
        text = parsed.text[block.start : block.end]
        mentions = find_dates(text)
        is_near = position < 2 and not any(one.kind is BlockKind.HEADING for one in below[:position])
        label = _DATE_LABEL if is_near else _FAR_DATE_LABEL
        if mentions and label.fullmatch(text, 0, mentions[0].span.start):
            return mentions[0].date
        if is_near and len(text) <= _DATE_LINE_CHARACTERS and (day := _date_alone(text)):
            return day
    return None


def _date_alone(text: str) -> date | None:
    """The first date of a text that says nothing else."""
    mentions = find_dates(text)
    for mention in reversed(mentions):
        text = text[: mention.span.start] + " " + text[mention.span.end :]
    words = "".join(c if c.isalpha() else " " for c in text).casefold().split()
    return mentions[0].date if mentions and all(word in _DATE_LINE_WORDS for word in words) else None


def date_of_signature(text: str) -> date | None:
    """The date at the end of a release that its maintainer signs, as in a Debian changelog."""
    signatures = list(_SIGNATURE.finditer(text))
    mentions = find_dates(text[signatures[-1].end() :]) if signatures else ()
    return mentions[0].date if mentions else None
