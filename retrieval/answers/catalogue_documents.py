"""The documents that the index has of a product or of some of its releases."""

from collections.abc import Sequence

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.index.stored import DocumentSummary, StoredPassage
from retrieval.answers.catalogue_releases import first_line
from retrieval.drafting import Draft, Statement
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.pages.lines import product_positions, release_positions
from retrieval.quoting.safe_text import safe

_LISTED = 40
_READ_AT_ONCE = 200


def draft_documents(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> Draft:
    """The documents of a product, or of some of its releases, each by its place and its first words."""
    wanted = {source for release in releases for source in release.sources}
    documents = [one for one in findings.index.documents_of(product.name) if not releases or one.source in wanted]
    statements: list[Statement] = []
    firsts = _first_passages(findings, product, releases, documents[:_LISTED])
    for document in documents[:_LISTED]:
        quote = first_line(firsts[document.id], findings) if document.id in firsts else None
        if quote is not None:
            statements.append(Statement(f"{safe(document.source)}: {safe(document.title)}", (quote,)))
    which = ", ".join(str(one.version) for one in releases)
    lead = f"{len(documents)} documents of {' '.join(filter(None, (safe(product.name), which)))} are indexed."
    return Draft(Status.ANSWERED, lead, tuple(statements))


def _first_passages(
    findings: Findings,
    product: CatalogueProduct,
    releases: Sequence[CatalogueRelease],
    documents: Sequence[DocumentSummary],
) -> dict[int, StoredPassage]:
    """Where each of some documents speaks first of some releases, or at all; by the document's number."""
    positions = sorted(p for one in releases for p in release_positions(findings.index, product, one.version))
    positions = positions or list(product_positions(findings.index, product))
    missing = {document.id for document in documents}
    firsts: dict[int, StoredPassage] = {}
    for start in range(0, len(positions), _READ_AT_ONCE):
        for passage in findings.index.load_passages(positions[start : start + _READ_AT_ONCE]):
            firsts.setdefault(passage.document.id, passage)
        if missing <= firsts.keys():
            break
    return firsts
