"""What stands on a page and is not release notes: newsletters, related articles, navigation, forms.

Told by the phrases that such parts open with, on any site. A disclosure about who wrote the page (or which program did)
is not boilerplate: it says how far the page can be trusted.
"""

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
_ENDS_TAIL = re.compile(
    r"\W*(?:author information|disclosure|sources?|references|about this (?:note|article))\b.*", re.IGNORECASE
)
_NAVIGATION = re.compile(
    r"\W*(?:on this page|table of contents|contents|skip to (?:main )?content|back to top|previous|next|"
    r"previous topic|next topic|read more|read on|learn more|all fields are required|edit this page|"
    r"thank you, we received your request.*|last updated.{0,40})\W*",
    re.IGNORECASE,
)
_SHORT_LINE = 90


def find_boilerplate(parsed: ParsedText) -> tuple[Span, ...]:
    """The ranges of a page's text that are not release notes, in order, disjoint, on block boundaries.

    Only pages without markup of their own (plain text, extracted HTML and PDF) have such parts.
    """
    if parsed.media_type not in EXTRACTED | UNMARKED:
        return ()
    spans: list[Span] = []
    tail_start: int | None = None
    half = len(parsed.text) // 2
    for block in parsed.blocks:
        line = parsed.text[block.start : block.end]
        if tail_start is not None and _is_line(block, line) and _ENDS_TAIL.fullmatch(line):
            spans.append(Span(tail_start, block.start))
            tail_start = None
        elif tail_start is None and block.start > half and _is_line(block, line) and _OPENS_TAIL.fullmatch(line):
            tail_start = block.start
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
