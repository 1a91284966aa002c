"""HTML of the page, from templates (`ui/web/templates`) in which all that they are given is escaped where it is put.

Only what `escape`, `visible_text` and `render` give is taken as it is.
"""

import html
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup

from corpus.ages import age_words, day_words
from corpus.plain_words import readable
from retrieval.model import Citation
from retrieval.quoting.links import is_web_page
from ui.rendering.answer_text import Code, CodeBlock, ListEntry, Marker, Name, split_answer, split_inlines
from ui.rendering.upgrade import CHANGE_WORDS
from ui.rendering.words import (
    AUTHORITY_WORDS,
    VERDICT_WORDS,
    caveats,
    counted,
    document_told,
    printable,
    product_version,
    status_words,
    upgrade_told,
)
from ui.web.addresses import document_address, page_address, product_address

_LINE_END = re.compile("\r\n?")
_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_LINE_BREAK = re.compile(r"(?<=[>}])\s*\n\s*|\s*\n\s*(?=[<{])")


def escape(text: str) -> Markup:
    """`text` as HTML text or attribute, without what drives a screen or turns the direction of writing."""
    return Markup(html.escape(printable(text), quote=True))


def visible_text(text: str) -> Markup:
    """Text of a document as HTML in which nothing hides: marks that turn its direction are shown and do nothing.

    What they turn could be read as another text than the one that is quoted. The characters stay where they are, each
    in a box of its own that its turning can't leave (`.rn-hidden`); control characters, which HTML can't hold, are only
    named. Line ends of every kind are one.
    """
    text = _LINE_END.sub("\n", text)
    parts: list[str] = []
    at = 0
    for found in _HIDDEN.finditer(text):
        kept = found[0] if ord(found[0]) > 0xFF else ""
        box = f'<span class="rn-hidden" data-code="U+{ord(found[0]):04X}">{kept}</span>'
        parts += [escape(text[at : found.start()]), box]
        at = found.end()
    return Markup("".join([*parts, escape(text[at:])]))


def quote_words(quote: str) -> str:
    """A quote on one line for outside its card: without its markup, what is code between back quotes."""
    return readable(quote, keeps_code=True).rstrip(" |") or " ".join(quote.split())


def render(template: str, macro: str, **values: object) -> Markup:
    """What a macro of a template makes of `values`."""
    return Markup(getattr(_environment().get_template(f"{template}.html").module, macro)(**values))


def render_failure_html(message: str) -> Markup:
    """What went wrong, for a person."""
    return render("cards", "failure", message=message)


def read_asset(name: str) -> str:
    """A style, script or piece of HTML of ours, by its path below `ui/web`."""
    return files("ui.web").joinpath(name).read_text(encoding="utf-8")


def by_document(citations: Iterable[Citation]) -> list[list[Citation]]:
    """The citations of each document, in order, the document of the first one first."""
    found: dict[int, list[Citation]] = {}
    for citation in citations:
        found.setdefault(citation.document_id, []).append(citation)
    return list(found.values())


@cache
def _environment() -> Environment:
    environment = Environment(
        autoescape=True,
        extensions=[_Joined],
        finalize=_escaped,
        loader=PackageLoader("ui.web"),
        undefined=StrictUndefined,
    )
    environment.filters |= {
        "visible": visible_text,
        "number": "{:,}".format,
        "quote_words": quote_words,
        "by_document": by_document,
    }
    environment.tests |= {kind.__name__: _test_of(kind) for kind in (Code, CodeBlock, ListEntry, Marker, Name)}
    environment.globals |= {
        "AUTHORITY_WORDS": AUTHORITY_WORDS,
        "CHANGE_WORDS": CHANGE_WORDS,
        "VERDICT_WORDS": VERDICT_WORDS,
        "age_words": age_words,
        "caveats": caveats,
        "counted": counted,
        "day_words": day_words,
        "document_address": document_address,
        "document_told": document_told,
        "is_web_page": is_web_page,
        "page_address": page_address,
        "product_address": product_address,
        "product_version": product_version,
        "status_words": status_words,
        "split_answer": split_answer,
        "split_inlines": split_inlines,
        "upgrade_told": upgrade_told,
    }
    return environment


class _Joined(Extension):
    """Lines of a template that end or begin with a tag stand together without a space."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002
        return _LINE_BREAK.sub("", source)


def _escaped(value: object) -> Markup:
    return value if isinstance(value, Markup) else escape("" if value is None else str(value))


def _test_of(kind: type) -> Any:
    return lambda value: isinstance(value, kind)
