"""Prose without its markup, whatever the format: for vectors, tokens and the wording of answers, never for quotes."""

import html
import re
from collections.abc import Callable, Sequence
from functools import lru_cache

_LINK = re.compile(
    r"!?\[(?P<words>(?>(?:[^\[\]\\\n]|\\.|\n(?!\s*\n)|\[[^\[\]\n]{0,80}\]){1,300}))\]"
    r"\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)"
)
SHORT_CODE = r"(?<!`)(?P<fence>`{1,2})(?!`)[^`\n]{1,200}(?P=fence)(?!`)"
_CODE_OR_LINK = re.compile(rf"{SHORT_CODE}|{_LINK.pattern}")
"""`np.cast[dtype](arg)` in code looks like a link, and isn't one."""
_WRAPPED = r"(?:[^`<\n]|\n(?!\s*\n))"  # A character of what may go on over a line's end.
_RST_LINK_OR_CODE = re.compile(
    rf"`(?P<words>{_WRAPPED}{{1,300}}?)(?:\s*<(?:[^>\n]|\n(?!\s*\n)){{1,500}}>)?`_{{1,2}}(?!\w)|{SHORT_CODE}"
)
"""Code is passed by, lest a link begin at the back quote that ends it."""
_ROLE = re.compile(
    rf"(?<![\w:+.-]):(?P<role>[\w:+.-]+):`(?P<marks>[~!]*)(?P<words>{_WRAPPED}{{1,200}}?)(?P<target>\s*<(?:[^>\n]|\n(?!\s*\n)){{0,500}}>)?`"
)
NUMBERED_ROLES = frozenset({"cve", "cwe", "pep", "rfc"})  # Sphinx's roles whose number is told with their name.
_TICKET_ROLES = frozenset("issue ticket bug gh ghissue ghpull pr pull".split())
LABEL = re.compile(r"(\*{1,2}|__)(?P<label>[^\s*_`][^*_`\n]{0,60}[^*_`\n.:!?])\1[ \t]*<br ?/?>\s*")
"""What a line break sets off as the label of its paragraph: `**Impact**<br>`."""
_COMMENT = re.compile(r"<!--(?:[^<-]|<(?!!--)|-(?!->))*-->")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_URL = re.compile(r"(?:https?|ftp)://[^\s<>\"')\]]+")
TAG = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|br|center|code|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p"
    r"|picture|pre|s|samp|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|th|thead|tr|tt|u|ul|video|wbr)"
    r"(?:\s[^<>\n\0]{0,500})?/?>",
    re.IGNORECASE,
)
"""The tags that Markdown pages use for looks; `Vec<String>` and `--foo=<path>` are words."""
_NAME = re.compile(
    r"`+[^`]*`+|(?<![\w-])--[A-Za-z][\w-]*|(?<![\w./@-])[A-Za-z_]\w*(?:(?:\.|::)[a-z_]\w*)+(?:\(\))?|(?<![\w.])\w+\(\)"
)
_CODE = re.compile(r"(`{1,3})(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_PASSED = re.compile(r"(?<=`)\+(?P<words>[^`+\n]{1,200})\+(?=`)")
"""What AsciiDoc passes through as it is written: `+max_attempts+`."""
_FAR_LINK = re.compile(
    r"(?:(?<=[^\s*+-]\s)|(?<=[(/]))\[(?!\d+\])([^\]\n]{1,300})\]\[[^\]\n]{0,100}\]|\b(?:xref|link|https?):[^\s\[\]]{1,300}\[([^\]\n]{1,300})\]"
)
"""Links whose target stands elsewhere, and AsciiDoc's; not an entry's tags ("[Fix][core]"), nor "[1][2]"."""
_STARRED = re.compile(r"(?<![\w*`])(\*{1,2}|~~)([^\s*](?:(?:[^*\n]|\n(?!\s*\n)){0,1000}[^\s*])?)\1(?![\w*`])")
_UNDERLINED = re.compile(r"(?<![\w*`])(?P<mark>_{1,2})(?P<words>[^\s*_](?:[^*_\n]*[^\s*_])?)(?P=mark)(?![\w*`])")
_HELD = "\0"  # Around the number of a code span that is held while what is around it is read.
_HELD_CODE = re.compile(rf"{_HELD}(\d+){_HELD}")
_ESCAPED = {"*": "\1", "_": "\2"}  # What stands for a mark that is none until everything is read.
_UNESCAPED = {ord(held): mark for mark, held in _ESCAPED.items()}
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
_CODE_OR_MYST_ROLE = re.compile(rf"{SHORT_CODE}|\{{[a-z][\w:+.-]*\}}(?=`[^`\n])")
"""The braces of `assert {type}` are code."""
_CODE_DIRECTIVE = re.compile(
    r"^[ \t]*\.\. (?:code-block|sourcecode|code|parsed-literal|highlight)::[^\n]*(?:\n[ \t]+:[\w-]+:[^\n]*)*",
    re.MULTILINE,
)
_LITERAL_FOLLOWS = re.compile(r"(?<=[\w`)])::(?=[ \t]*(?:\n|\Z))")
_FENCE_LANGUAGE = re.compile(r"^(?P<fence>[ \t]*(?:`{3,}|~{3,}))[ \t]*[\w+#.-]+[ \t]*$", re.MULTILINE)
SEARCHED_NAME = re.compile(r"(?<=:`)(?P<marks>[~!]*)\.(?=[A-Za-z_])")
"""The dot by which a reference leaves the module open: ``:meth:`.Wheel.turn` ``."""
_KEPT = re.compile(
    rf"{SHORT_CODE}|(?P<name>(?<![\w.])_\w+(?:\.\w+)+_(?!\w))|\\(?P<mark>[*_])|\\(?P<sign>[!-)+-/:-@\[\]^`{{-~])"
)
"""What looks like markup and is none: code, `_sql.or_`, escaped signs."""
_DIRECTIVE = re.compile(
    r"^[ \t]*(?:\.\. |[:`~]{3,}\{)(?P<what>version(?:added|changed|removed)|deprecated)(?:::|\})"
    r"[ \t]*(?P<version>\d[\w.]*)"
    r"|^[ \t]*(?:\.\. )?(?P<note>attention|caution|danger|error|hint|important|note|tip|warning)::(?=\s)",
    re.MULTILINE,
)
_STATED = {
    "versionadded": "Added",
    "versionchanged": "Changed",
    "versionremoved": "Removed",
    "deprecated": "Deprecated",
}
_PIPED_ROW = re.compile(r"\s*\|.*\|\s*")
_BLOCK_QUOTE = re.compile(r"^[ \t]*>[ \t]+", re.MULTILINE)
_REMEMBERED = 4096  # Texts: an answer that weighs a whole release reads each of its entries several times.


