"""Bytes to blocks: one module a format, one function to choose between them."""

from importlib import import_module

from corpus.formats import FORMATS
from ingest.blocks import ParsedText
from ingest.formats.detection import detect_media_type
from ingest.formats.encodings import decode
from ingest.releases.lines import with_release_lines

__all__ = ["parse_blocks"]


def parse_blocks(name: str, content: bytes) -> ParsedText:
    """Detect the format of a document and parse it into blocks with exact ranges.

    Raises:
        SourceError: the content is binary, encrypted or broken.
    """
    found = FORMATS[detect_media_type(name, content)]
    # Only now: pypdf takes 17 MB, and few have PDFs.
    parse = getattr(import_module(f"ingest.formats.{found.name}"), f"parse_{found.name}")
    parsed: ParsedText = parse(content if found.signature else decode(content))
    return parsed if found.signature else with_release_lines(parsed)
