"""Splits releases into passages: sections, cut along their structure, with the items that are embedded and quoted.

A passage stays inside one release and one section. It begins with the headings right above it, keeps a list entry with
its children and a code block with the line that introduces it. A page's text beside its notes is marked.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from corpus.change_kinds import kind_of_heading, kind_of_passage
from corpus.entry_words import TICKET_AHEAD
from corpus.errors import SourceError
from corpus.everyday_words import is_everyday
from corpus.formats import EXTRACTED, UNMARKED
from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Document, Item, Kind, Passage, Release, Span
from corpus.plain_words import one_line, stated_words
from corpus.source_words import item_words, source_words
from corpus.symbols import find_references, find_symbols
from corpus.version_mentions import find_versions
from corpus.versions import VersionConstraint
from ingest.blocks import CODE, LIST_ITEM, MARKUP, PARAGRAPH, TABLE, Block, BlockKind, Blocks, ParsedText
from ingest.passages.sentences import cut, split_sentences, trim
from ingest.releases.quoted_notes import QUOTED
from ingest.releases.version_lines import RELEASE_WORDS, name_words

_ELSEWHERE = re.compile(r"(?i)\W*(?:see also|further reading|external links)\W*")
_OPENS_TAIL = re.compile(
    r"""(?ix)\W*(?:
    (?:other|related|more|recent|latest|further|recommended|popular|featured)\s+(?:insights?|articles?|posts?|stories|news|
        reading|content|resources|from\b).*
    | you\ (?:may|might)\ also\ (?:like|enjoy).*
    | (?:newsletter|subscribe|sign[- ]?up|stay\ (?:up\ to\ date|informed|connected)|join\ our|follow\ us
        |share\ this)\b.*
    | (?:book|request|schedule)\ a\ (?:demo|call|meeting).*
    | (?:leave\ a\ (?:reply|comment)|comments?|about\ the\ author|cookie(?:s|\ policy|\ settings)?|privacy\ policy)
    )\W*"""
)
_NAVIGATION = re.compile(
    r"(?i)\W*(?:on this page|table of contents|contents|skip to (?:main )?content|back to top|previous|next|"
    r"previous topic|next topic|read more|read on|learn more|edit this page|last updated.{0,40})\W*"
)
_SHORT_LINE = 90
_ANY_LEVEL = 9
TARGET_CHARACTERS = 1000
MAX_CHARACTERS = 1200
MAX_RIGID_CHARACTERS = 1600
MAX_QUOTE_CHARACTERS = 680
MAX_ENTRY_CHARACTERS = 400  # A list entry up to this length is one item; a longer one is taken by its sentences.
_MOST_BLOCK_CHARACTERS = 4_000_000
_MOST_ITEMS = 1_000_000
"""Two gigabytes with their vectors; a small compressed file may unfold to three times as much."""
_MAX_VERSIONS = 40

_RIGID = (CODE, TABLE)
_NAME_BEFORE = re.compile(
    r"(?<![\w.])(?P<name>[A-Za-z][\w.+#]{0,80})(?P<compared>\s+(?:older|newer|lower|higher|earlier|later)\s+than)?[\s`*_\"'(]{1,80}"
    r"(?:[<>=~^]+\s*)?v?\Z"
)
_NAME_CHARACTERS = 80
_A_WORD = re.compile(r"\w")
_ROW = re.compile(r"(?m)^[ \t>]*\|(?=.*\w).*$")
_LONG_MARK = re.compile(r"\W{80,}")
_STATEMENTS = r"(?:sentence|statement|paragraph|section|claim|bullet|item|entry|line)s?"
_RETRACTS = re.compile(
    rf"(?i)\b(?:removed|deleted|withdrew|withdrawn|retracted|struck)\b[^.:]{{0,30}}\bthe following {_STATEMENTS}\b"
    rf"|\bthe following {_STATEMENTS} (?:(?:was|were|has been|have been) (?:removed|deleted|withdrawn|retracted|struck)"
    r"|(?:is|are|was|were) (?:in error|incorrect|wrong|not true))\b"
)
_ASIDE = re.compile(r"\([^()]*\)")


class _Section(NamedTuple):
    """Blocks that share a release and a heading path; `headings` are right above them."""

    release: int
    path: tuple[str, ...]
    headings: tuple[Block, ...]
    blocks: tuple[Block, ...]
    boilerplate: bool
    quoted: str  # The project whose notes they quote; empty for none.


@dataclass(frozen=True, slots=True)
class _Unit:
    """Text that stays together if it fits a passage: an entry with its children, a paragraph with its code."""

    span: Span
    items: tuple[Item, ...]
    attributes: Mapping[str, str] = field(default_factory=dict)  # Of its first block.
    rigid: bool = False  # Whether it has a code block or table, and so may exceed the usual length.


def split_passages(
    parsed: ParsedText, releases: Sequence[Release], *, title: str, names: Sequence[str] = ()
) -> tuple[Passage, ...]:
    """Split a document into passages, in order, disjoint.

    `names` are those of its product: a version right behind another name isn't among a passage's versions.

    Every block with words is in a passage, except markup between passages, and headings of extracted text: pages hide
    permalinks and buttons in headings, and a passage must read like the page. A text without blocks gives none.

    Raises:
        SourceError: it has a block of more than 4,000,000 characters, or more than 1,000,000 items.
    """
    if any(block.end - block.start > _MOST_BLOCK_CHARACTERS for block in parsed.blocks):
        raise SourceError(
            f"has a paragraph of more than {_MOST_BLOCK_CHARACTERS:,} characters; split it or leave it out"
        )
    product_words = name_words(names)
    items = 0
    passages: list[Passage] = []
    for section in _sections(parsed, releases, title=title):
        release = releases[section.release]
        apart = (unit for group in _grouped(section.blocks) for unit in _group_units(parsed.text, group))
        units = tuple(_with_announced_retractions(parsed.text, apart))
        items += sum(len(unit.items) for unit in units)
        if items > _MOST_ITEMS:
            raise SourceError(f"has more than {_MOST_ITEMS:,} sentences and entries; split it or leave it out")
        head = () if units and parsed.is_extracted else _heading_units(parsed.text, section.headings)
        room = MAX_RIGID_CHARACTERS if units and units[0].rigid else MAX_CHARACTERS
        is_apart = head and (not units or units[0].span.end - head[0].span.start > room)
        if is_apart:
            passages += [_make_passage(parsed, section, (unit,), release, product_words) for unit in head]
        for run in _pack(units, head=() if is_apart else head):
            passages.append(_make_passage(parsed, section, run, release, product_words))
    return tuple(passages)


def _sections(parsed: ParsedText, releases: Sequence[Release], *, title: str) -> Iterator[_Section]:
    """Yield the sections: a heading, a release boundary or a change to boilerplate or a quotation begins a new one."""
    junk = find_boilerplate(parsed)
    release = 0
    path: list[tuple[int, str, VersionConstraint | None]] = []  # Level, title and release of each heading.
    headings: list[Block] = []
    blocks: list[Block] = []
    in_junk, quoted = False, ""
    starts = [candidate.span.start for candidate in releases]

    def flush() -> Iterator[_Section]:
        if headings or blocks:
            # In logs with patch releases on a deeper level, 1.6.8 may come below 1.7.0, whose heading isn't its own.
            version = releases[release].version
            above = (name for _, name, outer in path if not (outer and version) or outer.contains(version))
            names = tuple(dict.fromkeys(name for name in (title, *above) if name))
            yield _Section(release, names, tuple(headings), tuple(blocks), in_junk, quoted)
        headings.clear()
        blocks.clear()

    for block in parsed.blocks:
        reached = max(release, bisect_right(starts, block.start) - 1)
        is_junk, quotes = is_boilerplate(block, junk), block.attributes.get(QUOTED, "")
        begins = reached > release or block.ends or (block.is_heading and blocks)
        if begins or (is_junk, quotes) != (in_junk, quoted):
            yield from flush()
            in_junk, quoted = is_junk, quotes
        if block.ends:
            path = [above for above in path if above[0] < block.ends]
        release = reached
        if block.is_heading:
            if headings and block.level <= headings[-1].level:
                yield from flush()
            path = [above for above in path if above[0] < block.level]
            version, label = releases[release].version, releases[release].label
            opened = VersionConstraint.exactly(version) if version and label and label in block.title else None
            path.append((block.level, block.title, opened))
            headings.append(block)
        elif block.kind is not MARKUP:
            blocks.append(block)
    yield from flush()


def _grouped(blocks: Blocks) -> Iterator[tuple[Block, ...]]:
    """Yield blocks that belong together: an entry with nested blocks, a line with the code or list below it."""
    group: list[Block] = []
    for block in blocks:
        if group:
            least = group[0].level + (block.kind is LIST_ITEM)
            belongs = group[0].kind is LIST_ITEM and block.level >= max(least, 1)
            introduced = block.kind in _RIGID and group[-1].kind is PARAGRAPH
            if not (belongs or introduced):
                yield tuple(group)
                group = []
        group.append(block)
    if group:
        yield tuple(group)


def _group_units(text: str, group: Blocks) -> Iterator[_Unit]:
    """Yield a group as one unit if it fits, else by blocks, else by sentences or in pieces."""
    span = Span(group[0].start, group[-1].end)
    rigid = any(block.kind in _RIGID for block in group)
    if len(span) <= (MAX_RIGID_CHARACTERS if rigid and len(group) <= 2 else MAX_CHARACTERS):
        items = tuple(item for block in group for item in _block_items(text, block))
        yield _Unit(span, items, group[0].attributes, rigid)
        return
    if len(group) > 1:
        for block in group:
            yield from _group_units(text, (block,))
        return
    block = group[0]
    if block.kind in _RIGID:
        for piece in cut(text, span, max_characters=MAX_CHARACTERS):
            yield _Unit(piece, _rigid_items(text, piece, block.kind, longest=MAX_CHARACTERS), rigid=True)
        return
    for item in _block_items(text, block):
        yield _Unit(item.span, (item,), block.attributes)


def _block_items(text: str, block: Block) -> tuple[Item, ...]:
    """Return the items of a block: an entry, its sentences, or pieces of code and tables; none for markup."""
    span = trim(text, Span(block.start, block.end))
    if span is None or block.kind is MARKUP:
        return ()
    if block.kind in _RIGID:
        longest = MAX_CHARACTERS if block.kind is CODE else MAX_QUOTE_CHARACTERS
        return tuple(replace(item, depth=block.level) for item in _rigid_items(text, span, block.kind, longest=longest))
    spans, is_listed = _with_words(text, (span,)), block.kind is LIST_ITEM
    if not is_listed or len(spans[0]) > MAX_ENTRY_CHARACTERS:
        spans = _with_words(text, split_sentences(text, spans[0], max_characters=MAX_QUOTE_CHARACTERS))
    written = ((piece, piece.slice(text), piece is spans[0]) for piece in spans)
    return tuple(
        Item(
            piece,
            retracted=bool(_RETRACTS.search(words)) or _is_struck(words),
            opens=is_first,
            is_entry=is_first and is_listed,
            depth=block.level,
        )
        for piece, words, is_first in written
    )


def _is_struck(words: str) -> bool:
    """Return whether an item is struck through, except for a reference behind it, or a task that isn't done."""
    kept = stated_words(words)
    return words.lstrip("-*+ ").startswith("[ ]") or (kept != words and not _A_WORD.search(_ASIDE.sub("", kept)))


