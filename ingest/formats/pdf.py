"""PDF to blocks: the text of the pages, cut into paragraphs, list items and headings by its geometry.

Ligatures become letters, and words that a line end cut in two are whole again: what is searched and quoted is the
extracted text.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO

from pypdf import PageObject, PasswordType, PdfReader, apply_configuration

from corpus.errors import SourceError
from ingest.blocks import Block, BlockKind, ParsedText

_MAX_PAGES = 2_000
_MAX_CHARACTERS = 20_000_000
_MAX_STREAM_BYTES = 16_000_000
_MAX_STREAM_OPERANDS = 1_000_000
_MAX_FORMS = 500

_MIN_HEADING_RATIO = 1.15
_MAX_HEADING_CHARACTERS = 150
_MIN_PARAGRAPH_GAP = 1.25
_MAX_HEADING_LEVEL = 6
_MIN_REPEATS = 3
_PAGE_NUMBER = re.compile(r"(?:page\s+)?\d{1,4}(?:\s*(?:/|of)\s*\d{1,4})?", re.IGNORECASE)
_LEADERS = re.compile(r"(?:\.\s?){5,}")
_LIGATURES = str.maketrans(
    {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st"}
)
_BULLET = re.compile(r"[•‣⁃▪◦●○*–-]\s+\S|\d{1,3}[.)]\s+\S")

# A hyphen at a line's end may be the word's own or the typesetter's.
_SOFT_HYPHEN = "\u00ad"
_HYPHENS = f"-\u2010{_SOFT_HYPHEN}"
_WHOLE_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_CUT_WORD = re.compile(
    rf"(?m)(?:^|(?<=[\s(\[\"'“‘/]))(?P<start>[^\W\d_]{{2,40}})(?P<hyphen>[{_HYPHENS}])\n"
    r"(?P<rest>[^\W\d_]+)(?P<after>[^\s\w-]*)(?:\s+|\Z)"
)
_OPENS_COMPOUND = frozenset(
    """all back built by case cross double end ex front full half high ill in long low multi non off on one open out
    post pre quasi read real run self semi short single so thread three time two type up user well write""".split()
)


def parse_pdf(content: bytes) -> ParsedText:
    """Extract the text of a PDF and its blocks, in page order.

    Paragraphs keep their line ends, but for those inside a word, and are parted by a blank line. Text is empty where
    the pages hold images only.

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
            # The others, such as ASCII85, have no bound of their own, but one on what all filters of a stream read.
            stream_decoding_work_maximum_length=3 * _MAX_STREAM_BYTES // 2,
            stream_parsing_work_maximum_count=_MAX_STREAM_OPERANDS,
            xform_maximum_invocations_per_extraction=_MAX_FORMS,
        ):
            reader = PdfReader(BytesIO(content))
            if reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED:
                raise SourceError("Cannot read this PDF: it needs a password. Save a copy without one and ingest that.")
            lines = tuple(_read_lines(reader))
            title = " ".join(str((reader.metadata and reader.metadata.title) or "").split())
    except SourceError:
        raise
    except Exception as error:  # pypdf fails on broken files in ways that it doesn't declare
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise SourceError(
            f"Cannot read this PDF: it is broken or unsupported ({reason}). Try to save it anew."
        ) from error
    text, blocks = _compose(lines)
    return ParsedText(text, "application/pdf", blocks, {"title": title} if title else {})


@dataclass(frozen=True, slots=True)
class _PdfLine:
    """One line of a page; `size` and `top` in points."""

    text: str
    page: int
    size: float
    top: float
    after_blank: bool


def _read_lines(reader: PdfReader) -> Iterator[_PdfLine]:
    if len(reader.pages) > _MAX_PAGES:
        raise SourceError(
            f"Cannot read this PDF: it has {len(reader.pages):,} pages, more than {_MAX_PAGES:,}. "
            "Split it and ingest the parts."
        )
    characters = 0
    for number, page in enumerate(reader.pages):
        for line in _read_page(page, number):
            characters += len(line.text)
            if characters > _MAX_CHARACTERS:
                raise SourceError(
                    f"Cannot read this PDF: it holds more than {_MAX_CHARACTERS:,} characters. "
                    "Split it and ingest the parts."
                )
            yield line


def _read_page(page: PageObject, number: int) -> Iterator[_PdfLine]:
    fragments: list[tuple[str, float, float]] = []

    def collect(text: str, matrix: Sequence[float], text_matrix: Sequence[float], _font: object, size: float) -> None:
        scale = abs(text_matrix[3] * matrix[3]) or abs(text_matrix[1] * matrix[2]) or 1.0
        fragments.append((text, size * scale, text_matrix[5] * matrix[3] + matrix[5]))

    page.extract_text(visitor_text=collect)
    words: list[str] = []
    sizes: Counter[float] = Counter()
    top, after_blank = 0.0, False
    for text, size, place in fragments:
        for position, part in enumerate(re.split(r"\r\n|\n|\r", text)):
            if position:
                line = "".join(words).strip()
                if line:
                    yield _PdfLine(line, number, sizes.most_common(1)[0][0], top, after_blank)
                after_blank = not line
                words.clear()
                sizes.clear()
            if part.strip():
                top = top if sizes else place
                sizes[round(size, 1)] += len(part.strip())
            words.append(part.translate(_LIGATURES))
    if line := "".join(words).strip():
        yield _PdfLine(line, number, sizes.most_common(1)[0][0], top, after_blank)


