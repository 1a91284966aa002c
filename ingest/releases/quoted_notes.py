"""Marks the notes of other projects that a bot's pull request quotes ("Sourced from lodash's releases").

Their headings open no release, and their items are no news of the quoting project.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import unescape

from corpus.plain_words import one_line
from ingest.blocks import Aside, Block, BlockKind, ParsedText

QUOTED = "quoted"  # The attribute of a block that names the project whose notes it quotes.
_OPENING_CHARACTERS = 600
_SOURCED = re.compile(r"\bsourced from (?P<name>[\w@./-]{1,100}?)['’]s\b", re.IGNORECASE)
_OF_PACKAGE = re.compile(
    r"(?:<details\b[^<>]*>\s*)?<summary\b[^<>]*>\s*[\w.-]+/[\w.-]+\s+\((?P<name>[^()<>]{1,100})\)\s*</summary>",
    re.IGNORECASE,
)
"""Matches the summary of a folded part of another's notes, as Renovate writes it ("acme/marl (marl)")."""


def mark_quoted_notes(parsed: ParsedText) -> ParsedText:
    """Return the document with the blocks of other projects' notes marked, headings as paragraphs; offsets stay."""
    foreign: dict[Aside, str] = {}
    end, name = 0, ""
    for aside in sorted(parsed.asides, key=lambda aside: (aside.start, -aside.end)):
        # The folded part right below one ("Commits") is of the same project.
        above = "" if parsed.text[end : aside.start].strip() else name
        if name := _quoted_project(parsed.text, aside) or above:
            foreign[aside] = name
        end = max(end, aside.end)
    disjoint = _outermost(foreign)
    return replace(parsed, blocks=tuple(_marked(parsed, foreign, disjoint))) if disjoint else parsed


def _quoted_project(text: str, aside: Aside) -> str:
    """Return the project that a folded part or quotation says that it quotes; empty if it says none."""
    opening = unescape(text[aside.start : min(aside.end, aside.start + _OPENING_CHARACTERS)])
    stated = _OF_PACKAGE.match(opening) or _SOURCED.search(one_line(opening))
    return stated["name"] if stated else ""


def _marked(parsed: ParsedText, foreign: Mapping[Aside, str], disjoint: Sequence[Aside]) -> Iterator[Block]:
    """Yield the blocks with quoted ones marked, cut at the ends of quotations; quoted headings become paragraphs."""
    starts, ends = [aside.start for aside in disjoint], [aside.end for aside in disjoint]
    for block in parsed.blocks:
        begin = block.start
        for at in range(bisect_right(ends, block.start), bisect_left(starts, block.end)):
            aside = disjoint[at]
            yield from _part_of(parsed.text, block, begin, aside.start, quoted="")
            yield from _part_of(parsed.text, block, max(begin, aside.start), aside.end, quoted=foreign[aside])
            begin = aside.end
        yield from _part_of(parsed.text, block, begin, block.end, quoted="")


def _part_of(text: str, block: Block, start: int, end: int, *, quoted: str) -> Iterator[Block]:
    """Yield the part of a block between two places; nothing if that is only white space."""
    end = min(end, block.end)
    if (start, end, quoted) == (block.start, block.end, ""):
        yield block
    elif words := text[start:end].strip():
        start = text.index(words[0], start)
        is_part = block.kind is BlockKind.HEADING or start > block.start
        kind, level = (BlockKind.PARAGRAPH, 0) if is_part else (block.kind, block.level)
        yield Block(kind, start, start + len(words), level, attributes={QUOTED: quoted} if quoted else block.attributes)


def _outermost(asides: Iterable[Aside]) -> tuple[Aside, ...]:
    """Return the asides by start, without those that begin inside a returned one; of two at a start, the longer."""
    outermost: list[Aside] = []
    for aside in sorted(asides, key=lambda aside: (aside.start, -aside.end)):
        if not outermost or aside.start >= outermost[-1].end:
            outermost.append(aside)
    return tuple(outermost)
