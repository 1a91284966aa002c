"""The words of a document's range with what only its format, or the rest of the document, explains: links and
substitutions that are defined elsewhere, attributes, macros, badges, tags of site generators.

What is left is markup that `corpus.plain_words` takes off. A quote is never made of this.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from corpus.model import Item
from corpus.plain_words import SHORT_CODE, sub

_BADGE = r"(?=[ ]+(?:[^\sa-z.,;:)]|:\w))"
"""What stands before an entry as the tag that other changelogs write in brackets isn't followed by small letters."""
_MARKDOWN = re.compile(
    rf"""\{{bdg[\w-]*\}}`(?P<tag>[^`\n]{{1,60}})`|\{{(?P<role>[a-z][\w:+.-]*)\}}(?=`[^`\n])
    |{SHORT_CODE}
    |\{{\{{[<%].{{0,300}}?[%>]\}}\}}|\{{%.{{0,300}}?%\}}|[ ]?\[\^[^\]\s]{{1,60}}\]:?|\{{:[^{{}}\n]{{0,200}}\}}[ \t]*$
    |(?<=[)\]`])\{{:?[ ]*[.\#][^{{}}\n]{{0,200}}\}}|<[A-Z]\w{{0,40}}[ ][^<>\n]{{0,300}}/>
    |(?P<opens>^[ \t]*(?:[-*+][ ]+)?|(?<=\}}[ ]))?
        \{{\{{-?[ ]*(?P<name>[\w.-]{{1,80}})[^{{}}\n]{{0,80}}\}}\}}(?P<badge>{_BADGE})?
    |\[\]\((?P<page>[^()\s]{{1,300}})\)|<(?P<address>(?P<scheme>[a-z][a-z0-9+.-]{{1,30}}):(?P<path>[^\s<>]{{1,300}}))>
    |!?\[(?P<words>(?>(?:[^\[\]`\\]|`[^`\n]{{1,200}}`|`|\\.|\[[^\[\]\n]{{0,80}}\]){{1,400}}))\]
        (?:\[(?P<label>[^\[\]\n]{{0,100}})\])?(?![\[(])""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_REST = re.compile(
    rf"""(?P<tagged>^[ \t]*(?:[-*+][ ]+)?):(?P<tag>bug|feature|support):`(?P<ticket>-|\d+)[^`\n]{{0,40}}`
    |:bdg[\w-]*:`(?P<badge_words>[^`\n]{{1,60}})`|{SHORT_CODE}
    |[ ]?\[(?:\#[\w.-]{{0,60}}|[\w.-]{{1,60}}|\*)\]_(?!\w)|(?P<between>(?<=`)\\[ ](?=`))|\\(?:[ ]|(?<=[`*]\\)(?=\w))
    |^[ \t]*\|[ ](?=[^|\n]*$)
    |^[ \t]*\.\.[ ](?:\[[^\]\s]{{1,60}}\]|(?:admonition|rubric|topic|centered|details|dropdown|collapse|tab-item)::)[ ]
    |(?P<opens>^[ \t]*(?:[-*+•][ ]+)?|(?<=\|[ ]))?(?<![\w|\\])
        \|(?P<name>[^|\s](?:[^|\n]{{0,60}}[^|\s])?)\|_{{0,2}}(?![\w|])(?P<badge>{_BADGE})?
    |(?<![\w`.:\\])(?P<reference>[A-Za-z](?:[\w-]{{0,80}}[A-Za-z0-9])?)__?(?![\w`(=.-]{{0,80}}\w|[`(=])""",
    re.VERBOSE | re.MULTILINE,
)
_ASCIIDOC = re.compile(
    rf"""(?P<curved>["'])`(?P<quoted>[^`\n]{{1,200}})`(?P=curved)
    |{SHORT_CODE}
    |\[\[[^\[\]\n]{{0,200}}\]\]|\(\(\([^()\n]{{1,200}}\)\)\)|(?<=[*_`.:;!?)])(?P<line_break>[ ]\+(?=[ ]*\r?\n))
    |\(\((?P<term>[^()\n]{{1,200}})\)\)
    |\[[.\w%-]{{1,60}}\](?P<sign>\#{{1,2}})(?P<marked>[^\#\n]{{1,300}})(?P=sign)
    |<<(?P<anchor>[^<>,\n]{{1,200}})(?:,\s*(?P<said>[^<>]{{1,300}}))?>>
    |(?<![\w:{{])(?:link:(?=https?:))?(?P<address>(?P<macro>\{{[\w-]{{1,60}}\}}|(?:https?|ftp)://|[a-z][a-z0-9-]{{1,20}}:(?!:))
        (?P<target>[^\s\[\]]{{0,300}}))\[(?P<words>(?>(?:[^\[\]]|\[[^\[\]]{{0,80}}\]){{0,300}}))\]
    |^[ \t]*\|(?!===)
    |(?P<path>[\w@$/^.-]?)\{{(?P<name>[A-Za-z][\w-]{{1,60}})\}}(?P<goes_on>(?:[/.-](?=\w))?)""",
    re.VERBOSE | re.MULTILINE,
)
_ATTRIBUTE = re.compile(r"\{([A-Za-z][\w-]{1,60})\}")
_TYPESET = re.compile(r"(?:@[a-z]+|\\[A-Za-z]+)\{(?P<words>[^{}\n]{0,300})\}|\\f[BIRP]")
_TYPESETTING = re.compile(r"(?m)^(?:@(?:node|item|section)\b|\\(?:section|begin|item)\b|\.(?:TH|SH|TP|PP|IP)\b)")
"""Of Texinfo, LaTeX and manual pages: what they mark, and by which lines they are known."""
_DEFINED = {
    "text/markdown": re.compile(r"(?m)^[ \t>]*\[([^\[\]\n]{1,200})\]:[ \t]*<?([^\s>]+)"),
    "text/x-rst": re.compile(r"(?m)^[ \t]*\.\. \|([^|\n]{1,60})\|[ \t]+replace::[ \t]*(.*(?:\n[ \t]+\S.*){0,9})"),
    "text/asciidoc": re.compile(
        r"(?m)^:(\w[\w-]*):[ \t]+(\S.*)|^\[([\[#][\w.-]+)[^\]\n]*\]+\r?\n(?:\[.*\]\r?\n){0,3}(?:={1,6} |\.(?=\S))(.+)"
    ),
}
_CHARACTERS = {
    "nbsp": " ", "sp": " ", "empty": "", "blank": "", "zwsp": "", "wj": "", "cpp": "C++", "pp": "++", "plus": "+",
    "amp": "&", "lt": "<", "gt": ">", "startsb": "[", "endsb": "]", "vbar": "|", "caret": "^", "tilde": "~",
    "asterisk": "*", "backslash": "\\", "apos": "'", "quot": '"', "deg": "°", "two-colons": "::",
    "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
}  # fmt: skip
"""What AsciiDoc names. Source: docs.asciidoctor.org, Character Replacement Attributes."""
_LEFT_OUT_MACROS = frozenset({"footnote:", "footnoteref:", "indexterm:", "anchor:", "icon:"})
_TARGET = re.compile(r"[^()\s]+")
_LINK_OPTIONS = re.compile(r"\^?(?:,\s*\w+=.*)?$", re.DOTALL)
_SHORTENED = re.compile(r"`(?:[~!]+\.?|\.(?=[\w.]*[A-Z_]))(?=[A-Za-z_])")
"""What a name without a role asks for as one with a role does: `~a.b.Hub`."""
_TICKET = re.compile(r"#\d{1,7}")
_ENDS = (".", "!", "?", "`", ")")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ROLE = re.compile(r":[\w-]+:`")
_REMEMBERED_DOCUMENTS, _MOST_CHARACTERS = 8, 300
_Defined = Callable[[str], str | None]


def item_words(item: Item, text: str, media_type: str) -> str:
    """Return the words of an item of the document `text` as `source_words` has them; code as it stands."""
    words = item.span.slice(text)
    return words if item.is_code else source_words(words, text, media_type)


@lru_cache(maxsize=4096)  # Of one document: ingest reads an item's words and its entry's.
def source_words(words: str, text: str, media_type: str) -> str:
    """`words`, written in the document `text`, with what they refer to in its place: a link by reference with its
    address, an attribute with its value. What nothing defines stays by its name, or as it is."""

    def defined(name: str) -> str | None:
        return _definitions(text, media_type).get(_folded(name))

    match media_type:
        case "text/markdown":
            return sub(_MARKDOWN, lambda found: _resolve_markdown(found, defined), words)
        case "text/x-rst":
            return sub(_REST, lambda found: _resolve_rest(found, defined), words)
        case "text/asciidoc":
            return sub(_ASCIIDOC, lambda found: _resolve_asciidoc(found, defined), words)
        case "text/plain" if _is_typeset(text):
            # What is marked within a mark comes first.
            return sub(_TYPESET, r"\g<words>", sub(_TYPESET, r"\g<words>", words))
    return words


def _resolve_markdown(found: re.Match[str], defined: _Defined) -> str:
    if found["fence"]:
        return found[0]
    if found["tag"]:
        return f"[{found['tag']}]"
    if found["role"]:
        return f":{found['role']}:"
    if found["name"]:
        return _resolve_name(found, found["name"])
    if scheme := found["scheme"]:
        return f"#{found['path']}" if found["path"].isdigit() else f"{scheme}:{found['path']}"
    if found["words"] is None:
        return found["page"] or ""
    words = found["words"]
    target = defined(found["label"] or words)
    if target is None or not _TARGET.fullmatch(target):
        return found[0] if target is None else words
    return f"[{words}]({target})"


def _resolve_rest(found: re.Match[str], defined: _Defined) -> str:
    if found["tag"]:
        # The roles of Sphinx's `releases`: kind, ticket and how grave.
        ticket = f":{found['tag']}:`{found['ticket']}` " * found["ticket"].isdecimal()
        return f"{found['tagged']}{ticket}" + f"[{found['tag']}]" * (found["tag"] != "support")
    if found["badge_words"]:
        return f"[{found['badge_words']}]"
    if found["fence"]:
        has_role = found.string[: found.start()].endswith(":")
        return ":obj:" * bool(not has_role and _SHORTENED.match(found[0])) + found[0]
    if found["name"] is None:
        # Two spans of code aren't one.
        return found["reference"] or " " * bool(found["between"])
    value = defined(found["name"])
    if value is not None and not _ROLE.search(value):
        return (found["opens"] or "") + value
    return _resolve_name(found, found["name"])


def _resolve_name(found: re.Match[str], name: str) -> str:
    """Return the name of what nothing in the document defines; in brackets where it is a badge before an entry."""
    is_badge = found["opens"] is not None and found["badge"] is not None
    return (found["opens"] or "") + (f"[{_CAMEL.sub(' ', name)}]" if is_badge else name)


def _resolve_asciidoc(found: re.Match[str], defined: _Defined) -> str:
    if found["fence"]:
        # Single backquotes keep what attributes stand for, `+…+` in them doesn't.
        return found[0] if "`+" in found[0] else _ATTRIBUTE.sub(lambda one: defined(one[1]) or one[0], found[0])
    if plain := found["quoted"] or found["term"] or found["marked"] or found["said"]:
        return plain
    if anchor := (found["anchor"] or "").lstrip("#"):
        return defined(f"[{anchor}") or defined(f"#{anchor}") or anchor
    if name := found["name"]:
        value = defined(name)
        value = _CHARACTERS.get(name) if value is None else value
        around = found["path"], found["goes_on"]
        # Where nothing defines it, a part of a path or of `HEAD@{upstream}` is none.
        return found[0] if value is None and any(around) else (name if value is None else value).join(around)
    if found["line_break"]:
        return "<br>"
    macro, target = found["macro"] or "", found["target"] or ""
    if not macro or macro in _LEFT_OUT_MACROS:
        return ""
    words = _LINK_OPTIONS.sub("", found["words"])
    if "://" in macro:
        return words or macro + target
    if words.isdigit() and target:
        return f"{target}({words})"  # a page of the manual
    label = words or (f"#{target}" if target.isdigit() else target)
    # A ticket behind a sentence goes in parentheses, as it does elsewhere.
    before = found.string[max(found.start() - 2, 0) : found.start()].rstrip()
    return f"({label})" if _TICKET.fullmatch(label) and (before[-1:].isalnum() or before.endswith(_ENDS)) else label


@lru_cache(maxsize=_REMEMBERED_DOCUMENTS)
def _definitions(text: str, media_type: str) -> Mapping[str, str]:
    """Return what a document defines, by its name in small letters; of several the first counts."""
    found: dict[str, str] = {}
    for one in _DEFINED[media_type].finditer(text):
        name, value = filter(None, one.groups())
        written = value.strip()
        if media_type == "text/asciidoc":
            # With the values of those before it, unless it would grow without end by them.
            filled = _ASCIIDOC.sub(lambda inner: _resolve_asciidoc(inner, found.get), written)
            written = filled if len(filled) <= max(len(written), _MOST_CHARACTERS) else written
        found.setdefault(_folded(name), written)
    return found


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


@lru_cache(maxsize=_REMEMBERED_DOCUMENTS)
def _is_typeset(text: str) -> bool:
    return bool(_TYPESETTING.search(text))
