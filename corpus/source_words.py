"""The words of a document's range with references resolved that its format or the rest of the document defines: links,
substitutions, attributes, macros, badges, tags of site generators.

`corpus.plain_words` removes the remaining markup. Quotes are never made of these words.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from corpus.model import Item
from corpus.plain_words import SHORT_CODE, sub

_BADGE = r"(?=[ ]+(?:[^\sa-z.,;:)]|:\w))"
"""Text after a badge before an entry (other changelogs write such tags in brackets): no lower-case word."""
_MARKDOWN = re.compile(
    rf"""\{{bdg[\w-]*\}}`(?P<tag>[^`\n]{{1,60}})`|\{{(?P<role>[a-z][\w:+.-]*)\}}(?=`[^`\n])
    |{SHORT_CODE}
    |\{{\{{[<%].{{0,300}}?[%>]\}}\}}|\{{%.{{0,300}}?%\}}|[ ]?\[\^[^\]\s]{{1,60}}\]:?|\{{:[^{{}}\n]{{0,200}}\}}[ \t]*$
    |(?<=[)\]`])\{{:?[ ]*[.\#][^{{}}\n]{{0,200}}\}}|<[A-Z]\w{{0,40}}[ ][^<>\n]{{0,300}}/>
    |(?P<opens>^[ \t]*(?:[-*+][ ]+)?|(?<=\}}[ ]))?
        \{{\{{-?[ ]*(?P<name>[\w.-]{{1,80}})[^{{}}\n]{{0,80}}\}}\}}(?P<badge>{_BADGE})?
    |\[\]\((?P<page>[^()\s]{{1,300}})\)|<(?P<address>[a-z][a-z0-9+.-]{{1,30}}:(?P<path>[^\s<>]{{1,300}}))>
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
_TYPESET = re.compile(
    r"(?:@[a-z]+|\\[A-Za-z]+)\{(?P<words>[^{}\n]{0,300})\}|\\f[BIRP]|(?<=\])(?:\t+|  +)[a-z]\w+(?:, \w+)*(?=\s*\n\s)"
)
_TYPESETTING = re.compile(
    r"(?m)^(?:@(?:node|item|section)\b|\\(?:section|begin|item)\b|\.(?:TH|SH|TP|PP|IP)\b|\d+\W+[a-z]+\]\s+[a-z]+\n)"
)
"""Commands of Texinfo, LaTeX and manual pages; `_TYPESET` holds authors in a column of their own, too."""
_DEFINED = {
    "text/markdown": re.compile(r"(?m)^[ \t>]*\[([^\[\]\n]{1,200})\]:[ \t]*<?([^\s>]+)"),
    "text/x-rst": re.compile(r"(?m)^[ \t]*\.\. \|([^|\n]{1,60})\|[ \t]+replace::[ \t]*(.*(?:\n[ \t]+\S.*){0,9})"),
    "text/asciidoc": re.compile(
        r"(?m)^:(\w[\w-]*):[ \t]+(\S.*)|^\[([\[#][\w.-]++)[^\]\n]*+\]+\r?\n(?:\[.*\]\r?\n){0,3}(?:={1,6} |\.(?=\S))(.+)"
    ),
}
_CHARACTERS = {
    "nbsp": " ", "sp": " ", "empty": "", "blank": "", "zwsp": "", "wj": "", "cpp": "C++", "pp": "++", "plus": "+",
    "amp": "&", "lt": "<", "gt": ">", "startsb": "[", "endsb": "]", "vbar": "|", "caret": "^", "tilde": "~",
    "asterisk": "*", "backslash": "\\", "apos": "'", "quot": '"', "deg": "°", "two-colons": "::",
    "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
}  # fmt: skip
"""AsciiDoc's names of characters. Source: docs.asciidoctor.org, Character Replacement Attributes."""
_LEFT_OUT_MACROS = frozenset({"footnote:", "footnoteref:", "indexterm:", "anchor:", "icon:"})
_TARGET = re.compile(r"[^()\s]+")
_LINK_OPTIONS = re.compile(r"\^?(?:,\s*\w+=.*)?$", re.DOTALL)
_SHORTENED = re.compile(r"`(?:[~!]+\.?|\.(?=[\w.]*[A-Z_]))(?=[A-Za-z_])")
"""Marks by which code without a role asks for the treatment of a role's: `~a.b.Hub`."""
_TICKET = re.compile(r"#\d{1,7}")
_ENDS = (".", "!", "?", "`", ")")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ROLE = re.compile(r":[\w-]+:`")
_REMEMBERED_DOCUMENTS, _MOST_CHARACTERS = 8, 300
_Defined = Callable[[str], str | None]


def item_words(item: Item, text: str, media_type: str) -> str:
    """Return the words of an item of the document `text`, resolved by `source_words`; code unchanged."""
    words = item.span.slice(text)
    return words if item.is_code else source_words(words, text, media_type)


@lru_cache(maxsize=4096)  # For one document: ingest reads an item's words and its entry's.
def source_words(words: str, text: str, media_type: str) -> str:
    """Return `words` from the document `text` with references replaced by their definitions: a link by reference gets
    its address, an attribute its value. An undefined reference becomes its name, or stays as it is."""

    if media_type == "text/plain" and _is_typeset(text):
        # Twice, because marks may be nested.
        return sub(_TYPESET, r"\g<words>", sub(_TYPESET, r"\g<words>", words))
    pattern, resolve = _FORMATS.get(media_type, (None, None))

    def defined(name: str) -> str | None:
        return _definitions(text, media_type).get(_folded(name))

    return sub(pattern, lambda match: resolve(match, defined), words) if pattern and resolve else words


def _resolve_markdown(match: re.Match[str], defined: _Defined) -> str:
    """Return a reference in Markdown with its address, or unchanged if undefined; a role as `:role:`; a badge's tag."""
    if words := match["words"]:
        target = defined(match["label"] or words)
        return match[0] if target is None else f"[{words}]({target})" if _TARGET.fullmatch(target) else words
    if path := match["path"]:
        return f"#{path}" if path.isdigit() else match["address"]
    if match["name"]:
        return _resolve_name(match)
    replaced = match["page"] or (match["tag"] and f"[{match['tag']}]") or (match["role"] and f":{match['role']}:")
    return match[0] if match["fence"] else replaced or ""


def _resolve_rest(match: re.Match[str], defined: _Defined) -> str:
    """Return the replacement for a reference, role or substitution in reStructuredText."""
    if match["tag"]:
        # The roles of Sphinx's `releases` extension: kind, ticket and gravity.
        ticket = f"#{match['ticket']} " * match["ticket"].isdecimal()
        return f"{match['tagged']}{ticket}{'' if match['tag'] == 'support' else '[' + match['tag'] + ']'}"
    if match["fence"]:
        has_role = match.string[: match.start()].endswith(":")
        return match[0] if has_role or not _SHORTENED.match(match[0]) else f":obj:{match[0]}"
    if match["name"]:
        value = defined(match["name"])
        return _resolve_name(match) if value is None or _ROLE.search(value) else (match["opens"] or "") + value
    # Keep two adjacent spans of code apart.
    badge = match["badge_words"] and f"[{match['badge_words']}]"
    return badge or match["reference"] or (" " if match["between"] else "")


def _resolve_name(match: re.Match[str]) -> str:
    """Return the name of an undefined reference, in brackets if it is a badge before an entry."""
    opens, name, badge = match.group("opens", "name", "badge")
    return (opens or "") + (name if opens is None or badge is None else f"[{_CAMEL.sub(' ', name)}]")


def _resolve_asciidoc(match: re.Match[str], defined: _Defined) -> str:
    """Return the replacement for an attribute, macro, link or formatted word in AsciiDoc."""
    if match["fence"]:
        # Attributes are replaced in single backquotes, but not in `+…+` within them.
        return match[0] if "`+" in match[0] else _ATTRIBUTE.sub(lambda name: defined(name[1]) or name[0], match[0])
    if plain := match["quoted"] or match["term"] or match["marked"] or match["said"]:
        return plain
    if anchor := (match["anchor"] or "").lstrip("#"):
        return defined(f"[{anchor}") or defined(f"#{anchor}") or anchor
    if name := match["name"]:
        value = defined(name)
        value = _CHARACTERS.get(name) if value is None else value
        around = match["path"], match["goes_on"]
        # An undefined name in a path or in `HEAD@{upstream}` is no attribute.
        return match[0] if value is None and any(around) else (name if value is None else value).join(around)
    macro, target = match["macro"] or "", match["target"] or ""
    if not macro or macro in _LEFT_OUT_MACROS:
        return "<br>" if match["line_break"] else ""
    words = _LINK_OPTIONS.sub("", match["words"])
    if "://" in macro:
        return words or macro + target
    if words.isdigit() and target:
        return f"{target}({words})"  # a page of the manual
    label = words or (f"#{target}" if target.isdigit() else target)
    # A ticket after a sentence gets parentheses, as in other formats.
    before = match.string[max(match.start() - 2, 0) : match.start()].rstrip()
    return f"({label})" if _TICKET.fullmatch(label) and (before[-1:].isalnum() or before.endswith(_ENDS)) else label


_FORMATS = {
    "text/markdown": (_MARKDOWN, _resolve_markdown),
    "text/x-rst": (_REST, _resolve_rest),
    "text/asciidoc": (_ASCIIDOC, _resolve_asciidoc),
}


@lru_cache(maxsize=_REMEMBERED_DOCUMENTS)
def _definitions(text: str, media_type: str) -> Mapping[str, str]:
    """Return a document's definitions by their case-folded names; the first one of a name counts."""
    definitions: dict[str, str] = {}
    for match in _DEFINED[media_type].finditer(text):
        name, value = filter(None, match.groups())
        written = value.strip()
        if media_type == "text/asciidoc":
            # Fill in earlier definitions, unless the value would grow too long.
            filled = _ASCIIDOC.sub(lambda inner: _resolve_asciidoc(inner, definitions.get), written)
            written = filled if len(filled) <= max(len(written), _MOST_CHARACTERS) else written
        definitions.setdefault(_folded(name), written)
    return definitions


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


@lru_cache(maxsize=_REMEMBERED_DOCUMENTS)
def _is_typeset(text: str) -> bool:
    return bool(_TYPESETTING.search(text))
