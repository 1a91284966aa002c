"""Splits a block's text into runs without markup, each with its style and its range in the document."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from corpus.plain_words import ADDRESS, Tracked, locked, sub, unlocked, without_marks
from corpus.source_words import source_words
from retrieval.quoting.links import is_web_page

_PLAIN_CODE = re.compile(r"(?<![\w`])(?P<mark>`)(?P<code>[^`\s](?:[^`\n]{0,200}[^`\s])?)`(?![\w`])")
_QUOTE_MARK = re.compile(r"(?<=\n)[ \t]*(?:>[ \t]?)+")
_MARKED = ("text/markdown", "text/x-rst", "text/asciidoc")


class Style(StrEnum):
    PLAIN = "plain"
    CODE = "code"
    STRONG = "strong"
    EMPHASIS = "emphasis"


_STYLES = dict.fromkeys(("***", "**", "__"), Style.STRONG) | dict.fromkeys(("*", "_"), Style.EMPHASIS)
_STYLES |= {"`": Style.CODE}


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one style: the raw text at `[start, end)` or, with `is_replaced`, other text shown in its place."""

    start: int
    end: int
    text: str
    style: Style = Style.PLAIN
    address: str | None = None  # Where it links to: http or https.
    is_replaced: bool = False  # A decoded entity or a label ("Added in 3.1."): it can't be cut.
    is_marked: bool = False  # Part of the quote.
    tells: bool = False  # Part of `Citation.telling`, if the quote has more than that.

    def within(self, start: int, end: int) -> "Run | None":
        """Return the part of the run inside `[start, end)`; an uncuttable run whole; None if nothing is inside."""
        first, last = max(self.start, start), min(self.end, end)
        if first >= last:
            return None
        if self.is_replaced:
            return self
        return replace(self, start=first, end=last, text=self.text[first - self.start : last - self.start])


class _Place(NamedTuple):
    """The range in the document that a character is shown for, the markup of its innermost style, and its link."""

    start: int
    end: int
    mark: str = ""
    address: str = ""


class _Placed(Tracked):
    """Text with the place of each character; places are in order, and disjoint or equal."""

    __slots__ = ("places",)
    places: list[_Place]

    @classmethod
    def of(cls, text: str, places: list[_Place]) -> "_Placed":
        placed = cls(text)
        placed.places = places
        return placed

    def substitute(self, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> "_Placed":
        words, places, at = "", list[_Place](), 0
        for match in pattern.finditer(self):
            replacement = by(match)
            words += self[at : match.start()] + replacement
            places += self.places[at : match.start()] + self._places_of(replacement, match)
            at = match.end()
        return _Placed.of(words + self[at:], places + self.places[at:])

    def _places_of(self, replacement: str, match: re.Match[str]) -> list[_Place]:
        """Return the places of a match's replacement: the longest part it keeps has its own places, the characters
        before and after it have the places of what they replace."""
        match_places = self.places[match.start() : match.end()]
        whole, is_code = match_places[0]._replace(end=match_places[-1].end), False
        places = match_places if len(replacement) == len(match[0]) else [whole] * len(replacement)
        last = match[0].rfind(unlocked(replacement))
        parts = [*sorted(match.regs[1:], key=lambda part: part[0] - part[1])] if replacement != match[0] else []
        parts += [(match.start() + last, match.start() + last + len(replacement))] * (last >= 0)
        for start, end in parts:
            group_text = self[start:end]
            at = max(replacement.find(group_text), replacement.find(locked(group_text))) if group_text else -1
            if at < 0:
                continue
            is_code = group_text not in replacement and not match.groupdict().get("sign")
            before, after = whole._replace(end=self.places[start].start), whole._replace(start=self.places[end - 1].end)
            rest = len(replacement) - at - len(group_text)
            if not (at and before.start == before.end) and not (rest and after.start == after.end):
                places = [before] * at + self.places[start:end] + [after] * rest
            break
        groups = match.groupdict(default="")
        address = "" if match[0].startswith("!") else groups.get("address", "")
        mark = "`" if is_code and not address else groups.get("mark", "") * (replacement != match[0])
        return [place._replace(mark=place.mark or mark, address=place.address or address) for place in places]


def read_runs(text: str, start: int, end: int, media_type: str) -> tuple[Run, ...]:
    """Return the text shown for `[start, end)` of a document as runs, in order and disjoint."""
    written: str = _Placed.of(text[start:end], [_Place(at, at + 1) for at in range(start, end)])
    if media_type in _MARKED:
        # Without the ">" that begins the lines of a block quote.
        written = sub(_QUOTE_MARK, "", written, ">") if media_type == "text/markdown" else written
        plain = source_words.__wrapped__(written, text, media_type)  # Uncached: the cache would drop the places.
        words = unlocked(without_marks(plain))
    else:
        words = sub(ADDRESS, r"\g<0>", sub(_PLAIN_CODE, r"\g<code>", written))
    assert isinstance(words, _Placed)  # `sub` and the others return the type they are given.
    return tuple(_runs(words, text, media_type))


def _runs(words: _Placed, text: str, media_type: str) -> Iterator[Run]:
    characters = [
        (character, place, place.end == place.start + 1 and text[place.start] == character)
        for character, place in zip(words, words.places, strict=True)
    ]
    keys = (
        (place.start - n if is_verbatim else place[:2], is_verbatim, place.mark, place.address)
        for n, (_, place, is_verbatim) in enumerate(characters)
    )
    for (_, is_verbatim, mark, address), numbered in groupby(enumerate(keys), key=lambda numbered_key: numbered_key[1]):
        run = [characters[n] for n, _ in numbered]
        style = Style.STRONG if mark == "*" and media_type == "text/asciidoc" else _STYLES.get(mark, Style.PLAIN)
        shown = "".join(character for character, _, _ in run)
        link = address if is_web_page(address) else None
        yield Run(run[0][1].start, run[-1][1].end, shown, style, link, is_replaced=not is_verbatim)
