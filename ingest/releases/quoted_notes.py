"""Notes of another project that a document quotes: in the body of a bot's pull request, folded away, in a block quote.

Their headings open no release, and what they tell is no news of the project that quotes them. A quotation or a folded
part is another's where it says so, where it stands right below an entry that bumps a dependency, or where it names
releases that aren't the project's own: none that is named outside, no patch or candidate of the release around it, no
older ones that end the document.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import unescape

from corpus.plain_words import one_line
from corpus.versions import Version, VersionConstraint
from ingest.blocks import Aside, Block, BlockKind, ParsedText
from ingest.releases.release_headings import read_release_heading, version_of_heading
from ingest.releases.subjects import letters, read_name_in_title

QUOTED = "quoted"  # The attribute of a block that says whose notes it is of.
_ANOTHER = "another project"
_LEVELS = 3
_STEPS = 12
_MAX_LINE = 100
_OPENING_CHARACTERS = 600
_MARKS = re.compile(r"^[\s>*_`#]+|[\s*_`:]+$")
_HTML_TITLE = re.compile(r"<(h[1-6]|strong|b)\b[^<>]*>(?P<title>.{1,300}?)</\1>", re.IGNORECASE | re.DOTALL)
_SUMMARY = re.compile(r"(?:<details\b[^<>]*>\s*)?(?:<summary\b[^<>]*>\s*)?(?P<title>[^<>\n]{1,200})", re.IGNORECASE)
_ESCAPED_TAG = re.compile(r"(?m)^[ \t>]*&lt;(?P<closes>/?)details&gt;", re.IGNORECASE)
_REPOSITORY = re.compile(r"[\w.-]+/(?P<repository>[\w.-]+)(?:\s+\((?P<package>[^()]{1,100})\))?")
_OF_NOTES = re.compile(
    r"\b(?:release notes?|change ?logs?|commits|maintainer changes|vulnerabilities)\b", re.IGNORECASE
)
_NOTES_OF = re.compile(rf"{_OF_NOTES.pattern} (?:of|for|from) ", re.IGNORECASE)
_SOURCED = re.compile(r"\bsourced from (?P<name>[\w@./-]{1,100}?)['’]s\b", re.IGNORECASE)
_BUMPS = re.compile(
    r"\b(?:bump|updat|upgrad)\w*\s+(?:(?:the|dependency|requirement|module)\s+)*"
    r"(?P<name>@?[A-Za-z][\w.-]*(?:/[\w.-]+)*)\b[^\n]{0,200}?(?:\bto|→|->)[\s(v=^~]*\d+(?:\.\w+)+",
    re.IGNORECASE,
)


def mark_quoted_notes(parsed: ParsedText) -> ParsedText:
    """Mark the blocks of others' notes, so that none is a heading; offsets stay as they were."""
    asides = [*parsed.asides, *_escaped_elements(parsed)]
    foreign: dict[Aside, str] = {}
    for _ in range(_LEVELS):
        if not (outer := _outermost(asides)):
            break
        reader = _Reader(parsed, _outermost((*outer, *foreign)))
        found = {aside: name for aside in outer if (name := reader.whose(aside))}
        foreign |= found
        # Find notes quoted inside a folded part of the project's own.
        known, read = set(outer), tuple(found)
        asides = [aside for aside in asides if aside not in known and _holder(aside.start, read) is None]
    held = _outermost(foreign)
    return replace(parsed, blocks=tuple(_marked(parsed, foreign, held))) if held else parsed


def _marked(parsed: ParsedText, foreign: Mapping[Aside, str], held: Sequence[Aside]) -> Iterator[Block]:
    """Return the blocks, cut where a paragraph or an entry goes on with what it quotes."""
    starts, ends = [aside.start for aside in held], [aside.end for aside in held]
    for block in parsed.blocks:
        begin = block.start
        for at in range(bisect_right(ends, block.start), bisect_left(starts, block.end)):
            aside = held[at]
            yield from _piece(parsed.text, block, begin, aside.start, quoted="")
            yield from _piece(parsed.text, block, max(begin, aside.start), aside.end, quoted=foreign[aside])
            begin = aside.end
        yield from _piece(parsed.text, block, begin, block.end, quoted="")


def _piece(text: str, block: Block, start: int, end: int, *, quoted: str) -> Iterator[Block]:
    """Yield what there is of a block between two places; nothing where that is but white space."""
    end = min(end, block.end)
    if (start, end, quoted) == (block.start, block.end, ""):
        yield block
    elif words := text[start:end].strip():
        start = text.index(words[0], start)
        is_part = block.kind is BlockKind.HEADING or start > block.start
        kind, level = (BlockKind.PARAGRAPH, 0) if is_part else (block.kind, block.level)
        yield Block(kind, start, start + len(words), level, attributes={QUOTED: quoted} if quoted else block.attributes)


