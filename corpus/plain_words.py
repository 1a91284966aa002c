"""Prose without its markup, in any format: for vectors, tokens and the wording of answers, never for quotes."""

import html
import re
from collections.abc import Callable, Sequence
from functools import lru_cache

_LINK = re.compile(
    r"!?\[(?P<words>(?>(?:[^\[\]\\\n]|\\.|\n(?!\s*\n)|\[[^\[\]\n]{0,80}\]){0,300}))\]"
    r"\((?P<address>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\)"
)
SHORT_CODE = r"(?<!`)(?P<fence>`{1,2})(?!`)[^`\n]{1,200}(?P=fence)(?!`)"
_WRAPPED = r"(?:[^`<\n]|\n(?!\s*\n))"  # A character of text that may continue on the next line.
_BACK_QUOTED = re.compile(
    rf"""(?<![\w:+.]):(?P<role>[\w:+.-]+):`(?P<marks>[~!]*)(?:\.(?=[A-Za-z_]))?(?P<title>{_WRAPPED}{{1,200}}?)(?P<target>\s*<(?:[^>\n]|\n(?!\s*\n)){{0,500}}>)?`
    |`(?P<words>{_WRAPPED}{{1,300}}?)(?:\s*<(?P<address>(?:[^>\n]|\n(?!\s*\n)){{1,500}})>)?`_{{1,2}}(?!\w)
    |\{{[a-z][\w:+.-]*\}}(?=`[^`\n])
    |(?P<mark>`{{1,3}})(?!`)(?:\s(?!`))?(?P<code>.+?)\s?(?<!`)(?P=mark)(?!`)
    |<(?P<tag>code|kbd|samp|tt)>(?P<element>[^<>]{{1,500}})</(?P=tag)>
    |(?P<name>(?<![\w.])_\w+(?:\.\w+)+_(?!\w))|\\(?P<sign>[!-/:-@\[\]^_`{{-~])""",
    re.VERBOSE | re.DOTALL,
)
"""Roles, reStructuredText links, code (AsciiDoc passes through what is between `+` in it), MyST roles, and text that
only looks like markup: `_sql.or_`, escaped signs."""
_PASSED = re.compile(r"^\+([^`+\n]{1,200})\+$")  # AsciiDoc's pass-through in code.
NUMBERED_ROLES = frozenset({"cve", "cwe", "pep", "rfc"})  # Sphinx's roles with numbers shown after their names.
_TICKET_ROLES = frozenset("issue ticket bug gh ghissue ghpull pr pull".split())
LABEL = re.compile(r"(\*{1,2}|__)(?P<label>[^\s*_`][^*_`\n]{0,60}[^*_`\n.:!?])\1[ \t]*<br ?/?>\s*")
"""A paragraph's label before a line break: `**Impact**<br>`."""
_COMMENT = re.compile(r"<!--(?:[^<-]|<(?!!--)|-(?!->))*-->")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_URL = re.compile(r"(?:https?|ftp)://[^\s<>\"')\]]+")
ADDRESS = re.compile(r"(?<![\w/])(?P<address>https?://[^\s<>\"'`\[\]{}|\\^]{0,1000}[^\s<>\"'`\[\]{}|\\^.,:;!?)*_~])")
TAG = re.compile(
    r"</?(?:(?P<inline>a|abbr|b|big|code|del|em|font|i|img|ins|kbd|mark|s|samp|small|span|strike|strong|sub|sup|tt|u)"
    r"|blockquote|br|center|dd|details|div|dl|dt|h[1-6]|hr|li|ol|p|picture|pre|source|summary|table|tbody|td|th"
    r"|thead|tr|ul|video|wbr)(?:\s[^<>\n\U00100000-\U0010ffff]{0,500})?/?>",
    re.IGNORECASE,
)
"""The tags that Markdown pages use for layout; `Vec<String>` and `--foo=<path>` are words."""
_NAME = re.compile(
    r"`+[^`]*`+|(?<![\w-])--[A-Za-z][\w-]*|(?<![\w./@-])[A-Za-z_]\w*(?:(?:\.|::)[a-z_]\w*)+(?:\(\))?|(?<![\w.])\w+\(\)"
)
_FAR_LINK = re.compile(
    r"(?:(?<=[^\s*+-]\s)|(?<=[(/]))\[(?!\d+\])([^\]\n]{1,300})\]\[[^\]\n]{0,100}\]|\b(?:xref|link|https?):[^\s\[\]]{1,300}\[([^\]\n]{1,300})\]"
    r"|\[\[[^\s\[\]]{1,300}\]\[([^\[\]\n]{1,300})\]\]"
)
"""Links with a target defined elsewhere, AsciiDoc's and Org's; not an entry's tags ("[Fix][core]"), nor "[1][2]"."""
_STARRED = re.compile(
    r"(?<![\w*`])(?P<mark>\*{1,3}|~~)([^\s*](?:(?:[^*\n]|\n(?!\s*\n)){0,1000}[^\s*])?)(?P=mark)(?![\w*`])"
)
_STRAY = re.compile("`+")
_LOCK = 0x100000  # Added to a code point: moves it to a private-use plane, where nothing reads it as markup.
_LOCKING, _UNLOCKING = range(_LOCK, _LOCK + 0x10000), range(-_LOCK, 0x10000)  # By code point.
_LOCKED = re.compile(r"[\U00100000-\U0010ffff]+")
_UNDERLINED = re.compile(r"(?<![\w*`])(?P<mark>_{1,2})(?P<words>[^\s*_](?:[^*_\n]*[^\s*_])?)(?P=mark)(?![\w*`])")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000e0000-\U000e0fff]"
)
"""Format characters (Unicode's Cf) and other invisible ones (Default_Ignorable_Code_Point)."""
_STRUCK = re.compile(
    r"~~(?![~\s]).{1,2000}?~~|\[\.?line-through\](?P<mark>##?).{1,2000}?(?P=mark)|<(?P<tag>del|s|strike|template"
    r"|\w{1,20}(?=\s[^<>]{0,500}(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|(?<=\s)hidden(?![\w-]))))\b[^<>]*>"
    r".{1,2000}?</(?P=tag)\s*>",
    re.DOTALL | re.IGNORECASE,
)
_CODE_COMMENT = re.compile(
    r"(?m)^\s{0,99}(?:#|//|;|%|--\s|REM\b).*$|(?<=\s)(?:#|//|--)\s.*$|/\*(?s:.*?)\*/|<!--(?s:.*?)-->", re.IGNORECASE
)
_LINE_MARK = re.compile(
    r"(?m)^[^\S\n]*(?:(?:[-+•o!~]|\*\)|\[[^\w\s]\]|\*{1,5}|\d+[.)]|#{1,6})\s+|[・●○]\s*)|[=~^#-]{3,}"
)
_CODE_DIRECTIVE = re.compile(
    r"^[ \t]*\.\. (?:code-block|sourcecode|code|parsed-literal|highlight)::[^\n]*(?:\n[ \t]+:[\w-]+:[^\n]*)*",
    re.MULTILINE,
)
_LITERAL_FOLLOWS = re.compile(r"(?<=[\w`)])::(?=[ \t]*(?:\n|\Z))")
_FENCE_LANGUAGE = re.compile(r"^(?P<fence>[ \t]*(?:`{3,}|~{3,}))[ \t]*[\w+#.-]+[ \t]*$", re.MULTILINE)
SEARCHED_NAME = re.compile(r"(?<=:`)(?P<marks>[~!]*)\.(?=[A-Za-z_])")
"""The dot of a reference that leaves the module open: ``:meth:`.Wheel.turn` ``."""
DIRECTIVE = re.compile(
    r"^[ \t]*(?:\.\. |[:`~]{3,}\{)(?:version)?(?P<what>added|changed|removed|deprecated)(?:::|\})"
    r"[ \t]*(?P<version>v?\d(?:[\w.+-]*\w)?|next\b)[.:]*"
    r"|^[ \t]*(?:\.\. )?(?P<note>attention|caution|danger|error|hint|important|note|tip|warning)::(?=\s)",
    re.MULTILINE,
)
_PIPED_ROW = re.compile(r"\s*\|.*\|\s*")
_BLOCK_QUOTE = re.compile(r"^[ \t]*>[ \t]+", re.MULTILINE)


