"""Finds lines that open releases though their form isn't usual, because the releases around them vouch for them by the
order of versions: a line without the day of the others, with a day that can't be, or written in another way from some
release on."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from corpus.dates import find_dates, find_months, without_dates
from corpus.versions import Version
from ingest.blocks import HEADING, LIST_ITEM, PARAGRAPH, Block, ParsedText
from ingest.releases.lines import read_release_line
from ingest.releases.release_headings import are_in_order
from ingest.releases.splitting import PENDING, Headings
from ingest.releases.version_lines import RELEASE_WORDS, folded_words, without_names
from ingest.text_lines import plain_title

_MAX_CHARACTERS = 120
_MAX_LEAD_WORDS = 6
_MIN_KNOWN = 2  # Releases that have an order.
_LINE = re.compile(r"[^\r\n]+")
_NUMBER = re.compile(r"(?<![\d.])\d+(?:\.\w+)+(?:[-+~]\w[\w.]*)?")
_DIGITS = re.compile(r"\d+")
_IN_BRACKETS = re.compile(r"\([^()]{0,60}\)|\[[^\[\]]{0,60}\]|\b[0-9a-f]{7,64}\b")
_PLACES = (HEADING, PARAGRAPH, LIST_ITEM)


@dataclass(frozen=True, slots=True)
class _Opening:
    """A line that opens, or may open, a release. `lead` is what is written before its version, with 0 for numbers."""

    start: int
    end: int
    lead: str
    version: Version
    level: int = 0  # Of a heading that is known to open a release; else 0.
    day: str = ""  # ISO 8601, or PENDING.


def with_vouched_lines(parsed: ParsedText, headings: Headings, *, products: Sequence[str]) -> ParsedText:
    """Return the document with its further lines that open releases as headings, besides its release `headings`.

    Such a line is written like a heading of a release up to its version, or has a version and its day or state. Its
    version is between those of the releases around it, or continues their order. Offsets don't change.
    """
    known = list(_known_openings(parsed, headings))
    if len(known) < _MIN_KNOWN:
        return parsed
    opens = {heading.block for heading in headings}
    blocks = (block for at, block in enumerate(parsed.blocks) if block.kind in _PLACES and at not in opens)
    leads = {opening.lead for opening in known}
    candidates = (line for block in blocks for line in _candidates(parsed, block, leads, products))
    added = _fitting(list(candidates), known)
    return replace(parsed, blocks=tuple(_split(parsed, added))) if added else parsed


def _known_openings(parsed: ParsedText, headings: Headings) -> Iterator[_Opening]:
    """Yield the openings of releases with a version that is written in their heading."""
    for heading in headings:
        block, subject = parsed.blocks[heading.block], heading.subject
        number = _NUMBER.search(parsed.text, block.start, block.end)
        while number and subject.version and Version.try_parse(number[0]) != subject.version:
            number = _NUMBER.search(parsed.text, number.end(), block.end)
        if number and subject.version:
            lead = _lead(parsed.text, number.start())
            yield _Opening(block.start, block.end, lead, subject.version, heading.level)


def _lead(text: str, start: int) -> str:
    """Return the part of a line before `start`, without its indentation, and with 0 for each number."""
    return _DIGITS.sub("0", text[text.rfind("\n", 0, start) + 1 : start].lstrip())


def _candidates(parsed: ParsedText, block: Block, leads: Set[str], products: Sequence[str]) -> Iterator[_Opening]:
    """Yield the lines of a block that read like openings of releases, without the words of a sentence."""
    for line in _LINE.finditer(parsed.text, block.start, block.end):
        if len(line[0]) > _MAX_CHARACTERS or not _NUMBER.search(line[0]):
            continue
        title = _IN_BRACKETS.sub(" ", plain_title(line[0]))
        days = find_dates(title)
        reading = read_release_line(title)
        day = PENDING if reading and reading.pending else str(days[0].date) if days else ""
        is_apart = line.start() == block.start or parsed.text.endswith("\n\n", 0, line.start())
        for number in _NUMBER.finditer(line[0]):
            lead = _lead(parsed.text, line.start() + number.start())
            is_alike = _is_usual(lead, leads, products) and (is_apart or len(lead) > 1)
            is_stated = bool(day) and number[0] in without_dates(title, days)
            version = Version.try_parse(number[0])
            if version and (is_alike or is_stated) and not _has_words(title, lead, number[0], products):
                yield _Opening(line.start(), line.start() + len(line[0].rstrip()), lead, version, day=day)
                break


def _is_usual(lead: str, leads: Set[str], products: Sequence[str]) -> bool:
    """Return whether the text before a version is that of a known release, or "Version", "Changes in Gizmo"."""
    words = folded_words(without_names(lead, products))
    return lead in leads or (lead[:1].isalpha() and RELEASE_WORDS.issuperset(words))


def _has_words(title: str, lead: str, number: str, products: Sequence[str]) -> bool:
    """Return whether a line has a long lead, or other words than its day, its product's name and usual ones."""
    rest = title.partition(number)[2]
    rest = without_dates(rest, find_dates(rest) or find_months(rest))
    usual = RELEASE_WORDS.union(*map(folded_words, (lead, *products)))
    is_long = len(lead.split()) > _MAX_LEAD_WORDS
    return is_long or any(word.isalpha() and word not in usual for word in folded_words(rest))