def _outermost(asides: Iterable[Aside]) -> tuple[Aside, ...]:
    """Those that lie in no other, in order."""
    found: list[Aside] = []
    for aside in sorted(asides, key=lambda aside: (aside.start, -aside.end)):
        if not found or aside.start >= found[-1].end:
            found.append(aside)
    return tuple(found)


def _holder(start: int, asides: Sequence[Aside]) -> Aside | None:
    """Return the one of disjoint asides, in order, that a place lies in."""
    at = bisect_right(asides, start, key=lambda aside: aside.start) - 1
    return asides[at] if at >= 0 and start < asides[at].end else None


class _Reader:
    """Tells of asides whose notes they hold, by what stands outside of all of them."""

    def __init__(self, parsed: ParsedText, apart: Sequence[Aside]) -> None:
        """`apart` are all that are set apart on this level, disjoint and in order."""
        self._parsed = parsed
        self._apart = apart
        self._starts = [block.start for block in parsed.blocks]
        self._own = [
            (block.start, version)
            for block in parsed.blocks
            if _holder(block.start, apart) is None and (version := version_of_heading(block))
        ]
        self._versions = {version for _, version in self._own}
        self._title = next((block.title for block in parsed.blocks if block.kind is BlockKind.HEADING), "")

    def whose(self, aside: Aside) -> str:
        """Return the name of whose notes an aside holds; empty where they are the project's own, or no notes."""
        opening = unescape(self._parsed.text[aside.start : min(aside.end, aside.start + _OPENING_CHARACTERS)])
        if sourced := _SOURCED.search(one_line(opening)):
            return sourced["name"]
        summary = found["title"].strip() if aside.is_folded and (found := _SUMMARY.match(opening)) else ""
        above = self._bumped_above(aside)
        if above and _OF_NOTES.search(summary):
            return above
        bumped = _bumped_in(summary) or above
        versions = set(self._named_in(aside))
        before = bisect_left(self._own, aside.start, key=lambda own: own[0])
        repository = _REPOSITORY.fullmatch(summary)
        named = (repository["package"] or repository["repository"]) if repository else ""
        if _NOTES_OF.search(summary) and letters(name := read_name_in_title(summary)) not in letters(self._title):
            named = name
        if not versions or not (before or named) or versions <= self._versions:
            return ""
        if named:
            return named
        around = self._own[before - 1][1]
        if all(VersionConstraint.exactly(around).contains(one) or one.base == around for one in versions):
            return ""
        ends_document = aside.is_folded and before == len(self._own)
        is_older = ends_document and not bumped and all(one < around for one in versions)
        return "" if is_older else bumped or _ANOTHER

    def _bumped_above(self, aside: Aside) -> str:
        """Return the dependency that is bumped right above an aside, or above the ones that it follows."""
        text, place = self._parsed.text, aside.start
        for _ in range(_STEPS):
            at = bisect_left(self._apart, place, key=lambda one: one.start) - 1
            above = self._apart[at] if at >= 0 else Aside(0, 0)
            position = bisect_left(self._starts, place) - 1
            block = self._parsed.blocks[position] if position >= 0 else None
            if above.end and not text[above.end : place].strip():
                place = above.start
            elif block is None or block.kind is BlockKind.HEADING:
                break
            elif block.kind is BlockKind.MARKUP:
                place = block.start
            else:
                return _bumped_in(one_line(text[max(block.start, above.end, place - _OPENING_CHARACTERS) : place]))
        return ""

    def _named_in(self, aside: Aside) -> Iterator[Version]:
        """Return the releases that headings in an aside name, and lines that are but a version."""
        first, last = (bisect_left(self._starts, place) for place in (aside.start, aside.end))
        # Its first line may go on with a block that begins before it.
        lines = [self._first_line(aside.start, aside.end)]
        for block in self._parsed.blocks[first:last]:
            if block.kind is BlockKind.HEADING:
                yield from filter(None, (version_of_heading(block),))
            else:
                found = _HTML_TITLE.finditer(self._parsed.text, block.start, block.end)
                lines += (title["title"] for title in found)
                lines.append(self._first_line(block.start, block.end))
        read = (read_release_heading(one_line(line)) for line in lines if len(line) <= _MAX_LINE)
        yield from (subject.version for subject in read if subject and subject.version)

    def _first_line(self, start: int, end: int) -> str:
        return _MARKS.sub("", self._parsed.text[start : min(end, start + 2 * _MAX_LINE)].partition("\n")[0])


def _bumped_in(words: str) -> str:
    bump = _BUMPS.search(words)
    return bump["name"] if bump else ""


def _escaped_elements(parsed: ParsedText) -> Iterator[Aside]:
    """Yield the folded elements of Markdown whose tags are escaped, as makers of changelogs write them."""
    opened: list[int] = []
    for tag in _ESCAPED_TAG.finditer(parsed.text) if parsed.media_type == "text/markdown" else ():
        if not tag["closes"]:
            opened.append(tag.start())
        elif opened:
            yield Aside(opened.pop(), tag.end(), is_folded=True)
