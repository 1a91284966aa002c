"""HTML of the page, from templates (`ui/web/templates`) in which all that they are given is escaped where it is put,
but for what `escape`, `visible_text` and `render` give; and the addresses of pages."""

import html
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup

from corpus.ages import age_words, day_words
from corpus.model import Span
from retrieval.blocks import Marker, More, as_words
from retrieval.model import Citation
from retrieval.quoting.links import is_web_page
from retrieval.quoting.wording import shorten
from ui.rendering import words
from ui.rendering.review.findings import is_downgrade, notes_of
from ui.rendering.upgrade import CHANGE_WORDS, counted_upgrade, describe_releases, items_of, sections_of

DOCUMENT_PATH = "/documents/{document_id}"
_BARE_NAME = re.compile(r"\S+(?: \([^()]*\))?")
_HEADLINE_CHARACTERS = 60
_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_LINE_END = re.compile("\r\n?")
_HIDDEN = re.compile("([\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])")
_LINE_BREAK = re.compile(r"(?<=[>}])\s*\n\s*|\s*\n\s*(?=[<{])")


def escape(text: str) -> Markup:
    """`text` as HTML text or attribute, without what drives a screen or turns the direction of writing."""
    return Markup(html.escape(words.printable(text), quote=True))


def visible_text(text: str) -> Markup:
    """Text of a document as HTML in which nothing hides: marks that turn its direction, by which it could be read as
    another than the one that is quoted, stay in boxes of their own (`.rn-hidden`); controls are only named. Line ends
    are one."""

    def box(sign: str) -> str:
        kept = sign if ord(sign) > 0xFF else ""
        return f'<span class="rn-hidden" data-code="U+{ord(sign):04X}">{kept}</span>'

    parts = _HIDDEN.split(_LINE_END.sub("\n", text))  # Every other one is a sign that hides.
    return Markup("".join(box(part) if n % 2 else escape(part) for n, part in enumerate(parts)))


def document_address(document_id: int, span: Span | None = None) -> str:
    """Return the address of a document's page; with a range of its text, that range marked and scrolled to."""
    return f"/documents/{document_id}" + (f"?start={span.start}&end={span.end}#quote" if span else "")


def page_address(page: str, **values: str) -> str:
    """Return the address of a page with what it shows: `/upgrade?product=Django`."""
    return f"/{page}?{urlencode(values)}" if values else f"/{page}"


def product_address(product: str, version: str | None = None) -> str:
    """Return the address of a product's page, or of one release's: `/p/django/5.2`, `/p/@scope/name/1.0`."""
    # A browser takes a part of dots for a way up, and an empty one for none.
    safe = "/@" if all(part.strip(".") for part in product.split("/")) else "@"
    return "/".join(("/p", quote(product, safe=safe), *([quote(version, safe="")] if version else [])))


def markdown_address(markdown: str) -> str:
    """An address that holds a text itself, to be downloaded or copied from it."""
    return f"data:text/markdown;charset=utf-8,{quote(markdown, safe='', errors='replace')}"


def entry_words(cited: Citation) -> str:
    """An entry's words; a name alone with what its heading says of it ("Stabilization: unsorted-imports (I001)")."""
    said, heading = words.quote_words(cited.quote), cited.heading[-1] if cited.heading else ""
    is_told = bool(heading) and (cited.version or "") not in heading and _BARE_NAME.fullmatch(said)
    return f"{heading}: {said}" if is_told else said


def headline(cited: Citation) -> str:
    """Return the first words of what tells."""
    return shorten(words.told_words(cited), max_characters=_HEADLINE_CHARACTERS)


def render(template: str, macro: str, **values: object) -> Markup:
    """Return what a macro of a template makes of `values`."""
    return Markup(getattr(_environment().get_template(f"{template}.html").module, macro)(**values))


def render_failure_html(message: str) -> Markup:
    """Return what went wrong, for a person."""
    return render("cards", "failure", message=message)


def read_asset(name: str) -> str:
    """A style, script or piece of HTML of ours, by its path below `ui/web`."""
    return files("ui.web").joinpath(name).read_text(encoding="utf-8")


def by_document(citations: Iterable[Citation]) -> list[list[Citation]]:
    """Return the citations of each document, in order, the document of the first one first."""
    found: dict[int, list[Citation]] = {}
    for citation in citations:
        found.setdefault(citation.document_id, []).append(citation)
    return list(found.values())


class _Joined(Extension):
    """Lines of a template that end or begin with a tag stand together without a space."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002
        return _LINE_BREAK.sub("", source)


@cache
def _environment() -> Environment:
    environment = Environment(
        autoescape=True,
        extensions=[_Joined],
        finalize=lambda value: value if isinstance(value, Markup) else escape("" if value is None else str(value)),
        loader=PackageLoader("ui.web"),
        undefined=StrictUndefined,
    )
    filters = {"visible": visible_text, "number": "{:,}".format, "entry_words": entry_words, "by_document": by_document}
    filters |= {"addresses": re.compile(r"https://[^\s;,]+").findall}
    # No day is broken over two lines.
    filters |= {"days": lambda text: Markup(_DAY.sub(r'<span class="rn-day">\g<0></span>', str(escape(text))))}
    environment.filters |= filters
    environment.tests |= {"Marker": lambda part: isinstance(part, Marker), "More": lambda part: isinstance(part, More)}
    functions = (
        *(age_words, day_words, document_address, is_web_page, page_address, product_address, as_words),
        *(words.caveats, words.counted, words.document_name, words.document_of, words.product_version),
        *(counted_upgrade, headline, is_downgrade, items_of, notes_of, describe_releases, sections_of),
    )
    environment.globals |= {function.__name__: function for function in functions}
    environment.globals |= {name: getattr(words, name) for name in ("AUTHORITY_WORDS", "VERDICT_WORDS")}
    environment.globals["CHANGE_WORDS"] = CHANGE_WORDS
    return environment
