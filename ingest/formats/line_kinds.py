"""Classifies a line of plain text by its looks: a title, a bullet, a rule, code, a row of a table, or prose.

Each line is judged by itself here; `plain_text` compares it with its neighbours.
"""

import re
from enum import IntEnum, auto

from corpus.change_kinds import read_tag
from corpus.dates import find_dates, without_dates
from ingest.releases.lines import BETWEEN_RULES, read_release_line, read_ruled_release
from ingest.releases.package_entries import opens_package_entry
from ingest.text_lines import TextLine


class LineKind(IntEnum):
    """The kinds up to `COLON` may be headings; the lower their number, the higher their level."""

    RELEASE = auto()  # Always a heading: a package's entry, a version between rules on its line, a title in Textile.
    VERSION = auto()
    CAPITALS = auto()
    SECTION = auto()  # A bare line that heads others; only its neighbours distinguish it from `BARE`.
    BARE = auto()  # Short, and without a full stop.
    COLON = auto()
    BULLET = auto()
    RULE = auto()
    CODE = auto()
    ROW = auto()  # Of a table if another row follows, or a link's target.
    MARK = auto()  # Written for a tool: an editor's settings, a Debian signature.
    PROSE = auto()


BULLET = re.compile(
    r"(?:(?:[•◦▪‣·+!–-]|\*{1,4}|\*\)|\[[^\w\s]\]|o|\d{1,3}[.)]|\([a-z0-9]{1,2}\)|([a-z])\1?\.)\s+"
    r"|(?!UTF|SHA|ISO|RFC|PEP|AES|(?:19|20)\d\d\b)(?:(?:#\d+|\[?[A-Z][A-Z\d]+-\d+\]?|\d{4,7}(?=[.)]))(?:[:.)]|(?<=\]))\s+"
    r"|(?:\d{4,7}|[a-z]+(?:-[a-z]+)+)(?:\t| {2})\s*))(?=\S)(?!([=~#-])\2{2,}\s)"
)
"""Matches the sign, the number or the ticket that leads an entry ("#417: …", "[GIZMO-12] …", "6405. …", "6405  …")."""
TEXTILE = re.compile(r"h(?P<level>[1-6])\. (?=\S)")  # Leads a heading in Textile.
RULE = re.compile(r"([=\-~^\"*#_+.])\1{2,}\Z")
_EDITOR_LINE = re.compile(r"(?:(?!-\*-)\W)*-\*-[^*]*-\*-\W*\Z")
_DEBIAN_SIGNATURE = re.compile(r"-- [^<>]{0,200}<[^<>\s]{1,200}>\s+\w{3}, +\d{1,2} \w{3,9} \d{4}\b.{0,40}\Z")
_ROW = re.compile(
    r"""(?x)
    \|.*\|\Z | \+[-=+]{3,}\+\Z                           # drawn
    | \[[^\[\]]{1,60}\]\s*[:=]\s*<?https?://\S+\Z        # a link's target
    | [^\s:][^:]{0,60}:(?:[ ]{2}|\t)\s*+\S                # aligned fields
    """
)

_MAX_TITLE_CHARACTERS, _MAX_TITLE_WORDS, _MIN_CAPITALS = 100, 12, 4
_VERSION = re.compile(
    r"(?:(?!(?:from|to|with|for|since|using|on)\s)[A-Za-z][\w.+-]*\s+){0,3}?v?\d+(?:\.(?:\d+|x))+[\w+.-]*[\])]?:?"
)
_LABELLED = re.compile(
    r"(?:(?=[^:]*[a-z])[^:A-Z]+|(?i:note|notice|warning|important|tip|published|updated|author|by|date|tags?)\s*):\s"
)
_FIELD = re.compile(r"[^\d:]{3,30}:\s+(?=\S)")
_WORD, _SENTENCE_BREAK = re.compile(r"\w"), re.compile(r"[.!?]\s+[A-Z\[]")
_TITLE_OPENERS, _TITLE_STOPS = "[`_@\"'“.-/{", (".", ",", ";", "!")

