"""Bytes to blocks: one module a format, one function to choose between them."""

from collections.abc import Callable, Mapping

from ingest.blocks import ParsedText
from ingest.formats.asciidoc import parse_asciidoc
from ingest.formats.detection import ASCIIDOC, HTML, MARKDOWN, PDF, PLAIN, RESTRUCTUREDTEXT, detect_media_type
from ingest.formats.encodings import decode
from ingest.formats.html import parse_html
from ingest.formats.markdown import parse_markdown
from ingest.formats.plain_text import parse_plain_text
from ingest.formats.restructuredtext import parse_restructuredtext
from ingest.releases.lines import with_release_lines

__all__ = ["parse_blocks"]

_TEXT_PARSERS: Mapping[str, Callable[[str], ParsedText]] = {
    MARKDOWN: parse_markdown,
    RESTRUCTUREDTEXT: parse_restructuredtext,
    ASCIIDOC: parse_asciidoc,
    PLAIN: parse_plain_text,
    HTML: parse_html,
}


def parse_blocks(name: str, content: bytes) -> ParsedText:
    """Detect the format of a document and parse it into blocks with exact ranges.

    Raises:
        SourceError: the content is binary, encrypted or broken.
    """
    media_type = detect_media_type(name, content)
    if media_type == PDF:
        # Only now: pypdf takes 17 MB, and few have PDFs.
        from ingest.formats.pdf import parse_pdf

        return parse_pdf(content)
    return with_release_lines(_TEXT_PARSERS[media_type](decode(content)))
