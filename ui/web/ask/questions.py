"""Questions to offer, from templates: what is new, breaks, is newest; on the start page and below an answer."""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import islice

from corpus.catalogue import CatalogueProduct, CatalogueRelease, largest_first, stable_releases
from retrieval.model import Interpretation
from ui.web.ask.conversation import Asking

_PRODUCTS, _OFFERED = 9, 6


def newest_first(
    products: Sequence[CatalogueProduct], *, today: date
) -> tuple[tuple[CatalogueProduct, CatalogueRelease | None], ...]:
    """Return at most nine products, each with its newest stable release out or None, newest first, then by size."""
    out = [
        (product, next((rel for rel in stable_releases(product.releases) if not rel.date or rel.date <= today), None))
        for product in largest_first(products)
    ]
    return tuple(sorted(out, key=lambda row: (row[1] and row[1].date) or date.min, reverse=True)[:_PRODUCTS])


def start_questions(products: Sequence[CatalogueProduct]) -> tuple[str, ...]:
    """Return at most six questions, each about another product than the one before it, and of another form."""
    sets = [questions for product in largest_first(products)[:_OFFERED] if (questions := tuple(_questions(product)))]
    turns = (choices[(place + turn) % len(choices)] for turn in range(3) for place, choices in enumerate(sets))
    return tuple(islice(dict.fromkeys(turns), _OFFERED))


def follow_ups(products: Sequence[CatalogueProduct], asking: Asking, read: Interpretation) -> tuple[str, ...]:
    """Return questions about the first product of the last one that weren't asked; none under a version filter."""
    earlier = {question.casefold() for question in (*asking.history, asking.question)}
    about = [product for product in products if not asking.version and product.name in read.products[:1]]
    questions = (question for product in about for question in _questions(product))
    return tuple(question for question in questions if question.casefold() not in earlier)


def _questions(product: CatalogueProduct) -> Iterator[str]:
    """Yield up to three questions about a product: what is new, what upgrading to it breaks, and the newest release."""
    stable = [release.version for release in stable_releases(product.releases)]
    # Patch releases mostly fix, so they are used only if there are no others.
    majors = [version for version in stable if not any(version.release[2:])] or stable
    if majors:
        yield f"What is new in {product.name} {majors[0]}?"
    if majors[1:]:
        yield f"What breaks when I upgrade {product.name} from {majors[1]} to {majors[0]}?"
    if product.releases:
        yield f"What is the newest release of {product.name}?"
