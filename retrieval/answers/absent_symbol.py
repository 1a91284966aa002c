"""A name that the pages of the asked release don't hold and those of another do: not found, and where it is."""

import re

from corpus.catalogue import CatalogueProduct
from corpus.lexicon import split_tokens
from corpus.versions import Version, VersionMatch
from retrieval.drafting import Draft
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quoting.safe_text import safe
from retrieval.releases.matching import is_page

_YES_OR_NO = re.compile(r"\W*(?:does|do|is|are|can|could|has|have|will)\b", re.IGNORECASE)

_HAS = re.compile(r"\b(?:have|has|offer|include|provide|come with)\b", re.IGNORECASE)
"""Where a thing is asked for by its plain name, other words for it are unlikely."""


def draft_absent_symbol(findings: Findings) -> Draft | None:
    """The honest no to "does 2.0 have `Pool.schedule`", with the releases whose pages do; None where it doesn't apply.

    Applies to a question about one release and one name of code, or whether it has one thing of another name, where
    the release has pages of documentation, none of its documents holds the name, and another release's do.
    """
    constraint, symbols = findings.query.constraint, findings.query.symbols or _asked_name(findings)
    if constraint is None or len(constraint.versions) != 1 or len(symbols) != 1 or len(findings.products) != 1:
        return None
    if not any(is_page(hit.passage) for hit in findings.outcome.hits):
        return None
    (product,) = findings.products
    before = r"(?<![\w.])" if findings.query.symbols else r"(?<!\w)"
    pattern = re.compile(
        rf"{before}{re.escape(symbols[0].removesuffix('()'))}(?!\w)", re.IGNORECASE if not findings.query.symbols else 0
    )
    asked = [one.version for one in product.releases if constraint.match(one.version) is not VersionMatch.OUTSIDE]
    found = _releases_holding(findings, product, symbols[0], pattern)
    holding = [one.version for one in product.releases if one.version in found]
    if not asked or not holding or set(asked) & set(holding):
        return None
    named = ", ".join(str(version) for version in reversed(holding))
    return Draft(
        Status.NOT_FOUND,
        f"Not found: no document of {safe(product.name)} {constraint} mentions `{symbols[0].replace('`', '')}`; "
        f"of the indexed releases, {named} {'does' if len(holding) == 1 else 'do'}.",
        (),
    )


def _asked_name(findings: Findings) -> tuple[str, ...]:
    """The one name, not of code, that a question for yes or no turns on: "does 2.0 work with Valkey?"."""
    names = tuple(word.text for word in findings.focus.names if word.text[0].isalpha())
    if not names and _HAS.search(findings.query.text):
        names = tuple(word.text for word in findings.focus.telling if word.text.isalpha())
    return names if _YES_OR_NO.match(findings.query.text) and len(names) == 1 else ()


def _releases_holding(
    findings: Findings, product: CatalogueProduct, name: str, pattern: re.Pattern[str]
) -> frozenset[Version | None]:
    index = findings.index
    # The lexical index knows where any part of the name stands: the other passages needn't be read.
    may_hold = index.passages_holding(split_tokens(name), products=[product.name])
    passages = index.load_passages(may_hold.tolist())
    return frozenset(
        index.passages.version_of(passage.position)
        for passage in passages
        if pattern.search(passage.span.slice(index.text_of(passage)))
    )