def _fitting(candidates: Sequence[_Opening], known: Sequence[_Opening]) -> list[_Opening]:
    """Return the candidates whose versions fit among those of the releases around them, in the document's order."""
    seen = {opening.version for opening in known}
    forms = Counter(opening.lead for opening in (*known, *candidates))
    of_lead: defaultdict[str, list[_Opening]] = defaultdict(list)
    for opening in known:
        of_lead[opening.lead].append(opening)
    every = _Order(known)
    orders = {lead: _Order(alike) for lead, alike in of_lead.items() if len(alike) > 1}
    fitting: list[_Opening] = []
    for line in candidates:
        near = orders.get(line.lead, every).around(line, fitting[-1:])
        if line.version not in seen and near and (len(near) > 1 or forms[line.lead] > 1):
            fitting.append(replace(line, level=near[0].level))
            seen.add(line.version)
    return fitting


class _Order:
    """The openings of releases in a document's order, and whether their versions rise or fall."""

    def __init__(self, openings: Sequence[_Opening]) -> None:
        self._openings = sorted(openings, key=lambda opening: opening.start)
        versions = [opening.version for opening in openings]
        self._is_kept = are_in_order(versions, may_rise=True, least=_MIN_KNOWN)
        self._rises = not are_in_order(versions, may_rise=False, least=_MIN_KNOWN)

    def around(self, line: _Opening, last: Sequence[_Opening]) -> Sequence[_Opening]:
        """Return the opening above a line and the one below, if its version is between theirs; else none. `last` is the
        line above that was taken. Beyond the first or the last opening there is one alone."""
        at = bisect_left(self._openings, line.start, key=lambda opening: opening.start)
        above = max((*self._openings[max(0, at - 1) : at], *last), key=lambda opening: opening.start, default=None)
        near = [*([above] if above else []), *self._openings[at : at + 1]]
        order = sorted((*near, line), key=lambda opening: opening.start)
        fits = all(
            (upper.version < lower.version) if self._rises else (lower.version < upper.version)
            for upper, lower in pairwise(order)
        )
        return near if self._is_kept and fits else ()


def _split(parsed: ParsedText, lines: Sequence[_Opening]) -> Iterator[Block]:
    """Yield the document's blocks, each line a heading apart from the text around it in its block."""
    starts = [line.start for line in lines]
    for block in parsed.blocks:
        start = block.start
        for line in lines[bisect_left(starts, block.start) : bisect_left(starts, block.end)]:
            if words := parsed.text[start : line.start].rstrip():
                yield replace(block, end=start + len(words))
            stated = {"version": line.version.label, "day": line.day}
            title = plain_title(parsed.text[line.start : line.end])
            yield Block(HEADING, line.start, line.end, line.level, title, stated)
            rest = parsed.text[line.end : block.end]
            start = line.end + len(rest) - len(rest.lstrip())
        if start == block.start:
            yield block
        elif start < block.end:
            yield Block(PARAGRAPH, start, block.end)
