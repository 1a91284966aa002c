"""What single lines of plain text look like: bullets, rules, table rows, headings.

Shapes only; what a line is in its place is `ingest.formats.plain_text`'s business. Each judgement reads one
line, bounded in length, so that a document of one line costs no more than one of many.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from ingest.releases.lines import read_release_line
from ingest.releases.version_lines import is_rpm_line

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_TAB_COLUMNS = 8
_MAX_HEADING_CHARACTERS = 100
_MAX_HEADING_WORDS = 12
_MAX_OUTLINE_INDENT = 1
_MAX_RPM_LINE = 250


@dataclass(frozen=True, slots=True)
class MarkupLine:
    """One line without the white space around it; `start == end` for a blank one."""

    start: int
    end: int
    indent: int
    """Columns before the first character, a tab reaching to the next multiple of eight."""
    text: str

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Bullet:
    """The marker that begins a list item."""

    content_indent: int
    """Column of the item's first word."""
    number: int | None
    """Of an ordered item ("2." is 2), else None."""


class HeadingStyle(IntEnum):
    """How a heading without adornment stands out; the lower, the more prominent."""

    VERSION = 1
    CAPITALS = 2
    BARE = 3
    COLON = 4


def read_lines(text: str, begin: int) -> Iterator[MarkupLine]:
    """The lines of `text` from offset `begin`, in order; LF, CRLF and CR end a line."""
    for match in _LINE.finditer(text, begin):
        raw = match[0]
        stripped = raw.strip()
        lead = raw[: len(raw) - len(raw.lstrip())]
        start = match.start() + len(lead) if stripped else match.start()
        yield MarkupLine(start, start + len(stripped), len(lead.expandtabs(_TAB_COLUMNS)), stripped)


_BULLET = re.compile(r"(?:[•◦▪‣·*+–-]|\*\)|(?P<o>o)|(?P<number>\d{1,3})[.)]|\([a-z0-9]{1,2}\))(?P<gap>\s+)(?=\S)")


def bullet(line: MarkupLine) -> Bullet | None:
    """The marker at the head of `line`; an `o` is one only where it is indented."""
    match = _BULLET.match(line.text)
    if match is None or (match["o"] and line.indent == 0):
        return None
    return Bullet(line.indent + match.end(), int(match["number"]) if match["number"] else None)


_RULE = re.compile(r"([=\-~^\"*#_+.])\1{2,}\Z")


def rule_character(text: str) -> str | None:
    """The character of a line that is nothing but a rule (`=====`), else None."""
    match = _RULE.match(text)
    return match[1] if match else None


_EDITOR_LINE = re.compile(r"\W*-\*-[^*]*-\*-\W*\Z")


def is_editor_line(text: str) -> bool:
    """Whether the line only tells an editor how to treat the file ("-*- coding: utf-8 -*-")."""
    return _EDITOR_LINE.match(text) is not None


_OUTLINE = re.compile(r"(\*{1,4})\s+(?=\S)")


def outline_stars(line: MarkupLine) -> int:
    """How many stars begin the line at the margin, as in an outline (`** Bug fixes`); 0 where none do."""
    match = _OUTLINE.match(line.text) if line.indent == 0 else None
    return len(match[1]) if match else 0


_VERSION_BULLET = re.compile(r"[*-]\s+(?=(?:(?:version|release)\s+|v)?\d)", re.IGNORECASE)


def bulleted_version(line: MarkupLine) -> str:
    """The title of a line that lists a version as an outline does ("* Version 1.0.2"); empty where it isn't one."""
    match = _VERSION_BULLET.match(line.text)
    if line.indent == 0 and line.text.startswith("* ") and is_rpm_line(line.text[: _MAX_RPM_LINE + 1]):
        return line.text[2:].strip()
    title = line.text[match.end() :] if match and line.indent <= _MAX_OUTLINE_INDENT else ""
    return title if title and is_version_line(title) else ""


_ENTRY = re.compile(r"\[[^\[\]]{1,60}\]\s*[:=]\s*(?=\S)")
_FIELD = re.compile(r"[^\s:][^:]{0,60}:(?: {2,}|\t)\s*\S")
_GRID = re.compile(r"\|.*\|\Z|\+[-=+]{3,}\+\Z")
_URL = re.compile(r"<?https?://\S+\Z")


def is_entry(text: str) -> bool:
    """Whether the line is `[tag]: value` or `[tag] = value`."""
    return _ENTRY.match(text) is not None


def is_link_target(text: str) -> bool:
    """Whether the line is an entry whose value is an address and nothing else."""
    match = _ENTRY.match(text)
    return match is not None and _URL.match(text, match.end()) is not None


