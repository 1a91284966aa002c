"""A section's sentences, entries and code blocks with their place on the page: on a line of their own, how far in,
behind which mark.

The index keeps ranges; whether a range is a list's entry, what is nested in it, and where a paragraph begins is read
off the text around it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from corpus.index.stored import StoredPassage
from corpus.index.tables import TableReader
from corpus.kinds import read_tag
from corpus.model import Item
from corpus.plain_words import one_line

_MARK = re.compile(r"(?!\.\. [\w-]+::)(?P<mark>[-*+•]+|o(?=\s)|\.{1,5}|\(?\d{1,3}[.)]|#\.)(?=\s|$)")
"""The dots of a directive are no list's mark."""
_TAGS = re.compile(r"^[ \t]*:tags?:[ \t]*([^\n]*)", re.MULTILINE)
_CODE = re.compile(
    r"\.\. (?:code-block|sourcecode|code|parsed-literal)::|```|~~~|:::|----\n|\.\.\.\.\n|>>> |\$ |\+[-=]"
    r"|={3,} |\|",
)


@dataclass(frozen=True, slots=True)
class Atom:
    """An item of a passage with its place on the page."""

    passage: StoredPassage
    item: Item
    words: str
    """The slice, as written."""
    indent: int
    """Columns before its line's first character; a list's deeper marks (`**`) count as further in."""
    is_entry: bool
    """A list's mark or the tag of its kind stands before it."""
    opens_paragraph: bool
    """A blank line stands before it, or nothing of its section."""
    is_code: bool
    tags: str | None = None
    """Those of the change directive that opens with it; None where none does."""


def read_sections(passages: Iterable[StoredPassage], index: TableReader) -> Iterator[tuple[Atom, ...]]:
    """The atoms of each run of passages that share document, release and heading path; headings are no atoms."""
    for _, section in groupby(passages, key=lambda passage: (passage.document.id, passage.release, passage.heading)):
        yield tuple(_atoms(tuple(section), index))


def _atoms(section: Sequence[StoredPassage], index: TableReader) -> Iterator[Atom]:
    text = index.document_text(section[0].document.id)
    titles = {one_line(title).casefold() for title in (*section[0].heading, section[0].document.title)}
    end = section[0].span.start
    is_first = True
    for passage in section:
        for item in passage.items:
            words = item.span.slice(text)
            if one_line(words).strip(" :#=*").casefold() in titles:
                continue
            yield _atom(passage, item, text, gap=text[end : item.span.start], is_first=is_first)
            end, is_first = item.span.end, False


def _atom(passage: StoredPassage, item: Item, text: str, *, gap: str, is_first: bool) -> Atom:
    words = item.span.slice(text)
    line_start = text.rfind("\n", 0, item.span.start) + 1
    before = text[line_start : item.span.start]
    line = before + words
    bare = line.lstrip()
    indent = len(line) - len(bare)
    mark = _MARK.match(bare)
    opens_line = not before.strip(" \t>*_") or (mark is not None and len(before.strip()) <= len(mark["mark"]))
    is_entry = opens_line and (mark is not None or bool(read_tag(bare)[0]))
    if is_entry and mark is not None and mark["mark"][0] in "*-." and len(mark["mark"]) > 1:
        indent += len(mark["mark"]) - 1
    _, directive, options = gap.rpartition(".. change::")
    tags = _TAGS.search(options)
    return Atom(
        passage=passage,
        item=item,
        words=words,
        indent=indent,
        is_entry=is_entry,
        opens_paragraph=opens_line and (is_first or "\n\n" in gap.replace("\r", "").replace(" ", "")),
        is_code=bool(_CODE.match(bare)),
        tags=(tags[1] if tags else "") if directive else None,
    )
