"""What stands on a page and is not release notes: newsletters, related articles, navigation, forms."""

import re
from collections.abc import Sequence

from corpus.formats import EXTRACTED, UNMARKED
from corpus.model import Span
from ingest.blocks import Block, BlockKind, ParsedText

_OPENS_TAIL = re.compile(
    r"""\W*(?:
    (?:other|related|more|recent|latest|further|recommended|popular|featured)\s+(?:insights?|articles?|posts?|stories|news|
        reading|content|resources|from\b).*
    | you\ (?:may|might)\ also\ (?:like|enjoy).*
    | (?:newsletter|subscribe|sign[- ]?up|stay\ (?:up\ to\ date|informed|connected)|join\ our|follow\ us
        |share\ this)\b.*
    | (?:book|request|schedule)\ a\ (?:demo|call|meeting).*
    | (?:leave\ a\ (?:reply|comment)|comments?|about\ the\ author|cookie(?:s|\ policy|\ settings)?|privacy\ policy)
    )\W*""",
    re.IGNORECASE | re.VERBOSE,
)
_NAVIGATION = re.compile(
    r"\W*(?:on this page|table of contents|contents|skip to (?:main )?content|back to top|previous|next|"
    r"previous topic|next topic|read more|read on|learn more|edit this page|last updated.{0,40})\W*",
    re.IGNORECASE,
)
_SHORT_LINE = 90
_ANY_LEVEL = 9


def find_boilerplate(parsed: ParsedText) -> tuple[Span, ...]:
    """The ranges of a page's text that are not release notes, in order, disjoint, on block boundaries.

    Only pages without markup of their own (plain text, extracted HTML and PDF) have such parts. What is opened in the
    second half of a page goes on to the next heading of the same or a higher level; what a line opens, to any heading.
    """
    if parsed.media_type not in EXTRACTED | UNMARKED:
        return ()
    spans: list[Span] = []
    tail_start: int | None = None
    tail_level = 0
    half = len(parsed.text) // 2
    for block in parsed.blocks:
        line = parsed.text[block.start : block.end]
        if tail_start is not None and block.kind is BlockKind.HEADING and block.level <= tail_level:
            spans.append(Span(tail_start, block.start))
            tail_start = None
        if tail_start is None and block.start > half and _is_line(block, line) and _OPENS_TAIL.fullmatch(line):
            tail_start = block.start
            tail_level = block.level if block.kind is BlockKind.HEADING else _ANY_LEVEL
        elif tail_start is None and len(line) <= _SHORT_LINE and _NAVIGATION.fullmatch(line):
            spans.append(Span(block.start, block.end))
    if tail_start is not None:
        spans.append(Span(tail_start, len(parsed.text)))
    return tuple(spans)


def is_boilerplate(block: Block, spans: Sequence[Span]) -> bool:
    """Whether `block` lies in one of `spans`."""
    return any(span.start <= block.start < span.end for span in spans)


def _is_line(block: Block, line: str) -> bool:
    return block.kind is BlockKind.HEADING or (len(line) <= _SHORT_LINE and "\n" not in line)