def plain_words(text: str) -> str:
    """`text` without link targets, addresses, roles, tags, emphasis marks and bullets; names keep their underscores."""
    bare = _restore(*_hold_code(without_invisible(text.replace(_HELD, " "))))
    return _LINE_MARK.sub(" ", _sub(_URL, " ", bare, "://"))


def told_words(text: str, *, is_code: bool = False) -> str:
    """`text` without what it doesn't tell: what is struck out and, in code, what comments say."""
    told = _sub(_STRUCK, " ", text, "~~", "</", "line-through]")
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


@lru_cache(maxsize=_REMEMBERED)
def one_line(text: str) -> str:
    """`text` without markup and addresses, on one line, its white space folded."""
    return " ".join(plain_words(text).split())


def whole_characters(text: str) -> str:
    """`text` with U+FFFD for each half of a surrogate pair: that is no Unicode text, and tokenizers refuse it."""
    return re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", text)


@lru_cache(maxsize=_REMEMBERED)
def readable(text: str, *, keeps_code: bool = False) -> str:
    """`text` on one line as a person would read it out: like `one_line`, but addresses stay and tables become lists.

    Code is bare, or in single backticks where they are kept.
    """
    told = told_words(text)
    # What is struck out wholly is said to be taken back.
    text = (told if any(map(str.isalnum, told)) else text).replace(_HELD, " ").translate(_UNESCAPED)
    if "::" in text or "{" in text:
        text = _DIRECTIVE.sub(_render_directive, text)
        text = _CODE_DIRECTIVE.sub("", _LITERAL_FOLLOWS.sub(":", text))
    text = _sub(LABEL, r"\g<label>: ", text, "<br")
    text = _sub(_FENCE_LANGUAGE, r"\g<fence>", text, "```", "~~~")
    text = _sub(_CODE_OR_MYST_ROLE, lambda found: found.group() if found["fence"] else "", text, "}`")
    text = _sub(_ROLE, _render_role, _sub(SEARCHED_NAME, r"\g<marks>", text, ":`"), ":`")
    text = _sub(_KEPT, _keep, text, "_", "\\")
    text = _sub(_PASSED, r"\g<words>", text, "`+")
    text, codes = _hold_code(_sub(_BLOCK_QUOTE, "", _table_rows(text), ">"))
    text = " ".join(_LINE_MARK.sub(" ", text).split())
    folded = [" ".join(code.split()) for code in codes]
    codes = [as_code(code) if keeps_code and code.strip("`") else code for code in folded]
    return _restore(text, codes).translate(_UNESCAPED)