_MAX_CODE_CHARACTERS = 400
_CODE = re.compile(
    r"""(?x)
    (?:from\s+[\w.]+\s+)?import\s+[\w.]+(?:\s+as\s+\w+)?(?:,\s*[\w.]+)*\s*;?\Z
    | (?:async\s+)?(?:def|function|func|fn)\s+\w*\( | (?:const|let|var)\s+\S.*= | class\s+\w.*[:{]\Z
    | (?:if|elif|while|for|with|switch)\b.*[()=<>\[].*[:{]\Z | (?:else|try|finally)\s*:\Z
    | return\s\S*[()\[\]=_"'.;]\S*\Z | @[\w.]+(?:\(|\Z) | \#(?:include|define|if)\b
    | (?:[A-Za-z][\w:<>&*]*\s+)?[A-Za-z_$][\w.$]*(?:\[[^\]]*\])*(?:,\s*[A-Za-z_][\w.]*)*\s*[-+*/|:]?=\s*(?![=>])\S
    | [A-Za-z_][\w.:]*\((?:.*\)\s*[;:{,]?|[^)]*[,(\[{])\Z | .*[()=\]}"']\s*[;{]\Z | ""\s*:\s*\S.*[,{\[]\Z
    """
)
_COMMAND = re.compile(
    r"""(?x)
    (?:\#+|//+)(?:\s|\Z) | [$]\s | >>>\s | /\*|\*/
    | (?:sudo\s)?(?:pip3?|uvx?|npm|npx|pnpm|yarn|conda|curl|wget|git|docker|brew|cargo|go|apt(?:-get)?|make|gem|tar
      |python3?|node|powershell|bash|sh|cd|export)\s(?!.*\b(?:is|was|has|now|to|the|an?)\s)
      (?:(?:install|add|remove|update|upgrade|init|build|run|clone|venv|pip|sync)\b|.*(?:(?<!\S)--?[A-Za-z]|[=|\\]|://))
    """
)
_COMMENT_OR_STRING = re.compile(r"\s(?:#|//)\s.*\Z|\"[^\"]*\"|'[^']*'")
_PROSE = re.compile(r"(?<![a-z])[a-z]{2,}+(?: [a-z]{2,}+){4}|\)\s+[a-z]+\s+[a-z]|[a-z]{3}[.!?]\Z")


def classify_line(line: TextLine) -> LineKind:
    """Return the kind of a line; never `SECTION`, which only its neighbours can show."""
    text = line.content
    if RULE.match(text):
        return LineKind.RULE
    if TEXTILE.match(text) or (line.indent == 0 and opens_package_entry(text)) or read_ruled_release(text):
        # Checked before code, because "apt (2.6.1)" and "curl (7.88)" look like commands.
        return LineKind.RELEASE
    if BETWEEN_RULES.fullmatch(text):
        return LineKind.CAPITALS
    if _EDITOR_LINE.match(text) or _DEBIAN_SIGNATURE.match(text):
        return LineKind.MARK
    if BULLET.match(text):
        return LineKind.BULLET
    if _is_code(text):
        return LineKind.CODE
    return LineKind.ROW if _ROW.match(text) and not find_dates(text) else classify_title(text)


def classify_title(text: str) -> LineKind:
    """Return the kind of heading that a line but a bullet could be; `PROSE` for prose, a date, signature or address."""
    if len(text) > _MAX_TITLE_CHARACTERS or "://" in text or text.startswith("-- ") or read_tag(text)[0]:
        return LineKind.PROSE
    words = text.split()
    version = _VERSION.match(text)
    # "minimum python 3.10:" introduces something; "Version 3.10:" is a title.
    if version and (text.endswith(".") or (text.endswith(":") and len(words) > 2)):
        version = None
    # "Released: 2024-06-12" counts as only a date, too.
    rest = text[version.end() :] if version else _FIELD.sub("", text)
    has_only_dates = not _WORD.search(without_dates(rest, find_dates(rest)))
    if (version and has_only_dates) or read_release_line(text):
        return LineKind.VERSION
    letters = [character for character in text if character.isalpha()]
    has_stop = text.endswith(_TITLE_STOPS) and not text.endswith("etc.")
    has_opener = text[0].isalnum() or text[0] in _TITLE_OPENERS
    if has_stop or not has_opener or has_only_dates or len(letters) < 2 or len(words) > _MAX_TITLE_WORDS:
        return LineKind.PROSE
    if _SENTENCE_BREAK.search(text) or _LABELLED.match(text):
        return LineKind.PROSE
    if text.endswith(":") or (text[0] == "[" and text[-1] == "]" and all(map(str.isalpha, words[1:-1]))):
        return LineKind.COLON
    return LineKind.CAPITALS if len(letters) >= _MIN_CAPITALS and all(map(str.isupper, letters)) else LineKind.BARE


def _is_code(text: str) -> bool:
    bare = _COMMENT_OR_STRING.sub(lambda match: "" if match[0][0].isspace() else '""', text[:_MAX_CODE_CHARACTERS])
    bare = bare.rstrip()
    return bool(_COMMAND.match(bare)) or (bool(_CODE.match(bare)) and not _PROSE.search(bare))