def is_field(text: str) -> bool:
    """Whether the line is `name:   value`, spaced as in a table."""
    return _FIELD.match(text) is not None


def is_grid(text: str) -> bool:
    """Whether the line is a row or a border of a table drawn with `|` and `+`."""
    return _GRID.match(text) is not None


_VERSION = re.compile(
    r"(?:(?!(?:from|to|with|for|since|using|on)\s)[A-Za-z][\w.+-]*\s+){0,3}?v?\d+(?:\.(?:\d+|x))+[\w+.-]*"
)
_DATE_WORD = re.compile(
    r"(?:(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?"
    r"|sun)(?:day)?|\d+(?:st|nd|rd|th)?|\d+[-./:]\d+(?:[-./:]\d+)*|of|on|at|utc|gmt|released?|date|unreleased|yanked)\Z",
    re.I,
)
_ADMONITION = re.compile(
    r"(?:note|nb|notice|warning|important|caution|tip|hint|limitation|todo|published|updated|posted|author|by|date|see|tags?)\Z",
    re.I,
)
_SIGNATURE = re.compile(r"--\s.*<[^<>\s]+@[^<>\s]*>")
_DATED_SIGNATURE = re.compile(r"--\s[^<>]{0,200}<[^<>\s]{1,200}>\s+\w{3}, +\d{1,2} \w{3,9} \d{4}\b.{0,40}")
_SENTENCE_BREAK = re.compile(r"[.!?]\s+[A-Z]")
_HEADING_INITIALS = "[`_@\"'“(.-/"


def heading_style(text: str) -> HeadingStyle | None:
    """How a line could be a heading, judged by itself; None where it reads as prose, a date or an address."""
    if len(text) > _MAX_HEADING_CHARACTERS or "://" in text or _SIGNATURE.match(text):
        return None
    words = text.split()
    if is_version_line(text):
        return HeadingStyle.VERSION
    letters = [character for character in text if character.isalpha()]
    if len(letters) < 2 or len(words) > _MAX_HEADING_WORDS or not (text[0].isalnum() or text[0] in _HEADING_INITIALS):
        return None
    closed = text.endswith((".", ",", ";", "!")) and not text.endswith("etc.")
    if closed or _SENTENCE_BREAK.search(text) or _is_labelled(text) or _is_date(words):
        return None
    if text.endswith(":"):
        return HeadingStyle.COLON
    if text.endswith("?") and sum(word[0].isupper() for word in words) < len(words) / 2:
        return None
    if len(words) > 1 and len(letters) >= 10 and all(character.isupper() for character in letters):
        return HeadingStyle.CAPITALS
    return HeadingStyle.BARE


def is_dated_release(text: str) -> bool:
    """Whether the line is nothing but a release and its date."""
    subject = read_release_line(text)
    return subject is not None and subject.day is not None and subject.version is not None


def is_signature(line: MarkupLine) -> bool:
    """Whether the line signs and dates an entry, as in Debian's changelogs: who and when, no words of notes."""
    return 0 < line.indent <= 2 and _DATED_SIGNATURE.fullmatch(line.text) is not None


def is_version_line(text: str) -> bool:
    """Whether the line is a version, with up to three words before it and only a date or a state around it."""
    match = _VERSION.match(text[: _MAX_HEADING_CHARACTERS + 1])
    # "minimum python 3.10:" leads in to something; "Version 3.10:" is a title.
    leads_in = match is None or (text.endswith(":") and len(match[0].split()) > 2)
    if match and not leads_in and all(_is_date_word(word) for word in text[match.end() :].split()):
        return True
    return read_release_line(text) is not None


def is_capitals(text: str) -> bool:
    """Whether the line shouts, at the length of a heading: no small letter, at least four capitals."""
    letters = [character for character in text[: _MAX_HEADING_CHARACTERS + 1] if character.isalpha()]
    return len(text) <= _MAX_HEADING_CHARACTERS and len(letters) >= 4 and all(letter.isupper() for letter in letters)


def _is_labelled(text: str) -> bool:
    """Whether the line says `note: ...`: a label and what it is about, not the name of a section."""
    label, colon, rest = text.partition(":")
    return bool(colon and rest.startswith((" ", "\t")) and (label.islower() or _ADMONITION.match(label.strip())))


def _is_date(words: list[str]) -> bool:
    return all(_is_date_word(word) for word in words)


def _is_date_word(word: str) -> bool:
    core = word.strip("()[]{},.:;-–—")
    return not core or _DATE_WORD.match(core) is not None
