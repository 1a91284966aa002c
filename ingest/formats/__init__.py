"""Parses bytes into blocks: one module per format, and a function that chooses the module."""

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module

from corpus.change_kinds import read_tag
from corpus.dates import find_dates, without_dates
from corpus.errors import SourceError
from corpus.formats import FORMATS
from corpus.sections import section_of_tag
from ingest.blocks import CODE, LIST_ITEM, PARAGRAPH, TABLE, Block, ParsedText
from ingest.formats.detection import detect_media_type
from ingest.formats.encodings import decode
from ingest.formats.plain_text import parse_plain_text
from ingest.releases.lines import read_ruled_release, with_release_lines
from ingest.releases.quoted_notes import mark_quoted_notes
from ingest.text_lines import split_lines

_WITHOUT_TEXT = {
    "html": " of its own; where scripts write it, open the page in a browser, save what it shows, and give that"
}
_MAX_LINES = 1_000_000  # Each takes a parser some hundred bytes; a history of Git's commits has a third as many.
_MAX_LINE_CHARACTERS = 4_000_000
_MAX_LEVEL = 40  # Of nested lists: nobody writes deeper ones, and the reader of entries recurses into them.
_SIGN = re.compile(
    r"(?:\[(?:[^\w\s\]]|[A-Z])\]|~|[\u2600-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff]\ufe0f?|:[a-z_]{2,30}:)\s+(?=\S)|(?:[・●○※]|\d\d?[、．])\s*(?=\S)"
)
_ALONE = "・●○\U0001f512\U0001f41b\U0001f4a5\u2728"  # These begin an entry even if no other line has a sign.
_MIN_RELEASES = 2


def parse_blocks(name: str, content: bytes) -> ParsedText:
    """Detect the format of a document and parse it into blocks with exact ranges.

    Raises:
        SourceError: the content is binary, encrypted, broken, data or code, has no text, or more of it than any notes.
    """
    known = FORMATS[detect_media_type(name, content)]
    parse = getattr(import_module(f"ingest.formats.{known.name}"), f"parse_{known.name}")
    text = decode(content)
    if text.count("\n") + text.count("\r") > _MAX_LINES:
        raise SourceError(f"has more than {_MAX_LINES:,} lines; split it or leave it out")
    # HTML may be written without line ends, so its parser counts tags instead.
    is_long = known.name != "html" and len(text) > _MAX_LINE_CHARACTERS
    if is_long and max(map(len, text.splitlines())) > _MAX_LINE_CHARACTERS:
        raise SourceError(f"has a line of more than {_MAX_LINE_CHARACTERS:,} characters; split it or leave it out")
    parsed = with_release_lines(_with_notes_in_code(parse(text)))
    parts = tuple(part for block in parsed.blocks for part in _split_tagged(parsed.text, block))
    parsed = mark_quoted_notes(replace(parsed, blocks=parts))
    if not parsed.text.strip():
        raise SourceError(f"has no text{_WITHOUT_TEXT.get(known.name, '; nothing to ingest')}")
    bounded = (replace(block, level=_MAX_LEVEL) if block.level > _MAX_LEVEL else block for block in parsed.blocks)
    return replace(parsed, blocks=tuple(bounded))


def _with_notes_in_code(parsed: ParsedText) -> ParsedText:
    """Return the document with literal blocks that contain the notes of several releases read as plain text."""
    blocks: list[Block] = []
    for block in parsed.blocks:
        lines = tuple(split_lines(parsed.text, block.start, block.end)) if block.kind is CODE else ()
        ruled = [line.start for line in lines if read_ruled_release(line.content)]
        if len(ruled) < _MIN_RELEASES:
            blocks.append(block)
            continue
        begin = ruled[0]
        if begin > block.start:
            blocks.append(replace(block, end=begin))
        blocks += (
            replace(each, start=begin + each.start, end=begin + each.end)
            for each in parse_plain_text(parsed.text[begin : block.end]).blocks
        )
    return replace(parsed, blocks=tuple(blocks))


def _is_signed(line: str) -> bool:
    """Return whether a line begins with a sign for its kind of change, and has words besides dates."""
    sign = _SIGN.match(line)
    rest = line[sign.end() :] if sign else ""
    return any(map(str.isalpha, without_dates(rest, find_dates(rest))))


def _split_tagged(text: str, block: Block) -> Iterator[Block]:
    """Yield a paragraph or table with its tagged lines ("DEL: …") as list items, with the lines wrapped below them, and
    lines with a sign ("[N] …", a pictograph) if several of it have one; any other block as it is."""
    if block.kind not in (PARAGRAPH, TABLE):
        yield block
        return
    rest = block
    lines = tuple(split_lines(text, block.start, block.end))
    signed = {line.start for line in lines if _is_signed(line.content)}
    if section_of_tag(lines[0].content):  # "Removed: …", "Fixed - …"
        signed |= {line.start for line in lines if section_of_tag(line.content)}
    for line in lines:
        if not (read_tag(line.content)[0] or (line.start in signed and (len(signed) > 1 or line.content[0] in _ALONE))):
            continue
        if above := text[rest.start : line.start].rstrip():
            yield replace(rest, end=rest.start + len(above))
        rest = Block(LIST_ITEM, line.start, block.end, block.level + 1)
    yield rest
