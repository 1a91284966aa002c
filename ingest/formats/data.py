"""Refuses data and code about releases, because read as prose they would state what nobody wrote."""

import re
from functools import cache

from pygments.lexers import get_all_lexers  # type: ignore[import-untyped]  # pygments has no type hints

from corpus.errors import SourceError
from corpus.formats import FORMATS, OTHER_TEXT, format_of_name, suffix_of_name

_STARTS = (
    ("a feed", re.compile(r"(?:<\?xml[^>]{0,200}>\s*)?<(?:rss|feed|rdf:RDF)\b")),
    ("JSON", re.compile(r'[\[\s]*\{\s*["}]')),
    (
        "XML",
        re.compile(r"<\?xml\b|<!DOCTYPE\b|<[\w:]{1,50}\s[^<>]{0,500}\bxmlns(?::\w+)?=(?!.{0,20}w3\.org/1999/xhtml)"),
    ),
    ("R documentation", re.compile(r"\A(?:(?:(?:%|\\newcommand\b).*)?\n)*\\(?:name|title|section|encoding)\{")),
    ("a script", re.compile(r"#!|<\?php\b")),
)
_UNLISTED = frozenset(".csv .tsv .mts .cts .svelte .astro .dsc".split())
# In an address they name the program that wrote the page, not its format.
_SERVED = frozenset(".php .asp .aspx .jsp .cgi".split())


def refuse_data(name: str, text: str) -> None:
    """Raise if a text, which doesn't begin like a page of HTML, is data or a program.

    Raises:
        SourceError: it begins like data or a program, or `name` has the suffix of a language for these.
    """
    known, suffix = format_of_name(name), suffix_of_name(name)
    if known and known.has_markup:
        return
    start = text.lstrip("\ufeff \t\r\n")
    kind = next((kind for kind, pattern in _STARTS if pattern.match(start)), "")
    if kind or suffix in _suffixes():
        raise SourceError(
            f"is {kind or f'data or code ({suffix})'}, which isn't read as notes; give the changelog or the page that "
            "is made from it, as Markdown, HTML or text"
        )


@cache
def _suffixes() -> frozenset[str]:
    """Return the suffixes of data and programs, in lower case."""
    globs = (glob for _, _, patterns, _ in get_all_lexers(plugins=False) for glob in patterns)
    listed = (glob[1:].casefold() for glob in globs if glob.startswith("*."))
    unmarked = (known.suffixes for known in FORMATS.values() if not known.has_markup)
    return _UNLISTED.union(listed).difference(_SERVED, OTHER_TEXT, *unmarked)
