"""Prose without its markup, whatever the format: for vectors, tokens and the wording of answers, never for quotes."""

import html
import re
from collections.abc import Callable, Sequence
from functools import lru_cache

_LINK = re.compile(
    r"!?\[(?P<words>(?>(?:[^\[\]\\\n]|\\.|\n(?!\s*\n)|\[[^\[\]\n]{0,80}\]){0,300}))\]"
    r"\((?P<address>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\)"
)
SHORT_CODE = r"(?<!`)(?P<fence>`{1,2})(?!`)[^`\n]{1,200}(?P=fence)(?!`)"
_WRAPPED = r"(?:[^`<\n]|\n(?!\s*\n))"  # A character of what may go on over a line's end.
_BACK_QUOTED = re.compile(
    rf"""(?<![\w:+.]):(?P<role>[\w:+.-]+):`(?P<marks>[~!]*)(?:\.(?=[A-Za-z_]))?(?P<title>{_WRAPPED}{{1,200}}?)(?P<target>\s*<(?:[^>\n]|\n(?!\s*\n)){{0,500}}>)?`
    |`(?P<words>{_WRAPPED}{{1,300}}?)(?:\s*<(?P<address>(?:[^>\n]|\n(?!\s*\n)){{1,500}})>)?`_{{1,2}}(?!\w)
    |\{{[a-z][\w:+.-]*\}}(?=`[^`\n])
    |(?P<mark>`{{1,3}})(?!`)(?:\s(?!`))?(?P<code>.+?)\s?(?<!`)(?P=mark)(?!`)
    |<(?P<tag>code|kbd|samp|tt)>(?P<element>[^<>]{{1,500}})</(?P=tag)>
    |(?P<name>(?<![\w.])_\w+(?:\.\w+)+_(?!\w))|\\(?P<sign>[!-/:-@\[\]^_`{{-~])""",
    re.VERBOSE | re.DOTALL,
)
"""Roles, reStructuredText's links, code (in which AsciiDoc passes through what stands between `+`), the roles of MyST,
and what looks like markup and is none: `_sql.or_`, escaped signs."""
_PASSED = re.compile(r"^\+([^`+\n]{1,200})\+$")  # By AsciiDoc, in code.
NUMBERED_ROLES = frozenset({"cve", "cwe", "pep", "rfc"})  # Sphinx's roles whose number is told with their name.
_TICKET_ROLES = frozenset("issue ticket bug gh ghissue ghpull pr pull".split())
LABEL = re.compile(r"(\*{1,2}|__)(?P<label>[^\s*_`][^*_`\n]{0,60}[^*_`\n.:!?])\1[ \t]*<br ?/?>\s*")
"""What a line break sets off as the label of its paragraph: `**Impact**<br>`."""
_COMMENT = re.compile(r"<!--(?:[^<-]|<(?!!--)|-(?!->))*-->")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_URL = re.compile(r"(?:https?|ftp)://[^\s<>\"')\]]+")
ADDRESS = re.compile(r"(?<![\w/])(?P<address>https?://[^\s<>\"'`\[\]{}|\\^]{0,1000}[^\s<>\"'`\[\]{}|\\^.,:;!?)*_~])")
TAG = re.compile(
    r"</?(?:(?P<inline>abbr|b|big|code|del|em|font|i|ins|kbd|mark|s|samp|small|span|strike|strong|sub|sup|tt|u)"
    r"|a|blockquote|br|center|dd|details|div|dl|dt|h[1-6]|hr|img|li|ol|p|picture|pre|source|summary|table|tbody|td|th"
    r"|thead|tr|ul|video|wbr)(?:\s[^<>\n\U00100000-\U0010ffff]{0,500})?/?>",
    re.IGNORECASE,
)
"""The tags that Markdown pages use for looks; `Vec<String>` and `--foo=<path>` are words."""
_NAME = re.compile(
    r"`+[^`]*`+|(?<![\w-])--[A-Za-z][\w-]*|(?<![\w./@-])[A-Za-z_]\w*(?:(?:\.|::)[a-z_]\w*)+(?:\(\))?|(?<![\w.])\w+\(\)"
)
_FAR_LINK = re.compile(
    r"(?:(?<=[^\s*+-]\s)|(?<=[(/]))\[(?!\d+\])([^\]\n]{1,300})\]\[[^\]\n]{0,100}\]|\b(?:xref|link|https?):[^\s\[\]]{1,300}\[([^\]\n]{1,300})\]"
)
"""Links whose target stands elsewhere, and AsciiDoc's; not an entry's tags ("[Fix][core]"), nor "[1][2]"."""
_STARRED = re.compile(
    r"(?<![\w*`])(?P<mark>\*{1,3}|~~)([^\s*](?:(?:[^*\n]|\n(?!\s*\n)){0,1000}[^\s*])?)(?P=mark)(?![\w*`])"
)
_STRAY = re.compile("`+")
_LOCK = 0x100000  # Of a sign of code: a place of private use, where nothing reads it as markup.
_LOCKED = re.compile(r"[\U00100000-\U0010ffff]+")
_UNDERLINED = re.compile(r"(?<![\w*`])(?P<mark>_{1,2})(?P<words>[^\s*_](?:[^*_\n]*[^\s*_])?)(?P=mark)(?![\w*`])")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000e0000-\U000e0fff]"
)
"""Signs of format (Unicode's Cf) and others that nobody sees (Default_Ignorable_Code_Point)."""
_STRUCK = re.compile(
    r"~~(?![~\s]).{1,2000}?~~|\[\.?line-through\](?P<mark>##?).{1,2000}?(?P=mark)|<(?P<tag>del|s|strike|template"
    r"|\w{1,20}(?=\s[^<>]{0,500}(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|(?<=\s)hidden(?![\w-]))))\b[^<>]*>"
    r".{1,2000}?</(?P=tag)\s*>",
    re.DOTALL | re.IGNORECASE,
)
_CODE_COMMENT = re.compile(
    r"(?m)^\s*(?:#|//|;|%|--\s|REM\b).*$|(?<=\s)(?:#|//|--)\s.*$|/\*(?s:.*?)\*/|<!--(?s:.*?)-->", re.IGNORECASE
)
_LINE_MARK = re.compile(
    r"^\s*(?:[-+•o!~]|\*\)|\[[^\w\s]\]|\*{1,5}|\d+[.)])\s+|^\s*[・●○]\s*|^\s*#{1,6}\s+|[=~^#-]{3,}", re.MULTILINE
)
_CODE_DIRECTIVE = re.compile(
    r"^[ \t]*\.\. (?:code-block|sourcecode|code|parsed-literal|highlight)::[^\n]*(?:\n[ \t]+:[\w-]+:[^\n]*)*",
    re.MULTILINE,
)
_LITERAL_FOLLOWS = re.compile(r"(?<=[\w`)])::(?=[ \t]*(?:\n|\Z))")
_FENCE_LANGUAGE = re.compile(r"^(?P<fence>[ \t]*(?:`{3,}|~{3,}))[ \t]*[\w+#.-]+[ \t]*$", re.MULTILINE)
SEARCHED_NAME = re.compile(r"(?<=:`)(?P<marks>[~!]*)\.(?=[A-Za-z_])")
"""The dot by which a reference leaves the module open: ``:meth:`.Wheel.turn` ``."""
DIRECTIVE = re.compile(
    r"^[ \t]*(?:\.\. |[:`~]{3,}\{)(?:version)?(?P<what>added|changed|removed|deprecated)(?:::|\})"
    r"[ \t]*(?P<version>v?\d(?:[\w.+-]*\w)?|next\b)[.:]*"
    r"|^[ \t]*(?:\.\. )?(?P<note>attention|caution|danger|error|hint|important|note|tip|warning)::(?=\s)",
    re.MULTILINE,
)
_PIPED_ROW = re.compile(r"\s*\|.*\|\s*")
_BLOCK_QUOTE = re.compile(r"^[ \t]*>[ \t]+", re.MULTILINE)


