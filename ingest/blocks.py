"""The result of a format parser: a document's text and its blocks with exact ranges, without their meaning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from corpus.formats import EXTRACTED


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    CODE = "code"
    TABLE = "table"
    MARKUP = "markup"  # Comments, link targets, directives without content: covered, never indexed.


HEADING, PARAGRAPH, LIST_ITEM, CODE, TABLE, MARKUP = BlockKind


@dataclass(frozen=True, slots=True)
class Block:
    """One leaf of a document's structure.

    `[start, end)` is the block in the parsed text, without surrounding white space, with its markup (the `- ` of a list
    item, the fences of a code block, the `##` or the underline of a heading).
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    """Heading level from 1; nesting depth of a list item from 1; for others the depth of the list around it, or 0."""
    title: str = ""  # A heading's text without markup; empty for other kinds.
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Options of a directive: `version` and `released` of a Sphinx `changelog`, `tags`, `tickets` of a `change`."""
    ends: int = 0
    """The heading level of a folding part (a dropdown) that ends where this block begins; 0 if none does."""

    @property
    def is_heading(self) -> bool:
        return self.kind is HEADING


Blocks = Sequence[Block]


class Aside(NamedTuple):
    """A quotation, or a part that a reader unfolds: `[start, end)` of the text."""

    start: int
    end: int
    is_folded: bool = False


@dataclass(frozen=True, slots=True)
class ParsedText:
    """Offsets count in `text`: the source itself for text formats, the extracted text for HTML.

    `blocks` are in order and disjoint. Every word of `text` is in a block, except front matter.
    """

    text: str
    media_type: str
    blocks: tuple[Block, ...]
    front_matter: Mapping[str, str] = field(default_factory=dict)
    """`title`, `date`, `product`, `version`, `url` if the source states them (HTML: title and canonical link)."""

    asides: tuple[Aside, ...] = ()
    """The parts that the markup quotes or folds, ordered by their ends; one may be inside another."""

    @property
    def is_extracted(self) -> bool:
        """Whether `text` was extracted from the source instead of being the source."""
        return self.media_type in EXTRACTED
