"""Questions with several parts of which only some are proven: what isn't is said.

Parts are what a question names side by side: releases, products, names of code.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from corpus.versions import Version
from retrieval.answers.coverage import describe_absence, describe_product
from retrieval.drafting import Draft
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.question.symbols import absent_symbols
from retrieval.quoting.safe_text import safe

_ASKS_DIFFERENCE = re.compile(r"\b(?:differ\w*|chang\w*|between|new)\b", re.IGNORECASE)


def say_missing_parts(findings: Findings, draft: Draft) -> Draft:
    """The same draft where all parts are proven or none is; else a partial one that begins with what isn't. What is
    said of pins speaks of each."""
    if findings.query.pins:
        return draft
    missing = tuple(_missing(findings, draft))
    if draft.status is not Status.ANSWERED or not draft.statements or not missing:
        return draft
    return replace(draft, status=Status.PARTIAL, lead=" ".join(filter(None, (*missing, draft.lead))))


def _missing(findings: Findings, draft: Draft) -> Iterator[str]:
    yield from missing_releases(findings)
    yield from _unquoted_releases(findings, draft)
    yield from _missing_products(findings, draft)
    yield from _missing_symbols(findings)


def missing_releases(findings: Findings) -> Iterator[str]:
    """For each asked release that isn't indexed, where another asked one is, that it isn't; the end of a range too."""
    constraint = findings.query.constraint
    if constraint is None or len(findings.products) != 1 or findings.query.versions_named_as:
        return
    (product,) = findings.products
    ends = (constraint.high,) if constraint.high is not None and constraint.includes_high else ()
    asked = [type(constraint).exactly(version) for version in constraint.versions or ends]
    absent = [one for one in asked if not any(one.contains(release.version) for release in product.releases)]
    if any(constraint.contains(release.version) for release in product.releases):
        yield from (describe_absence(product, one) for one in absent)


def _unquoted_releases(findings: Findings, draft: Draft) -> Iterator[str]:
    """For each of several indexed releases that the question numbers, that nothing is quoted or said of it."""
    constraint = findings.query.constraint
    is_numbered = not findings.query.versions_named_as and not findings.query.form.is_catalogue
    if constraint is None or len(constraint.versions) < 2 or len(findings.products) != 1 or not is_numbered:
        return
    (product,) = findings.products
    quoted = [quote.passage for one in draft.statements for quote in one.quotes]
    releases = {Version.parse(one.release) for one in quoted if one.release} | {
        v for one in quoted for v in one.versions
    }
    said = " ".join((draft.lead, *(one.text for one in draft.statements)))
    # What became different from the first release to a later one is told by the later one's notes alone.
    is_told_later = bool(_ASKS_DIFFERENCE.search(findings.query.text))
    for version in sorted(constraint.versions)[is_told_later:]:
        asked = type(constraint).exactly(version)
        is_indexed = any(asked.contains(release.version) for release in product.releases)
        if is_indexed and not any(map(asked.contains, releases)) and str(version) not in said:
            yield f"Nothing found about {safe(product.name)} {version}."


def _missing_products(findings: Findings, draft: Draft) -> Iterator[str]:
    if len(findings.query.products) < 2:
        return
    quoted = {quote.passage.document.product for statement in draft.statements for quote in statement.quotes}
    absent = [one for one in findings.products if one.name not in quoted]
    if len(absent) < len(findings.products):
        yield from (f"Nothing found about {safe(one.name)} ({describe_product(one)})." for one in absent)


def _missing_symbols(findings: Findings) -> Iterator[str]:
    absent = absent_symbols(findings.query.symbols, findings.index.lexical)
    if absent and len(absent) < len(findings.query.symbols):
        named = " or ".join(f"`{symbol.replace('`', '')}`" for symbol in absent)
        yield f"No passage mentions {named}."
