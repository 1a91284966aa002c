"""What the blocks of every parser promise, whatever the text: one place for the checks that all parsers share."""

import re
from collections.abc import Callable
from itertools import pairwise

from ingest.blocks import ParsedText


def outline(parsed: ParsedText) -> list[tuple[str, int, str]]:
    """Kind, level, and a heading's title or another block's slice."""
    return [(str(b.kind), b.level, b.title or parsed.text[b.start : b.end]) for b in parsed.blocks]


def told_blocks(parsed: ParsedText) -> list[str]:
    """The same with a line for each block, as cases tell it: `\\n` stands where a line ends."""
    return [f"{kind} {level} {words}".replace("\n", "\\n") for kind, level, words in outline(parsed)]


def slices(parsed: ParsedText) -> list[str]:
    return [parsed.text[block.start : block.end] for block in parsed.blocks]


def assert_blocks_hold(parsed: ParsedText, *, begin: int = 0) -> None:
    """Blocks are in order, disjoint, inside the text, trimmed, and hold every word from offset `begin` on.

    Headings have a title, and nothing else has one.
    """
    text = parsed.text
    for block, following in pairwise(parsed.blocks):
        assert block.end <= following.start
    for block in parsed.blocks:
        assert 0 <= block.start < block.end <= len(text)
        assert text[block.start : block.end] == text[block.start : block.end].strip()
        assert (block.kind == "heading") == bool(block.title)
    ends = (begin, *(block.end for block in parsed.blocks))
    starts = (*(block.start for block in parsed.blocks), len(text))
    uncovered = [text[end:start] for end, start in zip(ends, starts, strict=True)]
    assert [gap for gap in uncovered if re.search(r"\w", gap)] == []


def assert_line_ends_change_offsets_only(parse: Callable[[str], ParsedText], text: str, *, line_end: str) -> None:
    """`text`, whose lines end in LF, has the same blocks with other line ends, their slices rewritten likewise."""
    expected, converted = parse(text), parse(text.replace("\n", line_end))
    assert [(b.kind, b.level, b.title, b.attributes) for b in converted.blocks] == [
        (b.kind, b.level, b.title, b.attributes) for b in expected.blocks
    ]
    assert slices(converted) == [slice_.replace("\n", line_end) for slice_ in slices(expected)]
