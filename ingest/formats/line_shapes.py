"""What lines of plain text look like: bullets, rules, headings, and runs of them: titles with rules, code, tables."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from corpus.change_kinds import read_tag
from ingest.releases.dates import find_dates
from ingest.releases.lines import read_release_line
from ingest.text_lines import TextLine

_MAX_CODE_CHARACTERS = 400

_COMMENT = re.compile(r"(?:#+|//+)(?:\s|\Z)|/\*|\*/")
_CLOSING = re.compile(r"[\[\](){}<>;,.:\s]*[\])}][\[\](){}<>;,.:\s]*\Z|\.\.\.\Z")
_STATEMENT = re.compile(
    r"""(?x)
    from\s+[\w.]+\s+import\s | import\s+[\w.]+(?:\s+as\s+\w+)?(?:,\s*[\w.]+)*\s*;?\Z | import\s+\S.*\sfrom\s+["']
    | @[\w.]+(?:\(|\Z) | (?:async\s+)?def\s+\w+\( | class\s+\w+(?:\(.*\))?\s*[:{]\Z
    | (?:return|yield|raise|assert|await|throw)\s+\S*[()\[\]=_"'.;]\S*\Z
    | (?:if|elif|while|switch)(?:\s*\(|\b.*(?:[\[\]=<>]|\w\()).*[:{]\Z | for\s+.*\sin\s.*[:{]\Z | with\s+[\w.]+\(.*:\Z
    | (?:else|try|finally)\s*:\Z | except\s+[\w.]+(?:\s+as\s+\w+)?:
    | \#(?:include|define|undef|if|ifdef|ifndef|endif|pragma)\b
    | (?:export\s+)?(?:const|let|var)\s+\S.*= | export\s+(?:default|function|class|\w+=)
    | (?:pub\s+)?(?:function|func|fn)\s+\w*\( | (?:use|using|namespace)\s+[\w.:]+\s*[;{]\Z
    | [$]\s+\S | >>>\s\S | PS>\s | </?\w+[^<>]*>.*</?\w+[^<>]*>\Z | ""\s*:\s*\S.*[,{\[]\Z
    """
)
_ASSIGNMENT = re.compile(
    r"(?:[A-Za-z][\w:]*[<>&*\w:]*\s+)?[A-Za-z_$][\w.$]*(?:\[[^\]]*\])*(?:,\s*[A-Za-z_][\w.]*){0,6}"
    r"(?::\s*[\w.\[\]|]+)?\s*(?:[-+*/|&]?=|:=)\s*(?![=>])\S"
)
_CALL = re.compile(r"[A-Za-z_][\w.:]*(?:<[\w:, ]+>)?\((?:.*\)\s*[;:{,]?|[^)]*[,(\[{])\Z")
_BRACES = re.compile(r".*[()=\]}\"']\s*[;{]\Z")
_COMMAND = re.compile(
    r"(?:sudo\s+)?(?:pip3?|pipx|uv|uvx|npm|npx|pnpm|yarn|bun|deno|conda|mamba|poetry|curl|wget|git|docker|podman|apt"
    r"|apt-get|dnf|yum|apk|brew|choco|winget|cargo|rustup|go|make|cmake|mvn|gradle|gem|bundle|composer|dotnet|nuget|helm"
    r"|kubectl|cd|export|source|python3?|node|powershell|bash|sh|tar|unzip|rm|cp|mv|mkdir|chmod|systemctl|\./[\w./-]+)"
    r"\s+(?P<rest>\S.*)\Z"
)
_SUBCOMMAND = re.compile(
    r"(?:install|uninstall|add|remove|update|upgrade|init|build|run|test|clone|pull|push|checkout|venv|create|get|sync"
    r"|pip|lock|publish|apply|i|ci|up|exec|fetch|start|compose)\b"
)
_SHELL = re.compile(r"(?:^|\s)--?[A-Za-z]|[=|\\]|://|\s&&\s|^[\w~-]*[./][A-Za-z_][\w./~-]*\Z")
_TRAILING_COMMENT = re.compile(r"\s(?:#|//)\s.*\Z")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_SENTENCE_WORD = re.compile(
    r"\b(?:is|are|was|were|be|has|have|now|can|to|the|a|an|and|or|of|for|in|on|with|when)\b|[a-z][.,:!?]\Z"
)
_PROSE = re.compile(r"[a-z]{2,}(?: [a-z]{2,}){4,}|\)\s+[a-z]+\s+[a-z]|[a-z]{3,}[.!?]\Z")
_MAX_HEADING_CHARACTERS = 100
_MAX_HEADING_WORDS = 12
_MAX_OUTLINE_INDENT = 1
_MAX_UNDERLINED_CHARACTERS = 120
_MAX_CODE_OUTSIDERS = 0.25
_EDITOR_LINE = re.compile(r"(?:(?!-\*-)\W)*-\*-[^*]*-\*-\W*\Z")
LINK_TARGET = re.compile(r"\[[^\[\]]{1,60}\]\s*[:=]\s*<?https?://\S+\Z")
_ROWS = (
    re.compile(r"\[[^\[\]]{1,60}\]\s*[:=]\s*(?=\S)"),
    re.compile(r"\|.*\|\Z|\+[-=+]{3,}\+\Z"),
    re.compile(r"[^\s:][^:]{0,60}:(?: {2,}|\t)\s*\S"),
)
"""Rows of a table, where another one follows: tagged values, drawn ones, aligned fields."""


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


_BULLET = re.compile(
    r"(?:[•◦▪‣·*+!–-]|\*\)|\[[^\w\s]\]|(?P<o>o)|(?P<number>\d{1,3})[.)]|\([a-z0-9]{1,2}\))(?P<gap>\s+)(?=\S)"
)


def bullet(line: TextLine) -> Bullet | None:
    """Return the marker at the head of `line`; an `o` is one only where it is indented."""
    match = _BULLET.match(line.content)
    if match is None or (match["o"] and line.indent == 0):
        return None
    return Bullet(line.indent + match.end(), int(match["number"]) if match["number"] else None)


_RULE = re.compile(r"([=\-~^\"*#_+.])\1{2,}\Z")


def rule_character(text: str) -> str | None:
    """Return the character of a line that is nothing but a rule (`=====`), else None."""
    match = _RULE.match(text)
    return match[1] if match else None


_OUTLINE = re.compile(r"(\*{1,4})\s+(?=\S)")


def outline_stars(line: TextLine) -> int:
    """Return how many stars begin the line at the margin, as in an outline (`** Bug fixes`); 0 where none do."""
    match = _OUTLINE.match(line.content) if line.indent == 0 else None
    return len(match[1]) if match else 0


_VERSION_BULLET = re.compile(r"[*-]\s+(?=(?:(?:version|release)\s+|v)?\d)", re.IGNORECASE)


def bulleted_version(line: TextLine) -> str:
    """Return the title of a line that lists a version as an outline does ("* Version 1.0.2"); empty for another."""
    match = _VERSION_BULLET.match(line.content)
    title = line.content[match.end() :] if match and line.indent <= _MAX_OUTLINE_INDENT else ""
    return title if title and is_version_line(title) else ""


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
_SENTENCE_BREAK = re.compile(r"[.!?]\s+[A-Z]")
_HEADING_INITIALS = "[`_@\"'“(.-/"


def heading_style(text: str) -> HeadingStyle | None:
    """Return how a line could be a heading, judged by itself; None where it reads as prose, a date or an address."""
    if len(text) > _MAX_HEADING_CHARACTERS or "://" in text or _SIGNATURE.match(text) or read_tag(text)[0]:
        return None
    words = text.split()
    if is_version_line(text):
        return HeadingStyle.VERSION
    letters = [character for character in text if character.isalpha()]
    if len(letters) < 2 or len(words) > _MAX_HEADING_WORDS or not (text[0].isalnum() or text[0] in _HEADING_INITIALS):
        return None
    closed = text.endswith((".", ",", ";", "!")) and not text.endswith("etc.")
    if closed or _SENTENCE_BREAK.search(text) or _is_labelled(text) or all(map(_is_date_word, words)):
        return None
    if text.endswith(":"):
        return HeadingStyle.COLON
    if text.endswith("?") and sum(word[0].isupper() for word in words) < len(words) / 2:
        return None
    if len(words) > 1 and len(letters) >= 10 and all(character.isupper() for character in letters):
        return HeadingStyle.CAPITALS
    return HeadingStyle.BARE


def is_version_line(text: str) -> bool:
    """Return whether the line is a version, with up to three words before it and only a date or a state around it."""
    match = _VERSION.match(text[: _MAX_HEADING_CHARACTERS + 1])
    # "minimum python 3.10:" leads in to something; "Version 3.10:" is a title.
    leads_in = match is None or (text.endswith(":") and len(match[0].split()) > 2)
    if match and not leads_in and all(_is_date_word(word) for word in text[match.end() :].split()):
        return True
    return read_release_line(text) is not None


def is_capitals(text: str) -> bool:
    """Return whether the line shouts, at the length of a heading: no small letter, at least four capitals."""
    letters = [character for character in text[: _MAX_HEADING_CHARACTERS + 1] if character.isalpha()]
    return len(text) <= _MAX_HEADING_CHARACTERS and len(letters) >= 4 and all(letter.isupper() for letter in letters)


def _is_labelled(text: str) -> bool:
    """Return whether the line says `note: ...`: a label and what it is about, not the name of a section."""
    label, colon, rest = text.partition(":")
    return bool(colon and rest.startswith((" ", "\t")) and (label.islower() or _ADMONITION.match(label.strip())))


def _is_date_word(word: str) -> bool:
    core = word.strip("()[]{},.:;-–—")
    return not core or _DATE_WORD.match(core) is not None


def adorned_title_length(stanza: Sequence[TextLine], position: int, *, opens_run: bool) -> int:
    """Return how many lines of `stanza` from `position` are a title with its rules, or a rule by itself; else 0.

    Between two rules its day may stand below a title. A line that has only a rule below it is a title where it
    `opens_run`, elsewhere the end of a paragraph.
    """
    below = [rule_character(line.content) for line in stanza[position : position + 4]]
    title = stanza[position]
    if _EDITOR_LINE.match(title.content):
        return 1
    if below[0] is not None:
        under = stanza[position + 2].content if len(below) == 4 else ""
        length = 4 if any(len(mention.span) == len(under) for mention in find_dates(under)) else 3
        is_closed = len(below) >= length and below[1] is None and below[length - 1] == below[0]
        return length if is_closed else 1
    if not opens_run or len(below) < 2 or below[1] is None or len(title.content) > _MAX_UNDERLINED_CHARACTERS:
        return 0
    underline = stanza[position + 1].content
    return 2 if bullet(title) is None and 2 * len(underline) >= len(title.content) else 0


def is_code_stanza(lines: Sequence[TextLine]) -> bool:
    """Return whether the lines are code: nearly all read as such, hang below such a line, or comment on it."""
    if not lines or bullet(lines[0]) is not None:
        return False
    comments = [_COMMENT.match(line.content) is not None for line in lines]
    if all(comments):
        return len(lines) > 1
    statements = [is_code(line.content) for line in lines]
    if not any(statements) or not (comments[0] or statements[0]):
        return False
    base = lines[0].indent
    outsiders = sum(
        not (comment or statement or line.indent > base or is_closing(line.content))
        for line, comment, statement in zip(lines, comments, statements, strict=True)
    )
    return outsiders <= _MAX_CODE_OUTSIDERS * len(lines)


def table_length(lines: Sequence[TextLine], position: int) -> int:
    """Return how many lines from `position` are the rows of one table or link targets, 0 where there are none."""
    first = lines[position]
    if LINK_TARGET.match(first.content):
        return _run_length(lines, position, LINK_TARGET)
    row = next((form for form in _ROWS if form.match(first.content)), None)
    rows = _run_length(lines, position, row) if row and bullet(first) is None else 0
    return rows if rows > 1 else 0


def _run_length(lines: Sequence[TextLine], position: int, row: re.Pattern[str]) -> int:
    """Return how many lines from `position` match, lines that hang below one included; 1 where only one line does."""
    end, rows = position + 1, 1
    while end < len(lines):
        if row.match(lines[end].content):
            rows += 1
        elif lines[end].indent <= lines[position].indent or bullet(lines[end]) is not None:
            break
        end += 1
    return end - position if rows > 1 else 1


def is_code(text: str) -> bool:
    """Return whether the line can hardly be prose: a statement, an assignment, a call or a shell command."""
    if len(text) > _MAX_CODE_CHARACTERS:
        return False
    command = _COMMAND.match(text)
    bare = _QUOTED.sub('""', _TRAILING_COMMENT.sub("", text)).rstrip()
    if command and _SUBCOMMAND.match(command["rest"]) and not _SENTENCE_WORD.search(bare):
        return True
    if _PROSE.search(bare):
        return False
    if any(pattern.match(bare) for pattern in (_STATEMENT, _ASSIGNMENT, _CALL, _BRACES)):
        return True
    if command is None or bare.endswith((":", ",", "!", "?")):
        return False
    return _SHELL.search(command["rest"]) is not None


def is_closing(text: str) -> bool:
    """Return whether the line is brackets only, which goes with the code before it."""
    return len(text) <= _MAX_CODE_CHARACTERS and _CLOSING.match(text) is not None
