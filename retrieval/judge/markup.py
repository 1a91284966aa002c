"""A text without markup, with all offsets unchanged."""

import re

_UNREAD = "h[1-6]|summary|pre|script|style"
_BLOCKS = (
    "address|article|aside|blockquote|body|br|center|dd|details|div|dl|dt|fieldset|figure|footer|header|hr|html|li|main"
    "|nav|ol|p|section|table|tbody|td|tfoot|th|thead|tr|ul"
)
_INLINE = "a|abbr|b|big|cite|code|del|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var"
_REFERENCES = r"\((?:\[?[\w./-]{0,80}#\d++\]?(?:\([^()\s]*\))?[,; ]{0,3})+\)"  # "(#1234)": no number of a release.
_LONGEST_UNREAD = 4_000
"""Most characters to search for the end of a heading, because many unclosed ones would each search the whole text."""


def _markup_pattern(*more: str) -> re.Pattern[str]:
    kinds = (
        r"^[ \t]*(?P<fence>`{3,}+|~{3,}+)[^\n]*\n(?:.*?^[ \t]*(?P=fence)[^\n]*|.*)|(?P<code>`[^`\n]*`)",
        rf"(?P<inline><!--(?:.*?-->|.*)|!\[[^\]\n]{{0,500}}+\](?:\([^)\n]*\)|\[[^\]\n]*\])|{_REFERENCES}|"
        rf"</?(?:{_INLINE})\b[^<>]*>)",
        rf"<(?P<unread>{_UNREAD})\b[^<>]*>.{{0,{_LONGEST_UNREAD}}}?</(?P=unread)\s*>",
        *more,
        rf"</?(?:{_BLOCKS})\b[^<>]*>",
    )
    return re.compile("|".join(kinds), re.DOTALL | re.MULTILINE)


_MARKUP = _markup_pattern()
_MARKUP_AND_QUOTES = _markup_pattern(r"<blockquote\b[^<>]*>.*?</blockquote\s*>")
QUOTE_MARKS = re.compile(r"^[ \t]*>(?!=)[> \t]*", re.MULTILINE)


def blank_markup(text: str, *, reads_quotes: bool) -> str:
    """Return `text` with markup replaced by as many spaces, and the end of a block tag by two line ends.

    If `reads_quotes`, the marks of quoted lines are blanked too, otherwise whole HTML quotes. Code is kept.
    """
    plain = (_MARKUP if reads_quotes else _MARKUP_AND_QUOTES).sub(_blank, text)
    return QUOTE_MARKS.sub(lambda marks: " " * len(marks[0]), plain) if reads_quotes else plain


def _blank(match: re.Match[str]) -> str:
    if match["code"] is not None:
        return match[0]
    empty = re.sub(r"[^\n]", " ", match[0])
    return empty if match["inline"] is not None else empty[:-2] + "\n\n"