def _compose(lines: Sequence[_PdfLine]) -> tuple[str, tuple[Block, ...]]:
    sizes: Counter[float] = Counter()
    leadings: Counter[float] = Counter()
    for before, line in zip((None, *lines), lines, strict=False):
        sizes[line.size] += len(line.text)
        if before and before.page == line.page and before.top > line.top:
            leadings[round(before.top - line.top, 1)] += 1
    body_size = sizes.most_common(1)[0][0] if sizes else 0.0
    leading = leadings.most_common(1)[0][0] if leadings else 0.0
    larger = sorted((size for size in sizes if size >= body_size * _MIN_HEADING_RATIO), reverse=True)
    levels = {size: min(level, _MAX_HEADING_LEVEL) for level, size in enumerate(larger, start=1)}
    pieces: list[str] = []
    blocks: list[Block] = []
    length = 0
    running = _running_lines(lines)
    known = known_words([line.text for line in lines])
    for group in _grouped(lines, running, leading):
        content = join_lines([line.text for line in group], known)
        if not content:
            continue
        start = length + (2 if pieces else 0)
        pieces.append(content)
        length = start + len(content)
        if group[0] in running:
            blocks.append(Block(BlockKind.MARKUP, start, length))
        elif group[0].size in levels and len(content) <= _MAX_HEADING_CHARACTERS and not _LEADERS.search(content):
            level = levels[group[0].size]
            blocks.append(Block(BlockKind.HEADING, start, length, level, " ".join(content.split())))
        elif _BULLET.match(content):
            blocks.append(Block(BlockKind.LIST_ITEM, start, length, 1))
        else:
            blocks.append(Block(BlockKind.PARAGRAPH, start, length))
    return "\n\n".join(pieces), tuple(blocks)


def _running_lines(lines: Sequence[_PdfLine]) -> frozenset[_PdfLine]:
    """Page numbers, and headers and footers that most pages repeat."""
    firsts = {line.page: line for line in reversed(lines)}
    lasts = {line.page: line for line in lines}
    edges = (*firsts.values(), *(lasts[page] for page in lasts if lasts[page] is not firsts[page]))
    repeats = Counter(re.sub(r"\d+", "0", line.text) for line in edges)
    pages = len({line.page for line in lines})
    enough = max(_MIN_REPEATS, pages / 2)
    return frozenset(
        line for line in edges if _PAGE_NUMBER.fullmatch(line.text) or repeats[re.sub(r"\d+", "0", line.text)] >= enough
    )


def _grouped(lines: Sequence[_PdfLine], running: frozenset[_PdfLine], leading: float) -> Iterator[tuple[_PdfLine, ...]]:
    """Lines that make one block each; `leading` is the usual distance of lines, in points."""
    group: list[_PdfLine] = []
    for line in lines:
        if group and (line in running or group[-1] in running or _begins_block(group[-1], line, leading)):
            yield tuple(group)
            group = []
        group.append(line)
    if group:
        yield tuple(group)


def _begins_block(before: _PdfLine, line: _PdfLine, leading: float) -> bool:
    if before.page != line.page or line.after_blank or _BULLET.match(line.text):
        return True
    gap = before.top - line.top
    resized = abs(line.size - before.size) > 0.1 * max(line.size, before.size)
    return resized or gap > max(leading, line.size) * _MIN_PARAGRAPH_GAP or gap < -line.size


def known_words(lines: Sequence[str]) -> frozenset[str]:
    """Return the words of a document as it writes them where no line end cuts them."""
    return frozenset(word.casefold().replace("\u2010", "-") for line in lines for word in _WHOLE_WORD.findall(line))


def join_lines(lines: Sequence[str], known: frozenset[str]) -> str:
    """Join lines with line ends between them, trimmed; words that were cut are whole on the upper one, and soft hyphens
    are gone. Whether a word keeps its hyphen is told by those `known`, else by whether its start begins compounds."""

    def whole(cut: re.Match[str]) -> str:
        is_soft, start, rest = cut["hyphen"] == _SOFT_HYPHEN, cut["start"].casefold(), cut["rest"].casefold()
        if not cut["rest"].islower() or len(rest) + is_soft < 2:
            return cut[0]
        is_compound = f"{start}-{rest}" in known or (start + rest not in known and start in _OPENS_COMPOUND)
        return f"{cut['start']}{'-' if is_compound and not is_soft else ''}{cut['rest']}{cut['after']}\n"

    # Within a line a soft hyphen tells nothing.
    text = re.sub(rf"{_SOFT_HYPHEN}(?!\n)", "", "\n".join(lines))
    return _CUT_WORD.sub(whole, text).replace(_SOFT_HYPHEN, "").strip()
