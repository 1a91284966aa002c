"""The honest no: why there is no answer, and what the index does cover."""

from corpus.catalogue import CatalogueProduct
from corpus.lexicon import content_words, split_tokens
from corpus.plain_words import one_line
from retrieval.answers.catalogue import describe_coverage, describe_product
from retrieval.drafting import Draft, safe
from retrieval.findings import Findings
from retrieval.model import Status

_NAMED_WORDS = 3


def draft_not_found(findings: Findings) -> Draft:
    """Say "Not found", the reason that is known, what is covered, and the nearest passage without quoting it."""
    parts = ["Not found in the indexed release notes."]
    missing_release = uncovered_release(findings)
    if missing_release is not None:
        product, asked = missing_release
        parts.append(f"No notes for {safe(product.name)} {asked} are indexed; {describe_product(product)} are.")
    else:
        if unknown := _unknown_words(findings):
            parts.append(f"No passage mentions {' or '.join(f'`{word}`' for word in unknown)}.")
        parts.append(f"Covered: {describe_coverage(findings.index)}.")
        if nearest := _nearest(findings):
            parts.append(nearest)
    return Draft(Status.NOT_FOUND, " ".join(parts), ())


def uncovered_release(findings: Findings) -> tuple[CatalogueProduct, str] | None:
    """The product and the asked versions, where the question names ones that no notes are indexed for."""
    constraint = findings.query.constraint
    if constraint is None or len(findings.products) != 1:
        return None
    product = findings.products[0]
    covered = any(constraint.contains(release.version) for release in product.releases)
    return None if covered or not product.releases else (product, str(constraint))


def _unknown_words(findings: Findings) -> list[str]:
    unknown = set(findings.weights.unknown)
    words = [word for word in content_words(findings.query.text) if unknown & set(split_tokens(word)[:1])]
    return [word.replace("`", "'") for word in words[:_NAMED_WORDS]]


def _nearest(findings: Findings) -> str:
    if not findings.outcome.hits:
        return ""
    passage = findings.outcome.hits[0].passage
    place = " ".join(part for part in (passage.document.product, passage.release) if part)
    title = one_line(passage.heading[-1]) if passage.heading else passage.document.title
    return f"The nearest passage is about {safe(place)}: “{safe(title)}”."
