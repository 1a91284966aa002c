"""Parses bytes into blocks: one module per format, and a function that chooses the module."""

from dataclasses import replace
from importlib import import_module

from corpus.errors import SourceError
from corpus.formats import FORMATS
from ingest.blocks import Block, BlockKind, ParsedText
from ingest.formats.detection import detect_media_type
from ingest.formats.encodings import decode
from ingest.formats.plain_text import parse_plain_text
from ingest.releases.lines import read_ruled_release, with_release_lines
from ingest.releases.quoted_notes import mark_quoted_notes
from ingest.text_lines import split_lines

_WITHOUT_TEXT = {
    "html": " of its own; where scripts write it, open the page in a browser, save what it shows, and give that",
}
_MAX_LINES = 1_000_000  # Each takes a parser some hundred bytes; a history of Git's commits has a third as many.
_MAX_LINE_CHARACTERS = 4_000_000
_MAX_LEVEL = 40  # Of nested lists: nobody writes deeper ones, and the reader of entries recurses into them.
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
    parsed = mark_quoted_notes(parsed)
    if not parsed.text.strip():
        raise SourceError(f"has no text{_WITHOUT_TEXT.get(known.name, '; nothing to ingest')}")
    return replace(parsed, blocks=tuple(map(_with_bounded_level, parsed.blocks)))


def _with_bounded_level(block: Block) -> Block:
    return replace(block, level=_MAX_LEVEL) if block.level > _MAX_LEVEL else block


def _with_notes_in_code(parsed: ParsedText) -> ParsedText:
    """Return the document with literal blocks that contain the notes of several releases read as plain text."""
    blocks: list[Block] = []
    for block in parsed.blocks:
        lines = tuple(split_lines(parsed.text[: block.end], block.start)) if block.kind is BlockKind.CODE else ()
        if sum(read_ruled_release(line.content) is not None for line in lines) < _MIN_RELEASES:
            blocks.append(block)
            continue
        begin = next(line.start for line in lines if read_ruled_release(line.content))
        if begin > block.start:
            blocks.append(replace(block, end=begin))
        blocks += (
            replace(each, start=begin + each.start, end=begin + each.end)
            for each in parse_plain_text(parsed.text[begin : block.end]).blocks
        )
    return replace(parsed, blocks=tuple(blocks))
