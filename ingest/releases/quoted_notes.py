"""Marks the notes of other projects that a document quotes: in a bot's pull request, a folded part or a block quote.

Their headings open no release, and their items are no news of the quoting project. A quotation or a folded part is
another project's if it says so, if it is right below an entry that bumps a dependency, or if its releases aren't the
project's: none named outside, no patch or candidate of the release around it, no older ones that end the document.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import unescape

from corpus.plain_words import one_line
from corpus.versions import Version, VersionConstraint
from ingest.blocks import MARKUP, PARAGRAPH, Aside, Block, ParsedText
from ingest.releases.release_headings import read_release_heading, version_of_heading
from ingest.releases.subjects import letters, read_name_in_title

QUOTED = "quoted"  # The attribute of a block that names the project whose notes it quotes.
_UNNAMED = "another project"
_MAX_DEPTH = 3
_MAX_STEPS_UP = 12
_MAX_LINE = 100
_OPENING_CHARACTERS = 600
_MARKS = re.compile(r"^[\s>*_`#]+|(?<![\s*_`:])[\s*_`:]++$")
_HTML_TITLE = re.compile(r"(?is)<(h[1-6]|strong|b)\b[^<>]*>(?P<title>.{1,300}?)</\1>")
_SUMMARY = re.compile(r"(?i)(?:<details\b[^<>]*>\s*)?(?:<summary\b[^<>]*>\s*)?(?P<title>[^<>\n]{1,200})")
_ESCAPED_TAG = re.compile(r"(?i)(?m)^[ \t>]*&lt;(?P<closes>/?)details&gt;")
_REPOSITORY = re.compile(r"[\w.-]+/(?P<repository>[\w.-]+)(?:\s+\((?P<package>[^()]{1,100})\))?")
_OF_NOTES = re.compile(
    r"\b(?:release notes?|change ?logs?|commits|maintainer changes|vulnerabilities)\b", re.IGNORECASE
)
_NOTES_OF = re.compile(rf"(?i){_OF_NOTES.pattern} (?:of|for|from) ")
_SOURCED = re.compile(r"(?i)\bsourced from (?P<name>[\w@./-]{1,100}?)['’]s\b")
_BUMPS = re.compile(
    r"(?i)\b(?:bump|updat|upgrad)\w*\s+(?:(?:the|dependency|requirement|module)\s+)*"
    r"(?P<name>@?[A-Za-z][\w.-]*(?:/[\w.-]+)*)\b[^\n]{0,200}?(?:\bto|→|->)[\s(v=^~]*\d+(?:\.\w+)+"
)


def mark_quoted_notes(parsed: ParsedText) -> ParsedText:
    """Return the document with the blocks of other projects' notes marked, headings as paragraphs; offsets stay."""
    asides = [*parsed.asides, *_escaped_elements(parsed)]
    foreign: dict[Aside, str] = {}
    for _ in range(_MAX_DEPTH):
        if not (outer := _outermost(asides)):
            break
        reader = _OriginReader(parsed, _outermost((*outer, *foreign)))
        quoted = {aside: name for aside in outer if (name := reader.quoted_project(aside))}
        foreign |= quoted
        # Find notes quoted inside a folded part of the project's own.
        known, marked = set(outer), tuple(quoted)
        asides = [aside for aside in asides if aside not in known and _enclosing(aside.start, marked) is None]
    disjoint = _outermost(foreign)
    return replace(parsed, blocks=tuple(_marked(parsed, foreign, disjoint))) if disjoint else parsed


def _marked(parsed: ParsedText, foreign: Mapping[Aside, str], disjoint: Sequence[Aside]) -> Iterator[Block]:
    """Yield the blocks with quoted ones marked, cut at the ends of quotations; quoted headings become paragraphs."""
    starts, ends = [aside.start for aside in disjoint], [aside.end for aside in disjoint]
    for block in parsed.blocks:
        begin = block.start
        for at in range(bisect_right(ends, block.start), bisect_left(starts, block.end)):
            aside = disjoint[at]
            yield from _part_of(parsed.text, block, begin, aside.start, quoted="")
            yield from _part_of(parsed.text, block, max(begin, aside.start), aside.end, quoted=foreign[aside])
            begin = aside.end
        yield from _part_of(parsed.text, block, begin, block.end, quoted="")


def _part_of(text: str, block: Block, start: int, end: int, *, quoted: str) -> Iterator[Block]:
    """Yield the part of a block between two places; nothing if that is only white space."""
    end = min(end, block.end)
    if (start, end, quoted) == (block.start, block.end, ""):
        yield block
    elif words := text[start:end].strip():
        start = text.index(words[0], start)
        is_part = block.is_heading or start > block.start
        kind, level = (PARAGRAPH, 0) if is_part else (block.kind, block.level)
        yield Block(kind, start, start + len(words), level, attributes={QUOTED: quoted} if quoted else block.attributes)


def _outermost(asides: Iterable[Aside]) -> tuple[Aside, ...]:
    """Return the asides by start, without those that begin inside a returned one; of two at a start, the longer."""
    outermost: list[Aside] = []
    for aside in sorted(asides, key=lambda aside: (aside.start, -aside.end)):
        if not outermost or aside.start >= outermost[-1].end:
            outermost.append(aside)
    return tuple(outermost)


