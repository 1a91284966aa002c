"""Markup inside a block to runs: what is shown, in which style, each with its range; what isn't known stays text."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from corpus.plain_words import TAG, readable
from corpus.source_words import source_words
from retrieval.quoting.links import is_web_page

_MAX_DEPTH = 4
_URL = r"(?<![\w/])(?P<url>https?://[^\s<>\"'`\[\]{}|\\^]{0,1000}[^\s<>\"'`\[\]{}|\\^.,:;!?)*_~])"
_WORDS = r"(?>(?:[^\[\]\\]|\\.|\[[^\[\]]{0,300}\]){1,400})"
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# Of a match its last named group is shown, in the way that its name without a number says; without one nothing is.
# Bounds and atomic groups keep the time linear in what hostile text may hold.
_MARKDOWN = re.compile(
    rf"""\\(?P<char>[!-/:-@\[-`{{-~])
    |<!--(?:(?!-->).){{0,2000}}-->
    |(?P<said>\{{\{{[^{{}}\n]{{1,200}}\}}\}}|\{{%[^{{}}\n]{{1,200}}%\}})
    |\{{[a-z][\w:.+-]*\}}(?=`[^`\n])
    |(?<!`)(?P<ticks>`{{1,20}}+)(?!`)\s?(?P<code>.{{1,1000}}?)\s?(?<!`)(?P=ticks)(?!`)
    |<(?P<tag>code|kbd|samp|tt)>(?P<code2>[^<>]{{1,500}})</(?P=tag)>
    |<(?P<url2>https?://[^\s<>]{{1,1000}})>
    |!?\[(?P<words>{_WORDS})\]\(\s*<?(?P<target>[^()\s<>]{{0,1000}}(?:\([^()\s<>]{{0,200}}\)[^()\s<>]{{0,1000}})?)>?
        (?:\s+(?:"[^"]{{0,300}}"|'[^']{{0,300}}'))?\s*\)
    |!?\[(?P<words2>{_WORDS})\]\[[^\[\]\n]{{0,300}}\]
    |\*\*(?=[^\s*])(?P<strong>.{{1,800}}?)(?<=[^\s])\*\*(?!\*)
    |(?<!\w)__(?!\w{{1,100}}__(?!\w))(?=[^\s_])(?P<strong2>.{{1,800}}?)(?<=\S)__(?!\w)
    |(?<![\w*])\*(?=[^\s*])(?P<em>[^*]{{0,800}}[^\s*])\*(?![\w*])
    |(?<!\w)_(?=[^\s_])(?P<em2>[^_]{{0,800}}[^\s_])_(?!\w)
    |~~(?=\S)(?P<plain>[^~]{{1,500}})~~
    |(?:{TAG.pattern})
    |{_URL}""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_REST = re.compile(
    rf"""``(?P<code>(?>(?:[^`]|`(?!`)){{1,1000}}))``
    |(?<![\w:]):(?:[A-Za-z][\w+.-]{{0,40}}(?::[A-Za-z][\w+.-]{{0,40}}){{0,3}}):`(?P<said>[^`]{{1,500}})`
    |`(?P<words>[^`<]{{1,400}}?)\s*<(?P<target>[^<>`]{{1,1000}})>`_{{1,2}}
    |`(?P<plain>[^`]{{1,400}})`_{{1,2}}(?!\w)
    |`(?P<code2>[^`]{{1,400}})`
    |(?<![\w*])\*\*(?=\S)(?P<strong>[^*]{{1,800}})(?<=\S)\*\*(?![\w*])
    |(?<![\w*])\*(?=\S)(?P<em>[^*]{{1,800}})(?<=\S)\*(?![\w*])
    |(?<![\w|])\|(?P<plain2>[^|\s](?:[^|]{{0,100}}[^|\s])?)\|_{{0,2}}(?![\w|])
    |(?P<plain3>\[[\w\#*-]{{1,40}}\])_(?!\w)
    |(?<![\w`.\\])(?P<plain4>[^\W_](?:\w*[^\W_])?)_{{1,2}}(?!\w)
    |\\(?P<char>\S)|\\\s
    |{_URL}""",
    re.VERBOSE | re.DOTALL,
)
_ASCIIDOC = re.compile(
    rf"""\\(?P<char>[*_`{{<\[\#+])
    |\[\[[^\[\]\n]{{0,200}}\]\]|\[[.\#%][^\[\]\n]{{1,100}}\](?=[\#*_`])|[ ]\+(?=[\r\n])
    |(?:link:)?(?P<target>https?://[^\s\[\]]{{1,1000}})\[(?P<words>[^\[\]^]{{1,400}}?)(?:\^|,\s*\w+=[^\[\]]{{0,200}})?\]
    |(?:link:)?(?P<url2>https?://[^\s\[\]]{{1,1000}})\[\]
    |<<[^<>,\n]{{1,200}},\s*(?P<plain>[^<>]{{1,400}})>>|<<(?P<plain2>[^<>,\n]{{1,200}})>>
    |(?<![\w:])[a-z][a-z-]{{2,20}}:[^\s\[\]]{{0,500}}\[(?P<plain3>[^\[\]^]{{1,400}})\^?\]
    |(?P<said>[a-z][a-z0-9-]{{1,20}}:\w{{1,40}}\[\]|\{{[A-Za-z][\w-]{{1,60}}\}}(?![^\s\[\]{{}}]{{0,100}}\[))
    |\{{[\w-]{{1,40}}\}}[^\s\[\]{{}}]{{0,100}}\[(?P<plain4>[^\[\]^]{{1,400}})\^?\]
    |``(?P<code>[^`]{{1,800}})``|(?<![\w`])`\+?(?P<code2>[^`]{{1,800}}?)\+?`(?!\w)|(?<![\w+])\+(?=\S)(?P<code3>[^+\n]{{1,300}})(?<=\S)\+(?![\w+])
    |\*\*(?=\S)(?P<strong>[^*]{{1,800}})(?<=\S)\*\*|(?<![\w*])\*(?=\S)(?P<strong2>[^*]{{1,800}})(?<=\S)\*(?![\w*])
    |__(?=\S)(?P<em>[^_]{{1,800}})(?<=\S)__|(?<!\w)_(?=[^\s_])(?P<em2>[^_]{{0,800}}[^\s_])_(?!\w)
    |{_URL}""",
    re.VERBOSE | re.DOTALL,
)
_PLAIN = re.compile(rf"(?<![\w`])`(?P<code>[^`\s](?:[^`\n]{{0,200}}[^`\s])?)`(?![\w`])|{_URL}")
_PATTERNS = {"text/markdown": _MARKDOWN, "text/x-rst": _REST, "text/asciidoc": _ASCIIDOC}


class Style(StrEnum):
    PLAIN = "plain"
    CODE = "code"
    STRONG = "strong"
    EMPHASIS = "emphasis"


_STYLES = {"strong": Style.STRONG, "em": Style.EMPHASIS}


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one style: those of the raw text at `[start, end)`, or `is_said`, others in their place."""

    start: int
    end: int
    text: str
    style: Style = Style.PLAIN
    address: str | None = None  # Where it links to: http or https.
    is_replaced: bool = False  # A decoded entity or a label ("New in 3.1"): it can't be cut.
    is_marked: bool = False  # It is of the quote.
    tells: bool = False  # It is of the sentence that tells, of a quote that holds more.

    def within(self, start: int, end: int) -> "Run | None":
        """Return what of it lies in `[start, end)`; all of what can't be cut, None where nothing does."""
        first, last = max(self.start, start), min(self.end, end)
        if first >= last:
            return None
        if self.is_replaced:
            return self
        return replace(self, start=first, end=last, text=self.text[first - self.start : last - self.start])


def read_runs(text: str, start: int, end: int, media_type: str) -> tuple[Run, ...]:
    """Return what is shown of `[start, end)` of a document's text, in order and disjoint."""
    return tuple(_runs(text, Run(start, end, ""), media_type, depth=0))


def _runs(text: str, about: Run, media_type: str, depth: int) -> Iterator[Run]:
    """Yield the runs of `about`'s range in its style, to its address."""
    at = about.start
    pattern = _PATTERNS.get(media_type, _PLAIN)
    for found in pattern.finditer(text, about.start, about.end) if depth < _MAX_DEPTH else ():
        yield from _leaf(text, replace(about, start=at, end=found.start()), media_type)
        at = found.end()
        # An address closes after its words.
        if not (name := "words" if found.lastgroup == "target" else found.lastgroup):
            continue
        inner = replace(about, start=found.start(name), end=found.end(name))
        match kind := name.rstrip("234"):
            case "code":
                # An HTML element's text has entities, a code span's hasn't.
                is_element = found[0].startswith("<")
                yield from _leaf(text, replace(inner, style=Style.CODE), media_type if is_element else "")
            case "said":
                # As answers say a role of Sphinx, an attribute or a shortcode.
                words = readable(source_words(found[0], text, media_type), keeps_code=True)
                style = Style.CODE if words.startswith("`") else about.style
                yield replace(inner, text=words.strip("`"), style=style, is_replaced=True)
            case "char":
                yield from _leaf(text, inner, "")
            case "url":
                yield from _leaf(text, replace(inner, address=about.address or _address(found[name])), "")
            case "words":
                # An image is told by its words alone.
                target = "" if found[0].startswith("!") else found.groupdict().get("target") or ""
                inner = replace(inner, address=about.address or _address(target.replace("\n", "")))
                yield from _runs(text, inner, media_type, depth + 1)
            case _:
                yield from _runs(text, replace(inner, style=_STYLES.get(kind, about.style)), media_type, depth + 1)
    yield from _leaf(text, replace(about, start=at), media_type)


def _leaf(text: str, about: Run, media_type: str) -> Iterator[Run]:
    """`about`'s range as it stands; its entities decoded where the format has them."""
    at = about.start
    if media_type in ("text/markdown", "text/asciidoc"):
        for entity in _ENTITY.finditer(text, about.start, about.end):
            decoded = html.unescape(entity[0])
            if decoded != entity[0]:
                yield from _leaf(text, replace(about, start=at, end=entity.start()), "")
                yield replace(about, start=entity.start(), end=entity.end(), text=decoded, is_replaced=True)
                at = entity.end()
    if at < about.end:
        yield replace(about, start=at, text=text[at : about.end])


def _address(target: str) -> str | None:
    return target if is_web_page(target) else None