def stated_words(text: str, *, is_code: bool = False) -> str:
    """Return the part of `text` that it asserts: without struck-out text and, in code, without comments."""
    unstruck = sub(_STRUCK, " ", text, "~~", "</", "line-through]")
    return _CODE_COMMENT.sub("", unstruck) if is_code else unstruck


def without_invisible(text: str) -> str:
    """Return `text` as people see it: without characters of no width, which could hide a word from a search."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


def without_names(words: str, *, read: re.Pattern[str] | None = None) -> str:
    """Return `words` with X for each name of code ("Removed `from_json`" -> "Removed X"): marked code, options, dotted
    names and calls. A name that `read` matches wholly stays, without its backticks."""

    def replace(match: re.Match[str]) -> str:
        name = match[0].strip("`")
        return name if read is not None and read.fullmatch(name) else "X"

    return _NAME.sub(replace, words)


def listed(words: Sequence[str]) -> str:
    """Return the words joined as "a, b and c"; "" for none."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


@lru_cache(maxsize=4096)  # An answer about a whole release reads each entry several times.
def one_line(text: str) -> str:
    """Return `text` on one line, without link targets, addresses, tags, marks and bullets; names keep underscores."""
    bare = sub(_URL, " ", unlocked(without_marks(without_invisible(text), is_whole=True)), "://")
    return " ".join(_LINE_MARK.sub(" ", bare).split())


