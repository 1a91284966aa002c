"""Bytes to blocks: one module a format, one function to choose between them."""

from importlib import import_module

from corpus.formats import FORMATS
from ingest.blocks import Block, ParsedText
from ingest.formats.detection import detect_media_type
from ingest.formats.encodings import decode
from ingest.formats.tagged_lines import with_tagged_items
from ingest.releases.lines import with_release_lines

__all__ = ["parse_blocks", "parse_stored"]


def parse_blocks(name: str, content: bytes) -> ParsedText:
    """Detect the format of a document and parse it into blocks with exact ranges.

    Raises:
        SourceError: the content is binary, encrypted or broken.
    """
    found = FORMATS[detect_media_type(name, content)]
    # Only now: pypdf takes 17 MB, and few have PDFs.
    parse = getattr(import_module(f"ingest.formats.{found.name}"), f"parse_{found.name}")
    parsed: ParsedText = parse(content if found.signature else decode(content))
    return parsed if found.signature else with_tagged_items(with_release_lines(parsed))


def parse_stored(text: str, media_type: str) -> tuple[Block, ...]:
    """The blocks of a stored document's text, or of a part of it that begins where a block does.

    Of text that was extracted they are found by the look of its lines: what its source marked is gone.
    """
    found = FORMATS.get(media_type)
    name = "plain_text" if found is None or found.is_extracted else found.name
    parsed: ParsedText = getattr(import_module(f"ingest.formats.{name}"), f"parse_{name}")(text)
    return parsed.blocks
