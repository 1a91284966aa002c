"""A text as it is read by people, place for place."""

import re

_UNREAD = "h[1-6]|summary|pre|script|style"
_BLOCKS = (
    "address|article|aside|blockquote|body|br|center|dd|details|div|dl|dt|fieldset|figure|footer|header|hr|html|li|main"
    "|nav|ol|p|section|table|tbody|td|tfoot|th|thead|tr|ul"
)
_INLINE = "a|abbr|b|big|cite|code|del|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var"
_REFERENCES = r"\((?:\[?[\w./-]{0,80}#\d++\]?(?:\([^()\s]*\))?[,; ]{0,3})+\)"  # "(#1234)": no number of a release.
_LONGEST_UNREAD = 4_000
"""Characters after which the end of a heading is no longer looked for: of many that never end, each would look far."""


def _markup(*more: str) -> re.Pattern[str]:
    kinds = (
        r"^[ \t]*(?P<fence>`{3,}+|~{3,}+)[^\n]*\n(?:.*?^[ \t]*(?P=fence)[^\n]*|.*)|(?P<code>`[^`\n]*`)",
        rf"(?P<inline><!--(?:.*?-->|.*)|!\[[^\]\n]{{0,500}}+\](?:\([^)\n]*\)|\[[^\]\n]*\])|{_REFERENCES}|"
        rf"</?(?:{_INLINE})\b[^<>]*>)",
        rf"<(?P<unread>{_UNREAD})\b[^<>]*>.{{0,{_LONGEST_UNREAD}}}?</(?P=unread)\s*>",
        *more,
        rf"</?(?:{_BLOCKS})\b[^<>]*>",
    )
    return re.compile("|".join(kinds), re.DOTALL | re.MULTILINE)


_MARKUP = _markup()
_MARKUP_AND_QUOTES = _markup(r"<blockquote\b[^<>]*>.*?</blockquote\s*>")
QUOTE_MARKS = re.compile(r"^[ \t]*>(?!=)[> \t]*", re.MULTILINE)


def blank_markup(text: str, *, reads_quotes: bool) -> str:
    """`text` with spaces in place of markup, as long as it; a tag that ends a line of what is shown ends one here.

    Where quotes are read, the marks of quoted lines are blanked out too; where they aren't, what is quoted in HTML is.
    Code stays as it is.
    """
    plain = (_MARKUP if reads_quotes else _MARKUP_AND_QUOTES).sub(_blanked, text)
    return QUOTE_MARKS.sub(lambda marks: " " * len(marks[0]), plain) if reads_quotes else plain


def _blanked(found: re.Match[str]) -> str:
    if found["code"] is not None:
        return found[0]
    empty = re.sub(r"[^\n]", " ", found[0])
    return empty if found["inline"] is not None else empty[:-2] + "\n\n"