def whole_characters(text: str) -> str:
    """Return `text` with U+FFFD for each half of a surrogate pair, which tokenizers refuse."""
    return re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", text)


@lru_cache(maxsize=4096)
def readable(text: str, *, keeps_code: bool = False) -> str:
    """Return `text` on one line as a person reads it out: like `one_line`, but addresses stay and tables become lists.

    Code is bare, or in single backticks if `keeps_code`: "* Removed :meth:`~a.b.Hub`" gives "Removed Hub".
    """
    asserted_text = stated_words(text)
    # A text that is struck out wholly is kept; ingest marks it as retracted.
    text = asserted_text if any(map(str.isalnum, asserted_text)) else text
    if "::" in text or "{" in text:
        text = DIRECTIVE.sub(directive_words, text)
        text = _CODE_DIRECTIVE.sub("", _LITERAL_FOLLOWS.sub(":", text))
    text = sub(_FENCE_LANGUAGE, r"\g<fence>", sub(LABEL, r"\g<label>: ", text, "<br"), "```", "~~~")

    def written(code: str) -> str:
        folded = " ".join(code.split())
        return as_code(folded) if keeps_code and folded.strip("`") else folded

    text = _table_rows(without_marks(sub(_BLOCK_QUOTE, "", text, ">"), written))
    return unlocked(" ".join(_LINE_MARK.sub(" ", text).split()))


def as_code(text: str) -> str:
    """Return `text` as a code span of an answer, without backticks inside, which would end the span."""
    return f"`{text.replace('`', '')}`"


def directive_words(match: re.Match[str]) -> str:
    """Return the words for a match of `DIRECTIVE`: " Note: ", " Added in 3.1."."""
    release = "the next release" if match["version"] == "next" else match["version"]
    return f" {match['note'].capitalize()}: " if match["note"] else f" {match['what'].capitalize()} in {release}."


