"""A block's words as runs: what is shown, in which style, each with its range; what isn't markup stays text."""

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
    """Characters of one style: those of the raw text at `[start, end)`, or `is_said`, others in their place."""

    start: int
    end: int
    text: str
    style: Style = Style.PLAIN
    address: str | None = None  # Where it links to: http or https.
    is_replaced: bool = False  # A decoded entity or a label ("Added in 3.1."): it can't be cut.
    is_marked: bool = False  # It is of the quote.
    tells: bool = False  # It is of the sentence that tells, of a quote that holds more.

    def within(self, start: int, end: int) -> "Run | None":
        """Return what of it lies in `[start, end)`; all of what can't be cut, None where nothing does."""
        first, last = max(self.start, start), min(self.end, end)
        if first >= last:
            return None
        if self.is_replaced:
            return self
        return replace(self, start=first, end=last, text=self.text[first - self.start : last - self.start])


class _Place(NamedTuple):
    """What a character stands for; the sign of its innermost style, and where it leads."""

    start: int
    end: int
    mark: str = ""
    address: str = ""


class _Placed(Tracked):
    """Text with the places of its characters, in order, and disjoint or the same."""

    __slots__ = ("places",)
    places: list[_Place]

    @classmethod
    def of(cls, text: str, places: list[_Place]) -> "_Placed":
        placed = cls(text)
        placed.places = places
        return placed

    def substitute(self, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> "_Placed":
        words, places, at = "", list[_Place](), 0
        for found in pattern.finditer(self):
            new = by(found)
            words += self[at : found.start()] + new
            places += self.places[at : found.start()] + self._places_of(new, found)
            at = found.end()
        return _Placed.of(words + self[at:], places + self.places[at:])

    def _places_of(self, new: str, found: re.Match[str]) -> list[_Place]:
        """Return those of what replaces a match: its own of the longest part that is kept, what is beside it of the
        rest."""
        own = self.places[found.start() : found.end()]
        whole, is_code = own[0]._replace(end=own[-1].end), False
        places = own if len(new) == len(found[0]) else [whole] * len(new)
        last = found[0].rfind(unlocked(new))
        parts = [*sorted(found.regs[1:], key=lambda part: part[0] - part[1])] if new != found[0] else []
        parts += [(found.start() + last, found.start() + last + len(new))] * (last >= 0)
        for start, end in parts:
            kept = self[start:end]
            at = max(new.find(kept), new.find(locked(kept))) if kept else -1
            if at < 0:
                continue
            is_code = kept not in new and not found.groupdict().get("sign")
            before, after = whole._replace(end=self.places[start].start), whole._replace(start=self.places[end - 1].end)
            rest = len(new) - at - len(kept)
            if not (at and before.start == before.end) and not (rest and after.start == after.end):
                places = [before] * at + self.places[start:end] + [after] * rest
            break
        named = found.groupdict(default="")
        address = "" if found[0].startswith("!") else named.get("address", "")
        mark = "`" if is_code and not address else named.get("mark", "") * (new != found[0])
        return [place._replace(mark=place.mark or mark, address=place.address or address) for place in places]


def read_runs(text: str, start: int, end: int, media_type: str) -> tuple[Run, ...]:
    """Return what is shown of `[start, end)` of a document's text, in order and disjoint."""
    written: str = _Placed.of(text[start:end], [_Place(at, at + 1) for at in range(start, end)])
    if media_type in _MARKED:
        # Not what begins the lines of a quote.
        written = sub(_QUOTE_MARK, "", written, ">") if media_type == "text/markdown" else written
        told = source_words.__wrapped__(written, text, media_type)  # Places aren't remembered.
        words = unlocked(without_marks(told))
    else:
        words = sub(ADDRESS, r"\g<0>", sub(_PLAIN_CODE, r"\g<code>", written))
    assert isinstance(words, _Placed)  # As what it is made of.
    return tuple(_runs(words, text, media_type))


def _runs(words: _Placed, text: str, media_type: str) -> Iterator[Run]:
    signs = [
        (sign, place, place.end == place.start + 1 and text[place.start] == sign)
        for sign, place in zip(words, words.places, strict=True)
    ]
    looks = (
        (place.start - n if is_own else place[:2], is_own, place.mark, place.address)
        for n, (_, place, is_own) in enumerate(signs)
    )
    for (_, is_own, mark, address), numbered in groupby(enumerate(looks), key=lambda look: look[1]):
        run = [signs[n] for n, _ in numbered]
        style = Style.STRONG if mark == "*" and media_type == "text/asciidoc" else _STYLES.get(mark, Style.PLAIN)
        shown = "".join(sign for sign, _, _ in run)
        leads = address if is_web_page(address) else None
        yield Run(run[0][1].start, run[-1][1].end, shown, style, leads, is_replaced=not is_own)
