"""Questions to offer, from templates: what is new, breaks, is newest; on the start, and below an answer to go on."""

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
    """Return nine products at most, each with its newest stable release that is out, newest first, else by size."""
    out = [
        (product, next((one for one in stable_releases(product.releases) if not one.date or one.date <= today), None))
        for product in largest_first(products)
    ]
    return tuple(sorted(out, key=lambda row: (row[1] and row[1].date) or date.min, reverse=True)[:_PRODUCTS])


def start_questions(products: Sequence[CatalogueProduct]) -> tuple[str, ...]:
    """Return six questions at most, each of another form and about another product than the one before it."""
    asked = [found for product in largest_first(products)[:_OFFERED] if (found := tuple(_questions(product)))]
    turns = (found[(place + turn) % len(found)] for turn in range(3) for place, found in enumerate(asked))
    return tuple(islice(dict.fromkeys(turns), _OFFERED))


def follow_ups(products: Sequence[CatalogueProduct], asking: Asking, read: Interpretation) -> tuple[str, ...]:
    """Return questions to go on with after another one, about its product; none after one that is held to a version."""
    asked = {question.casefold() for question in (*asking.history, asking.question)}
    about = [product for product in products if not asking.version and product.name in read.products[:1]]
    questions = (question for product in about for question in _questions(product))
    return tuple(question for question in questions if question.casefold() not in asked)


def _questions(product: CatalogueProduct) -> Iterator[str]:
    stable = [release.version for release in stable_releases(product.releases)]
    # A patch release mostly fixes, unless all are.
    majors = [one for one in stable if not any(one.release[2:])] or stable
    if majors:
        yield f"What is new in {product.name} {majors[0]}?"
    if majors[1:]:
        yield f"What breaks when I upgrade {product.name} from {majors[1]} to {majors[0]}?"
    if product.releases:
        yield f"What is the newest release of {product.name}?"
