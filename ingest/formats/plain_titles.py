"""Titles as they read: without the inline markup of the format that they are written in.

Titles only: documents keep their markup, for what is quoted is the source itself.
"""

import re

MAX_TITLE_CHARACTERS = 1_000
"""What is longer is no title to either format, and not worth reading for its markup."""

_ASCIIDOC_INLINE = re.compile(r"(?<!\w)(\*\*|__|``|[*_`+])(?=\S)([^*_`+]+)(?<=\S)\1(?!\w)")
_ASCIIDOC_LINK = re.compile(r"(?:link:|https?://)[^\s\[\]]+\[([^\[\]]+)\]|<<[^<>,]+,[ \t]*([^<>]+)>>")
_ASCIIDOC_ANCHOR = re.compile(r"\[\[[^\[\]]*\]\]")
_WITH_TARGET = re.compile(r"\s*<[^<>]*>$")
_RESTRUCTUREDTEXT_INLINE = re.compile(
    r"(?<![\w:]):[A-Za-z][\w+.-]*(?::[A-Za-z][\w+.-]*)*:`(?P<role>[^`]+)`"
    r"|``(?P<literal>[^`]+)``"
    r"|`(?P<quoted>[^`]+)`(?:__?)?"
    r"|(?<![\w*])(?P<stars>\*\*?)(?=\S)(?P<emphasis>[^*]+)(?<=\S)(?P=stars)(?![\w*])"
    r"|\|(?P<substitution>[^|\s](?:[^|]*[^|\s])?)\|(?:__?)?"
    r"|(?P<reference>(?<![\w`])[^\W_](?:\w*[^\W_])?)__?(?!\w)"
    r"|\\(?P<escaped>\S)"
)


def plain_asciidoc_title(markup: str) -> str:
    """A title without emphasis, code marks, link macros and anchors."""
    if len(markup) <= MAX_TITLE_CHARACTERS:
        markup = _ASCIIDOC_INLINE.sub(r"\2", _ASCIIDOC_LINK.sub(lambda match: match[1] or match[2], markup))
        markup = _ASCIIDOC_ANCHOR.sub("", markup).strip() or markup
    return " ".join(markup.split())


def plain_restructuredtext_title(markup: str) -> str:
    """A title without roles, literals, links, emphasis, substitutions and escapes."""
    if len(markup) <= MAX_TITLE_CHARACTERS:
        markup = _RESTRUCTUREDTEXT_INLINE.sub(_shown, markup)
    return " ".join(markup.split())


def _shown(match: re.Match[str]) -> str:
    content = str(match[match.lastgroup or 0])
    if match["quoted"]:
        return _WITH_TARGET.sub("", content) or content
    if not match["role"]:
        return content
    explicit = _WITH_TARGET.sub("", content)
    if explicit and explicit != content:
        return explicit
    name = content.lstrip("!.")
    return name[1:].rsplit(".", 1)[-1] if name.startswith("~") else name