def _rigid_items(text: str, span: Span, kind: BlockKind, *, longest: int) -> tuple[Item, ...]:
    """Return the items of code or a table: its rows if they are lines, else pieces of at most `longest` characters."""
    rows = [Span(*row.span()) for row in _ROW.finditer(text, span.start, span.end)] if kind is TABLE else []
    pieces = (piece for part in rows or [span] for piece in cut(text, part, max_characters=longest))
    return tuple(Item(piece, is_code=kind is CODE) for piece in pieces)


def _with_words(text: str, sentences: Sequence[Span]) -> Sequence[Span]:
    """Return the sentences with a word, without 80 or more signs before it; if none has one, the first sentence."""
    worded = [
        Span(mark.end() if (mark := _LONG_MARK.match(text, part.start, part.end)) else part.start, part.end)
        for part in sentences
        if _A_WORD.search(text, part.start, part.end)
    ]
    return worded or sentences[:1]


def _with_announced_retractions(text: str, units: Iterable[_Unit]) -> Iterator[_Unit]:
    """Mark the items that follow "removed the following sentence:" as retracted."""
    is_announced = False
    for unit in units:
        items: list[Item] = []
        for item in unit.items:
            items.append(replace(item, retracted=item.retracted or is_announced))
            is_announced = item.retracted and item.span.slice(text).endswith(":")
        yield replace(unit, items=tuple(items))