def _shown_text(match: re.Match[str], written: Callable[[str], str], *, is_whole: bool) -> str:
    """Return the text shown for a role (as code but for a number or several words), a link, code or an escaped sign."""
    if not (title := match["title"]):
        if code := match["code"] or match["name"] or html.unescape(match["element"] or ""):
            return locked(written(_PASSED.sub(r"\1", code)))
        return match["words"] or locked(match["sign"] or "")
    role = match["role"].casefold()
    if role == "user" and not is_whole:
        return f"@{title}"
    if title.isdecimal() and role in _TICKET_ROLES:
        return title if is_whole else f"#{title}"
    if title[0].isdecimal() and role in NUMBERED_ROLES and not is_whole:
        return f"{role.upper()}{'-' if '-' in title else ' '}{title}"
    if title[0].isdecimal() or any(map(str.isspace, title)):
        return title + (match["target"] or "").translate({60: "(", 62: ")"}) * (role == "release")  # The release's day.
    is_short = "~" in match["marks"] and not (is_whole or match["target"])
    return locked(written(title.rpartition(".")[2] if is_short else title))


def _table_rows(text: str) -> str:
    """Return a table of tabs or pipes as rows of words, "Option: Default; --jobs: 4"; other text unchanged."""
    rows = [row for row in text.splitlines() if row.strip()]
    if len(rows) > 1 and all("\t" in row.strip() for row in rows):
        mark = "\t"
    elif rows and all(_PIPED_ROW.fullmatch(row) for row in rows):
        mark = "|"
    else:
        return text
    cells = ([cell.strip() for cell in row.strip().strip(mark).split(mark)] for row in rows)
    # Rows without a letter or digit are rules.
    filled = (row for row in cells if any(map(str.isalnum, unlocked("".join(row)))))
    return "; ".join((": " if len(row) == 2 else ", ").join(filter(None, row)) for row in filled)


def without_marks(text: str, written: Callable[[str], str] = str, *, is_whole: bool = False) -> str:
    """Return `text` without inline markup, its code rewritten by `written` and `locked`; whole roles if `is_whole`."""
    text = text if text.isascii() else sub(_LOCKED, " ", text)
    text = sub(_BACK_QUOTED, lambda match: _shown_text(match, written, is_whole=is_whole), text, "`", "_", "\\", "</")
    text = sub(_LINK, r"\g<words>", text, "](")
    text = sub(
        _FAR_LINK,
        r"\1\2\3",
        sub(TAG, lambda match: "" if match["inline"] else " ", sub(_COMMENT, "", text, "<!--"), "<"),
        "[",
    )
    text = sub(ADDRESS, lambda match: locked(html.unescape(match[0])), text, "://")
    text = sub(_STARRED, r"\2", text, "*", "~~")
    text = sub(_STARRED, r"\2", text, "**")  # Around emphasis within it.
    text = sub(_STRAY, "", sub(_UNDERLINED, _unpair, text, "_"), "`")
    return sub(_ENTITY, lambda match: html.unescape(match[0]), text, "&")


def sub(pattern: re.Pattern[str], by: str | Callable[[re.Match[str]], str], text: str, *marks: str) -> str:
    """Return `text` with matches replaced. Each match contains one of `marks`: without any, `text` isn't searched."""
    if marks and not any(map(text.__contains__, marks)):
        return text
    return pattern.sub(by, text)


def locked(text: str) -> str:
    """Return `text` in private-use characters that no later pass reads as markup, as long as before."""
    return text.translate(_LOCKING)


def unlocked(text: str) -> str:
    """Return `text` with its locked characters restored."""
    return sub(_LOCKED, lambda match: match[0].translate(_UNLOCKING), text)


def _unpair(match: re.Match[str]) -> str:
    """Return the emphasised words without their marks; `__init__` is a name and stays."""
    is_name = match["mark"] == "__" and match["words"].isidentifier()
    return match.group() if is_name else match["words"]