def _enclosing(start: int, asides: Sequence[Aside]) -> Aside | None:
    """Return the aside that contains a place; the asides are disjoint and in order."""
    at = bisect_right(asides, start, key=lambda aside: aside.start) - 1
    return asides[at] if at >= 0 and start < asides[at].end else None


class _OriginReader:
    """Determines which project's notes an aside quotes, from the text outside of all asides."""

    def __init__(self, parsed: ParsedText, apart: Sequence[Aside]) -> None:
        """`apart` are all asides of this level, disjoint and in order."""
        self._parsed = parsed
        self._apart = apart
        self._starts = [block.start for block in parsed.blocks]
        self._releases = [
            (block.start, version)
            for block in parsed.blocks
            if _enclosing(block.start, apart) is None and (version := version_of_heading(block))
        ]
        self._versions = {version for _, version in self._releases}
        self._title = next((block.title for block in parsed.blocks if block.is_heading), "")

    def quoted_project(self, aside: Aside) -> str:
        """Return the project that an aside quotes ("another project" if unnamed); empty if it quotes no other one."""
        opening = unescape(self._parsed.text[aside.start : min(aside.end, aside.start + _OPENING_CHARACTERS)])
        if sourced := _SOURCED.search(one_line(opening)):
            return sourced["name"]
        summary = match["title"].strip() if aside.is_folded and (match := _SUMMARY.match(opening)) else ""
        bumped_above = self._bumped_above(aside)
        if bumped_above and _OF_NOTES.search(summary):
            return bumped_above
        bumped = _bumped_in(summary) or bumped_above
        versions = set(self._versions_in(aside))
        before = bisect_left(self._releases, aside.start, key=lambda release: release[0])
        repository = _REPOSITORY.fullmatch(summary)
        named = (repository["package"] or repository["repository"]) if repository else ""
        if _NOTES_OF.search(summary) and letters(name := read_name_in_title(summary)) not in letters(self._title):
            named = name
        if not versions or not (before or named) or versions <= self._versions:
            return ""
        if named:
            return named
        around = self._releases[before - 1][1]
        if all(VersionConstraint.exactly(around).contains(version) or version.base == around for version in versions):
            return ""
        ends_document = aside.is_folded and before == len(self._releases)
        is_older = ends_document and not bumped and all(version < around for version in versions)
        return "" if is_older else bumped or _UNNAMED

    def _bumped_above(self, aside: Aside) -> str:
        """Return the dependency bumped right above an aside, or above the asides right before it; else empty."""
        text, place = self._parsed.text, aside.start
        for _ in range(_MAX_STEPS_UP):
            at = bisect_left(self._apart, place, key=lambda apart: apart.start) - 1
            above = self._apart[at] if at >= 0 else Aside(0, 0)
            position = bisect_left(self._starts, place) - 1
            block = self._parsed.blocks[position] if position >= 0 else None
            if above.end and not text[above.end : place].strip():
                place = above.start
            elif block is None or block.is_heading:
                break
            elif block.kind is MARKUP:
                place = block.start
            else:
                return _bumped_in(one_line(text[max(block.start, above.end, place - _OPENING_CHARACTERS) : place]))
        return ""

    def _versions_in(self, aside: Aside) -> Iterator[Version]:
        """Yield the versions of an aside's headings, titles and first lines of blocks that read as release headings."""
        first, last = (bisect_left(self._starts, place) for place in (aside.start, aside.end))
        # Its first line may be part of a block that begins before the aside.
        lines = [self._first_line(aside.start, aside.end)]
        for block in self._parsed.blocks[first:last]:
            if block.is_heading:
                yield from filter(None, (version_of_heading(block),))
            else:
                titles = _HTML_TITLE.finditer(self._parsed.text, block.start, block.end)
                lines += (title["title"] for title in titles)
                lines.append(self._first_line(block.start, block.end))
        subjects = (read_release_heading(one_line(line)) for line in lines if len(line) <= _MAX_LINE)
        yield from (subject.version for subject in subjects if subject and subject.version)

    def _first_line(self, start: int, end: int) -> str:
        return _MARKS.sub("", self._parsed.text[start : min(end, start + 2 * _MAX_LINE)].partition("\n")[0])


def _bumped_in(words: str) -> str:
    """Return the dependency that a text bumps ("Bump lodash to 4.17.21" -> "lodash"); else empty."""
    bump = _BUMPS.search(words)
    return bump["name"] if bump else ""


def _escaped_elements(parsed: ParsedText) -> Iterator[Aside]:
    """Yield the folded elements of Markdown with escaped tags, as tools that write changelogs produce them."""
    opened: list[int] = []
    for tag in _ESCAPED_TAG.finditer(parsed.text) if parsed.media_type == "text/markdown" else ():
        if not tag["closes"]:
            opened.append(tag.start())
        elif opened:
            yield Aside(opened.pop(), tag.end(), is_folded=True)
