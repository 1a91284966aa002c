"""Questions to begin with, made from what the index covers, so that each of them fits it."""

from collections.abc import Iterable, Sequence

from corpus.catalogue import CatalogueProduct

_PRODUCTS = 2
_QUESTIONS = 4


def example_questions(products: Sequence[CatalogueProduct]) -> tuple[str, ...]:
    """Up to four questions about the products with the most passages; none for an empty index."""
    largest = largest_products(products, _PRODUCTS)
    # Of each product as many as there is room for, its own questions in their order.
    room = _QUESTIONS // max(1, len(largest))
    return tuple(question for product in largest for question in _about(product)[:room])


def largest_products(products: Iterable[CatalogueProduct], most: int) -> list[CatalogueProduct]:
    """The first `most` of the products by how many passages they have."""
    return sorted(products, key=lambda product: (-product.passages, product.name))[:most]


def _about(product: CatalogueProduct) -> tuple[str, ...]:
    if not product.finals:
        return (f"What is new in {product.name}?",)
    # A patch release mostly fixes: asked what it deprecates, an index has nothing to tell.
    final = [version for version in product.finals if not any(version.release[2:])] or product.finals
    newest = final[0]
    questions = [f"What is new in {product.name} {newest}?", f"What was deprecated in {product.name} {newest}?"]
    if len(final) > 1:
        questions.append(f"What breaks when I upgrade {product.name} from {final[1]} to {newest}?")
    return (*questions, f"Which versions of {product.name} are covered?")
