"""The symbols of a diff with what the notes say of them: whose each is, and which are worth a look.

Silence rather than noise: a name belongs to a product that the diff bumps or imports, and is listed only where notes
speak of it. A name that nobody sees the owner of is tried with the products that its own file imports, and the bumped.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from corpus.catalogue import CatalogueProduct
from corpus.index_store import IndexReader
from corpus.versions import Version
from retrieval.code_usage import CodeUsage
from retrieval.code_usage.model import FileNames, Mention, MentionKind, Origin
from retrieval.code_usage.product_roots import product_roots
from retrieval.reviews.mentions import MentionReader, VersionRange
from retrieval.reviews.model import ReviewedBump, ReviewedSymbol
from retrieval.reviews.touched import Touched

MAX_SYMBOLS = 50
_MOST_LOOK_UPS = 600


def review_symbols(
    touched: Sequence[Touched], index: IndexReader, bumps: Sequence[ReviewedBump]
) -> tuple[ReviewedSymbol, ...]:
    """At most 50 symbols that the notes speak of, in the diff's order, each once for a product."""
    ranges = _ranges(bumps)
    reader = MentionReader(index)
    found: list[tuple[int, ReviewedSymbol]] = []
    candidates = _candidates(touched, index.products, frozenset(ranges))
    place = {one: n for n, one in enumerate(touched)}
    for one, product in islice(candidates, _MOST_LOOK_UPS):
        if len(found) == MAX_SYMBOLS:
            break
        if citations := reader.cite(one.symbol, product, ranges.get(product.name, ())):
            found.append((place[one], ReviewedSymbol(one.symbol, product.name, one.file, one.line, citations)))
    return tuple(told for _, told in sorted(found, key=lambda pair: pair[0]))


def used_in_diff(touched: Sequence[Touched]) -> CodeUsage:
    """The names on added lines as code: what a diff brings in is in use, whether the repository is at hand or not."""
    files: dict[str, list[Touched]] = {}
    for one in touched:
        if one.is_added:
            files.setdefault(one.file, []).append(one)
    return CodeUsage.from_files({file: _names(names) for file, names in files.items()})


def _names(touched: Sequence[Touched]) -> FileNames:
    places = []
    for one in touched:
        path = (one.symbol,) if one.symbol.startswith("-") else tuple(one.symbol.split("."))
        origin = Origin.IMPORTED if one.context and len(path) > 1 else Origin.UNKNOWN
        places.append((Mention(path, one.kind, origin, written=len(path)), one.line))
    subjects = frozenset(one.context[0].casefold() for one in touched if one.context)
    return FileNames(tuple(places), subjects=subjects)


def _candidates(
    touched: Sequence[Touched], products: Sequence[CatalogueProduct], bumped: frozenset[str]
) -> Iterator[tuple[Touched, CatalogueProduct]]:
    """Each symbol with the products that it may be of, sure ones first; its first place where it comes twice."""
    roots = [(product, product_roots((product.name, *product.aliases))) for product in products]
    owners: dict[tuple[bool, tuple[str, ...]], tuple[CatalogueProduct, ...]] = {}
    sure: list[tuple[Touched, CatalogueProduct]] = []
    for one in touched:
        # Few contexts, many names: asking each name for each product takes seconds.
        key = one.kind is MentionKind.FLAG, one.context
        if key not in owners:
            owners[key] = tuple(product for product, own in roots if one.context and one.is_surely_of(own))
        sure += [(one, product) for product in owners[key]]
    owned = {one for one, _ in sure}
    imported: dict[str, dict[str, CatalogueProduct]] = {}
    for one, product in sure:
        imported.setdefault(one.file, {})[product.name] = product
    likely = (
        (one, product)
        for one in touched
        if one not in owned and not one.context
        for product in products
        if product.name in bumped or product.name in imported.get(one.file, {})
    )
    told: set[tuple[str, str]] = set()
    for one, product in (*sure, *likely):
        if (one.symbol, product.name) not in told:
            told.add((one.symbol, product.name))
            yield one, product


def _ranges(bumps: Sequence[ReviewedBump]) -> dict[str, tuple[VersionRange, ...]]:
    """The ranges of each bumped product; of a downgrade, the one that it gives up."""
    ranges: dict[str, tuple[VersionRange, ...]] = {}
    for bump in bumps:
        low, high = sorted((Version.parse(bump.start), Version.parse(bump.end)))
        ranges[bump.product] = (*ranges.get(bump.product, ()), VersionRange(low, high))
    return ranges
