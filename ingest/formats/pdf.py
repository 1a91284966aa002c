"""Parses PDF into blocks: the text of the pages, read as plain text.

Ligatures become letters, and words cut by a line end are joined: the extracted text is what is searched and quoted.
"""

import re
from dataclasses import replace
from io import BytesIO
from textwrap import dedent

from pypdf import PasswordType, PdfReader, apply_configuration

from corpus.errors import SourceError
from ingest.blocks import ParsedText
from ingest.formats.plain_text import parse_plain_text

_MAX_PAGES = 2_000
_MAX_CHARACTERS = 20_000_000
_MAX_STREAM_BYTES = 16_000_000
_MAX_STREAM_OPERANDS = 1_000_000
_MAX_FORMS = 500
_LIGATURES = str.maketrans(
    {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st"}
)
# A hyphen at a line's end may be the word's own or the typesetter's, a soft one is always the typesetter's.
_CUT_WORD = re.compile(r"(?<![\w-])([^\W\d_]{2,40})([-\u2010\u00ad])\n[ \t]*([^\W\d_]{1,40}(?![-\u2010\w])[^\s\w]*)\s?")


def parse_pdf(content: bytes) -> ParsedText:
    """Extract the text of a PDF, page by page with a blank line between, and its blocks as of a plain text.

    The text is empty if the pages have only images.

    Raises:
        SourceError: it needs a password.
        SourceError: it isn't a PDF or is broken.
        SourceError: it has more than 2,000 pages or 20,000,000 characters.
    """
    try:
        with apply_configuration(
            zlib_maximum_output_length=_MAX_STREAM_BYTES,
            lzw_maximum_output_length=_MAX_STREAM_BYTES,
            run_length_maximum_output_length=_MAX_STREAM_BYTES,
            brotli_maximum_output_length=_MAX_STREAM_BYTES,
            jbig2_maximum_output_length=_MAX_STREAM_BYTES,
            array_based_stream_maximum_output_length=_MAX_STREAM_BYTES,
            # Other filters, such as ASCII85, only share a bound on all that the filters of a stream read.
            stream_decoding_work_maximum_length=3 * _MAX_STREAM_BYTES // 2,
            stream_parsing_work_maximum_count=_MAX_STREAM_OPERANDS,
            xform_maximum_invocations_per_extraction=_MAX_FORMS,
        ):
            reader = PdfReader(BytesIO(content))
            if reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED:
                raise SourceError("Cannot read this PDF: it needs a password. Save a copy without one and ingest that.")
            text = _extract_text(reader)
            title = " ".join(str((reader.metadata and reader.metadata.title) or "").split())
    except SourceError:
        raise
    except Exception as error:  # pypdf fails on broken files in ways that it doesn't declare
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise SourceError(
            f"Cannot read this PDF: it is broken or unsupported ({reason}). Try to save it anew."
        ) from error
    parsed = parse_plain_text(text)
    return replace(parsed, media_type="application/pdf", front_matter={"title": title} if title else {})


def _extract_text(reader: PdfReader) -> str:
    if len(reader.pages) > _MAX_PAGES:
        raise _too_large(f"it has {len(reader.pages):,} pages, more than {_MAX_PAGES:,}")
    pages: list[str] = []
    characters = 0
    for page in reader.pages:
        # This mode puts blank lines between lines that are apart on the page.
        laid_out = page.extract_text(extraction_mode="layout").translate(_LIGATURES)
        lines = dedent("\n".join(line.rstrip() for line in laid_out.splitlines()))
        pages.append(re.sub(r"\n{3,}", "\n\n", lines).strip())
        characters += len(pages[-1])
        if characters > _MAX_CHARACTERS:
            raise _too_large(f"it holds more than {_MAX_CHARACTERS:,} characters")
    text = "\n\n".join(filter(None, pages))
    compounds = frozenset(re.findall(r"\b\w+-\w+", text.casefold()))

    def whole(cut: re.Match[str]) -> str:
        start, hyphen, rest = cut.groups()
        if not rest[:1].islower():
            return cut[0]
        is_compound = hyphen != "\u00ad" and f"{start}-{rest}".casefold().rstrip(".,;:!?)") in compounds
        return f"{start}{'-' if is_compound else ''}{rest}\n"

    return _CUT_WORD.sub(whole, text).replace("\u00ad", "").strip()


def _too_large(what: str) -> SourceError:
    return SourceError(f"Cannot read this PDF: {what}. Split it and ingest the parts.")
