"""How far the notes reach, said where it matters: an index knows nothing of what came out after its last sync.

It matters for what is newest, for a range that goes on beyond the newest release, and for what isn't found.
"""

from collections.abc import Iterator
from dataclasses import replace

from corpus.catalogue import CatalogueProduct, releases_out, stable_releases
from retrieval.drafting import Draft
from retrieval.findings import Findings
from retrieval.model import Query, Status, Wanted
from retrieval.releases.end_of_notes import end_of_notes

_MOST_TOLD = 3
"""A question that names more products than these is about none of them."""


def tell_currency(draft: Draft, findings: Findings) -> Draft:
    """The draft with a note for each product that the question names whose later releases could change the answer."""
    return replace(draft, notes=(*draft.notes, *_ends(draft, findings)))


def _ends(draft: Draft, findings: Findings) -> Iterator[str]:
    query = findings.query
    if len(query.products) > _MOST_TOLD:
        return
    for product in findings.index.products_named(query.products):
        if product.releases and (draft.status is Status.NOT_FOUND or _is_about_newest(query, product)):
            yield from end_of_notes(product, findings.index)


def _is_about_newest(query: Query, product: CatalogueProduct) -> bool:
    if query.wanted in (Wanted.NEWEST, Wanted.IS_NEWEST):
        return True
    if query.constraint is None:
        return False
    if query.versions_named_as:
        return query.constraint.contains(stable_releases(product.releases)[0].version)
    high = max(query.constraint.versions, default=query.constraint.high)
    return high is None or high > releases_out(product.releases)[0].version