def _heading_units(text: str, headings: Blocks) -> tuple[_Unit, ...]:
    """Return a section's headings as one unit, or as several if too long; headings that are sentences are items."""
    if not headings:
        return ()
    items: list[Item] = []
    for block in headings:
        # Only headings that are statements ("torch.cat raises IndexError"), not categories nor bare versions.
        words = [word for word in block.title.split() if any(c.isalpha() for c in word)]
        is_sentence = len(words) >= 5 or (len(words) >= 2 and kind_of_heading(block.title) is None)
        at = text.find(block.title, block.start, block.end) if block.title else -1
        if is_sentence and at >= 0 and len(block.title) <= MAX_QUOTE_CHARACTERS:
            items.append(Item(Span(at, at + len(block.title))))
    spans = [Span(headings[0].start, headings[-1].end)]
    if len(spans[0]) > MAX_CHARACTERS:
        blocks = (Span(block.start, block.end) for block in headings)
        spans = [piece for span in blocks for piece in cut(text, span, max_characters=MAX_CHARACTERS)]
    return tuple(_Unit(span, tuple(item for item in items if span.holds(item.span))) for span in spans)


def _pack(units: Sequence[_Unit], *, head: Sequence[_Unit]) -> Iterator[tuple[_Unit, ...]]:
    """Yield runs of units of even length near the target, longer only if a unit is; `head` begins the first."""
    if not units:
        return
    first = (head or units)[0].span.start
    target = (units[-1].span.end - first) / max(1, math.ceil((units[-1].span.end - first) / TARGET_CHARACTERS))
    run = [*head, units[0]]
    for unit in units[1:]:
        length = unit.span.end - run[0].span.start
        if length > MAX_CHARACTERS or (length > target * 1.15 and length - len(unit.span) > target * 0.5):
            yield tuple(run)
            run = []
        run.append(unit)
    yield tuple(run)


