"""Reads a document's legend of signs ("* breaks", "- removed", "[+] added"); it may give signs any meaning."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from corpus.change_kinds import category_of_tag
from corpus.model import Item, ParsedDocument, Section
from corpus.sections import is_category, section_of_title

_SIGN = r"(?:[^\w\s]{1,4}|[\[(]\w[\])])"
_PARTS = re.compile(rf"[\n,;]|(?<=\w)[ \t]{{0,40}}(?:\||[ \t]{{2}}|[ \t](?=[\[(]))[ \t]{{0,40}}(?={_SIGN}\s+\w)")
_ROW = re.compile(rf"[\s#>|]*(?P<signs>(?:{_SIGN}\s*){{1,3}})(?P<words>[A-Za-z][\w /'-]{{2,60}})[.):|\s]*")
_CAPTION = re.compile(r"\s*[A-Za-z][\w ]*:\s")
_PICTURES = {"\U0001f4a5": Section.BREAKS, "\u26a1": Section.PERFORMANCE}
_PICTURES |= dict.fromkeys(("\U0001f512", "\U0001f510", "\U0001f6e1", ":lock:"), Section.SECURITY)
_PICTURES |= dict.fromkeys(("\U0001f41b", "\U0001f41e", "\U0001f691", ":bug:"), Section.FIX)
"""Meanings of signs without a legend, by the convention for commits (gitmoji)."""
_JOINTS = frozenset("- – — : = => |".split())
_BULLETS = frozenset("-*+•")
_ALTERED = re.compile(r"(?:modif|chang|alter|updat)", re.IGNORECASE)
_ROW_CHARACTERS = 200  # The part of a table's row before an item that is searched for the item's kind.
_OPENING_CHARACTERS, _LEAST_SIGNS = 3000, 2
"""The part of a document that may have a legend, and the fewest signs of one. Chosen by hand, never fitted."""


def read_legend(parsed: ParsedDocument) -> Mapping[str, Section]:
    """Return each sign's section by the legend above a document's releases: `{'*': Section.BREAKS}`; or empty."""
    end = min((_OPENING_CHARACTERS, *(release.span.start for release in parsed.releases if release.version)))
    rows = list(_rows(parsed.document.text[:end]))
    often = Counter(sign for sign, _ in rows)
    legend = {sign: section for sign, section in rows if often[sign] == 1}
    return legend if len(legend) >= _LEAST_SIGNS else {}


def section_of_sign(item: Item, text: str, legend: Mapping[str, Section]) -> Section | None:
    """Return the section that the sign before an item, or at its start, means by the legend of its document `text`."""
    line = text[max(text.rfind("\n", 0, item.span.start) + 1, item.span.start - _ROW_CHARACTERS) : item.span.end]
    if "|" in line:
        cells = (cell.strip(" `*").casefold() for cell in reversed(line.split("|")[:-1]))
        return next((section_of_title(category_of_tag(cell)) for cell in cells if is_kind_of_cell(cell)), None)
    # A sign comes after a bullet, or instead of one.
    first, second = (*line.replace("`", "").split(maxsplit=2)[:2], "", "")[:2]
    first, second = (sign.rstrip("\ufe0f") for sign in (first, second))
    meanings = {**_PICTURES, **legend}
    return (meanings.get(second) if first in _BULLETS else None) or meanings.get(first)


def is_kind_of_cell(words: str) -> bool:
    """Return whether a table's cell only names a kind of change."""
    return is_category(words) and section_of_title(category_of_tag(words)) is not None


def _rows(opening: str) -> Iterator[tuple[str, Section]]:
    """Yield each sign of a legend with the section that its words name; rows that name none are skipped."""
    for part in _PARTS.split(opening):
        if match := _ROW.fullmatch(_CAPTION.sub("", part, count=1).replace("`", "")):
            signs, words = match["signs"].split(), match["words"]
            # A joint comes after the sign, a bullet before it.
            sign = signs[-2] if len(signs) > 1 and signs[-1] in _JOINTS else signs[-1]
            section = section_of_title(words)
            if _ALTERED.match(words) and section is not Section.BREAKS:
                section = Section.ALTERED
            if section is not None:
                yield sign, section
