"""Names of code in a question, looked up letter by letter in all entries that a search may return."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.lexicon import split_tokens
from corpus.stores.protocol import PassageFilter
from retrieval.model import Form, Query

Places = Mapping[int, frozenset[int]]
"""Positions of passages, each with the numbers of the items of those entries that hold a name."""
_UNIT = 10**9  # The weight of a name in a single passage.
_MOST_READ, _RARE = 1000, 20
"""Most passages read for a name; and most that hold one, because an option that everything takes ("--help") only says
where something happens."""


def find_exact(query: Query, index: IndexReader, wanted: PassageFilter) -> Places:
    """Return the places with most of a question's names, each counted the more the rarer it is; empty if none is rare
    in a question without an error. "Since when" asks for the entry of the event, however that writes the name."""
    # "http2" is written so in prose, too.
    written = (name for name in query.symbols if name.isalpha() or not (name.isalnum() and name.islower()))
    names = [name for name in written if name in query.text and query.form is not Form.SINCE_WHEN]
    by_name = [places for name in names if (places := _places_of(name, index, wanted))]
    most = _MOST_READ if query.form is Form.ERROR else _RARE
    if not by_name or min(map(len, by_name)) > most:
        return {}
    weights = Counter[tuple[int, int]]()
    for places in by_name:
        for position, items in places.items():
            weights.update(dict.fromkeys(((position, number) for number in items), _UNIT // len(places)))
    highest, best = max(weights.values()), dict[int, frozenset[int]]()
    for (position, number), weight in weights.items():
        if weight == highest:
            best[position] = best.get(position, frozenset()) | {number}
    return best


def _places_of(name: str, index: IndexReader, wanted: PassageFilter) -> Places:
    """Return the places of a name as written, else in any case."""
    whole = name.removesuffix("()")
    parts = [part for part in re.split(r"[\W_]+", whole) if len(part) > 1] or [whole]
    rows = [_rows_with(part, index, wanted) for part in parts]
    passages = index.load_passages(reduce(np.intersect1d, rows)[:_MOST_READ].tolist())
    # Markdown escapes the signs of a name; lines end where there was a blank.
    written = r"\s+".join(re.sub(r"(\\?\W|_)", r"\\\\?\1", re.escape(word)) for word in whole.split())
    pattern = rf"(?<![\w-]){written}(?![\w-])" if whole[0] == "-" else rf"(?<!\w){written}(?!\w)"
    for flags in (0, re.IGNORECASE):
        matches = ((passage, _items_holding(re.compile(pattern, flags), passage, index)) for passage in passages)
        if places := {passage.position: items for passage, items in matches if items}:
            return places
    return {}


def _rows_with(part: str, index: IndexReader, wanted: PassageFilter) -> NDArray[np.int64]:
    return index.store.lexical_scores(dict.fromkeys(split_tokens(part)[:1], 1.0), wanted).positions


def _items_holding(pattern: re.Pattern[str], passage: StoredPassage, index: IndexReader) -> frozenset[int]:
    """Return the items of a passage's entries that match; all items if its heading or code does."""
    numbers = range(len(passage.items))
    if pattern.search("\n".join(passage.heading)):
        return frozenset(numbers)
    text, entries = index.text_of(passage), list[list[int]]()
    for number in numbers:
        if passage.items[number].opens or not entries:
            entries.append([])
        entries[-1].append(number)
    spans = ((entry, passage.items[entry[0]].span.start, passage.items[entry[-1]].span.end) for entry in entries)
    matching = [number for entry, start, end in spans if pattern.search(text, start, end) for number in entry]
    return frozenset(numbers if any(passage.items[number].is_code for number in matching) else matching)