def _make_passage(
    parsed: ParsedText, section: _Section, run: Sequence[_Unit], release: Release, product_words: frozenset[str]
) -> Passage:
    """Return the passage of a run of units; its versions are those mentioned but its release's and other products'."""
    span = Span(run[0].span.start, run[-1].span.end)
    words = span.slice(parsed.text)
    resolved = source_words(words, parsed.text, parsed.media_type)
    tags = " ".join(unit.attributes.get("tags", "") for unit in run)
    numbers = (unit.attributes.get("tickets", "").replace(",", " ").split() for unit in run)
    tickets = (f"#{number}" for unit_numbers in numbers for number in unit_numbers if number.isdigit())
    is_news = not (section.boilerplate or section.quoted)
    versions = dict.fromkeys(
        mention.version
        for mention in find_versions(words)
        if mention.version != release.version and not _is_other_product(words, mention.start, product_words)
    )
    return Passage(
        span=span,
        release=section.release,
        heading=section.path,
        kind=kind_of_passage(section.path[1:], words, tags=tags) if is_news else Kind.OTHER,
        items=tuple(item for unit in run for item in unit.items),
        # In Markdown, resolved references are addresses.
        symbols=find_symbols(words if parsed.media_type == "text/markdown" else resolved),
        references=tuple(dict.fromkeys((*find_references(resolved), *tickets))),
        versions=tuple(versions)[:_MAX_VERSIONS],
        boilerplate=section.boilerplate,
        quoted=section.quoted,
    )


