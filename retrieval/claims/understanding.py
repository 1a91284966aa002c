"""What a part of a claim is about: its product, and which of its numbers are releases of that."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from corpus.catalogue import CatalogueProduct
from corpus.index.reader import IndexReader
from corpus.versions import Version, VersionConstraint
from retrieval.findings import Findings
from retrieval.model import Query

if TYPE_CHECKING:
    from retrieval.llm.claims import ClaimReader

_PLACES = r"(?:in|since|as of|from|before|until|till|by|with|of|version|release|up to|after|at)"
_RELEASED = re.compile(rf"(?:^|\b{_PLACES}|[,;:(])\s*$", re.IGNORECASE)


class Finder(Protocol):
    """What finds evidence: `retrieval.assistant.Assistant`."""

    @property
    def index(self) -> IndexReader: ...

    def understand_claim(self, text: str, *, product: str | None = None, version: str | None = None) -> Query: ...

    def find(self, query: Query, *, limit: int) -> Findings: ...

    def begin_claims(self) -> "ClaimReader | None": ...


def understand_part(text: str, finder: Finder, *, product: str | None, version: str | None) -> Query:
    """The query of a part of a claim, about the product whose release it names, with releases of that alone.

    Raises:
        UsageError: an unknown product, or a malformed version filter.
    """
    query = finder.understand_claim(text, product=product, version=version)
    if product is None and query.products and not _has_named(query, finder.index):
        named = _named_with_release(text, finder.index)
        if len(named) == 1 and named[0].name not in query.products:
            query = finder.understand_claim(text, product=named[0].name, version=version)
    if product is None:
        query = _of_product_with_release(query, finder.index)
    return _with_releases_alone(query, finder.index)


def _has_named(query: Query, index: IndexReader) -> bool:
    """Whether a product that the query is about has a release that it names."""
    asked = query.constraint.versions if query.constraint else ()
    own = index.products_named(query.products)
    return any(has_release(product, version) for product in own for version in asked)


def _named_with_release(text: str, index: IndexReader) -> tuple[CatalogueProduct, ...]:
    """The products that stand right before one of their releases: FastAPI in "Pydantic models since FastAPI 0.115"."""
    return tuple(
        product
        for product in index.products
        if any(has_release(product, version) for version in _numbers_after(product, text))
    )


def _numbers_after(product: CatalogueProduct, text: str) -> Iterator[Version]:
    names = "|".join(map(re.escape, (product.name, *product.aliases)))
    for match in re.finditer(rf"(?i)(?<![\w.-])(?:{names})\s+v?(\d+(?:\.\d+)+)", text):
        if (version := Version.try_parse(match[1])) is not None:
            yield version


def has_release(product: CatalogueProduct, *asked: Version) -> bool:
    """Whether a product has any of the asked releases, or one within them."""
    wanted = VersionConstraint.exactly(*asked)
    return any(wanted.contains(release.version) for release in product.releases)


def _of_product_with_release(query: Query, index: IndexReader) -> Query:
    """The query about the products that have the named release, where the one it was understood to name has not:
    "4.0rc2 changed the Python API" isn't about Python."""
    asked = query.constraint
    if asked is None or not query.products or query.version_filtered or not asked.versions:
        return query

    def has(product: CatalogueProduct) -> bool:
        return any(asked.contains(release.version) for release in product.releases)

    own = index.products_named(query.products)
    names = "|".join(re.escape(name) for product in own for name in (product.name, *product.aliases))
    is_named = re.search(rf"(?i)\b(?:{names})\s+(?:{_PLACES}\s+)?v?\d", query.text)
    if is_named or any(map(has, own)):
        return query
    having = tuple(product.name for product in index.products if has(product))
    return replace(query, products=having) if having else query


def _with_releases_alone(query: Query, index: IndexReader) -> Query:
    """The query without numbers that are no releases of its products, nor placed as one: "version 5 of the format"."""
    asked = query.constraint
    own = index.products_named(query.products)
    if asked is None or query.version_filtered or not asked.versions or not own:
        return query
    had = [version for version in asked.versions if any(has_release(product, version) for product in own)]
    kept = had or [version for version in asked.versions if _is_placed(version, query.text, own)]
    if len(kept) == len(asked.versions):
        return query
    return replace(query, constraint=VersionConstraint.exactly(*kept) if kept else None)


def _is_placed(version: Version, text: str, products: Sequence[CatalogueProduct]) -> bool:
    """Whether a number stands where a release would: first, after "in", after the product's name."""
    names = "|".join(re.escape(name) for product in products for name in (product.name, *product.aliases))
    at = re.search(rf"(?<![\w.])v?{re.escape(version.label.lstrip('vV'))}(?![\w]|\.\d)", text)
    if at is None:
        return True
    before = text[: at.start()]
    return bool(_RELEASED.search(before) or re.search(rf"(?i)(?:{names})[\s=<>~^-]*$", before))
