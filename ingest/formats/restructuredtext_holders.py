"""What is open at a line of reStructuredText: list items and directives, each around what is indented deeper."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ingest.formats.lines import TextLine


@dataclass(slots=True)
class _Holder:
    """A list item or directive that holds whatever is indented deeper than its marker."""

    indent: int
    level: int
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Handed to the first text block inside, then emptied."""
    item: int | None = None
    """Position of its LIST_ITEM block, which grows by the paragraphs that follow it directly."""


class Holders:
    """The open holders, from the outermost in; changes as the lines are read."""

    def __init__(self) -> None:
        self._open: list[_Holder] = []

    def __bool__(self) -> bool:
        return bool(self._open)

    @property
    def level(self) -> int:
        """Depth of list items at this place, 0 outside lists."""
        return self._open[-1].level if self._open else 0

    def holds(self, line: TextLine) -> bool:
        """Whether the line is inside the innermost holder; outside all holders every line is."""
        return not self._open or line.indent > self._open[-1].indent

    def close_before(self, line: TextLine) -> None:
        """Close what doesn't hold the line."""
        while self._open and line.indent <= self._open[-1].indent:
            self._open.pop()

    def open_directive(self, line: TextLine) -> None:
        """Open a holder that is no list item."""
        self._open.append(_Holder(line.indent, self.level))

    def open_item(self, line: TextLine, attributes: Mapping[str, str]) -> None:
        """Open a holder one list level deeper, whose first text block gets the attributes."""
        self._open.append(_Holder(line.indent, self.level + 1, attributes))

    def take_attributes(self) -> Mapping[str, str]:
        """What the innermost holder has to hand on; it goes to one block only."""
        if not self._open:
            return {}
        attributes, self._open[-1].attributes = self._open[-1].attributes, {}
        return attributes

    def begin_item_at(self, block: int) -> None:
        """Note that block number `block` is the innermost holder's own."""
        self._open[-1].item = block

    def is_item_at(self, block: int) -> bool:
        """Whether block number `block` is the innermost holder's own."""
        return bool(self._open) and self._open[-1].item == block