def as_code(text: str) -> str:
    """`text` as a code span of an answer, without the back quotes that would end it."""
    return f"`{text.replace('`', '')}`"


def _keep(found: re.Match[str]) -> str:
    """As a code span, which nothing is taken out of, or as the sign that was escaped."""
    if found["mark"]:
        return _ESCAPED[found["mark"]]
    return found["sign"] or (f"`{found['name']}`" if found["name"] else found.group())


def _render_directive(found: re.Match[str]) -> str:
    if found["note"]:
        return f" {found['note'].capitalize()}: "
    return f" {_STATED[found['what']]} in {found['version']}."


def _render_role(found: re.Match[str]) -> str:
    """Return what a role says: code, unless it is a number or has the words of a title."""
    words, role = found["words"], found["role"].casefold()
    if words.isdecimal() and role in _TICKET_ROLES:
        return f"#{words}"
    if words[0].isdecimal():
        return f"{role.upper()}{'-' if '-' in words else ' '}{words}" if role in NUMBERED_ROLES else words
    words = words.rpartition(".")[2] if "~" in found["marks"] and not found["target"] else words
    return words if any(map(str.isspace, words)) else f"`{words}`"


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
    filled = (row for row in cells if any(map(str.isalnum, "".join(row))))
    return "; ".join((": " if len(row) == 2 else ", ").join(filter(None, row)) for row in filled)


def _hold_code(text: str) -> tuple[str, list[str]]:
    """`text` without its inline markup, and the code of its spans, each held apart: emphasis may go around one."""
    text = _sub(_CODE_OR_LINK, lambda found: found.group() if found["fence"] else found["words"], text, "](")
    text = _sub(_RST_LINK_OR_CODE, lambda found: found["words"] or found.group(), text, "`_")
    text = _sub(_ROLE, r"\g<words>", text, ":`")
    codes: list[str] = []

    def hold(code: re.Match[str]) -> str:
        codes.append(code[2])
        return f"{_HELD}{len(codes) - 1}{_HELD}"

    # A link's target goes with the code in it; each number still finds its own.
    text = _sub(TAG, " ", _sub(_COMMENT, "", _sub(_CODE, hold, text, "`"), "<!--"), "<")
    text = _sub(_STARRED, r"\2", _sub(_FAR_LINK, r"\1\2", text, "["), "*", "~~")
    text = _sub(_STARRED, r"\2", text, "**")  # Around emphasis within it.
    text = _sub(_UNDERLINED, _unpair, text, "_").replace("`", "")
    return _sub(_ENTITY, lambda found: html.unescape(found[0]), text, "&"), codes


def _sub(pattern: re.Pattern[str], by: str | Callable[[re.Match[str]], str], text: str, *marks: str) -> str:
    """`text` with what the pattern finds replaced; it isn't looked for where none of the marks is, which it needs."""
    return pattern.sub(by, text) if any(map(text.__contains__, marks)) else text


def _restore(text: str, codes: list[str]) -> str:
    return _HELD_CODE.sub(lambda held: codes[int(held[1])], text)


def _unpair(match: re.Match[str]) -> str:
    """Emphasis without its marks; `__init__` is a name, not an emphasis."""
    is_name = match["mark"] == "__" and match["words"].isidentifier()
    return match.group() if is_name else match["words"]
