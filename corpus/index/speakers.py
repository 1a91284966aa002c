"""Decides whose words are a product's own: beside an origin that the user named for it, all others are attributed.

An origin is a repository, a package, a site, or a folder or file of the user's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from corpus.index.stored import DocumentSummary
from corpus.model import Authority, Claim


def attribute(documents: Sequence[DocumentSummary]) -> tuple[DocumentSummary, ...]:
    """Return the documents, in order, without names that belong to an origin that the user named for them.

    A document about such a product is contested and unofficial. An alias that only headings mention joins no products.
    """
    owners: dict[str, set[str]] = {}
    for document in documents:
        if document.speaker.claim is Claim.NAMED:
            for name in {document.product, *document.aliases}.difference(document.speaker.from_headings):
                owners.setdefault(name.casefold(), set()).add(document.speaker.origin)
    products = {document.product.casefold() for document in documents}
    return tuple(_attributed(document, owners, products) for document in documents)


def _attributed(document: DocumentSummary, owners: Mapping[str, set[str]], products: set[str]) -> DocumentSummary:
    """Return a document without the aliases, and without the authority, that another origin has."""
    speaker = document.speaker

    def is_others(name: str) -> bool:
        return speaker.claim is Claim.TEXT and speaker.origin not in owners.get(name.casefold(), (speaker.origin,))

    if is_others(document.product):
        is_ours = document.authority in (Authority.OFFICIAL, Authority.PROJECT)
        authority = Authority.UNKNOWN if is_ours else document.authority
        return replace(document, aliases=(), authority=authority, is_contested=True)
    joining = products.intersection(map(str.casefold, speaker.from_headings))
    kept = (name for name in document.aliases if name.casefold() not in joining and not is_others(name))
    return replace(document, aliases=tuple(kept))
