"""Lines that begin with the tag of their kind ("NEW: …", "[FIX] …") and no other mark: several of them are a list."""

from collections.abc import Iterator
from dataclasses import replace

from corpus.kinds import read_tag
from ingest.blocks import Block, BlockKind, ParsedText
from ingest.formats.lines import split_lines

_MIN_LINES = 3


def with_tagged_items(parsed: ParsedText) -> ParsedText:
    """The document with each tagged line of its paragraphs as an item, and with what is wrapped below it; as it is
    where fewer than three lines begin with a tag."""
    cut = {position: tuple(_items(parsed.text, block)) for position, block in enumerate(parsed.blocks)}
    if sum(block.kind is BlockKind.LIST_ITEM for blocks in cut.values() for block in blocks) < _MIN_LINES:
        return parsed
    return replace(parsed, blocks=tuple(block for blocks in cut.values() for block in blocks))


def _items(text: str, block: Block) -> Iterator[Block]:
    if block.kind not in (BlockKind.PARAGRAPH, BlockKind.TABLE):
        yield block
        return
    rest = block
    for line in split_lines(text[: block.end], block.start):
        if not read_tag(line.content)[0]:
            continue
        if above := text[rest.start : line.start].rstrip():
            yield replace(rest, end=rest.start + len(above))
        rest = Block(BlockKind.LIST_ITEM, line.start, block.end, block.level + 1)
    yield rest
