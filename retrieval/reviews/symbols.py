"""The names of a diff with what the notes say of them: whose each may be, and which are worth a look.

Silence rather than noise: a name is looked up in the notes of a product that the diff bumps, or that its own file
uses, and is listed only where those notes speak of it. What is added comes before what is removed.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from corpus.catalogue import CatalogueProduct
from corpus.index.reader import IndexReader
from retrieval.code_usage.product_roots import product_roots
from retrieval.reviews.diff import FileDiff
from retrieval.reviews.mentions import MentionReader
from retrieval.reviews.model import ReviewedSymbol, VersionRange
from retrieval.reviews.touched import Touched
from retrieval.reviews.uses import ProductUses

MAX_SYMBOLS = 50
_MOST_LOOK_UPS = 1_000


def review_symbols(
    touched: Sequence[Touched],
    files: Sequence[FileDiff],
    index: IndexReader,
    ranges: Mapping[str, Sequence[VersionRange]],
) -> tuple[ReviewedSymbol, ...]:
    """At most 50 names that the notes speak of, in the diff's order, each once for a product.

    `ranges` holds those of each product that the diff bumps, by its name.
    """
    reader = MentionReader(index)
    roots = {product.name: product_roots((product.name, *product.aliases)) for product in index.products}
    found: dict[tuple[str, str], tuple[int, ReviewedSymbol]] = {}
    uses = ProductUses(files, index, roots)
    candidates = _candidates(touched, uses, index.products, roots, ranges)
    for place, one, product in islice(candidates, _MOST_LOOK_UPS):
        key = one.mention.path[-1].rpartition(".")[2].lstrip("-"), product.name
        if len(found) == MAX_SYMBOLS or key in found:
            continue
        if citations := reader.cite(one, product, ranges.get(product.name, ()), roots=roots[product.name]):
            found[key] = place, ReviewedSymbol(one.symbol, product.name, one.file, one.line, citations)
    return tuple(told for _, told in sorted(found.values(), key=lambda pair: pair[0]))


def _candidates(
    touched: Sequence[Touched],
    uses: ProductUses,
    products: Sequence[CatalogueProduct],
    roots: Mapping[str, frozenset[str]],
    ranges: Mapping[str, Sequence[VersionRange]],
) -> Iterator[tuple[int, Touched, CatalogueProduct]]:
    """Each name with the products that it may be of, sure ones first, added ones before removed ones."""
    pairs = []
    for place, one in enumerate(touched):
        for product in products:
            own = roots[product.name]
            is_sure = one.is_surely_of(own)
            if not is_sure:
                if one.is_surely_of_another(own):
                    continue
                # A name that says enough may be of a product that another file uses.
                used = uses.anywhere if one.says_enough else uses.within(one.file)
                if product.name not in used and product.name not in ranges:
                    continue
            pairs.append((not is_sure, not one.is_added, place, one, product))
    pairs.sort(key=lambda pair: pair[:3])
    return ((place, one, product) for _, _, place, one, product in pairs)
