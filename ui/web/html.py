"""The pages' addresses, and their HTML from templates, which escape all but what `escape` and the like return."""

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

_BARE_NAME = re.compile(r"\S+(?: \([^()]*\))?")
_HEADLINE_CHARACTERS = 60
_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_LINE_END = re.compile("\r\n?")
_HIDDEN = re.compile("([\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])")
_LINE_BREAK = re.compile(r"(?<=[>}])[^\S\n]*+\n\s*|(?<!\s)[^\S\n]*+\n\s*+(?=[<{])")


def escape(text: str) -> Markup:
    """Escape `text` as HTML text or attribute, its control and writing direction characters replaced."""
    return Markup(html.escape(words.printable(text)))


def visible_text(text: str) -> Markup:
    """Render a document's text as HTML with its hidden characters visible: writing direction marks, which could make
    it read as another text, are kept in boxes (`.rn-hidden`), control characters only named. Line ends become `\\n`."""

    def box(character: str) -> str:
        kept = character if ord(character) > 0xFF else ""
        return f'<span class="rn-hidden" data-code="U+{ord(character):04X}">{kept}</span>'

    parts = _HIDDEN.split(_LINE_END.sub("\n", text))  # Every second part is a hidden character.
    return Markup("".join(box(part) if n % 2 else escape(part) for n, part in enumerate(parts)))


def document_address(document_id: int, span: Span | None = None) -> str:
    """Return the address of a document's page; with `span`, the page marks that range of the text and scrolls to it."""
    return f"/documents/{document_id}" + (f"?start={span.start}&end={span.end}#quote" if span else "")


def page_address(page: str, **values: str) -> str:
    """Return the address of a page with `values` as its query: `/upgrade?product=Django`."""
    return f"/{page}?{urlencode(values)}"


def product_address(product: str, version: str | None = None) -> str:
    """Return the address of a product's page, or of one release's: `/p/django/5.2`, `/p/@scope/name/1.0`."""
    # Browsers resolve a path segment of dots as a parent folder and drop an empty one, so such slashes are escaped.
    safe = "/@" if all(part.strip(".") for part in product.split("/")) else "@"
    return "/".join(("/p", quote(product, safe=safe), *([quote(version, safe="")] if version else [])))


def markdown_address(markdown: str) -> str:
    """Return a `data:` address that contains the text, for a download or a copy button."""
    return f"data:text/markdown;charset=utf-8,{quote(markdown, safe='', errors='replace')}"


def entry_words(cited: Citation) -> str:
    """Return an entry's words; a bare name after its heading ("Stabilization: unsorted-imports (I001)")."""
    entry, heading = words.quote_words(cited.quote), cited.heading[-1] if cited.heading else ""
    needs_heading = bool(heading) and (cited.version or "") not in heading and _BARE_NAME.fullmatch(entry)
    return f"{heading}: {entry}" if needs_heading else entry


def headline(cited: Citation) -> str:
    """Return the first words of the quote's telling part, cleaned, in at most 60 characters."""
    return shorten(words.telling_words(cited), max_characters=_HEADLINE_CHARACTERS)


def render(template: str, macro: str, **values: object) -> Markup:
    """Return the output of a template's macro, called with `values`."""
    return Markup(getattr(_environment().get_template(f"{template}.html").module, macro)(**values))


def render_failure_html(message: str) -> Markup:
    """Render an error message as a card."""
    return render("cards", "failure", message=message)


def read_asset(name: str) -> str:
    """Return the text of the file at a path below `ui/web`, such as a style or script."""
    return files("ui.web").joinpath(name).read_text(encoding="utf-8")


def by_document(citations: Iterable[Citation]) -> list[list[Citation]]:
    """Group the citations by document, documents and citations in the order of first appearance."""
    groups: dict[int, list[Citation]] = {}
    for citation in citations:
        groups.setdefault(citation.document_id, []).append(citation)
    return list(groups.values())


class _Joined(Extension):
    """Removes the white space between lines of a template if one ends or the next begins with a tag."""

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
    # Dates get a class, so that none is broken over two lines.
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