def told_words(text: str, *, is_code: bool = False) -> str:
    """`text` without what it doesn't tell: what is struck out and, in code, what comments say."""
    told = sub(_STRUCK, " ", text, "~~", "</", "line-through]")
    return _CODE_COMMENT.sub("", told) if is_code else told


def without_invisible(text: str) -> str:
    """`text` as it is seen: without signs that have no width, by which a word is hidden from who looks for it."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


def without_names(words: str, *, read: re.Pattern[str] | None = None) -> str:
    """`words` with X for each name of code, which is no word of theirs ("Removed `from_json`"): code as it is marked,
    options, dotted names and calls; a name that `read` matches whole stays, without its marks."""

    def replace(found: re.Match[str]) -> str:
        name = found[0].strip("`")
        return name if read is not None and read.fullmatch(name) else "X"

    return _NAME.sub(replace, words)


def listed(words: Sequence[str]) -> str:
    """`a, b and c`; "" for none."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


@lru_cache(maxsize=4096)  # An answer that weighs a whole release reads each of its entries several times.
def one_line(text: str) -> str:
    """`text` on one line, without link targets, addresses, tags, marks and bullets; names keep their underscores."""
    bare = sub(_URL, " ", unlocked(without_marks(without_invisible(text), is_whole=True)), "://")
    return " ".join(_LINE_MARK.sub(" ", bare).split())


