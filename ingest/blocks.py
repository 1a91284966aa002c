"""What a format parser gives: the document's text and its blocks, with exact ranges; never what they mean."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from corpus.formats import EXTRACTED


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    CODE = "code"
    TABLE = "table"
    MARKUP = "markup"  # Comments, link targets, directives without content: covered, never indexed.


@dataclass(frozen=True, slots=True)
class Block:
    """One leaf of a document's structure.

    `[start, end)` is the block in the parsed text, without surrounding white space, with its markup (the
    `- ` of a list item, the fences of a code block, the `##` or the underline of a heading).
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    """Heading level from 1; nesting depth of a list item from 1; depth of the list that holds the block else 0."""
    title: str = ""  # A heading's text without markup; empty for other kinds.
    attributes: Mapping[str, str] = field(default_factory=dict)
    """What a directive states: `version` and `released` of a Sphinx `changelog`, `tags`, `tickets` of a `change`."""
    ends: int = 0
    """The level of the heading of a part that folds (a dropdown) which is over where the block begins; 0: none is."""


@dataclass(frozen=True, slots=True)
class Aside:
    """A quotation, or what a reader unfolds: `[start, end)` of the text."""

    start: int
    end: int
    is_folded: bool = False


@dataclass(frozen=True, slots=True)
class ParsedText:
    """`text` is what offsets count in: the source itself for text formats, the extracted text for HTML and PDF.

    `blocks` are in order and disjoint. Every word of `text` lies in a block, front matter excepted.
    """

    text: str
    media_type: str
    blocks: tuple[Block, ...]
    front_matter: Mapping[str, str] = field(default_factory=dict)
    """`title`, `date`, `product`, `version`, `url` where the source states them (HTML: title and canonical link)."""

    asides: tuple[Aside, ...] = ()
    """What the markup sets apart as quoted or folded, by where it ends; one may lie in another."""

    @property
    def is_extracted(self) -> bool:
        """Whether `text` was taken out of the source instead of being the source."""
        return self.media_type in EXTRACTED
