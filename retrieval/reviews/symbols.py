"""The names that release notes hold on the lines of a diff, with what the notes say about them.

Only passages with a word of the diff are read. Of a product that the diff bumps, the names of all changes in the range
are looked up; of the two others that it mentions most, those of removals, deprecations and breaking changes.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from corpus.catalogue import CatalogueProduct
from corpus.deadline import waited_for
from corpus.index.reader import IndexReader
from corpus.model import Change
from retrieval.quoting.composing import cite_quotes
from retrieval.reviews.diff import FileDiff
from retrieval.reviews.model import ReviewedSymbol
from retrieval.reviews.products import is_lock_name
from retrieval.upgrades.bounds import Bounds
from retrieval.upgrades.citing import quote_entry
from retrieval.upgrades.code_usage import CodeUsage, is_code, split_name
from retrieval.upgrades.entries import read_entries
from retrieval.upgrades.model import SEVERITY
from retrieval.upgrades.repeats import FoundChange

MAX_SYMBOLS, MAX_CITATIONS = 50, 3
_MOST_OTHERS = 2  # Products without a bump, most mentioned first: all their notes are read, up to seconds each.


def read_lines(files: Sequence[FileDiff], *, shown: bool) -> CodeUsage:
    """Return the words on the added lines of a diff's code files; with `shown` on all lines, the changed ones first."""
    lines = []
    for file in files:
        if is_code(file.path) and not is_lock_name(PurePosixPath(file.path).name):
            sides = (file.added, file.removed) if shown else (file.added,)
            lines += [(file.path, line.number, line.text) for side in sides for line in side]
    return CodeUsage(lines)


def review_symbols(
    code: CodeUsage, index: IndexReader, ranges: Mapping[str, Sequence[Bounds]]
) -> tuple[ReviewedSymbol, ...]:
    """Return at most 50 names of the notes on the lines of a diff, by file and line, each once for a product.

    `ranges` are the ranges of each product that the diff bumps, by its name.
    """
    symbols: list[ReviewedSymbol] = []
    counts = {product.name: code.mentions((product.name, *product.aliases)) for product in index.products}
    others = sorted((name for name in counts if counts[name] and name not in ranges), key=counts.__getitem__)
    looked_up = {*ranges, *others[-_MOST_OTHERS:]}
    for product in waited_for(product for product in index.products if product.name in looked_up):
        names = (product.name, *product.aliases)
        naming: defaultdict[str, list[tuple[str, FoundChange]]] = defaultdict(list)
        for change in _changes(code, index, product, ranges.get(product.name, ())):
            for symbol in change.symbols:
                naming[split_name(symbol)[1]].append((symbol, change))
        for name, mentions in naming.items():
            usages = code.usages_of([symbol for symbol, _ in mentions], product=names, limit=1)
            changes = [change for _, change in mentions]
            changes.sort(key=lambda each: SEVERITY[each.change or Change.HOUSEKEEPING])
            quotes = [quote_entry(change.entry, index) for change in changes[:MAX_CITATIONS]] if usages else []
            citations = tuple(filter(None, cite_quotes(quotes, index)))
            symbols += [
                ReviewedSymbol(name, product.name, use.file, use.line, citations) for use in usages if citations
            ]
    order = {file: place for place, file in enumerate(code.files)}
    return tuple(sorted(symbols, key=lambda symbol: (order[symbol.file], symbol.line)))[:MAX_SYMBOLS]


def _changes(
    code: CodeUsage, index: IndexReader, product: CatalogueProduct, ranges: Sequence[Bounds]
) -> Iterator[FoundChange]:
    """Yield the changes with a word of the code: of the ranges, or without ranges what breaks, removes, deprecates."""
    rows = index.passages_holding(code.tokens, products=[product.name]).tolist()
    passages = (passage for passage in index.load_passages(rows) if not passage.is_foreign)
    for entry in waited_for(read_entries(passages, index)):
        change, version = entry.stored.change, entry.version
        is_meant = any(each.hold(version) for each in ranges if version) or not ranges
        if version and is_meant and (ranges or change not in (None, Change.SECURITY)):
            yield FoundChange(entry, change)
