"""Prose without its markup, whatever the format: for vectors, tokens and the wording of answers, never for quotes."""

import re

_LINK = re.compile(r"!?\[(?P<words>[^\]\n]{1,300})\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)")
_SHORT_CODE = r"(?P<fence>`{1,2})(?!`)[^`\n]{1,200}(?P=fence)(?!`)"
_CODE_OR_LINK = re.compile(rf"{_SHORT_CODE}|{_LINK.pattern}")
"""`np.cast[dtype](arg)` in code looks like a link, and isn't one."""
_RST_LINK = re.compile(r"`([^`<\n]{1,300}?)\s*<[^>\n]{1,500}>`_{1,2}")
_ROLE = re.compile(r"(?<![\w:+.-]):[\w:+.-]+:`~?!?([^`<\n]{1,200}?)(?:\s*<[^>\n]*>)?`")
_URL = re.compile(r"(?:https?|ftp)://[^\s<>\"')\]]+")
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|br|center|code|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p"
    r"|picture|pre|s|samp|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|th|thead|tr|tt|u|ul|video|wbr)"
    r"(?:\s[^<>\n]{0,500})?/?>",
    re.IGNORECASE,
)
"""The tags that Markdown pages use for looks; `Vec<String>` and `--foo=<path>` are words."""
_ANY_TAG = re.compile(r"</?[A-Za-z!][^<>\n]{0,500}>")
_CODE = re.compile(r"(`{1,3})(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_PAIRED = re.compile(r"(?<![\w*`])(?P<mark>\*{1,2}|_{1,2}|~~)(?P<words>[^\s*_](?:[^*_\n]*[^\s*_])?)(?P=mark)(?![\w*`])")
_CODE_MARK = re.compile(r"`+")
_LINE_MARK = re.compile(r"^\s*(?:[-*+•o]|\d+[.)])\s+|^\s*#{1,6}\s+|[=~^#-]{3,}", re.MULTILINE)
_CODE_OR_MYST_ROLE = re.compile(rf"{_SHORT_CODE}|\{{[a-z][\w:+.-]*\}}(?=`[^`\n])")
"""The braces of `assert {type}` are code."""
_CODE_DIRECTIVE = re.compile(
    r"^[ \t]*\.\. (?:code-block|sourcecode|code|parsed-literal|highlight)::[^\n]*(?:\n[ \t]+:[\w-]+:[^\n]*)*",
    re.MULTILINE,
)
_LITERAL_FOLLOWS = re.compile(r"(?<=[\w`)])::(?=[ \t]*(?:\n|\Z))")
_FENCE_LANGUAGE = re.compile(r"^(?P<fence>[ \t]*(?:`{3,}|~{3,}))[ \t]*[\w+#.-]+[ \t]*$", re.MULTILINE)
_SEARCHED_NAME = re.compile(r"(?<=:`)(?P<marks>[~!]*)\.(?=[A-Za-z_])")
"""The dot by which a reference leaves the module open: ``:meth:`.Wheel.turn` ``."""
_KEPT = re.compile(
    rf"{_SHORT_CODE}|(?P<name>(?<![\w.])_\w+(?:\.\w+)+_(?!\w))|\\(?P<mark>[*_])|\\(?P<sign>[\[\](){{}}<>#!|~])"
)
"""What looks like markup and is none: code, `_sql.or_`, escaped signs."""
_VERSION_DIRECTIVE = re.compile(
    r"^[ \t]*\.\. (?P<what>versionadded|versionchanged|versionremoved|deprecated)::[ \t]*(?P<version>\d[\w.]*)",
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


def plain_words(text: str) -> str:
    """`text` without link targets, addresses, roles, tags, emphasis marks and bullets; names keep their underscores."""
    return _LINE_MARK.sub(" ", _URL.sub(" ", _without_inline_markup(text)))


def one_line(text: str) -> str:
    """`text` without markup and addresses, on one line, its white space folded."""
    return " ".join(plain_words(text).split())


def readable(text: str) -> str:
    """`text` on one line as a person would read it out: like `one_line`, but addresses stay and tables become lists."""
    text = _VERSION_DIRECTIVE.sub(lambda found: f" {_STATED[found['what']]} in {found['version']}.", text)
    text = _LITERAL_FOLLOWS.sub(":", text)
    text = _FENCE_LANGUAGE.sub(r"\g<fence>", _CODE_DIRECTIVE.sub("", text))
    text = _CODE_OR_MYST_ROLE.sub(lambda found: found.group() if found["fence"] else "", text)
    text = _KEPT.sub(_keep, _ROLE.sub(r"`\1`", _SEARCHED_NAME.sub(r"\g<marks>", text)))
    text = _without_inline_markup(_BLOCK_QUOTE.sub("", _table_rows(text)))
    return " ".join(_LINE_MARK.sub(" ", text).split())


def has_links_or_tags(text: str) -> bool:
    """Whether `text` has links or tags of any kind, beside those in code."""
    text = _CODE.sub("", text)
    return any(pattern.search(text) for pattern in (_LINK, _ANY_TAG, _URL))


def _keep(found: re.Match[str]) -> str:
    """As a code span, which nothing is taken out of, or as the sign that was escaped."""
    if found["fence"] or found["sign"]:
        return found["sign"] or found.group()
    return f"`{found['name'] or found['mark']}`"


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
    said = ((": " if len(row) == 2 else ", ").join(filter(None, row)) for row in cells if any(map(_says, row)))
    return "; ".join(said)


def _says(cell: str) -> bool:
    return any(c.isalnum() for c in cell)


def _without_inline_markup(text: str) -> str:
    text = _CODE_OR_LINK.sub(lambda found: found.group() if found["fence"] else found["words"], text)
    for pattern in (_RST_LINK, _ROLE):
        text = pattern.sub(r"\1", text)
    pieces: list[str] = []
    end = 0
    for code in _CODE.finditer(text):
        pieces += (_without_looks(text[end : code.start()]), code.group(2))
        end = code.end()
    return _CODE_MARK.sub("", "".join((*pieces, _without_looks(text[end:]))))


def _without_looks(text: str) -> str:
    return _PAIRED.sub(_unpair, _TAG.sub(" ", text))


def _unpair(match: re.Match[str]) -> str:
    """Emphasis without its marks; `__init__` is a name, not an emphasis."""
    is_name = match["mark"] == "__" and match["words"].isidentifier()
    return match.group() if is_name else match["words"]