def _is_other_product(text: str, start: int, product_words: frozenset[str]) -> bool:
    """Return whether the version at `start` is right behind another product's name ("glibc 2.17", "Go 1.21"), or
    compared with something ("kernels older than 4.15")."""
    match = _NAME_BEFORE.search(text, max(0, start - _NAME_CHARACTERS), start)
    word = match["name"].casefold() if match else ""
    if not match or word in product_words | RELEASE_WORDS:
        return False
    before = text[max(0, match.start() - _NAME_CHARACTERS) : match.start()].rstrip(" \r\n`*_\"'(")
    # The first word of a sentence or entry has a capital anyway, and so has each word of a title.
    is_inside = before[-1:] not in ("", *".!?:;-*+#|")
    is_proper = match["name"][0].isupper() and is_inside
    if word in STOP_WORDS:
        return is_proper and before.split()[-1][0].islower()
    return is_proper or not is_everyday(word) or match["compared"] is not None


def embedded_text(document_text: str, item: Item, media_type: str = "") -> str:
    """Return an item's words without markup and addresses, on one line; all its words if nothing else is left."""
    line = one_line(TICKET_AHEAD.sub("", item_words(item, document_text, media_type)))
    return line or " ".join(item.span.slice(document_text).split())


def lexical_tokens(document: Document, release: Release, passage: Passage) -> tuple[str, ...]:
    """Return a passage's tokens for BM25: its words, its heading path, its product's names and its version."""
    version = f"{release.version.label} v{release.version.series.label}" if release.version else release.label
    context = " ".join((document.product, *document.aliases, version, *passage.heading))
    words = source_words(passage.span.slice(document.text), document.text, document.media_type)
    return split_tokens(context) + split_tokens(one_line(words))


def find_boilerplate(parsed: ParsedText) -> tuple[Span, ...]:
    """Return the ranges of a page's text that are not release notes, in order, disjoint, on block boundaries.

    The text below "See also" is boilerplate in any format; only pages without markup of their own (plain text,
    extracted HTML) have other such parts. One that a heading opens in the second half of a page goes on to the
    next heading of the same or a higher level; one that a line opens, to any heading.
    """
    has_tail = parsed.media_type in EXTRACTED | UNMARKED
    spans: list[Span] = []
    tail_start: int | None = None
    tail_level = 0
    half = len(parsed.text) // 2
    for block in parsed.blocks:
        line = parsed.text[block.start : block.end]
        is_line = block.is_heading or (len(line) <= _SHORT_LINE and "\n" not in line)
        if tail_start is not None and block.is_heading and block.level <= tail_level:
            spans.append(Span(tail_start, block.start))
            tail_start = None
        is_elsewhere = block.is_heading and _ELSEWHERE.fullmatch(line)
        is_tail = has_tail and block.start > half and is_line and _OPENS_TAIL.fullmatch(line)
        if tail_start is None and (is_elsewhere or is_tail):
            tail_start = block.start
            tail_level = block.level if block.is_heading else _ANY_LEVEL
        elif has_tail and tail_start is None and len(line) <= _SHORT_LINE and _NAVIGATION.fullmatch(line):
            spans.append(Span(block.start, block.end))
    if tail_start is not None:
        spans.append(Span(tail_start, len(parsed.text)))
    return tuple(spans)


def is_boilerplate(block: Block, spans: Sequence[Span]) -> bool:
    """Return whether `block` begins in one of `spans`, which are in order and disjoint."""
    before = bisect_right(spans, block.start, key=lambda span: span.start)
    return before > 0 and block.start < spans[before - 1].end