def whole_characters(text: str) -> str:
    """`text` with U+FFFD for each half of a surrogate pair: that is no Unicode text, and tokenizers refuse it."""
    return re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", text)


@lru_cache(maxsize=4096)
def readable(text: str, *, keeps_code: bool = False) -> str:
    """`text` on one line as a person would read it out: like `one_line`, but addresses stay and tables become lists.

    Code is bare, or in single backticks where they are kept.
    """
    told = told_words(text)
    # What is struck out wholly is said to be taken back.
    text = told if any(map(str.isalnum, told)) else text
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
    """`text` as a code span of an answer, without the back quotes that would end it."""
    return f"`{text.replace('`', '')}`"


def directive_words(found: re.Match[str]) -> str:
    """What a `DIRECTIVE` says by its name: "Note:", "Added in 3.1."."""
    release = "the next release" if found["version"] == "next" else found["version"]
    return f" {found['note'].capitalize()}: " if found["note"] else f" {found['what'].capitalize()} in {release}."


def _tell(found: re.Match[str], written: Callable[[str], str], *, is_whole: bool) -> str:
    """Return what a role, a link, code or an escaped sign says. A role says code, unless it is a number or has the
    words of a title."""
    if not (title := found["title"]):
        if code := found["code"] or found["name"] or html.unescape(found["element"] or ""):
            return locked(written(_PASSED.sub(r"\1", code)))
        return found["words"] or locked(found["sign"] or "")
    role = found["role"].casefold()
    if title.isdecimal() and role in _TICKET_ROLES:
        return title if is_whole else f"#{title}"
    if title[0].isdecimal() and role in NUMBERED_ROLES and not is_whole:
        return f"{role.upper()}{'-' if '-' in title else ' '}{title}"
    if title[0].isdecimal() or any(map(str.isspace, title)):
        return title + (found["target"] or "").translate({60: "(", 62: ")"}) * (role == "release")  # Its day.
    is_short = "~" in found["marks"] and not (is_whole or found["target"])
    return locked(written(title.rpartition(".")[2] if is_short else title))


def _table_rows(text: str) -> str:
    """A table of tabs or pipes as rows of words, "Option: Default; --jobs: 4"; other text as it is."""
    rows = [row for row in text.splitlines() if row.strip()]
    if rows and all("\t" in row for row in rows):
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
    """`text` without its inline markup, its code as `written`, locked; names in roles are told whole or short."""
    text = text if text.isascii() else sub(_LOCKED, " ", text)
    text = sub(_BACK_QUOTED, lambda found: _tell(found, written, is_whole=is_whole), text, "`", "_", "\\", "</")
    text = sub(_LINK, r"\g<words>", text, "](")
    text = sub(
        _FAR_LINK,
        r"\1\2",
        sub(TAG, lambda found: " " * (not found["inline"]), sub(_COMMENT, "", text, "<!--"), "<"),
        "[",
    )
    text = sub(ADDRESS, lambda found: locked(html.unescape(found[0])), text, "://")
    text = sub(_STARRED, r"\2", text, "*", "~~")
    text = sub(_STARRED, r"\2", text, "**")  # Around emphasis within it.
    text = sub(_STRAY, "", sub(_UNDERLINED, _unpair, text, "_"), "`")
    return sub(_ENTITY, lambda found: html.unescape(found[0]), text, "&")


class Tracked(str):
    """Text that keeps account of where its characters stood."""

    def substitute(self, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> "Tracked":
        """Return the text with what the pattern finds replaced. The pattern's `mark` is the sign of a style, its
        `address` where a link leads."""
        raise NotImplementedError


def sub(pattern: re.Pattern[str], by: str | Callable[[re.Match[str]], str], text: str, *marks: str) -> str:
    """`text` with what the pattern finds replaced; it isn't looked for where none of the marks is, which it needs."""
    if marks and not any(map(text.__contains__, marks)):
        return text
    if isinstance(text, Tracked):
        return text.substitute(pattern, by if callable(by) else lambda found: found.expand(by))
    return pattern.sub(by, text)


def locked(text: str) -> str:
    """`text` as what no later pass reads as markup, as long as it."""
    return "".join(chr(_LOCK + ord(sign)) if ord(sign) < 0x10000 else sign for sign in text)


def unlocked(text: str) -> str:
    """`text` with what is locked in it as it was."""
    return sub(_LOCKED, lambda found: "".join(chr(ord(sign) - _LOCK) for sign in found[0]), text)


def _unpair(match: re.Match[str]) -> str:
    """Emphasis without its marks; `__init__` is a name, not an emphasis."""
    is_name = match["mark"] == "__" and match["words"].isidentifier()
    return match.group() if is_name else match["words"]
