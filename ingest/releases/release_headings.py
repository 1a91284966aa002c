"""Decides which headings open releases: those made only of a version, a date, the product's name and the usual words of
release headings. "Drop Python 3.8" has a verb left and opens none. Also reads from the lines below a heading when its
release came out, and whether it was withdrawn."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import dropwhile, islice, pairwise, takewhile

from corpus.change_kinds import kind_of_heading
from corpus.dates import DateMention, date_order, find_dates, find_months, first_date, without_dates
from corpus.sections import is_category
from corpus.source_words import source_words
from corpus.versions import Version
from ingest.blocks import HEADING, MARKUP, PARAGRAPH, Block, ParsedText
from ingest.releases.version_lines import (
    LOOKS_BACK,
    OLDER,
    PENDING_LINE,
    RELEASE_WORDS,
    WITHDRAWN,
    Subject,
    VersionLine,
    folded_words,
    move_target,
    name_words,
    read_version_line,
    states_pending,
    without_names,
    without_support_end,
    words_as_written,
)

_UNRELEASED = re.compile(
    r"(?i)\W*(?:(?:unreleased(?: changes)?(?:\W+release-?date)?|not (?:yet )?released(?: yet)?|forthcoming|tb[ad]"
    r"|coming soon|upcoming(?: release| changes)?|v?next(?:[ -]release|[ -]version)?|\{\{\$NEXT"
    r"|nightly(?: builds?| releases?)?"
    r"|(?:(?:release|version|date)\W+)+to be filled in(?: later)?|(?:work )?in progress|(?:in|under) development|main"
    r"|master|trunk|head|latest changes|dev(?:elopment)? version|v?x\.[xy](?:\.[xz])?)\b\W*){1,2}"
)
_PLACEHOLDER = re.compile(
    r"(?i)(?:[\w ]{0,40}\b(?:in|version|release)\s+)?v?(?:(?:\d+|[xyz?]{1,2})\.)+(?:(?P<x>x{1,2})|[yz?]{1,2}|next)"
    r"(?!\w)(?P<state>.*)"
)
"""Matches the place of a number to come ("4.y.z"); with an "x" it is one only if its state says so."""
_AND_OTHERS = re.compile(
    r"(?i)\A\W*(?:(?:version|release|changes (?:with|in|for)(?: [a-z]+)?)s?\s+)?v?\d[\w.]*\s+(?:and|or|&)\s+(?:all\s+)?"
    r"(?:newer|later|above|up|onwards?|higher|older|earlier|below|lower|prior)(?:\s+(?:version|release)s?)?\W*"
)
"""Matches a heading about releases whose notes are elsewhere ("11.1.0 and newer")."""
_QUESTION = re.compile(r"(?i)(?!\W*what(?:['’]?s| is| has| was)? (?:new|changed))[A-Za-z]\w*\W.*\w\s*\?\W*\Z")
"""Matches a question ("Does it work with 2.0?"), which opens no release."""
_IN_BRACKETS = re.compile(r"[A-Za-z][\w.-]*\s+[(\[]([^()\[\]]+)[)\]]")
_SUBTITLE = re.compile(r"[\])\s]*(?:[-–—:|,(]|\s\W)")
_TITLE_BEHIND = re.compile(r"[\])]?\s*(?::|[-–—|]+\s)\s*\w")
_DOTTED_WORD = re.compile(r"(?<!\S)\S*?\d[._]\d\S*")
_NEEDS = LOOKS_BACK - set("since from until before after between through".split())
MIN_IN_ORDER = 3  # Chosen by hand, never fitted.
_MAX_HEADING_CHARACTERS = 160
_MAX_NAME_WORDS = 4
_DATE_LINE_WORDS = frozenset(
    "released release date on published updated posted last publication first the of at by in day shipped issued"
    " tagged out available since launched dated".split()
)
_DATE_LINE_CHARACTERS = 120
_DATE_LABEL = re.compile(
    r"(?i)\A\W*(?:(?:first|originally) )?(?:published|released|release[- ]date|posted|date)\W*(?:on\W+)?"
)
_FAR_DATE_LABEL = re.compile(r"(?i)\A[\W_]*(?:released|release[- ]date)\W*(?:on\W+)?")
_ASIDE_LINE = re.compile(r"(?:\((?!v?\d[\w.]+:\s)[^()]+\)|([*_]{1,3})[^*_]+\1)\W*")
_CLAUSE_END = re.compile(r"[,;|·]|\s[-–—]+\s")
_CAME_OUT = re.compile(
    r"(?i)[\W_]*(?:(?:first|this (?:release|version)|it) )?(?:(?:has )?been |was )?"
    r"(?:shipp|launch|deploy|publish|releas|issu|tagg|roll)ed\b"
    r"|[\W_]*(?:out|live|available|in (?:shops|stores|the app store)) (?:now )?(?:since|from|as of|on)\b"
)
_FIELD_END = re.compile(r"(?<=\d)\s+[^\w\s.,:;()\[\]*/+–—-]\ufe0f?\s+")
_FAR_DATE_BLOCKS = 6
_SIGNATURE = re.compile(r"(?:—|–|--) +\S|\(v?\d[\w.]*\d:\s")
_OPENING_BLOCKS = 6
_NOTICE_BLOCKS = 2
_NUMBER = r"(?<![\w.])v?(?P<version>\d+(?:\.\w+)+)"
_WAS_RELEASED = re.compile(
    rf"(?i){_NUMBER}\s+(?:was|is|has\s+been)\s+(?:first\s+)?(?:released|published)\s+(?:[io]n\s+)?"
)
_WAS_YANKED = re.compile(
    rf"(?i)(?:\bthis\s+(?:release|version)|{_NUMBER})\s+(?:was|is|has\s+been|had\s+to\s+be)\W{{1,4}}"
    rf"{WITHDRAWN}\b"
)
_YANKED_NOTICE = re.compile(
    rf"(?im)[^\w\n]*+{WITHDRAWN}\b[*_~]*+"
    r"(?=[^\w\n]*$|\s*[.:;!,(\u2013\u2014-]|\s+(?:because|due|as|since|for|from|on|in favou?r)\b)"
)
"""Matches the beginning of a notice: "Yanked. Please use 1.2.1 instead." """


def read_release_heading(title: str, *, products: Sequence[str] = ()) -> Subject | None:
    """Return the release that a heading surely opens; None if it opens none.

    `products` are the names of the document's product. A heading may contain one of them, or name its package in a
    notation used for nothing else (`pkg@1.2.3`, `@scope/pkg 1.2.3`, a Debian changelog's line).
    """
    names = name_words(products)
    spellings = (title, without_names(title, products))
    words = set(folded_words(title))
    places = filter(None, map(_PLACEHOLDER.fullmatch, spellings))
    is_unreleased = "unreleased" in words <= RELEASE_WORDS | names | {"next", "future"}
    is_unreleased |= any(not place["x"] or states_pending(place["state"]) for place in places)
    is_unreleased |= any(map(_UNRELEASED.fullmatch, spellings))
    if is_unreleased or any(map(_AND_OTHERS.fullmatch, spellings)):
        return Subject(label=_bare(title), pending=is_unreleased)
    reading = read_version_line(title, products)
    if reading is None or _cannot_open(title):
        return None
    around = {*folded_words(reading.before), *folded_words(reading.after)}
    return None if LOOKS_BACK & around or around - RELEASE_WORDS - names else _with_product(reading)


def _bare(title: str) -> str:
    """Return a title without the brackets around all of it."""
    return title.strip("[]() ") if title[:1] in "[(" else title.strip()


def _cannot_open(title: str) -> bool:
    """Return whether a heading is a question or too long to open a release."""
    return len(title) > _MAX_HEADING_CHARACTERS or _QUESTION.match(title) is not None


def read_heading(title: str, products: Sequence[str] = ()) -> Subject | None:
    """Return the release that a heading opens, surely or only if its neighbours do; None for any other heading."""
    return read_release_heading(title, products=products) or read_possible_release(title, products=products)


def version_of_heading(block: Block) -> Version | None:
    """Return the version of the release that a heading opens or may open; None for any other block."""
    subject = read_heading(block.title) if block.is_heading else None
    return subject.version if subject else None


def read_possible_release(title: str, *, products: Sequence[str] = ()) -> Subject | None:
    """Return the release that a heading may open if its neighbours do; None if it can't.

    It has a name before the version ("core v1.2") or a title after it ("1.2 - The big one"), or is a date.
    """
    if _cannot_open(title):
        return None
    if (stated := _IN_BRACKETS.fullmatch(title)) and _UNRELEASED.fullmatch(stated.group(1)):
        return Subject(label=title, pending=True)
    reading = read_version_line(title, products)
    if reading is None:
        return _read_date_alone(without_names(title, products) if first_date(title) else title)
    words, after = folded_words(reading.before), set(folded_words(reading.after)) - RELEASE_WORDS
    before = [word for word in words if word not in RELEASE_WORDS]
    is_own = name_words(products).issuperset(before)
    has_day = reading.subject.day is not None
    # "Upgrade Electron to 30.0.1"
    if LOOKS_BACK & set(before) or (words[-1:] == ["to"] and not is_own):
        return None
    may_be_name = len(before) <= _MAX_NAME_WORDS and kind_of_heading(" ".join(before)) is None
    if not after:
        is_announced = has_day or reading.subject.pending
        # "Summary of bugs fixed for version 9.2.0 (2024-06-01)"
        is_stated = is_announced and words[-2:-1] in (["for"], ["of"]) and words[-1] in ("version", "release")
        opens = bool(before) and ((may_be_name and (is_announced or not _is_other_requirement(reading))) or is_stated)
    else:
        is_subtitle = _SUBTITLE.match(reading.after) is not None
        opens = (is_own and (has_day or is_subtitle)) or (has_day and may_be_name and is_subtitle)
    return _with_product(reading) if opens else None


def read_version_lead(title: str, *, products: Sequence[str] = ()) -> tuple[str, Subject] | None:
    """Return the words before a line's version, and the release that the line may open: `('core', Subject(1.2))`; None
    if it can't. Any text may follow the version: whether such lines open releases is decided by their order."""
    if _cannot_open(title) or move_target(title):
        return None
    days = find_dates(title)
    number = _DOTTED_WORD.search(title, days[0].span.end if days and not days[0].span.start else 0)
    # A sentence that names several opens none ("0.8.3 was pulled and 0.8.4 was skipped.").
    lead = title[: number.end()] if number and not title.endswith(".") else title
    reading = read_version_line(title, products) or read_version_line(lead, products)
    if not reading or reading.subject.version is None:
        return None
    words = folded_words(reading.before)
    if LOOKS_BACK & set(words) or not all(map(str.isalpha, words)):
        return None
    before = [word for word in words if word not in RELEASE_WORDS]
    day = reading.subject.day or first_date(title)
    return (" ".join(before), replace(_with_product(reading), day=day)) if len(before) <= _MAX_NAME_WORDS else None


def read_unnumbered_release(title: str, products: Sequence[str]) -> Subject | None:
    """Return the release of a heading without a version of its own, among those of releases: the target of a guide's
    move, or a name with its date; None for any other."""
    if target := move_target(title):
        names = name_words(products)
        extra = {word for word in folded_words(title) if word.isalpha()} - names - RELEASE_WORDS - LOOKS_BACK
        return None if extra else read_release_heading(target, products=products)
    day = first_date(title)
    label = without_dates(title, find_dates(title)).strip(" ()[]:,-–—")
    return Subject(label=label, day=day) if label and day else None


def are_in_order(versions: Sequence[Version], *, may_rise: bool, least: int = MIN_IN_ORDER) -> bool:
    """Return whether nine tenths of the steps between versions, of which `least` differ, fall, or rise if `may_rise`:
    rising numbers alone are often those of sections."""
    pairs = list(pairwise(versions))
    falls, rises = (sum(after < before for before, after in pairs), sum(before < after for before, after in pairs))
    return len(set(versions)) >= least and 10 * max(falls, rises * may_rise) >= 9 * len(pairs)


def points_to_older(title: str) -> bool:
    """Return whether a heading only points to older releases elsewhere ("Previous releases")."""
    words = set(folded_words(title))
    return bool(words & OLDER) and words <= OLDER | RELEASE_WORDS


def _is_other_requirement(reading: VersionLine) -> bool:
    """Return whether the product before a version comes after "with", "on" or "by": "Works with Node 18.1"."""
    words = [word for word in folded_words(reading.before) if word not in ("v", "version")]
    name = folded_words(_with_product(reading).product)
    rest = words[: len(words) - len(name)]
    return bool(name) and rest[-1:] in (["with"], ["on"], ["by"]) and not RELEASE_WORDS.issuperset(rest)


def _read_date_alone(title: str) -> Subject | None:
    """Return a `Subject` by day and title of "Released on 2026-08-12" or "2026-08-12: Clear the event", else None."""
    dates = find_dates(title)
    if not dates:
        return None
    day, after = dates[0], title[dates[0].span.end :]
    words = [word for word in folded_words(title[: day.span.start] + after) if word not in RELEASE_WORDS]
    is_alone = len(dates) == 1 and not words
    has_number = _DOTTED_WORD.search(after) is not None
    is_titled = not title[: day.span.start].strip("[( ") and _TITLE_BEHIND.match(after) is not None and not has_number
    return Subject(label=_bare(title), day=day.date) if is_alone or is_titled else None


def _with_product(reading: VersionLine) -> Subject:
    """Return the line's subject with the name right before its version, at most "version" between: `Spring Boot`."""
    words = words_as_written(reading.before)
    while words and words[-1].casefold() in ("v", "version"):
        words.pop()
    name: list[str] = []
    while words and words[-1].casefold() not in RELEASE_WORDS:
        name.insert(0, words.pop())
    return replace(reading.subject, product=reading.subject.product or " ".join(name))


class ReleaseFacts:
    """Reads dates and notices of releases from a document; headings are given by their position among its blocks."""

    def __init__(self, parsed: ParsedText) -> None:
        self._parsed = parsed
        # Entries are left out, because they may be about date formats.
        prose = (block for block in parsed.blocks if block.kind in (HEADING, PARAGRAPH))
        self.order = date_order(parsed.text[block.start : block.end] for block in prose)

    def find_dates(self, text: str) -> tuple[DateMention, ...]:
        """Return the dates of a text, read in the document's order of day and month; else the months in it."""
        return find_dates(text, self.order) or find_months(text)

    def date_below(self, heading: int) -> date | None:
        """Return the date alone or labelled right below a heading ("*January 14, 2025*", "Released: 2024-02-03").

        A subheading may be only the date. A labelled release date may be up to six blocks further down.
        """
        reading = read_version_line(self._parsed.blocks[heading].title, ())
        is_near, is_again = True, False
        blocks = self._parsed.blocks  # Never sliced to its end: a log has thousands of releases.
        below = (blocks[at] for at in range(heading + 1, len(blocks)) if blocks[at].kind is not MARKUP)
        for position, block in enumerate(islice(below, _FAR_DATE_BLOCKS)):
            text = block.title or self._parsed.text[block.start : block.end]
            if len(text) <= _DATE_LINE_CHARACTERS:
                text = source_words(text, self._parsed.text, self._parsed.media_type)
            text = without_support_end(text)
            mentions = self.find_dates(text)
            words = re.findall(r"[^\W_]+", without_dates(text, mentions).casefold())
            is_date = mentions and len(text) <= _DATE_LINE_CHARACTERS and _DATE_LINE_WORDS.issuperset(words)
            if block.is_heading:
                if position == 0 and reading and is_date:
                    return mentions[0].date
                is_deeper = block.level > blocks[heading].level
                release = read_release_heading(block.title) if is_deeper else None
                # A page may repeat its title above the notes.
                is_again = bool(position == 0 and reading and release and release.version == reading.subject.version)
                if not is_deeper or (release and not is_again):
                    return None
                is_near = is_again
                continue
            is_near = is_near and position < 2 + is_again
            label = _DATE_LABEL if is_near else _FAR_DATE_LABEL
            if (is_near and is_date) or (mentions and label.fullmatch(text, 0, mentions[0].span.start)):
                return mentions[0].date
            # A list may follow a bracketed line without a blank line.
            first = text.partition("\n")[0].strip()
            line = first if _ASIDE_LINE.fullmatch(first) else text
            if is_near and (day := _date_of_clause(line, self.find_dates(line))):
                return day
        return None

    def date_in_prose(self, heading: int, version: Version) -> date | None:
        """Return `version`'s date in paragraphs below a heading ("Foo 2.4 was released on 3 May 2023"), or None."""
        for block in self._prose_below(heading, _OPENING_BLOCKS):
            text = self._parsed.text[block.start : block.end]
            days = {mention.span.start: mention.date for mention in self.find_dates(text)}
            for match in _WAS_RELEASED.finditer(text) if days else ():
                if match.end() in days and Version.try_parse(match["version"]) == version:
                    return days[match.end()]
        return None

    def date_of_signature(self, heading: int, end: int) -> date | None:
        """Return the date of the line that signs the notes from a heading to `end` ("-- Jane <jane@example.org> Tue, 09
        Jan 2024", "— Edinburgh, 2023-12-06"); None if none does."""
        lines = self._parsed.text[self._parsed.blocks[heading].start : end].rstrip().splitlines()
        # A truncated log ends with a comment on where older entries are.
        last = next((line.strip() for line in reversed(lines) if line.strip() and line[0] != "#"), "")
        is_signature = _SIGNATURE.match(last) and len(last) <= _DATE_LINE_CHARACTERS
        mentions = self.find_dates(last) if is_signature else ()
        return (
            mentions[0].date if len(mentions) == 1 and not any(map(str.isalnum, last[mentions[0].span.end :])) else None
        )

    def has_yanked_notice(self, heading: int, version: Version) -> bool:
        """Return whether a notice right below a heading withdraws this version ("**v1.2.3 was yanked**")."""
        text, notices = self._parsed.text, [*self._prose_below(heading, _NOTICE_BLOCKS)]
        return any(_YANKED_NOTICE.match(text, block.start, block.end) for block in notices) or any(
            match["version"] is None or Version.try_parse(match["version"]) == version
            for block in notices
            for match in _WAS_YANKED.finditer(text, block.start, block.end)
        )

    def has_pending_notice(self, heading: int) -> bool:
        """Return whether a line below a heading marks it as not out ("Release date: TBA"), or its sections are bare."""
        near = self._parsed.blocks[heading + 1 : heading + 1 + _NOTICE_BLOCKS]
        below = takewhile(lambda block: not block.is_heading, near)
        texts = (self._parsed.text[note.start : min(note.end, note.start + _DATE_LINE_CHARACTERS)] for note in below)
        is_stated = any(PENDING_LINE.fullmatch(line) for text in texts for line in text.splitlines())
        return is_stated or (heading >= 0 and self._is_template(heading))

    def _is_template(self, heading: int) -> bool:
        """Return whether a heading has two section titles or more below it, all without notes."""
        opening, below = self._parsed.blocks[heading], islice(self._parsed.blocks, heading + 1, None)
        notes = takewhile(lambda block: not block.is_heading or block.level > opening.level, below)
        sections = [*dropwhile(lambda block: not block.is_heading, notes)]
        named = [block for block in sections if block.kind is not MARKUP]
        return len(named) > 1 and all(block.title and is_category(block.title) for block in named)

    def _prose_below(self, heading: int, count: int) -> Iterator[Block]:
        """Yield the paragraphs among the `count` blocks below a heading, up to the next heading."""
        for block in self._parsed.blocks[heading + 1 : heading + 1 + count]:
            if block.is_heading:
                return
            if block.kind is PARAGRAPH:
                yield block


def _date_of_clause(text: str, mentions: Sequence[DateMention]) -> date | None:
    """Return a line's only date if its clause is about nothing else: "(bugfix release, released on July 29th 2013)".

    Its other words must be about releases, or all be an aside: another sentence may be about an earlier release.
    """
    # Of fields, the first is the day: "2024-05-30 · 14 commits".
    text = _FIELD_END.split(text, maxsplit=1)[0] if mentions and len(text) <= _DATE_LINE_CHARACTERS else text
    mentions = [mention for mention in mentions if mention.span.end <= len(text)]
    if len(mentions) != 1 or len(text) > _DATE_LINE_CHARACTERS:
        return None
    before = _CLAUSE_END.split(text[: mentions[0].span.start])
    after = _CLAUSE_END.split(text[mentions[0].span.end :])
    other_words = {word for part in (*before[:-1], *after[1:]) for word in folded_words(part)}
    clause = set(folded_words(before[-1] + after[0]))
    is_aside = _ASIDE_LINE.fullmatch(text) is not None
    is_own = not other_words & (LOOKS_BACK | OLDER) if is_aside else other_words <= RELEASE_WORDS
    # Any verb of coming out: "*Shipped by the crew on 3 June 2024*", "Rolled out on 4 July 2025".
    rest = clause - _DATE_LINE_WORDS - RELEASE_WORDS
    is_day = bool(_CAME_OUT.match(text)) or (is_aside and not rest & (_NEEDS | OLDER) and len(rest) <= _MAX_NAME_WORDS)
    return mentions[0].date if is_own and (not rest or is_day) else None
