"""Questions with several parts of which only some are proven: what isn't is said.

Parts are what a question names side by side: releases, products, names of code.
"""

from collections.abc import Iterator
from dataclasses import replace

from corpus.lexicon import split_tokens
from retrieval.answers.coverage import describe_absence, describe_product
from retrieval.drafting import Draft, safe
from retrieval.findings import Findings
from retrieval.model import Status


def say_missing_parts(findings: Findings, draft: Draft) -> Draft:
    """The same draft where all parts are proven or none is; else a partial one that begins with what isn't."""
    missing = tuple(_missing(findings, draft))
    if draft.status is not Status.ANSWERED or not draft.statements or not missing:
        return draft
    return replace(draft, status=Status.PARTIAL, lead=" ".join(filter(None, (*missing, draft.lead))))


def _missing(findings: Findings, draft: Draft) -> Iterator[str]:
    yield from _missing_releases(findings)
    yield from _missing_products(findings, draft)
    yield from _missing_symbols(findings)


def _missing_releases(findings: Findings) -> Iterator[str]:
    constraint = findings.query.constraint
    if constraint is None or len(constraint.versions) < 2 or len(findings.products) != 1:
        return
    (product,) = findings.products
    asked = [type(constraint).exactly(version) for version in constraint.versions]
    absent = [one for one in asked if not any(one.contains(release.version) for release in product.releases)]
    if absent and len(absent) < len(asked):
        yield from (describe_absence(product, one) for one in absent)


def _missing_products(findings: Findings, draft: Draft) -> Iterator[str]:
    if len(findings.query.products) < 2:
        return
    quoted = {quote.passage.document.product for statement in draft.statements for quote in statement.quotes}
    absent = [one for one in findings.products if one.name not in quoted]
    if len(absent) < len(findings.products):
        yield from (f"Nothing found about {safe(one.name)} ({describe_product(one)})." for one in absent)


def _missing_symbols(findings: Findings) -> Iterator[str]:
    """Names of code that no passage holds, neither whole nor by their last part, beside others that are held."""
    lexical = findings.index.lexical
    absent = [
        symbol
        for symbol in findings.query.symbols
        if not any(map(lexical.document_frequency, (*split_tokens(symbol)[:1], *split_tokens(_member(symbol))[:1])))
    ]
    if absent and len(absent) < len(findings.query.symbols):
        named = " or ".join(f"`{symbol.replace('`', '')}`" for symbol in absent)
        yield f"No passage mentions {named}."


def _member(symbol: str) -> str:
    return symbol.removesuffix("()").replace("::", ".").rpartition(".")[2]
