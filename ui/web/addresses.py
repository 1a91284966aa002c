"""Addresses of pages: a document's, a product's, others with what they show; and names of files that are offered."""

import re
from urllib.parse import quote, urlencode

from corpus.model import Span

DOCUMENT_PATH = "/documents/{document_id}"
_UNSAFE_IN_NAME = re.compile(r"[^A-Za-z0-9._-]+")


def document_address(document_id: int, span: Span | None = None) -> str:
    """The address of a document's page; with a range of its text, that range marked and scrolled to."""
    return f"/documents/{document_id}" + (f"?start={span.start}&end={span.end}#quote" if span else "")


def page_address(page: str, **values: str) -> str:
    """The address of a page with what it shows: `/upgrade?product=Django`."""
    return f"/{page}?{urlencode(values)}" if values else f"/{page}"


def product_address(product: str, version: str | None = None) -> str:
    """The address of a product's page, or of one release's: `/p/django/5.2`, `/p/@scope/name/1.0`."""
    # A browser takes a part of dots for a way up, and an empty one for none.
    safe = "/@" if all(part.strip(".") for part in product.split("/")) else "@"
    return "/".join(("/p", quote(product, safe=safe), *([quote(version, safe="")] if version else [])))


def file_name_of(*parts: str) -> str:
    """A Markdown file's name made of `parts`: `django-4.1-4.2.md`."""
    return f"{'-'.join(filter(None, (_UNSAFE_IN_NAME.sub('-', part).strip('-.').lower() for part in parts)))[:120]}.md"


def markdown_address(markdown: str) -> str:
    """An address that holds a text itself, to be downloaded or copied from it."""
    return f"data:text/markdown;charset=utf-8,{quote(markdown, safe='', errors='replace')}"
